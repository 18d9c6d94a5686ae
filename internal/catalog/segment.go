package catalog

import (
	"bytes"
	"math/bits"
	"slices"
)

// A segment holds up to 65,536 courses in catalogue order and never changes once it is built. For each course it
// keeps the lower-cased text, and for each run of three bytes (a gram) the courses that hold it, so that a text is
// looked for only where all its grams are.
type segment struct {
	docs []place
	text []byte   // each course's fields, as searchable makes it
	ends []uint32 // where the text of a course ends

	grams    []uint32 // sorted
	postings []posting
	sparse   []uint16
	dense    []uint64

	letters [256]*set // the courses that hold a byte
	often   [256]uint32
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

func (s *set) add(doc uint16)      { s[doc>>6] |= 1 << (doc & 63) }
func (s *set) remove(doc uint16)   { s[doc>>6] &^= 1 << (doc & 63) }
func (s *set) has(doc uint16) bool { return s[doc>>6]&(1<<(doc&63)) != 0 }

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

func (s *segment) textOf(doc uint16) []byte {
	from := uint32(0)
	if doc > 0 {
		from = s.ends[doc-1]
	}
	return s.text[from:s.ends[doc]]
}

// add appends a course. Courses come in catalogue order.
func (s *segment) add(p place, text []byte) {
	s.docs = append(s.docs, p)
	s.text = append(s.text, text...)
	s.ends = append(s.ends, uint32(len(s.text)))
}

// seal builds the postings; after it the segment can be searched and no longer grows.
func (s *segment) seal() {
	s.docs, s.text, s.ends = slices.Clip(s.docs), slices.Clip(s.text), slices.Clip(s.ends)
	for _, b := range s.text {
		s.often[b]++
	}
	c := newCounter(&s.often)
	var used []uint32
	s.eachGram(c, func(cell uint32, _ uint16) {
		if c.size[cell] == 0 {
			used = append(used, cell)
		}
		c.size[cell]++
	})
	slices.Sort(used)
	s.grams = make([]uint32, len(used))
	s.postings = make([]posting, len(used))
	var sparse, dense uint32
	for i, cell := range used {
		p := posting{size: c.size[cell]}
		if p.isDense() {
			p.at, dense = dense, dense+setWords
		} else {
			p.at, sparse = sparse, sparse+p.size
		}
		s.grams[i], s.postings[i] = c.gram(cell), p
		c.size[cell], c.seen[cell] = uint32(i), 0
	}
	s.sparse = make([]uint16, sparse)
	s.dense = make([]uint64, dense)
	filled := make([]uint32, len(used))
	s.eachGram(c, func(cell uint32, doc uint16) {
		i := c.size[cell]
		if p := s.postings[i]; p.isDense() {
			s.bitmap(p).add(doc)
		} else {
			s.sparse[p.at+filled[i]] = doc
			filled[i]++
		}
	})
	for i, gram := range s.grams {
		letter := gram >> 16
		if s.letters[letter] == nil {
			s.letters[letter] = new(set)
		}
		s.unite(s.letters[letter], s.postings[i])
	}
}

// eachGram calls fn once for each gram of each course, with the gram's cell in the counter.
func (s *segment) eachGram(c *counter, fn func(cell uint32, doc uint16)) {
	for i := range s.docs {
		doc := uint16(i)
		text := s.textOf(doc)
		mark := uint32(doc) + 1
		first, second := uint32(c.code[text[0]]), uint32(c.code[text[1]])
		for _, b := range text[2:] {
			third := uint32(c.code[b])
			cell := (first*c.letters+second)*c.letters + third
			if c.seen[cell] != mark {
				c.seen[cell] = mark
				fn(cell, doc)
			}
			first, second = second, third
		}
	}
}

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

// counter has a cell for each gram that could occur: the cube of the bytes that do, in their order.
type counter struct {
	code    [256]uint8
	bytes   []byte
	letters uint32
	seen    []uint32 // the last course that held the gram, plus one
	size    []uint32
}

func newCounter(often *[256]uint32) *counter {
	c := &counter{}
	for b, times := range often {
		if times > 0 {
			c.code[b] = uint8(len(c.bytes))
			c.bytes = append(c.bytes, byte(b))
		}
	}
	c.letters = uint32(len(c.bytes))
	cells := c.letters * c.letters * c.letters
	c.seen, c.size = make([]uint32, cells), make([]uint32, cells)
	return c
}

func (c *counter) gram(cell uint32) uint32 {
	n := c.letters
	return uint32(c.bytes[cell/(n*n)])<<16 | uint32(c.bytes[cell/n%n])<<8 | uint32(c.bytes[cell%n])
}
