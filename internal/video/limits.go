package video

import (
	"slices"

	"greenroom/internal/platform/fault"
)

// What we take. Beyond it a small file makes much work.
const (
	mostSeconds = 6 * 60 * 60
	mostRate    = 120
	mostLong    = 4096
	mostShort   = 2304
	leastSide   = 16
	// mostWork is the pixels of all pictures together: two hours of the largest at 30 a second.
	mostWork = mostLong * mostShort * 30 * 2 * 60 * 60
	// longWork is what lets others go first: more than an hour of 1080 lines at 30 a second.
	longWork = 1920 * 1080 * 30 * 60 * 60
)

var (
	pictureCodecs = []string{"h264", "hevc", "vp8", "vp9", "av1", "prores", "mpeg4", "mjpeg"}
	soundCodecs   = []string{"aac", "mp3", "opus", "flac", "vorbis", "ac3", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be", "pcm_f32le", "pcm_f32be", "pcm_u8"}
)

// known refuses a codec that we do not take. No stream has none.
func (s *stream) known() error {
	switch {
	case s == nil:
	case s.Kind == "video" && !slices.Contains(pictureCodecs, s.Codec):
		return fault.New(fault.Invalid, "We cannot read the picture of this video. H.264, HEVC, VP8, VP9, AV1, ProRes and MPEG-4 work.")
	case s.Kind == "audio" && !slices.Contains(soundCodecs, s.Codec):
		return fault.New(fault.Invalid, "We cannot read the sound of this video. AAC, MP3, Opus, FLAC, Vorbis, AC-3 and PCM work.")
	}
	return nil
}

// check refuses what is too much, or nothing.
func (f Facts) check() error {
	long, short := max(f.Width, f.Height), min(f.Width, f.Height)
	switch {
	case f.Seconds <= 0:
		return fault.New(fault.Invalid, "This video has no length. It may be damaged.")
	case f.Seconds > mostSeconds:
		return fault.New(fault.Invalid, "This video is longer than 6 hours. Cut it into parts.")
	case long == 0: // the tool would not open so large a picture
		return fault.Newf(fault.Invalid, "The picture of this video cannot be read, or is too large. We take %d × %d at most.", mostLong, mostShort)
	case long > mostLong || short > mostShort:
		return fault.Newf(fault.Invalid, "This picture is %d × %d. We take %d × %d at most.", f.Width, f.Height, mostLong, mostShort)
	case short < leastSide:
		return fault.New(fault.Invalid, "The picture of this video is too small to be seen.")
	case f.Rate > mostRate:
		return fault.Newf(fault.Invalid, "This video has %.0f pictures a second. We take %d at most.", f.Rate, mostRate)
	}
	if f.work() > mostWork {
		return fault.New(fault.Invalid, "This video is too much at its size, rate and length together. Cut it into parts, or save it smaller or with fewer pictures a second.")
	}
	return nil
}

// work is the pixels of all pictures together.
func (f Facts) work() float64 { return float64(f.Width) * float64(f.Height) * f.Rate * f.Seconds }

// long tells whether so much is to be done that others go first.
func (f Facts) long() bool { return f.work() > longWork }

// What a source may be at most to be shown as it is.
const (
	copyBits  = 6_000_000
	copyLevel = 42
	copyGap   = 5
)

// mayCopy tells whether the picture may be taken as it is, as far as its header tells.
func (f Facts) mayCopy() bool {
	return f.Plain && f.Codec == "h264" && (f.Pixels == "yuv420p" || f.Pixels == "yuvj420p") && f.Level > 0 && f.Level <= copyLevel &&
		f.Bits > 0 && f.Bits <= copyBits && f.lines() == fullLines
}

// copies tells whether it may be taken as it is, all things known.
func (f Facts) copies() bool { return f.mayCopy() && f.Gap > 0 && f.Gap <= copyGap }
