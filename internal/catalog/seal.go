package catalog

import (
	"cmp"
	"slices"
)

// seal builds what a segment is searched by; after it the segment no longer grows. What it keeps is no longer than it must
// be: lists that have grown have room to grow on.
func (s *segment) seal() {
	s.kindOf, s.numbers = exact(s.kindOf), nil
	coded, ends := s.sealWords()
	s.sealGrams()
	s.sealLetters()
	s.plain, s.coded, s.ends, s.docs = nil, exact(coded), ends, exact(s.docs)
	s.words, s.wordEnds, s.sparse, s.dense = exact(s.words), exact(s.wordEnds), exact(s.sparse), exact(s.dense)
}

func exact[T any](list []T) []T {
	short := make([]T, len(list))
	copy(short, list)
	return short
}

// isSeparator tells whether a byte parts words. The bytes of letters beyond ASCII are all parts of words.
func isSeparator(b byte) bool {
	return b < 0x80 && (b < 'a' || b > 'z') && (b < '0' || b > '9')
}

// sealWords collects the words, and gives the texts coded with them.
func (s *segment) sealWords() (coded []byte, ends []uint32) {
	ends = make([]uint32, 0, len(s.docs))
	known := map[string]uint32{}
	var f features
	for i := range s.docs {
		text := s.plainOf(i)
		for len(text) > 0 {
			end := 0
			for end < len(text) && !isSeparator(text[end]) {
				end++
			}
			if end > 0 {
				number, there := known[string(text[:end])]
				if !there {
					number = uint32(len(known))
					known[string(text[:end])] = number
					s.words = append(s.words, text[:end]...)
					s.wordEnds = append(s.wordEnds, uint32(len(s.words)))
				}
				f.add(number)
				coded = appendWord(coded, number, end < len(text) && text[end] == ' ')
			}
			if end < len(text) && (end == 0 || text[end] != ' ') {
				coded = appendBetween(coded, text[end])
			}
			text = text[min(end+1, len(text)):]
		}
		f.next()
		ends = append(ends, uint32(len(coded)))
	}
	s.wordIn = s.file(&f)
	return coded, ends
}

func (s *segment) sealGrams() {
	known := map[uint32]uint32{}
	var f features
	var grams []uint32
	for i := range s.docs {
		text := s.plainOf(i)
		for at := range len(text) - 2 {
			if !isSeparator(text[at]) && !isSeparator(text[at+1]) && !isSeparator(text[at+2]) {
				continue
			}
			gram := gramAt(text, at)
			number, there := known[gram]
			if !there {
				number = uint32(len(known))
				known[gram] = number
				grams = append(grams, gram)
			}
			f.add(number)
		}
		f.next()
	}
	in := s.file(&f)
	order := make([]int, len(grams))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(grams[a], grams[b]) })
	s.grams, s.gramIn = make([]uint32, len(grams)), make([]posting, len(grams))
	for i, number := range order {
		s.grams[i], s.gramIn[i] = grams[number], in[number]
	}
}

func gramAt(text []byte, at int) uint32 {
	return uint32(text[at])<<16 | uint32(text[at+1])<<8 | uint32(text[at+2])
}

func (s *segment) sealLetters() {
	for i := range s.docs {
		doc := uint16(i)
		var holds [256]bool
		for _, b := range s.plainOf(i) {
			s.often[b]++
			holds[b] = true
		}
		for b, there := range holds {
			if !there {
				continue
			}
			if s.letters[b] == nil {
				s.letters[b] = new(set)
			}
			s.letters[b].add(doc)
		}
	}
}

// features collects which features (words, grams) each course has, each once.
type features struct {
	of   []uint32 // course by course
	ends []uint32
	size []uint32 // how many courses have a feature
	last []uint32 // the last course that had it, plus one
}

func (f *features) add(feature uint32) {
	if int(feature) == len(f.size) {
		f.size = append(f.size, 0)
		f.last = append(f.last, 0)
	}
	if course := uint32(len(f.ends)) + 1; f.last[feature] != course {
		f.last[feature] = course
		f.size[feature]++
		f.of = append(f.of, feature)
	}
}

// next goes on to the next course.
func (f *features) next() { f.ends = append(f.ends, uint32(len(f.of))) }

// file turns the features round: for each the courses that have it.
func (s *segment) file(f *features) []posting {
	list := make([]posting, len(f.size))
	sparse, dense := uint32(len(s.sparse)), uint32(len(s.dense))
	for i, size := range f.size {
		p := posting{size: size}
		if p.isDense() {
			p.at, dense = dense, dense+setWords
		} else {
			p.at, sparse = sparse, sparse+size
		}
		list[i] = p
	}
	s.sparse = append(s.sparse, make([]uint16, int(sparse)-len(s.sparse))...)
	s.dense = append(s.dense, make([]uint64, int(dense)-len(s.dense))...)
	filled := make([]uint32, len(list))
	from := uint32(0)
	for doc, end := range f.ends {
		for _, feature := range f.of[from:end] {
			if p := list[feature]; p.isDense() {
				s.bitmap(p).add(uint16(doc))
			} else {
				s.sparse[p.at+filled[feature]] = uint16(doc)
				filled[feature]++
			}
		}
		from = end
	}
	return list
}
