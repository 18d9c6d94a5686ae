package catalog

// A language has far fewer words than text, so a course's text is kept as the numbers of its words: a third of the room.
// A word that is followed by a space, as most are, has the lowest bit set; what else stands between words is written as it
// is, after a zero byte. Numbers take seven bits a byte, the lowest first. Words are numbered as they come, so that
// frequent ones have low numbers.

// appendWord codes a word.
func appendWord(to []byte, word uint32, space bool) []byte {
	code := (uint64(word) + 1) << 1
	if space {
		code |= 1
	}
	for ; code >= 0x80; code >>= 7 {
		to = append(to, byte(code)|0x80)
	}
	return append(to, byte(code))
}

// appendBetween codes a byte that is no part of a word.
func appendBetween(to []byte, b byte) []byte { return append(to, 0, b) }

// plainOf is a course's text before the segment is sealed.
func (s *segment) plainOf(doc int) []byte { return between(s.plain, s.ends, doc) }

// readCode gives the number at a place, and where the next begins.
func readCode(coded []byte, at int) (code uint64, next int) {
	code = uint64(coded[at])
	if code < 0x80 {
		return code, at + 1
	}
	code &= 0x7f
	for shift := 7; ; shift += 7 {
		at++
		code |= uint64(coded[at]&0x7f) << shift
		if coded[at] < 0x80 {
			return code, at + 1
		}
	}
}

// between is one of the texts that stand one after the other.
func between(texts []byte, ends []uint32, number int) []byte {
	from := uint32(0)
	if number > 0 {
		from = ends[number-1]
	}
	return texts[from:ends[number]]
}
