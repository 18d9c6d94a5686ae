package video

import (
	"math"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// White on the left and red on the right, as it looks on a screen of 203 candelas.
const (
	halves = "-f lavfi -i color=white:s=160x180:r=10:d=2 -f lavfi -i color=red:s=160x180:r=10:d=2 -filter_complex [0][1]hstack,scale=out_color_matrix=bt709,format=yuv420p"
	fast   = " -c:v libx264 -preset ultrafast"
	moving = "-f lavfi -i testsrc2=s=320x180:r=30:d=2"
)

// bright is the same picture as phones film it, in one of two ways.
func bright(transfer string) string {
	return halves + ",zscale=min=709:pin=709:tin=709:rin=limited:m=709:p=709:t=linear:npl=203,format=gbrpf32le,zscale=p=2020:m=2020_ncl:r=limited:npl=203:t=" + transfer +
		",format=yuv420p10le" + fast + " -color_primaries bt2020 -colorspace bt2020nc -color_trc " + transfer
}

// Whatever it was filmed with, it becomes upright, even, of plain colors, and with two channels or none.
func TestOddSourcesBecomePlain(t *testing.T) {
	t.Parallel()
	x := tools(t)
	turned := clip(t, "turned.mp4", "-i "+clip(t, "a.mp4", halves+fast)+" -c copy -metadata:s:v rotate=90")
	tone := " -f lavfi -i sine=d=2"
	for _, one := range []struct {
		name, args string
		odd        func(f Facts) bool
		// shows are colors at two places of the result, in parts of its sides: red, green and blue.
		shows    [2][2]float64
		channels string
	}{
		{"PQ", bright("smpte2084"), func(f Facts) bool { return f.HDR }, leftRight, ""},
		{"HLG", bright("arib-std-b67"), func(f Facts) bool { return f.HDR }, leftRight, ""},
		{
			"PQ that tells no more", bright("smpte2084") + " -bsf:v h264_metadata=colour_primaries=2:matrix_coefficients=2",
			func(f Facts) bool { return f.HDR }, leftRight, "",
		},
		{"turned", "-i " + turned + " -c copy", func(f Facts) bool { return f.Height > f.Width }, bottomTop, ""},
		{"interlaced", moving + " -vf tinterlace=interleave_top,fieldorder=tff -flags +ildct+ilme -x264opts tff=1" + fast, func(f Facts) bool { return f.Interlaced }, nowhere, ""},
		{"uneven", moving + " -vf select=not(mod(n\\,3))+gt(t\\,1) -vsync vfr" + fast, func(f Facts) bool { return f.Uneven }, nowhere, ""},
		{"flat pixels", moving + " -vf setsar=2" + fast, func(f Facts) bool { return f.Width == 640 }, nowhere, ""},
		{"upright", "-f lavfi -i testsrc2=s=180x320:r=10:d=2" + fast, func(f Facts) bool { return f.Plain && f.Height == 320 }, nowhere, ""},
		{"mono", moving + tone + " -ac 1 -c:a aac" + fast, func(f Facts) bool { return f.Sound == 1 }, nowhere, "2"},
		{"5.1", moving + tone + " -ac 6 -c:a aac" + fast, func(f Facts) bool { return f.Sound == 1 }, nowhere, "2"},
		{"silent", moving + " -f lavfi -i anullsrc -t 2 -c:a aac" + fast, func(f Facts) bool { return f.Sound == 1 && f.Loud == nil }, nowhere, "2"},
		{"8 kHz", moving + tone + " -ar 8000 -c:a pcm_s16le -f mov" + fast, func(f Facts) bool { return f.Sound == 1 }, nowhere, "2"},
	} {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			source := clip(t, "source.mov", one.args)
			f, err := x.probe(t.Context(), source)
			if err == nil {
				f.Loud, err = x.measure(t.Context(), source, f)
			}
			if err != nil || !one.odd(f) {
				t.Fatalf("%+v %v", f, err)
			}
			made, err := x.transcode(t.Context(), source, t.TempDir(), f, f.rungs(), nil)
			if err != nil || len(made) != 1 {
				_, detail := words(err)
				t.Fatal(made, detail)
			}
			m := made[0]
			got, err := x.probe(t.Context(), m.media)
			if err != nil || !got.Plain || got.Width != m.Width || got.Height != m.Height || (got.Width > got.Height) != (f.Width > f.Height) || got.Pixels != "yuv420p" || math.Abs(got.Rate-m.Rate) > 1 {
				t.Errorf("%+v of %+v: %v", got, f, err)
			}
			if channels := spoken(t, "ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "stream=channels", "-of", "csv=p=0", m.media); strings.TrimSpace(channels) != one.channels {
				t.Errorf("%q channels", channels)
			}
			if one.shows == nowhere {
				return
			}
			white, red := pixel(t, m, one.shows[0]), pixel(t, m, one.shows[1])
			if slices.Min(white[:]) < 180 || red[0] < 170 || max(red[1], red[2]) > 40 {
				t.Errorf("white became %v, red %v", white, red)
			}
		})
	}
}

var (
	nowhere   [2][2]float64
	leftRight = [2][2]float64{{0.2, 0.5}, {0.8, 0.5}}
	bottomTop = [2][2]float64{{0.5, 0.8}, {0.5, 0.2}}
)

// pixel is a color of the first picture.
func pixel(t *testing.T, m Made, at [2]float64) (rgb [3]byte) {
	t.Helper()
	size := strconv.Itoa(m.Width) + "x" + strconv.Itoa(m.Height)
	text := spoken(t, "ffmpeg", "-v", "error", "-i", m.media, "-frames:v", "1", "-s", size, "-pix_fmt", "rgb24", "-f", "rawvideo", "-")
	if len(text) != 3*m.Width*m.Height {
		t.Fatalf("%d bytes of %s", len(text), size)
	}
	copy(rgb[:], text[3*(int(at[1]*float64(m.Height))*m.Width+int(at[0]*float64(m.Width))):])
	return rgb
}

func spoken(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), name, args...).Output()
	if err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
	return string(out)
}
