package video

import (
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

func TestWhatCannotBeWatchedIsRefusedInASentence(t *testing.T) {
	t.Parallel()
	x := tools(t)
	for says, args := range map[string]string{
		"no picture":              "-f lavfi -i sine=d=1 -c:a aac",
		"cannot read the picture": "-f lavfi -i testsrc2=s=64x64:r=5:d=1 -c:v huffyuv -f mov -strict -2",
		"61 tracks":               "-f lavfi -i testsrc2=s=64x64:r=5:d=1 -f lavfi -i anullsrc -t 1 -map 0" + strings.Repeat(" -map 1", 60) + " -c:v mpeg4 -c:a pcm_s16le -f mov",
		"4096 × 2304 at most":     "-f lavfi -i color=s=8192x8192:r=1:d=1 -c:v mjpeg -f mov",
		"longer than 6 hours":     "-f lavfi -i color=s=32x32:r=0.01:d=86400 -c:v mpeg4",
	} {
		_, err := x.probe(t.Context(), clip(t, "lesson.mp4", args))
		if !fault.Is(err, fault.Invalid) || !strings.Contains(fault.Of(err).Message, says) {
			t.Errorf("%s: %v", says, err)
		}
	}
}

func TestTheWorkOfAVideoIsBounded(t *testing.T) {
	t.Parallel()
	const hour = 60 * 60
	for _, one := range []struct {
		facts Facts
		fits  bool
	}{
		{Facts{Width: 4096, Height: 2304, Rate: 30, Seconds: 2 * hour}, true},
		{Facts{Width: 2304, Height: 4096, Rate: 30, Seconds: 2 * hour}, true},
		{Facts{Width: 1920, Height: 1080, Rate: 30, Seconds: 6 * hour}, true},
		{Facts{Width: 4096, Height: 2304, Rate: 30, Seconds: 2*hour + 1}, false},
		{Facts{Width: 4096, Height: 2304, Rate: 60, Seconds: 2 * hour}, false},
		{Facts{Width: 4096, Height: 2304, Rate: 120, Seconds: 6 * hour}, false},
	} {
		err := one.facts.check()
		if one.fits && err != nil || !one.fits && (!fault.Is(err, fault.Invalid) || !strings.Contains(fault.Of(err).Message, "too much")) {
			t.Errorf("%+v: %v", one.facts, err)
		}
	}
}
