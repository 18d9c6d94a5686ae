package catalog

import (
	"bytes"
	"slices"
	"sync"
)

// match finds the courses of a segment that hold a folded text.
func (s *segment) match(text []byte, found *set) {
	*found = set{}
	switch {
	case len(text) == 0:
		for doc := range s.docs {
			found.add(uint16(doc))
		}
	case len(text) == 1:
		if of := s.letters[text[0]]; of != nil {
			*found = *of
		}
	case !slices.ContainsFunc(text, isSeparator):
		s.matchWord(text, found)
	case len(text) == 2:
		// Every two bytes are followed by a third, if only a zero byte, so the grams that begin with them tell all.
		prefix := uint32(text[0])<<16 | uint32(text[1])<<8
		from, _ := slices.BinarySearch(s.grams, prefix)
		for i := from; i < len(s.grams) && s.grams[i]&^0xff == prefix; i++ {
			s.unite(found, s.gramIn[i])
		}
	default:
		s.matchWords(text, found)
	}
}

// matchWord finds the courses with a word that holds the text.
func (s *segment) matchWord(text []byte, found *set) {
	look := s.needle(text)
	for from := 0; ; {
		at := look.index(s.words[from:])
		if at < 0 {
			return
		}
		word, _ := slices.BinarySearch(s.wordEnds, uint32(from+at+1))
		end := int(s.wordEnds[word])
		// The words stand side by side, so a hit may begin in one and end in the next.
		if from+at+len(text) <= end {
			s.unite(found, s.wordIn[word])
			from = end
		} else {
			from += at + 1
		}
	}
}

// matchWords takes the courses that hold all grams and all words of the text, and looks into those that are left.
func (s *segment) matchWords(text []byte, found *set) {
	grams, ok := s.gramsOf(text)
	if !ok {
		return
	}
	s.matchGrams(grams, found)
	if len(text) == 3 {
		return
	}
	some := sets.Get().(*set)
	defer sets.Put(some)
	for part := range bytes.FieldsFuncSeq(text, func(r rune) bool { return r < 0x80 && isSeparator(byte(r)) }) {
		if len(part) > 2 {
			*some = set{}
			s.matchWord(part, some)
			found.keep(some)
		}
	}
	look, ok := s.phrase(text)
	if !ok {
		*found = set{}
		return
	}
	candidates := *found
	candidates.each(func(doc uint16) bool {
		if !look.in(between(s.coded, s.ends, int(doc))) {
			found.remove(doc)
		}
		return true
	})
}

// matchGrams finds the courses that hold all these grams.
func (s *segment) matchGrams(grams []posting, found *set) {
	s.unite(found, grams[0])
	for _, p := range grams[1:] {
		if p.isDense() {
			found.keep(s.bitmap(p))
			continue
		}
		var others set
		s.unite(&others, p)
		found.keep(&others)
	}
}

// gramsOf gives the postings of a text's grams, the rarest first; ok is false when one does not occur.
func (s *segment) gramsOf(text []byte) (list []posting, ok bool) {
	for at := range len(text) - 2 {
		if !isSeparator(text[at]) && !isSeparator(text[at+1]) && !isSeparator(text[at+2]) {
			continue
		}
		i, there := slices.BinarySearch(s.grams, gramAt(text, at))
		if !there {
			return nil, false
		}
		list = append(list, s.gramIn[i])
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

// index finds the needle, or gives -1.
func (n needle) index(text []byte) int {
	if len(text) < len(n.text) {
		return -1
	}
	rarest := n.text[n.at]
	// Within this window the rarest byte leaves room for the whole needle around it.
	window := text[n.at : len(text)-len(n.text)+n.at+1]
	for from := 0; ; {
		i := bytes.IndexByte(window[from:], rarest)
		if i < 0 {
			return -1
		}
		from += i
		if string(text[from:from+len(n.text)]) == string(n.text) {
			return from
		}
		from++
	}
}

// sets are reused: a search needs one of 8 KB for each segment.
var sets = sync.Pool{New: func() any { return new(set) }}
