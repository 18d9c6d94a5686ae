package video

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"greenroom/internal/platform/fault"
)

func TestProbeTellsWhatIsInAVideo(t *testing.T) {
	t.Parallel()
	f, err := tools(t).probe(t.Context(), clip(t, "a.mp4", scene))
	if err != nil {
		t.Fatal(err)
	}
	if f.Width != 320 || f.Height != 180 || f.Rate != 15 || f.Codec != "h264" || f.Sound != 1 || !f.Plain || f.Seconds < 2.9 || f.Seconds > 3.1 {
		t.Errorf("%+v", f)
	}
	f, err = tools(t).probe(t.Context(), clip(t, "a.mp4", mute))
	if err != nil || f.Sound != -1 {
		t.Errorf("%+v %v", f, err)
	}
}

func TestAPhoneHeldUprightFilmsUpright(t *testing.T) {
	t.Parallel()
	turned := clip(t, "b.mp4", "-i "+clip(t, "a.mp4", mute)+" -c copy -metadata:s:v rotate=90")
	f, err := tools(t).probe(t.Context(), turned)
	if err != nil || f.Width != 180 || f.Height != 320 || f.Plain {
		t.Errorf("%+v %v", f, err)
	}
}

func TestARecordingWithoutALengthIsMeasured(t *testing.T) {
	t.Parallel()
	// As browsers record: WebM that was never finished.
	path := clip(t, "a.webm", "-f lavfi -i testsrc2=s=160x90:r=10:d=2 -c:v libvpx -deadline realtime -cpu-used 8 -f webm -live 1")
	f, err := tools(t).probe(t.Context(), path)
	if err != nil || f.Seconds < 1.5 || f.Seconds > 2.5 {
		t.Errorf("%+v %v", f, err)
	}
}

// The twelve files of which each did harm somewhere.
func TestHostileFilesAreRefusedInASentence(t *testing.T) {
	t.Parallel()
	x := tools(t)
	written := func(text string) func(t *testing.T) string {
		return func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "lesson.mp4")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}
	}
	made := func(args string) func(t *testing.T) string {
		return func(t *testing.T) string { return clip(t, "lesson.mp4", args) }
	}
	secret := written("nobody's business")(t)
	many := "-f lavfi -i testsrc2=s=64x64:r=5:d=1 -f lavfi -i anullsrc -t 1 -map 0" + strings.Repeat(" -map 1", 60) + " -c:v mpeg4 -c:a pcm_s16le -f mov"
	for name, one := range map[string]struct {
		file func(t *testing.T) string
		says string
	}{
		"HLS that names a file":    {written("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://" + secret + "\n#EXT-X-ENDLIST\n"), "not a video"},
		"HLS that names a host":    {written("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://127.0.0.1:1/a.ts\n#EXT-X-ENDLIST\n"), "not a video"},
		"DASH that names a host":   {written(`<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet><Representation id="1"><BaseURL>http://127.0.0.1:1/a.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`), "not a video"},
		"SDP that listens":         {written("v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n"), "not a video"},
		"a list of other files":    {written("ffconcat version 1.0\nfile '" + secret + "'\n"), "not a video"},
		"random bytes":             {written(strings.Repeat("\x93\x1c\xfe\x07", 5000)), "not a video"},
		"a drawing with a script":  {written(`<svg xmlns="http://www.w3.org/2000/svg"><image href="file://` + secret + `"/></svg>`), "not a video"},
		"8192 by 8192":             {made("-f lavfi -i color=s=8192x8192:r=1:d=1 -c:v mjpeg -f mov"), "4096 × 2304 at most"},
		"24 hours of black":        {made("-f lavfi -i color=s=32x32:r=0.01:d=86400 -c:v mpeg4"), "longer than 6 hours"},
		"1000 pictures a second":   {made("-f lavfi -i color=s=32x32:r=1000:d=1 -c:v libx264 -preset ultrafast"), "1000 pictures a second"},
		"60 sounds":                {made(many), "61 tracks"},
		"a sound without pictures": {made("-f lavfi -i sine=d=1 -c:a aac"), "no picture"},
		"a codec of long ago":      {made("-f lavfi -i testsrc2=s=64x64:r=5:d=1 -c:v huffyuv -f mov -strict -2"), "cannot read the picture"},
		"nothing":                  {written(""), "not a video"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := x.probe(t.Context(), one.file(t))
			if !fault.Is(err, fault.Invalid) || !strings.Contains(fault.Of(err).Message, one.says) {
				t.Errorf("%v", err)
			}
			if strings.Contains(fault.Of(err).Message, "/") && strings.Contains(fault.Of(err).Message, filepath.Dir(secret)) {
				t.Error("the sentence tells of our folders")
			}
		})
	}
}
