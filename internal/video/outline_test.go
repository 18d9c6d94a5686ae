package video

import (
	"bytes"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func outlineOf(t *testing.T, path string) (Outline, error) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return readOutline(bytes.NewReader(text), int64(len(text)))
}

func TestAHeaderTellsWhatAFilmIs(t *testing.T) {
	t.Parallel()
	plain := clip(t, "plain.mp4", scene)
	for _, one := range []struct {
		path string
		want Outline
	}{
		{plain, Outline{3, 320, 180, "avc1", "mp4a", false}},
		{clip(t, "front.mov", "-i "+plain+" -c copy -movflags +faststart"), Outline{3, 320, 180, "avc1", "mp4a", true}},
		{clip(t, "turned.mp4", "-i "+plain+" -c copy -an -metadata:s:v rotate=90"), Outline{3, 180, 320, "avc1", "", false}},
		{clip(t, "hevc.mp4", "-f lavfi -i testsrc2=s=160x90:r=5:d=1 -c:v libx265 -preset ultrafast -x265-params log-level=none -tag:v hvc1"), Outline{1, 160, 90, "hvc1", "", false}},
		{clip(t, "sound.mp4", "-f lavfi -i sine=d=1 -c:a aac"), Outline{1, 0, 0, "", "mp4a", false}},
	} {
		got, err := outlineOf(t, one.path)
		got.Seconds = float64(int(got.Seconds + 0.5))
		if err != nil || got != one.want {
			t.Errorf("%+v, not %+v: %v", got, one.want, err)
		}
	}
	if got, err := outlineOf(t, clip(t, "a.mkv", mute)); err == nil {
		t.Errorf("Matroska: %+v", got)
	}
}

// counting is a file that says how much was asked of it.
type counting struct {
	*bytes.Reader
	reads, bytes int
}

func (c *counting) Read(p []byte) (int, error) {
	c.reads, c.bytes = c.reads+1, c.bytes+len(p)
	return c.Reader.Read(p)
}

func TestAHeaderIsReadWithinBounds(t *testing.T) {
	t.Parallel()
	x := &trap{file: "/nowhere", host: "127.0.0.1:1"}
	for _, f := range slices.Concat(x.texts(), x.claims()) {
		c := &counting{Reader: bytes.NewReader(f.content)}
		if got, err := readOutline(c, int64(len(f.content))); err == nil && f.says == unread {
			t.Logf("%s: %+v", f.name, got) // a header may be read that nobody should
		}
		if c.reads > 2*mostBoxes || c.bytes > 32*mostBoxes {
			t.Errorf("%s: %d reads of %d bytes", f.name, c.reads, c.bytes)
		}
	}
}

func FuzzOutline(f *testing.F) {
	f.Add(reel{scale: 1000, length: 1000}.bytes())
	f.Add(reel{scale: 1, length: 5, kind: "hvc1", tracks: 3}.bytes())
	for _, one := range (&trap{}).claims() {
		if len(one.content) < 10_000 {
			f.Add(one.content)
		}
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		c := &counting{Reader: bytes.NewReader(content)}
		got, err := readOutline(c, int64(len(content)))
		if err == nil && (got.Seconds < 0 || got.Width < 0 || len(got.Codec) > 4) || c.reads > 2*mostBoxes || c.bytes > 32*mostBoxes {
			t.Errorf("%+v %v, %d reads of %d bytes", got, err, c.reads, c.bytes)
		}
	})
}

// Without the tools an upload plays as it is, with what its header tells; when they come, its job goes on.
func TestWithoutToolsAnUploadPlaysAsItIs(t *testing.T) {
	t.Parallel()
	film, phone := clip(t, "a.mov", scene), clip(t, "b.mp4", "-f lavfi -i testsrc2=s=160x90:r=5:d=1 -c:v libx265 -preset ultrafast -x265-params log-level=none -tag:v hvc1")
	each(t, func(t *testing.T, s *stage) {
		there := s.Tools
		s.Tools = Tools{}
		video, other := s.add(t, s.upload(t, film)), s.add(t, s.upload(t, phone))
		s.write(t, "update storage_objects set sniffed = 'video/quicktime' where id = (select object_id from videos where id = $1)", video)
		workAll(t, s.Service)
		play, err := s.Grant(t.Context(), ada, video)
		if err != nil || play.State != Waiting || play.HLS != "" || play.Problem != "" || play.Seconds < 2.9 || play.Upload == nil || play.Upload.Width != 320 {
			t.Fatalf("%+v %v", play, err)
		}
		w := s.get(t, play.File, "Range", "bytes=4-7")
		if w.Code != http.StatusPartialContent || body(t, w) != "ftyp" || w.Header().Get("Content-Type") != "video/mp4" {
			t.Error(w.Code, w.Header())
		}
		if play, err := s.Grant(t.Context(), ada, other); err != nil || !strings.Contains(play.Problem, "HEVC") {
			t.Errorf("%+v %v", play, err)
		}
		s.Tools = there
		workAll(t, s.Service)
		s.shown.forgetAll()
		for _, one := range []string{video, other} {
			if play, err := s.Grant(t.Context(), ada, one); err != nil || play.State != Ready || play.HLS == "" || play.Problem != "" || play.Upload != nil {
				t.Errorf("%+v %v", play, err)
			}
		}
	})
}

func TestAnOutlineIsReadOnce(t *testing.T) {
	t.Parallel()
	var o outlines
	reads := 0
	read := func() (*Outline, error) { reads++; return &Outline{Seconds: 1}, nil }
	for range 3 {
		if got, err := o.get("a", read); err != nil || got.Seconds != 1 {
			t.Error(got, err)
		}
	}
	for i := range 3 * mostRemember {
		_, _ = o.get(time.Duration(i).String(), read)
	}
	if reads != 1+3*mostRemember || len(o.known) > mostRemember {
		t.Error(reads, len(o.known))
	}
}
