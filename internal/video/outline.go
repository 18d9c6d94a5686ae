package video

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Outline is what an upload's own header tells of it, for as long as no tool has looked: where there is no ffmpeg, that is for
// good. MP4 and MOV have one.
type Outline struct {
	Seconds float64 `json:"seconds"`
	// Width and Height are as it is shown: turned upright.
	Width  int `json:"width"`
	Height int `json:"height"`
	// Codec is the picture's, as MP4 names it: avc1, hvc1. It is empty where there is no picture.
	Codec string `json:"codec"`
	Sound string `json:"sound"`
	// Front says that the header stands before the film. Otherwise a player asks twice more before it begins.
	Front bool `json:"front"`
}

// strange are pictures that browsers do not play, or few of them.
var strange = map[string]string{
	"hvc1": "HEVC", "hev1": "HEVC", "dvh1": "HEVC", "dvhe": "HEVC", "mp4v": "MPEG-4 Part 2", "jpeg": "Motion JPEG", "mjpa": "Motion JPEG",
	"apcn": "ProRes", "apch": "ProRes", "apcs": "ProRes", "apco": "ProRes", "ap4h": "ProRes", "ap4x": "ProRes",
}

// problem says why the upload does not play as it is, if its header tells.
func (o *Outline) problem() string {
	if o == nil || strange[o.Codec] == "" {
		return ""
	}
	return fmt.Sprintf("Most browsers do not play this video as it is: its picture is %s. It plays everywhere once it has been prepared.", strange[o.Codec])
}

// Bounds of reading boxes: a header may claim anything, and may name itself a part of itself.
const (
	mostBoxes   = 10_000
	boxHead     = 8
	boxHeadLong = 16
)

var errNoOutline = errors.New("no header that we can read")

// boxes reads the boxes of a file: headers, and what we ask for of a few. Everything between is leapt over.
type boxes struct {
	file io.ReadSeeker
	left int // how many may still be looked at
	out  Outline
	// of the track that is being read
	kind          string
	width, height int
}

// readOutline reads the outline of a file of so many bytes.
func readOutline(file io.ReadSeeker, size int64) (Outline, error) {
	b := &boxes{file: file, left: mostBoxes}
	film, header := int64(-1), int64(-1)
	err := b.each(0, size, func(kind string, from, to int64) error {
		switch kind {
		case "mdat":
			if film < 0 {
				film = from
			}
		case "moov":
			if header >= 0 {
				return errNoOutline
			}
			header = from
			return b.each(from, to, b.film)
		}
		return nil
	})
	if header < 0 {
		return Outline{}, errors.Join(errNoOutline, err)
	}
	b.out.Front = film < 0 || header < film
	return b.out, nil // what comes after the header may be cut off
}

// each tells of the boxes between two places of the file, in their order.
func (b *boxes) each(from, to int64, tell func(kind string, from, to int64) error) error {
	for to-from >= boxHead {
		if b.left--; b.left < 0 {
			return errNoOutline
		}
		head, err := b.read(from, min(to, from+boxHeadLong))
		if err != nil {
			return err
		}
		size, inside := int64(binary.BigEndian.Uint32(head)), from+boxHead
		switch {
		case size == 0: // until the end
			size = to - from
		case size == 1 && len(head) == boxHeadLong:
			long := binary.BigEndian.Uint64(head[boxHead:])
			size, inside = int64(min(long, math.MaxInt64)), from+boxHeadLong
		}
		if size < inside-from {
			return errNoOutline
		}
		end := to
		if size < to-from {
			end = from + size
		}
		if err := tell(string(head[4:boxHead]), inside, end); err != nil {
			return err
		}
		from = end
	}
	return nil
}

// read reads the bytes between two places.
func (b *boxes) read(from, to int64) ([]byte, error) {
	if _, err := b.file.Seek(from, io.SeekStart); err != nil {
		return nil, err
	}
	text := make([]byte, to-from)
	_, err := io.ReadFull(b.file, text)
	return text, err
}

// some reads the beginning of a box: so much of it as there is, padded with zeros.
func (b *boxes) some(from, to, most int64) ([]byte, error) {
	text, err := b.read(from, min(to, from+most))
	return append(text, make([]byte, most-int64(len(text)))...), err
}

// film reads the boxes of the header.
func (b *boxes) film(kind string, from, to int64) error {
	switch kind {
	case "mvhd":
		text, err := b.some(from, to, 32)
		if err == nil {
			b.out.Seconds = length(text, 4, 4)
		}
		return err
	case "trak":
		b.kind, b.width, b.height = "", 0, 0
		return b.each(from, to, b.track)
	}
	return nil
}

// length reads a scale and a length after two times, all of which are twice as long in the later version.
func length(text []byte, at, short int) float64 {
	var scale, ticks uint64
	if text[0] == 0 {
		scale, ticks = uint64(binary.BigEndian.Uint32(text[at+2*short:])), uint64(binary.BigEndian.Uint32(text[at+3*short:]))
	} else {
		scale, ticks = uint64(binary.BigEndian.Uint32(text[at+4*short:])), binary.BigEndian.Uint64(text[at+5*short:])
	}
	if scale == 0 || ticks == math.MaxUint32 || ticks == math.MaxUint64 { // all ones: nobody knows
		return 0
	}
	return float64(ticks) / float64(scale)
}

// track reads the boxes that lead to what a track is.
func (b *boxes) track(kind string, from, to int64) error {
	switch kind {
	case "tkhd":
		return b.shown(from, to)
	case "mdia", "minf", "stbl":
		return b.each(from, to, b.track)
	case "hdlr":
		text, err := b.some(from, to, 12)
		if b.kind == "" { // MOV has a second one, for where the bytes are
			b.kind = string(text[8:12])
		}
		return err
	case "stsd":
		text, err := b.some(from, to, 16)
		if err != nil {
			return err
		}
		b.described(string(text[12:16]))
	}
	return nil
}

// shown reads how large a track is shown, and whether it is turned on its side.
func (b *boxes) shown(from, to int64) error {
	text, err := b.some(from, to, 96)
	if err != nil {
		return err
	}
	matrix := 40
	if text[0] != 0 {
		matrix = 52
	}
	half := func(at int) int { return int(binary.BigEndian.Uint16(text[at:])) }
	b.width, b.height = half(matrix+36), half(matrix+40)
	if slices.Max(text[matrix:matrix+4]) == 0 && slices.Max(text[matrix+4:matrix+8]) != 0 {
		b.width, b.height = b.height, b.width
	}
	return nil
}

// described takes over what the first track of a kind is.
func (b *boxes) described(codec string) {
	for _, c := range []byte(codec) {
		if c < ' ' || c > '~' {
			return
		}
	}
	switch {
	case b.kind == "vide" && b.out.Codec == "":
		b.out.Codec, b.out.Width, b.out.Height = codec, b.width, b.height
	case b.kind == "soun" && b.out.Sound == "":
		b.out.Sound = codec
	}
}
