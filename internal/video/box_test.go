package video

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// be writes numbers as MP4 and Matroska do, text and bytes as they are.
func be(all ...any) []byte {
	var b bytes.Buffer
	for _, one := range all {
		switch v := one.(type) {
		case string:
			b.WriteString(v)
		case int:
			_ = binary.Write(&b, binary.BigEndian, uint32(v))
		default:
			_ = binary.Write(&b, binary.BigEndian, v)
		}
	}
	return b.Bytes()
}

// box is a box of MP4: its size, its kind, what is in it.
func box(kind string, inside ...[]byte) []byte {
	content := slices.Concat(inside...)
	return slices.Concat(be(8+len(content), kind), content)
}

// lying is a box that claims another size.
func lying(kind string, size uint32, inside ...[]byte) []byte {
	return slices.Concat(be(size, kind), slices.Concat(inside...))
}

// reel is a film by its boxes: with what its header claims and without a picture that anybody could see. What is not said is usual.
type reel struct {
	width, height uint16
	scale, length uint32 // ticks a second, and how many
	kind          string // of the codec
	extra         []byte // in the sample's description
	// These are whole boxes of the table of samples, of the track and of the film.
	times, sizes, places, source, edits, beside []byte
	tracks                                      int
	data                                        []byte
}

func (r reel) bytes() []byte {
	if r.width == 0 && r.height == 0 {
		r.width, r.height = 320, 180
	}
	if r.kind == "" {
		r.kind = "jpeg"
	}
	if r.data == nil {
		r.data = make([]byte, 1000)
	}
	for here, usual := range map[*[]byte][]byte{
		&r.times: box("stts", be(0, 1, 10, 100)), &r.sizes: box("stsz", be(0, 100, 10)), &r.places: box("stco", be(0, 1, 40)), &r.source: box("url ", be(1)),
	} {
		if *here == nil {
			*here = usual
		}
	}
	entry := box(r.kind, be(0, uint16(0), uint16(1)), make([]byte, 16), be(r.width, r.height, 0x480000, 0x480000, 0, uint16(1)), make([]byte, 32), be(uint16(24), uint16(0xffff)), r.extra)
	table := box("stbl", box("stsd", be(0, 1), entry), r.times, box("stsc", be(0, 1, 1, 10, 1)), r.sizes, r.places)
	media := box("mdia", box("mdhd", be(0, 0, 0, r.scale, r.length, 0)), box("hdlr", be(0, 0, "vide", 0, 0, 0, "\x00")),
		box("minf", box("vmhd", be(1, 0, 0)), box("dinf", box("dref", be(0, 1), r.source)), table))
	var tracks []byte
	for i := range max(1, r.tracks) {
		head := box("tkhd", be(7, 0, 0, i+1, 0, r.length, 0, 0, 0, 0), upright, be(uint16(r.width), uint16(0), uint16(r.height), uint16(0)))
		tracks = append(tracks, box("trak", head, r.edits, media)...)
	}
	return slices.Concat(box("ftyp", be("isom", 0, "isom")), box("mdat", r.data),
		box("moov", box("mvhd", be(0, 0, 0, r.scale, r.length, 0x10000, uint16(0x100), uint16(0), 0, 0), upright, make([]byte, 24), be(2)), tracks, r.beside))
}

// upright is the matrix of a picture that is not turned.
var upright = be(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
