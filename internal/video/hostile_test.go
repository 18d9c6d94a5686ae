package video

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"greenroom/internal/platform/db"
)

// trap is what hostile files name: a film that nobody may open, and a host that nobody may call.
type trap struct {
	file, host string
	watch      int
	calls      atomic.Int32
}

func setTrap(t *testing.T) *trap {
	t.Helper()
	x := &trap{file: clip(t, "secret.mp4", mute)}
	var err error
	if x.watch, err = unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC); err != nil {
		t.Skip("no way to see who opens a file: ", err)
	}
	t.Cleanup(func() { _ = unix.Close(x.watch) })
	if _, err := unix.InotifyAddWatch(x.watch, x.file, unix.IN_OPEN|unix.IN_ACCESS); err != nil {
		t.Fatal(err)
	}
	listening, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listening.Close() })
	x.host = listening.Addr().String()
	go func() {
		for {
			c, err := listening.Accept()
			if err != nil {
				return
			}
			x.calls.Add(1)
			_ = c.Close()
		}
	}()
	return x
}

// sprung tells whether somebody has opened the file or called the host since it was asked last.
func (x *trap) sprung() bool {
	said := make([]byte, 4096)
	n, _ := unix.Read(x.watch, said)
	return n > 0 || x.calls.Swap(0) > 0
}

// hostile is a file, and words of the sentence that refuses it. Where there are none, any sentence will do, or it is cleaned.
type hostile struct {
	name, ending string
	content      []byte
	says         string
}

const unread, cutOff = "not a video", "damaged"

func (x *trap) texts() (all []hostile) {
	add := func(name, ending, content string) {
		all = append(all, hostile{name, ending, []byte(content), unread})
	}
	list := "#EXTM3U\n#EXT-X-TARGETDURATION:1\n%s#EXTINF:1,\n%s\n#EXT-X-ENDLIST\n"
	for _, ending := range []string{"mp4", "mov", "mkv", "webm", "avi", "ts", "m4v", "m3u8", "m3u", "mpd", "sdp", "ffconcat", "txt"} {
		add("a playlist that names a file, as "+ending, ending, fmt.Sprintf(list, "", "file://"+x.file))
	}
	dash := `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT2S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>%s</BaseURL></Representation></AdaptationSet></Period></MPD>`
	add("a playlist that names a host", "mp4", fmt.Sprintf(list, "", "http://"+x.host+"/a.ts"))
	add("a playlist with a key elsewhere", "mp4", fmt.Sprintf(list, `#EXT-X-KEY:METHOD=AES-128,URI="http://`+x.host+"/k\"\n", "a.ts"))
	add("a playlist whose beginning is a file", "mp4", fmt.Sprintf(list, `#EXT-X-MAP:URI="file://`+x.file+"\"\n", "a.ts"))
	add("a playlist with a neighbor", "m3u8", fmt.Sprintf(list, "", filepath.Base(x.file)))
	add("DASH that names a file", "mpd", fmt.Sprintf(dash, "file://"+x.file))
	add("DASH that names a host", "mp4", fmt.Sprintf(dash, "http://"+x.host+"/a.mp4"))
	add("a list of files", "ffconcat", "ffconcat version 1.0\nfile '"+x.file+"'\n")
	add("a list of hosts", "mp4", "ffconcat version 1.0\nfile 'http://"+x.host+"/a.mp4'\n")
	add("a description that listens", "sdp", "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n")
	add("a drawing", "mp4", `<svg xmlns="http://www.w3.org/2000/svg"><image href="file://`+x.file+`"/></svg>`)
	add("a script that opens a film", "avs", `AviSource("`+x.file+`")`)
	add("a script for frames", "vpy", "import vapoursynth as vs\nvs.core.ffms2.Source('"+x.file+"').set_output()\n")
	add("a packing list", "mp4", `<?xml version="1.0"?><CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016"><Id>urn:uuid:1</Id></CompositionPlaylist>`)
	add("nothing", "mp4", "")
	add("one byte", "mp4", "\x00")
	add("words", "mp4", strings.Repeat("Lesson one. ", 1000))
	add("noise", "mp4", strings.Repeat("\x93\x1c\xfe\x07", 5000))
	add("a GIF", "mp4", "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;")
	add("a PNG", "mp4", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x01\x00\x00\x00\x01\x00\x00\x08\x02\x00\x00\x00")
	add("a zip", "mp4", "PK\x03\x04\x14\x00\x00\x00\x08\x00"+strings.Repeat("\x00", 100))
	add("a program", "mp4", "\x7fELF\x02\x01\x01"+strings.Repeat("\x00", 100))
	return all
}

// claims are headers that say what is not so. They are written by hand, for no tool writes them.
func (x *trap) claims() []hostile {
	usual := reel{scale: 1000, length: 1000}
	with := func(change func(r *reel)) []byte { r := usual; change(&r); return r.bytes() }
	const all = math.MaxUint32
	deep := []byte{}
	for range 10_000 {
		deep = box("moov", deep)
	}
	edits := make([]byte, 12*100_000)
	start := box("ftyp", be("isom", 0, "isom"))
	return []hostile{
		{"a box without an end", "mp4", slices.Concat(start, lying("moov", 0, []byte("trak"))), ""},
		{"a first box without an end", "mp4", slices.Concat(lying("ftyp", 0, be("isom", 0, "isom")), usual.bytes()), unread},
		{"a box of 2^63 bytes", "mp4", slices.Concat(start, be(1, "mdat", uint64(math.MaxInt64)), usual.bytes()), unread},
		{"a box of 2^64 bytes", "mp4", slices.Concat(start, be(1, "moov", uint64(math.MaxUint64)), usual.bytes()), unread},
		{"a box smaller than its name", "mp4", slices.Concat(start, lying("moov", 4), usual.bytes()), ""},
		{"boxes in boxes, 10,000 deep", "mp4", slices.Concat(start, deep), unread},
		{"a header of 4 GB", "mp4", slices.Concat(start, lying("moov", all, usual.bytes())), ""},
		{"boxes of nothing without number", "mp4", slices.Concat(start, bytes.Repeat(box("free"), 200_000)), unread},
		{"4 billion frames in a second", "mp4", with(func(r *reel) { r.times = box("stts", be(0, 1, uint32(all), 1)) }), ""},
		{"4 billion frames of a size", "mp4", with(func(r *reel) {
			r.times, r.sizes = box("stts", be(0, 1, uint32(all), 1)), box("stsz", be(0, 1, uint32(all)))
		}), ""},
		{"4 billion places", "mp4", with(func(r *reel) { r.places = box("stco", be(0, uint32(all), 40)) }), ""},
		{"frames that take no time", "mp4", with(func(r *reel) { r.times = box("stts", be(0, 1, 10, 0)) }), ""},
		{"1000 frames a second", "mp4", with(func(r *reel) { r.times, r.length = box("stts", be(0, 1, 10, 1)), 10 }), "1000 pictures a second"},
		{"a clock of 4 billion ticks", "mp4", with(func(r *reel) { r.scale = all }), ""},
		{"a clock that stands", "mp4", with(func(r *reel) { r.scale = 0 }), ""},
		{"136 years", "mp4", with(func(r *reel) { r.scale, r.length, r.times = 1, all, box("stts", be(0, 1, 10, uint32(all/10))) }), "longer than 6 hours"},
		{"24 hours", "mp4", with(func(r *reel) { r.scale, r.length, r.times = 1, 86400, box("stts", be(0, 1, 10, 8640)) }), "longer than 6 hours"},
		{"no length", "mp4", with(func(r *reel) { r.length, r.times = 0, box("stts", be(0, 0)) }), ""},
		{"times before the beginning", "mp4", with(func(r *reel) {
			r.times = append(box("stts", be(0, 1, 10, 100)), box("ctts", be(0x1000000, 1, 10, uint32(1<<31)))...)
		}), ""},
		{"times after the end", "mp4", with(func(r *reel) {
			r.times = append(box("stts", be(0, 1, 10, 100)), box("ctts", be(0, 1, 10, uint32(math.MaxInt32)))...)
		}), ""},
		{"an edit that leaps", "mp4", with(func(r *reel) { r.edits = box("edts", box("elst", be(0, 1, uint32(all), math.MaxInt32, 0x10000))) }), ""},
		{"100,000 edits", "mp4", with(func(r *reel) { r.edits = box("edts", box("elst", be(0, 100_000), edits)) }), ""},
		{"4 billion edits", "mp4", with(func(r *reel) { r.edits = box("edts", box("elst", be(0, uint32(all)), edits)) }), ""},
		{"8192 by 8192", "mp4", with(func(r *reel) { r.width, r.height = 8192, 8192 }), "4096 × 2304 at most"},
		{"65535 by 1", "mp4", with(func(r *reel) { r.width, r.height = 65535, 1 }), "4096 × 2304 at most"},
		{"0 by 1", "mp4", with(func(r *reel) { r.width, r.height = 0, 1 }), ""},
		{"60 tracks", "mp4", with(func(r *reel) { r.tracks = 60 }), "60 tracks"},
		{"two pictures at once", "mp4", with(func(r *reel) { r.tracks = 2 }), "2 pictures at once"},
		{"bytes that lie in a file", "mov", with(func(r *reel) { r.source = box("url ", be(0, "file://"+x.file+"\x00")) }), ""},
		{"bytes that lie on a host", "mov", with(func(r *reel) { r.source = box("url ", be(0, "http://"+x.host+"/a.mp4\x00")) }), ""},
		{"bytes that lie behind an alias", "mov", with(func(r *reel) { r.source = alias(x.file) }), ""},
		{"a reference to another film", "mov", slices.Concat(start, box("moov", box("rmra", box("rmda", box("rdrf", be(0, "url ", len(x.file)+8, "file://"+x.file+"\x00")))))), ""},
		{"a header that unfolds", "mov", slices.Concat(start, box("moov", box("cmov", box("dcom", be("zlib")), box("cmvd", be(1<<30), bomb())))), ""},
		{"a codec that nobody knows", "mp4", with(func(r *reel) { r.kind = "xxxx" }), ""},
		{"Matroska without an end", "mkv", slices.Concat(be(0x1a45dfa3, uint8(0x9f)), be(uint16(0x4282), uint8(0x88), "matroska"), bytes.Repeat(be(0x18538067, uint64(0x01ffffffffffffff)), 1000)), unread},
		{"AVI of 4 billion frames", "avi", avi(all, 1), ""},
		{"AVI whose clock stands", "avi", avi(10, 0), ""},
		{"packets without a program", "ts", bytes.Repeat(slices.Concat(be("G", uint8(0x40), uint8(0), uint8(0x10)), make([]byte, 184)), 500), ""},
	}
}

// alias is how QuickTime names a file elsewhere.
func alias(path string) []byte {
	name := filepath.Base(path)
	head := slices.Concat(make([]byte, 4), be(uint16(150), uint16(2), uint16(0)), pascal("disk", 28), make([]byte, 12), pascal(name, 64), make([]byte, 16), be(uint16(1), uint16(1)), make([]byte, 16))
	path += strings.Repeat("\x00", len(path)%2)
	tail := be(uint16(2), uint16(len(path)), path, uint16(18), uint16(len(path)), path, uint16(0xffff), uint16(0))
	return box("alis", be(0), head, tail)
}

func pascal(text string, room int) []byte {
	out := make([]byte, room)
	out[0] = byte(copy(out[1:], text))
	return out
}

// bomb is little that becomes much.
func bomb() []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = io.CopyN(w, zeros{}, 256<<20)
	_ = w.Close()
	return b.Bytes()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func avi(frames, rate uint32) []byte {
	le := func(all ...uint32) (out []byte) {
		for _, n := range all {
			out = append(out, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
		}
		return out
	}
	chunk := func(kind string, inside ...[]byte) []byte {
		content := slices.Concat(inside...)
		return slices.Concat([]byte(kind), le(uint32(len(content))), content)
	}
	stream := chunk("LIST", []byte("strl"), chunk("strh", []byte("vidsMJPG"), le(0, 0, 0, 1, rate, 0, frames, 1000, 0, 0, 0, 0)),
		chunk("strf", le(40, 320, 180, 1|24<<16), []byte("MJPG"), le(0, 0, 0, 0, 0)))
	return chunk("RIFF", []byte("AVI "), chunk("LIST", []byte("hdrl"), chunk("avih", le(0, 0, 0, 16, frames, 0, 1, 0, 320, 180, 0, 0, 0, 0)), stream),
		chunk("LIST", []byte("movi"), chunk("00dc", make([]byte, 100))))
}

// real are good films that were cut, or that carry what nobody should get.
func realOnes(t *testing.T) (all []hostile) {
	t.Helper()
	read := func(path string) []byte {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	whole := clip(t, "whole.mp4", "-f lavfi -i testsrc2=s=320x180:r=10:d=4 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 10 -movflags +faststart")
	text := read(whole)
	for _, part := range []struct {
		of   float64
		says string
	}{{0.001, ""}, {0.02, ""}, {0.2, cutOff}, {0.5, cutOff}, {0.7, cutOff}} {
		all = append(all, hostile{fmt.Sprintf("cut after %v", part.of), "mp4", text[:int(part.of*float64(len(text)))], part.says})
	}
	hole := bytes.Clone(text)
	clear(hole[len(hole)/3:])
	note := filepath.Join(t.TempDir(), "note.txt")
	if err := os.WriteFile(note, []byte(privy), 0o600); err != nil {
		t.Fatal(err)
	}
	attached := clip(t, "a.mkv", "-i "+whole+" -c copy -attach "+note+" -metadata:s:t mimetype=application/x-truetype-font -metadata title="+privy+" -metadata comment=/etc/passwd")
	// Its header stands at the end, and there is room for megabytes in it.
	plain := read(clip(t, "plain.mp4", mute))
	header := bytes.LastIndex(plain, []byte("moov")) - 4
	much := slices.Concat(plain[:header], box("moov", plain[header+8:], box("udta", box("\xa9cmt", be(uint16(0xfff0), uint16(0)), bytes.Repeat([]byte(privy), 1<<19)))))
	return append(all,
		hostile{"a hole", "mp4", hole, cutOff},
		hostile{"attachments and fonts", "mkv", read(attached), ""},
		hostile{"megabytes about itself", "mp4", much, ""},
		hostile{"twice in one file", "mp4", slices.Concat(text, text), ""},
	)
}

const privy = "nobodys-business"

// Whatever is in a file: it is refused in a sentence or made anew without what it carried, and nothing else is opened or called.
func TestHostileFilesHurtNobody(t *testing.T) {
	t.Parallel()
	x := setTrap(t)
	named := slices.Concat(x.texts(), x.claims())
	files := slices.Concat(named, realOnes(t))
	folder := t.TempDir()
	path := func(i int) string { return filepath.Join(folder, fmt.Sprintf("%d.%s", i, files[i].ending)) }
	for i, f := range files {
		if err := os.WriteFile(path(i), f.content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	x.sprung() // we made it ourselves
	x.holds(t, named, path)
	each(t, func(t *testing.T, s *stage) {
		videos := map[string]hostile{}
		var content []byte
		for i, f := range files {
			// A stored file has no ending; and what is in it no database learns, so that a few are enough for the second one.
			if bytes.Equal(f.content, content) || s.DB.Engine == db.Postgres && i%5 != 0 {
				continue
			}
			content = f.content
			videos[s.add(t, s.upload(t, path(i)))] = f
		}
		if len(videos) < 50 && s.DB.Engine == db.SQLite {
			t.Fatalf("%d files", len(videos))
		}
		workAll(t, s.Service)
		if x.sprung() {
			t.Error("something was read outside")
		}
		for video, f := range videos {
			s.judge(t, video, f)
		}
		if left := processesIn(filepath.Dir(s.folder.Path(""))); len(left) != 0 {
			t.Error("still running:", left)
		}
		if left, _ := os.ReadDir(s.Scratch); len(left) != 0 {
			t.Error("work is left behind")
		}
		s.whole(t)
	})
}

// holds tries the two lists alone: with a network, and without any limit but time.
func (x *trap) holds(t *testing.T, files []hostile, path func(i int) string) {
	t.Helper()
	probe := exec.CommandContext(t.Context(), "ffprobe", "-v", "error", x.file)
	if err := probe.Run(); err != nil || !x.sprung() {
		t.Fatal("the trap does not work", err)
	}
	for i, f := range files {
		c := exec.CommandContext(t.Context(), "timeout", append([]string{"20", tools(t).ffprobe, "-v", "error", "-show_entries", "stream=index"}, input(path(i))...)...)
		_ = c.Run()
		if x.sprung() {
			t.Error(f.name)
		}
	}
}

// judge looks at what became of a file.
func (s *stage) judge(t *testing.T, video string, f hostile) {
	t.Helper()
	play, err := s.Grant(t.Context(), ada, video)
	if err != nil {
		t.Fatal(f.name, err)
	}
	job := s.text(t, "select state || ' ' || cast(attempts as text) from video_jobs where video_id = $1", video)
	switch {
	case play.State == Ready && f.says == "" && job == "done 1":
	case play.State == Refused && job == "failed 1" && strings.Contains(play.Problem, f.says) && strings.HasSuffix(play.Problem, ".") && !strings.Contains(play.Problem, "/tmp"):
	default:
		t.Errorf("%s: %s, job %s: %q\n%s", f.name, play.State, job, play.Problem, s.text(t, "select error || detail from video_jobs where video_id = $1", video))
	}
	for _, address := range []string{play.File, play.HLS, play.Poster, play.Thumbs} {
		if address == "" {
			continue
		}
		if w := s.get(t, address, "Range", "bytes=0-99"); w.Code >= 500 {
			t.Errorf("%s: %d", f.name, w.Code)
		}
	}
	err = s.DB.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		made, err := filesOf(ctx, tx, video)
		for _, m := range made {
			file, err := s.folder.Open(ctx, m.Version, 0, m.Size)
			if err != nil {
				return err
			}
			text, err := io.ReadAll(file)
			_ = file.Close()
			if err != nil || bytes.Contains(text, []byte(privy)) {
				t.Errorf("%s: %s carries it on, or %v", f.name, m.Role, err)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// processesIn are those that work on files of a folder.
func processesIn(folder string) (found []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range all {
		if text, _ := os.ReadFile(path); strings.Contains(string(text), folder) {
			found = append(found, path)
		}
	}
	return found
}
