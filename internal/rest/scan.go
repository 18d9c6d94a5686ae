package rest

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// scanner walks over one parameter's text and knows how to complain about it in PostgREST's words.
type scanner struct {
	what  string // what is being parsed, for the message
	text  string
	pos   int
	shift int // characters that PostgREST's own parser sees before the text
}

func (s *scanner) done() bool { return s.pos >= len(s.text) }

// peek gives the next byte, 0 at the end.
func (s *scanner) peek() byte {
	if s.done() {
		return 0
	}
	return s.text[s.pos]
}

func (s *scanner) rest() string { return s.text[s.pos:] }

// take moves over a literal if it comes next.
func (s *scanner) take(literal string) bool {
	if !strings.HasPrefix(s.rest(), literal) {
		return false
	}
	s.pos += len(literal)
	return true
}

// until gives the text before the first of the stop bytes, or all of it.
func (s *scanner) until(stops string) string {
	end := strings.IndexAny(s.rest(), stops)
	if end < 0 {
		end = len(s.text) - s.pos
	}
	part := s.text[s.pos : s.pos+end]
	s.pos += end
	return part
}

func (s *scanner) spaces() {
	for s.peek() == ' ' {
		s.pos++
	}
}

// fail complains about what stands at the present position.
func (s *scanner) fail(expecting string) *Error {
	unexpected := "unexpected end of input"
	if !s.done() {
		r, _ := utf8.DecodeRuneInString(s.rest())
		unexpected = "unexpected " + strconv.Quote(string(r))
	}
	column := utf8.RuneCountInString(s.text[:s.pos]) + s.shift + 1
	return unparsable(s.what, s.text, column, unexpected+" expecting "+expecting)
}

// name reads an identifier, plain or in double quotes. It says nothing about whether such a column exists.
func (s *scanner) name(stops string) (string, *Error) {
	if s.peek() == '"' {
		from := s.pos
		if quoted, ok := s.quoted(); ok && quoted != "" {
			return quoted, nil
		}
		s.pos = from
		return "", s.fail("field name")
	}
	name := s.until(stops)
	if arrow := strings.Index(name, "->"); arrow >= 0 {
		s.pos -= len(name) - arrow
		name = name[:arrow]
	}
	if name = strings.TrimRight(name, " "); name == "" {
		return "", s.fail("field name (* or [a..z0..9_$])")
	}
	return name, nil
}

// quoted reads "text" in which a backslash makes the next character plain. It moves only on success.
func (s *scanner) quoted() (string, bool) {
	var plain strings.Builder
	for i := s.pos + 1; i < len(s.text); i++ {
		switch c := s.text[i]; c {
		case '"':
			s.pos = i + 1
			return plain.String(), true
		case '\\':
			if i++; i == len(s.text) {
				return "", false
			}
			plain.WriteByte(s.text[i])
		default:
			plain.WriteByte(c)
		}
	}
	return "", false
}

// item reads a value that ends at a comma or a closing bracket: quoted if the closing quote is followed by one of
// them, else every character counts, quotes included. That is what the client relies on: it never escapes.
func (s *scanner) item(stops string) string {
	if s.peek() == '"' {
		from := s.pos
		if text, ok := s.quoted(); ok && (s.done() || strings.IndexByte(stops, s.peek()) >= 0) {
			return text
		}
		s.pos = from
	}
	return s.until(stops)
}

// items reads open item,item close. An empty list is legal.
func (s *scanner) items(open, closing byte) ([]string, *Error) {
	if s.peek() != open {
		return nil, s.fail(strconv.Quote(string(open)))
	}
	s.pos++
	stops := "," + string(closing)
	var list []string
	for {
		quoted := s.peek() == '"'
		text := s.item(stops)
		if s.done() {
			return nil, s.fail(strconv.Quote(",") + " or " + strconv.Quote(string(closing)))
		}
		last := s.peek() == closing
		s.pos++
		if last && len(list) == 0 && text == "" && !quoted {
			return nil, nil
		}
		if list = append(list, text); len(list) > maxItems {
			return nil, tooComplex("A list holds at most " + strconv.Itoa(maxItems) + " values.")
		}
		if last {
			return list, nil
		}
	}
}
