package video

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"greenroom/internal/platform/fault"
)

func TestNoSizeIsAboveTheSource(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		width, height int
		want          string
	}{
		{1920, 1080, "854x480 1280x720 1920x1080"},
		{3840, 2160, "854x480 1280x720 1920x1080"},
		{1080, 1920, "480x854 720x1280 1080x1920"},
		{1280, 720, "854x480 1280x720"},
		{1000, 719, "668x480"},
		{320, 180, "320x180"},
		{321, 181, "320x180"},
		{2560, 1080, "1138x480 1706x720 2560x1080"},
	} {
		var said []string
		for _, r := range (Facts{Width: one.width, Height: one.height}).rungs() {
			said = append(said, strconv.Itoa(r.Width)+"x"+strconv.Itoa(r.Height))
		}
		if got := strings.Join(said, " "); got != one.want {
			t.Errorf("%d × %d: %s", one.width, one.height, got)
		}
	}
}

func TestATranscodeIsOneFileWithRanges(t *testing.T) {
	t.Parallel()
	x, source, into := tools(t), clip(t, "a.mp4", scene+" -metadata location=+47.4+008.5/ -metadata title=Mine"), t.TempDir()
	f, err := x.probe(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	if f.Loud, err = x.measure(t.Context(), source, f); err != nil || f.Loud == nil {
		t.Fatal(f.Loud, err)
	}
	rungs := []rung{f.fit(rung{Lines: 90, quality: 30, kilobits: 300}), f.fit(rung{Lines: 180, quality: 30, kilobits: 500})}
	reached := 0.0
	made, err := x.transcode(t.Context(), source, into, f, rungs, func(part float64) { reached = part })
	if err != nil || len(made) != 2 || reached < 0.9 {
		t.Fatal(made, reached, err)
	}
	for i, m := range made {
		if m.Width != rungs[i].Width || m.Peak < m.Mean || m.Mean == 0 || !strings.HasPrefix(m.Codecs, "avc1.64") || !strings.HasSuffix(m.Codecs, ",mp4a.40.2") || m.Rate != 15 {
			t.Errorf("%+v", m)
		}
		info, err := os.Stat(m.media)
		last := m.list.parts[len(m.list.parts)-1]
		if err != nil || last.from+last.length > info.Size() {
			t.Errorf("the list goes on after the file: %+v %v", last, err)
		}
		text, _ := os.ReadFile(m.media)
		if strings.Contains(string(text), "47.4") || strings.Contains(string(text), "Mine") {
			t.Error("it still says where it was filmed")
		}
		again, err := x.probe(t.Context(), m.media)
		if err != nil || again.Width != m.Width || again.Sound < 0 {
			t.Errorf("%+v %v", again, err)
		}
	}
	loud, err := x.measure(t.Context(), made[0].media, f)
	if err != nil || loud == nil || math.Abs(loud.Integrated+16) > 1.5 {
		t.Errorf("%+v %v", loud, err)
	}
}

func TestAMuteVideoStaysMute(t *testing.T) {
	t.Parallel()
	x, source := tools(t), clip(t, "a.mp4", mute)
	f, err := x.probe(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	made, err := x.transcode(t.Context(), source, t.TempDir(), f, f.rungs(), nil)
	if err != nil || len(made) != 1 || strings.Contains(made[0].Codecs, "mp4a") {
		t.Error(made, err)
	}
	// Silence has no loudness, and is no error.
	source = clip(t, "b.mp4", strings.Replace(scene, "sine=d=3", "anullsrc", 1))
	if f, err = x.probe(t.Context(), source); err != nil {
		t.Fatal(err)
	}
	if loud, err := x.measure(t.Context(), source, f); loud != nil || err != nil {
		t.Error(loud, err)
	}
}

func TestAFileThatWasCutIsDamaged(t *testing.T) {
	t.Parallel()
	x := tools(t)
	source := clip(t, "a.mp4", "-f lavfi -i testsrc2=s=320x180:r=15:d=8 -c:v libx264 -preset ultrafast -g 15 -movflags +faststart")
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut.mp4")
	if err := os.WriteFile(cut, text[:len(text)*4/10], 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := x.probe(t.Context(), cut)
	if err == nil { // the header promises all of it
		_, err = x.transcode(t.Context(), cut, t.TempDir(), f, f.rungs(), nil)
	}
	if !fault.Is(err, fault.Invalid) || !strings.Contains(fault.Of(err).Message, "damaged") {
		t.Error(err)
	}
}

// A disk without room is nobody's film that is damaged, whether the tool minds it or not.
func TestAFullDiskIsNotTheFilmsFault(t *testing.T) {
	t.Parallel()
	f := Facts{Seconds: 2, Width: 320, Height: 180, Rate: 10, Sound: -1}
	for _, ends := range []string{"exit 0", "exit 1"} {
		x := Tools{ffmpeg: instead(t, "echo 'av_interleaved_write_frame(): No space left on device' >&2; "+ends), threads: 1}
		if _, err := x.transcode(t.Context(), "/nowhere", t.TempDir(), f, f.rungs(), nil); err == nil || fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", ends, err)
		}
	}
	media := filepath.Join(t.TempDir(), "a.mp4")
	if err := os.WriteFile(media, make([]byte, 100), 0o600); err != nil {
		t.Fatal(err)
	}
	for length, whole := range map[int64]bool{60: true, 61: false, math.MaxInt64: false, -1: false} {
		if err := (list{parts: []part{{1, 40, 0}, {1, length, 40}}}).within(media); (err == nil) != whole {
			t.Error(length, err)
		}
	}
}

func TestWhatFitsIsTakenAsItIs(t *testing.T) {
	t.Parallel()
	x, into := tools(t), t.TempDir()
	source := clip(t, "a.mp4", "-f lavfi -i color=s=1920x1080:r=10:d=3 -f lavfi -i sine=d=3 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 20 -c:a aac -shortest")
	f, err := x.probe(t.Context(), source)
	if err != nil || !f.copies() {
		t.Fatalf("%+v %v", f, err)
	}
	made, err := x.asItIs(t.Context(), source, into, f, f.last()[0], nil)
	if err != nil || len(made) != 1 || made[0].Width != 1920 {
		t.Fatal(made, err)
	}
	hash := func(path string) string {
		out, err := exec.CommandContext(t.Context(), "ffmpeg", "-v", "error", "-i", path, "-map", "0:v", "-c", "copy", "-bsf:v", "h264_mp4toannexb", "-f", "md5", "-").Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	if hash(source) != hash(made[0].media) {
		t.Error("the picture is another one")
	}
	far := clip(t, "b.mp4", "-f lavfi -i color=s=1920x1080:r=5:d=8 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 1000")
	if f, err = x.probe(t.Context(), far); err != nil || f.copies() {
		t.Errorf("key frames %v apart are taken: %v", f.Gap, err)
	}
}

func TestAPlaylistIsWrittenAgain(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.m3u8")
	text := "#EXTM3U\n#EXT-X-MAP:URI=\"x\",BYTERANGE=\"800@0\"\n#EXTINF:4.000000,\n#EXT-X-BYTERANGE:1000@800\nx\n#EXTINF:2.500000,\n#EXT-X-BYTERANGE:5000@1800\nx\n#EXT-X-KEY:URI=\"http://elsewhere\"\n#EXT-X-ENDLIST\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := readList(path)
	if err != nil {
		t.Fatal(err)
	}
	peak, mean := l.bits()
	if l.seconds() != 6.5 || peak != 16000 || mean != 7384 {
		t.Error(l.seconds(), peak, mean)
	}
	written := string(l.write("480-1.mp4"))
	if strings.Contains(written, "elsewhere") || strings.Count(written, "480-1.mp4") != 3 || !strings.Contains(written, "#EXT-X-BYTERANGE:5000@1800\n480-1.mp4\n") {
		t.Error(written)
	}
	first := master([]offer{{Made{Lines: 480, Width: 854, Height: 480, Rate: 29.97, Codecs: "avc1.64001f,mp4a.40.2", Peak: 10, Mean: 5}, "480-1.m3u8"}})
	want := "#EXT-X-STREAM-INF:BANDWIDTH=10,AVERAGE-BANDWIDTH=5,RESOLUTION=854x480,FRAME-RATE=29.970,CODECS=\"avc1.64001f,mp4a.40.2\",CLOSED-CAPTIONS=NONE\n480-1.m3u8\n"
	if !strings.HasSuffix(string(first), want) {
		t.Error(string(first))
	}
}
