package catalog

import "bytes"

// phrase is a text of several words as coded texts are searched for it, without decoding them: what stands between its words
// byte by byte, its inner words by their numbers, the first by those of all words that end so, the last by those that
// begin so.
type phrase []step

type step struct {
	between byte
	words   bitmap // nil where the step is a byte
}

// bitmap is a set of words.
type bitmap []uint64

func (b bitmap) has(word uint64) bool { return b[word>>6]&(1<<(word&63)) != 0 }

// phrase reads a text that holds a separator; ok is false when no word of the segment fits one of its words.
func (s *segment) phrase(text []byte) (p phrase, ok bool) {
	for at := 0; at < len(text); {
		end := at
		for end < len(text) && !isSeparator(text[end]) {
			end++
		}
		if end == at {
			p = append(p, step{between: text[at]})
			at++
			continue
		}
		words, some := s.wordsLike(text[at:end], at == 0, end == len(text))
		if !some {
			return nil, false
		}
		p, at = append(p, step{words: words}), end
	}
	return p, true
}

// wordsLike finds a word: one that may begin earlier, or end later.
func (s *segment) wordsLike(part []byte, earlier, later bool) (found bitmap, some bool) {
	found = make(bitmap, (len(s.wordEnds)+63)/64)
	from := uint32(0)
	for word, end := range s.wordEnds {
		size := int(end - from)
		if size == len(part) || size > len(part) && (earlier || later) {
			text := s.words[from:end]
			if earlier && bytes.HasSuffix(text, part) || later && bytes.HasPrefix(text, part) || size == len(part) && bytes.Equal(text, part) {
				found[word>>6] |= 1 << (word & 63)
				some = true
			}
		}
		from = end
	}
	return found, some
}

// in tells whether a coded text holds the phrase.
func (p phrase) in(coded []byte) bool {
	first, rest := p[0], p[1:]
	for at := 0; at < len(coded); {
		code, next := readCode(coded, at)
		space := code&1 != 0
		switch {
		case code == 0:
			next++
			if first.words == nil && first.between == coded[next-1] && rest.follows(coded, next, false) {
				return true
			}
		case first.words != nil:
			if first.words.has(code>>1-1) && rest.follows(coded, next, space) {
				return true
			}
		case space && first.between == ' ' && rest.follows(coded, next, false):
			return true
		}
		at = next
	}
	return false
}

// follows tells whether these steps come next, after the space of the word before if it has one.
func (p phrase) follows(coded []byte, at int, space bool) bool {
	for _, step := range p {
		if space {
			if step.between != ' ' || step.words != nil {
				return false
			}
			space = false
			continue
		}
		if at == len(coded) {
			return false
		}
		code, next := readCode(coded, at)
		switch {
		case code == 0:
			if step.words != nil || step.between != coded[next] {
				return false
			}
			next++
		case step.words == nil || !step.words.has(code>>1-1):
			return false
		}
		at, space = next, code&1 != 0
	}
	return true
}
