package catalog

import (
	"bytes"
	"slices"
	"sync"
)

// match finds the courses of a segment that hold a lower-cased text.
func (s *segment) match(text []byte, found *set) {
	*found = set{}
	switch len(text) {
	case 0:
		for doc := range s.docs {
			found.add(uint16(doc))
		}
	case 1:
		if of := s.letters[text[0]]; of != nil {
			*found = *of
		}
	case 2:
		// Every two bytes are followed by a third, if only the zero byte, so the grams that begin with them tell all.
		prefix := uint32(text[0])<<16 | uint32(text[1])<<8
		from, _ := slices.BinarySearch(s.grams, prefix)
		for i := from; i < len(s.grams) && s.grams[i]&^0xff == prefix; i++ {
			s.unite(found, s.postings[i])
		}
	default:
		s.matchLong(text, found)
	}
}

// matchLong intersects the courses of all grams and looks into the texts of those that are left.
func (s *segment) matchLong(text []byte, found *set) {
	grams, ok := s.gramsOf(text)
	if !ok {
		return
	}
	if rarest := grams[0]; !rarest.isDense() {
		s.matchSparse(text, grams, found)
		return
	}
	*found = *s.bitmap(grams[0])
	for _, p := range grams[1:] {
		for i, word := range s.bitmap(p) {
			found[i] &= word
		}
	}
	if len(text) == 3 {
		return
	}
	candidates, look := *found, s.needle(text)
	candidates.each(func(doc uint16) bool {
		if !look.in(s.textOf(doc)) {
			found.remove(doc)
		}
		return true
	})
}

// fewCandidates is the number from which looking into the texts costs less than another intersection.
const fewCandidates = 16

func (s *segment) matchSparse(text []byte, grams []posting, found *set) {
	var room [densePosting]uint16
	candidates := append(room[:0], s.members(grams[0])...)
	for _, p := range grams[1:] {
		if len(candidates) <= fewCandidates {
			break
		}
		if p.isDense() {
			in := s.bitmap(p)
			candidates = slices.DeleteFunc(candidates, func(doc uint16) bool { return !in.has(doc) })
		} else {
			candidates = intersect(candidates, s.members(p))
		}
	}
	look := s.needle(text)
	for _, doc := range candidates {
		if len(text) == 3 || look.in(s.textOf(doc)) {
			found.add(doc)
		}
	}
}

// intersect keeps, in place, the members of a that are in b; both are sorted.
func intersect(a, b []uint16) []uint16 {
	kept := a[:0]
	for _, doc := range a {
		for len(b) > 0 && b[0] < doc {
			b = b[1:]
		}
		if len(b) > 0 && b[0] == doc {
			kept = append(kept, doc)
		}
	}
	return kept
}

// gramsOf gives the postings of a text's grams, the rarest first; ok is false when one does not occur.
func (s *segment) gramsOf(text []byte) (list []posting, ok bool) {
	for i := range len(text) - 2 {
		gram := uint32(text[i])<<16 | uint32(text[i+1])<<8 | uint32(text[i+2])
		at, there := slices.BinarySearch(s.grams, gram)
		if !there {
			return nil, false
		}
		list = append(list, s.postings[at])
	}
	slices.SortFunc(list, func(p, q posting) int { return int(p.size) - int(q.size) })
	return slices.Compact(list), true
}

// needle is a text to look for by its rarest byte: the machine finds one byte many times faster than a word.
type needle struct {
	text []byte
	at   int // where the rarest byte stands
}

func (s *segment) needle(text []byte) needle {
	n := needle{text: text}
	for i, b := range text {
		if s.often[b] < s.often[text[n.at]] {
			n.at = i
		}
	}
	return n
}

func (n needle) in(text []byte) bool {
	if len(text) < len(n.text) {
		return false
	}
	rarest := n.text[n.at]
	// Within this window the rarest byte leaves room for the whole needle around it.
	window := text[n.at : len(text)-len(n.text)+n.at+1]
	for from := 0; ; {
		i := bytes.IndexByte(window[from:], rarest)
		if i < 0 {
			return false
		}
		from += i
		if string(text[from:from+len(n.text)]) == string(n.text) {
			return true
		}
		from++
	}
}

// sets are reused: a search needs one of 8 KB for each segment.
var sets = sync.Pool{New: func() any { return new(set) }}
