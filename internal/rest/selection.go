package rest

import (
	"slices"
	"strings"
)

// field is one item of select=: a column under a name, everything (*), or an embedded relation.
type field struct {
	column   string
	alias    string
	relation string
}

// parseSelect reads select=. Empty means *.
func parseSelect(text string) ([]field, *Error) {
	s := &scanner{what: "select parameter", text: text}
	if s.spaces(); s.done() {
		return []field{{column: "*"}}, nil
	}
	var fields []field
	for {
		s.spaces()
		f, err := s.field()
		if err != nil {
			return nil, err
		}
		if fields = append(fields, f); len(fields) > maxFilters {
			return nil, tooComplex("A request selects at most 50 columns.")
		}
		s.spaces()
		if s.done() {
			return fields, nil
		}
		if !s.take(",") {
			return nil, s.fail(`"," or end of input`)
		}
	}
}

func (s *scanner) field() (field, *Error) {
	if s.take("*") {
		return field{column: "*"}, nil
	}
	if strings.HasPrefix(s.rest(), "...") {
		return field{}, notImplemented("Spread relations are not available.")
	}
	const stops = ",:()!."
	name, err := s.name(stops)
	if err != nil {
		return field{}, err
	}
	f := field{column: name, alias: name}
	if !strings.HasPrefix(s.rest(), "::") && s.take(":") {
		if f.column, err = s.name(stops); err != nil {
			return field{}, err
		}
	}
	switch rest := s.rest(); {
	case strings.HasPrefix(rest, "::"):
		return field{}, notImplemented("Casts are not available.")
	case strings.HasPrefix(rest, "->"):
		return field{}, notImplemented("JSON paths are not available.")
	case strings.HasPrefix(rest, "()"):
		return field{}, notImplemented("Aggregates are not available.")
	case strings.HasPrefix(rest, "."):
		for _, aggregate := range []string{".sum()", ".avg()", ".min()", ".max()", ".count()"} {
			if strings.HasPrefix(rest, aggregate) {
				return field{}, notImplemented("Aggregates are not available.")
			}
		}
		return field{}, s.fail(`"," or end of input`)
	case strings.HasPrefix(rest, "("), strings.HasPrefix(rest, "!"):
		return field{relation: f.column, alias: f.alias}, s.skipEmbed()
	}
	return f, nil
}

// skipEmbed moves over [!hint](…); embedding is refused later, when it is known whether the relation exists.
func (s *scanner) skipEmbed() *Error {
	s.until("(,")
	if s.peek() != '(' {
		return s.fail(`"("`)
	}
	for depth := 0; !s.done(); {
		switch s.peek() {
		case '(':
			depth++
		case ')':
			depth--
		}
		s.pos++
		if depth == 0 {
			return nil
		}
	}
	return s.fail(`")"`)
}

// Order is one key of the sort order.
type Order struct {
	Column     string
	Desc       bool
	NullsFirst bool

	column int
}

// parseOrder reads order=column.desc.nullslast,… . PostgreSQL's own rule holds for nulls: last, and first when descending.
func parseOrder(text string) ([]Order, *Error) {
	s := &scanner{what: "order", text: text}
	var keys []Order
	for {
		s.spaces()
		key, err := s.orderKey()
		if err != nil {
			return nil, err
		}
		if keys = append(keys, key); len(keys) > maxFilters {
			return nil, tooComplex("A request sorts by at most 50 columns.")
		}
		s.spaces()
		if s.done() {
			return keys, nil
		}
		if !s.take(",") {
			return nil, s.fail(`"," or end of input`)
		}
	}
}

func (s *scanner) orderKey() (Order, *Error) {
	name, err := s.name(".,(")
	if err != nil {
		return Order{}, err
	}
	if s.peek() == '(' {
		return Order{}, notEmbedded(name)
	}
	if strings.HasPrefix(s.rest(), "->") {
		return Order{}, notImplemented("JSON paths are not available.")
	}
	key := Order{Column: name}
	expecting := `"asc", "desc", "nullsfirst" or "nullslast"`
	if s.word(".desc") {
		key.Desc, key.NullsFirst = true, true
		expecting = `"nullsfirst" or "nullslast"`
	} else if s.word(".asc") {
		expecting = `"nullsfirst" or "nullslast"`
	}
	if s.word(".nullsfirst") {
		key.NullsFirst = true
	} else if s.word(".nullslast") {
		key.NullsFirst = false
	}
	if s.take(".") {
		return Order{}, s.fail(expecting)
	}
	return key, nil
}

// word takes a literal that ends where a word of order= can end.
func (s *scanner) word(literal string) bool {
	from := s.pos
	if s.take(literal) && (s.done() || strings.IndexByte("., ", s.peek()) >= 0) {
		return true
	}
	s.pos = from
	return false
}

// parseNames reads columns= and on_conflict=. They are sets: a name that comes again says nothing new.
func parseNames(what, text string) ([]string, *Error) {
	s := &scanner{what: what + " parameter", text: text}
	var names []string
	for {
		s.spaces()
		name, err := s.name(",")
		if err != nil {
			return nil, err
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		if len(names) > maxFilters {
			return nil, tooComplex("A request names at most 50 columns.")
		}
		s.spaces()
		if s.done() {
			return names, nil
		}
		if !s.take(",") {
			return nil, s.fail(`"," or end of input`)
		}
	}
}
