package picture

import (
	"bytes"
	"encoding/binary"
)

// orientation reads from a JPEG how its camera was held: 1 for upright, to 8. Whatever cannot be read is upright.
func orientation(file []byte) int {
	if !bytes.HasPrefix(file, []byte{0xff, 0xd8}) {
		return 1
	}
	for at := 2; at+4 <= len(file) && file[at] == 0xff; {
		kind, length := file[at+1], int(binary.BigEndian.Uint16(file[at+2:]))
		end := at + 2 + length
		if length < 2 || end > len(file) || kind == 0xda { // the picture itself begins
			return 1
		}
		if kind == 0xe1 {
			if exif, ok := bytes.CutPrefix(file[at+4:end], []byte("Exif\x00\x00")); ok {
				return held(exif)
			}
		}
		at = end
	}
	return 1
}

// held finds the tag in the first directory of a TIFF head.
func held(exif []byte) int {
	if len(exif) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.BigEndian
	if string(exif[:2]) == "II" {
		order = binary.LittleEndian
	}
	at := int64(order.Uint32(exif[4:]))
	if at+2 > int64(len(exif)) {
		return 1
	}
	for i := range int64(order.Uint16(exif[at:])) {
		entry := at + 2 + 12*i
		if entry+12 > int64(len(exif)) {
			return 1
		}
		if order.Uint16(exif[entry:]) == 0x0112 {
			if turn := int(order.Uint16(exif[entry+8:])); turn >= 1 && turn <= 8 {
				return turn
			}
			return 1
		}
	}
	return 1
}
