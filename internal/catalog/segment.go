package catalog

import (
	"bytes"
	"math/bits"
	"slices"
)

// A segment holds up to 65,536 courses in catalogue order and never changes once it is built. It keeps each course's
// lower-cased text as the numbers of its words, and two ways to find where a text can be:
//
//   - for each different word, the courses that hold it. A text without a space or a comma lies within one word, so the
//     words that hold it tell its courses exactly, and there are far fewer words than text;
//   - for each run of three bytes (a gram) that is not all inside a word, the courses that hold it. A text of several
//     words is looked for only where its grams and its words are.
type segment struct {
	docs  []place
	plain []byte   // each course's fields, as searchable makes it, until the segment is sealed
	coded []byte   // the same, coded, from then on
	ends  []uint32 // where the text of a course ends

	words    []byte   // the different words, one after the other
	wordEnds []uint32 // where a word ends
	wordIn   []posting

	grams  []uint32 // sorted
	gramIn []posting

	sparse []uint16 // the postings of few courses: their numbers
	dense  []uint64 // the postings of many: a bit for each course

	letters [256]*set // the courses that hold a byte
	often   [256]uint32

	kinds   []string          // the different categories
	kindOf  []uint16          // each course's category, by its number
	numbers map[string]uint16 // while courses are added
}

// place is where a course stands in the catalogue's order: rating falling, then created falling, then id.
type place struct {
	rating  float64
	created int64 // microseconds
	id      [16]byte
}

func (p *place) compare(q *place) int {
	switch {
	case p.rating != q.rating:
		if p.rating > q.rating {
			return -1
		}
		return 1
	case p.created != q.created:
		if p.created > q.created {
			return -1
		}
		return 1
	}
	return bytes.Compare(p.id[:], q.id[:])
}

// newer compares by created falling, then id.
func (p *place) newer(q *place) int {
	if p.created != q.created {
		if p.created > q.created {
			return -1
		}
		return 1
	}
	return bytes.Compare(p.id[:], q.id[:])
}

const (
	segmentDocs  = 1 << 16
	setWords     = segmentDocs / 64
	densePosting = 4096 // from here on 65,536 bits take less room than 16 for each course
)

// set is a set of a segment's courses.
type set [setWords]uint64

func (s *set) add(doc uint16)    { s[doc>>6] |= 1 << (doc & 63) }
func (s *set) remove(doc uint16) { s[doc>>6] &^= 1 << (doc & 63) }

func (s *set) count() int {
	n := 0
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

func (s *set) subtract(other *set) {
	for i := range s {
		s[i] &^= other[i]
	}
}

// keep drops the members that are not in the other set.
func (s *set) keep(other *set) {
	for i := range s {
		s[i] &= other[i]
	}
}

// each calls fn for the members in order until it says to stop.
func (s *set) each(fn func(doc uint16) bool) bool {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			if !fn(uint16(i<<6 | bits.TrailingZeros64(word))) {
				return false
			}
		}
	}
	return true
}

// posting says where a gram's courses are kept: in sparse as numbers, or in dense as bits.
type posting struct {
	at   uint32
	size uint32
}

func (s *segment) members(p posting) []uint16 { return s.sparse[p.at : p.at+p.size] }

func (s *segment) bitmap(p posting) *set {
	return (*set)(s.dense[p.at : p.at+setWords])
}

func (p posting) isDense() bool { return p.size > densePosting }

func (s *segment) unite(into *set, p posting) {
	if p.isDense() {
		for i, word := range s.bitmap(p) {
			into[i] |= word
		}
		return
	}
	for _, doc := range s.members(p) {
		into.add(doc)
	}
}

// size is about how many bytes the segment takes.
func (s *segment) size() int {
	return 32*len(s.docs) + 4*len(s.ends) + len(s.coded) + len(s.words) + 12*len(s.wordEnds) + 12*len(s.grams) + 2*len(s.sparse) + 8*len(s.dense)
}

// only drops the courses of other categories.
func (s *segment) only(category string, found *set) {
	kind := slices.Index(s.kinds, category)
	found.each(func(doc uint16) bool {
		if int(s.kindOf[doc]) != kind {
			found.remove(doc)
		}
		return true
	})
}

// add appends a course. Courses come in catalogue order.
func (s *segment) add(p place, category string, text []byte) {
	kind, known := s.numbers[category]
	if !known {
		if s.numbers == nil {
			s.numbers = map[string]uint16{}
		}
		kind = uint16(len(s.kinds))
		s.numbers[category] = kind
		s.kinds = append(s.kinds, category)
	}
	s.kindOf = append(s.kindOf, kind)
	s.docs = append(s.docs, p)
	s.plain = append(s.plain, text...)
	s.ends = append(s.ends, uint32(len(s.plain)))
}
