package rest

import (
	"slices"
	"strings"
)

// Op is a filter's operator.
type Op string

// The operators that a filter can have.
const (
	Eq         Op = "eq"
	Neq        Op = "neq"
	Gt         Op = "gt"
	Gte        Op = "gte"
	Lt         Op = "lt"
	Lte        Op = "lte"
	Like       Op = "like"
	ILike      Op = "ilike"
	In         Op = "in"
	Is         Op = "is"
	IsDistinct Op = "isdistinct"
	And        Op = "and" // all of Of, which may be empty
	Or         Op = "or"  // any of Of, which may be empty
)

// Condition is one filter, or a tree of them.
type Condition struct {
	Op     Op
	Not    bool
	Column string
	// Values are the operands: one for most operators, any number for In. As parsed they are texts (for Like and
	// ILike with % as the wildcard and \ as the escape); once checked they have the column's type.
	Values []any
	Of     []Condition

	column int
}

const operators = `"not" or operator (eq, gt, ...)`

// others are PostgREST's operators that one SQL text for two engines cannot hold.
var others = []string{
	"cs", "cd", "ov", "sl", "sr", "nxr", "nxl", "adj", "match", "imatch", "fts", "plfts", "phfts", "wfts",
}

// parseFilter reads a parameter column=[not.]op.value. The value runs to the end of the parameter.
func parseFilter(column, text string) (Condition, *Error) {
	s := &scanner{what: "filter", text: text}
	c, err := s.operation(column, false)
	if err == nil && !s.done() {
		err = s.fail("end of input")
	}
	return c, err
}

// operation reads [not.]op.value; inside a logic tree a value ends at a comma or bracket.
func (s *scanner) operation(column string, inTree bool) (Condition, *Error) {
	c := Condition{Column: column}
	c.Not = s.take("not.")
	start := s.pos
	end := strings.IndexFunc(s.rest(), func(r rune) bool { return r < 'a' || r > 'z' })
	if end < 0 {
		end = len(s.rest())
	}
	word := s.rest()[:end]
	s.pos += end
	if slices.Contains(others, word) && (s.peek() == '.' || s.peek() == '(') {
		return c, notImplemented("The operator " + word + " is not available.")
	}
	c.Op = Op(word)
	if err := s.operand(&c, start, inTree); err != nil {
		return c, err
	}
	return c, nil
}

func (s *scanner) operand(c *Condition, start int, inTree bool) *Error {
	switch c.Op {
	case Eq, Gt, Gte, Lt, Lte, Like, ILike:
		if s.peek() == '(' {
			return s.quantified(c, start, inTree)
		}
	case Neq, In, Is, IsDistinct:
	default:
		s.pos = start
		return s.fail(operators)
	}
	if !s.take(".") {
		s.pos = start
		return s.fail(operators)
	}
	switch c.Op {
	case In:
		items, err := s.items('(', ')')
		for _, item := range items {
			c.Values = append(c.Values, item)
		}
		return err
	case Is:
		from := s.pos
		word := strings.ToLower(s.value(inTree))
		if !slices.Contains([]string{"null", "not_null", "true", "false", "unknown"}, word) {
			s.pos = from
			return s.fail("isVal: (null, not_null, true, false, unknown)")
		}
		c.Values = []any{word}
	default:
		c.Values = []any{pattern(c.Op, s.value(inTree))}
	}
	return nil
}

// value reads a single operand.
func (s *scanner) value(inTree bool) string {
	if !inTree {
		text := s.rest()
		s.pos = len(s.text)
		return text
	}
	if s.peek() == '{' {
		if end := strings.IndexByte(s.rest(), '}'); end >= 0 {
			text := s.rest()[:end+1]
			s.pos += end + 1
			return text
		}
	}
	return s.item(",)")
}

// quantified reads op(any).{a,b} and op(all).{a,b}, which are an or and an and of the plain operator.
func (s *scanner) quantified(c *Condition, start int, inTree bool) *Error {
	join := Or
	switch {
	case s.take("(any)."):
	case s.take("(all)."):
		join = And
	default:
		s.pos = start
		return s.fail(operators)
	}
	items, err := s.items('{', '}')
	if err != nil {
		return err
	}
	if !inTree && !s.done() {
		return s.fail("end of input")
	}
	each := make([]Condition, 0, len(items))
	for _, item := range items {
		each = append(each, Condition{Op: c.Op, Column: c.Column, Values: []any{pattern(c.Op, item)}})
	}
	*c = Condition{Op: join, Not: c.Not, Column: c.Column, Of: each}
	return nil
}

// pattern gives like and ilike SQL's wildcard for the one that needs no encoding in a URL. A backslash makes that one
// literal like the others.
func pattern(op Op, text string) string {
	if op != Like && op != ILike {
		return text
	}
	out := []byte(text)
	for i := 0; i < len(out); i++ {
		switch out[i] {
		case '\\':
			i++
		case '*':
			out[i] = '%'
		}
	}
	return string(out)
}

// parseLogic reads the value of and=, or=, not.and= and not.or=.
func parseLogic(param, text string) (Condition, *Error) {
	s := &scanner{what: "logic tree", text: text, shift: len(param)}
	op, negated := strings.CutPrefix(param, "not.")
	c := Condition{Op: Op(op), Not: negated}
	err := s.tree(&c, 1)
	if err == nil {
		if s.spaces(); !s.done() {
			err = s.fail("end of input")
		}
	}
	return c, err
}

// tree reads (expr,expr).
func (s *scanner) tree(c *Condition, depth int) *Error {
	if depth > maxDepth {
		return tooComplex("Conditions nest too deeply.")
	}
	if !s.take("(") {
		return s.fail(`"("`)
	}
	for {
		s.spaces()
		inner, err := s.expr(depth)
		if err != nil {
			return err
		}
		if c.Of = append(c.Of, inner); len(c.Of) > maxFilters {
			return tooManyFilters()
		}
		s.spaces()
		if s.take(")") {
			return nil
		}
		if !s.take(",") {
			return s.fail(`"," or ")"`)
		}
	}
}

// expr reads column.[not.]op.value, or [not.]and(…) or [not.]or(…).
func (s *scanner) expr(depth int) (Condition, *Error) {
	for _, op := range []Op{And, Or} {
		for _, prefix := range []string{"", "not."} {
			from := s.pos
			if s.take(prefix+string(op)) && s.peek() == '(' {
				c := Condition{Op: op, Not: prefix != ""}
				err := s.tree(&c, depth+1)
				return c, err
			}
			s.pos = from
		}
	}
	column, err := s.name(".,()")
	if err != nil {
		return Condition{}, err
	}
	if strings.HasPrefix(s.rest(), "->") {
		return Condition{}, notImplemented("JSON paths are not available.")
	}
	if !s.take(".") {
		return Condition{}, s.fail(`"."`)
	}
	return s.operation(column, true)
}

func tooManyFilters() *Error { return tooComplex("A request holds at most 50 filters.") }
