package catalog

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestCodedTextIsTheText(t *testing.T) {
	t.Parallel()
	var texts [][]byte
	for _, text := range []string{
		"", " ", "a", "a b", "  a  b  ", "a. b, c!\x00\x00", "...", "日本 語", "\x00\x01\x02", "no-hyphens here", "end ", "&amp;",
	} {
		texts = append(texts, []byte(text))
	}
	for course := range generated(3000) {
		texts = append(texts, searchable(&course))
	}
	var s segment
	for _, text := range texts {
		s.add(place{}, "", text)
	}
	s.seal()
	var got []byte
	for i, want := range texts {
		if got = s.textOf(uint16(i), got); !bytes.Equal(got, want) {
			t.Fatalf("%d: %q, wanted %q", i, got, want)
		}
	}
	if plain, coded := len(bytes.Join(texts, nil)), len(s.coded); coded*2 > plain {
		t.Errorf("%d bytes are coded as %d", plain, coded)
	}
}

// textOf is a course's text, in the place of what is in the buffer.
func (s *segment) textOf(doc uint16, into []byte) []byte {
	into = into[:0]
	coded := between(s.coded, s.ends, int(doc))
	for i := 0; i < len(coded); i++ {
		code, next := readCode(coded, i)
		i = next - 1
		if code == 0 {
			i++
			into = append(into, coded[i])
			continue
		}
		into = append(into, between(s.words, s.wordEnds, int(code>>1)-1)...)
		if code&1 != 0 {
			into = append(into, ' ')
		}
	}
	return into
}

// Whatever part of a text is looked for, it is found where it is and nowhere else.
func TestPhraseIsFoundWhereItIs(t *testing.T) {
	t.Parallel()
	texts := []string{
		"self tape lab\x00ada lovelace\x00", "the shelf taped\x00", "a  b", "a b", "a. b", "tape, self", "self tap", "日本 語 a\x00\x00", " self tape ", "b a. b",
	}
	var s segment
	for _, text := range texts {
		s.add(place{}, "", []byte(text))
	}
	s.seal()
	for _, text := range texts {
		for from := range text {
			for to := from + 1; to <= len(text); to++ {
				part := []byte(text[from:to])
				if !slices.ContainsFunc(part, isSeparator) {
					continue
				}
				look, ok := s.phrase(part)
				for doc, within := range texts {
					if found := ok && look.in(between(s.coded, s.ends, doc)); found != strings.Contains(within, string(part)) {
						t.Fatalf("%q in %q: %v", part, within, found)
					}
				}
			}
		}
	}
}
