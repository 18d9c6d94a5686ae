package rest

import (
	"strconv"
	"strings"
	"unicode"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/who"
)

// statement is an SQL text in the making. Names in it come from the declaration alone; values are parameters.
type statement struct {
	table  *Table
	engine db.Engine
	text   []byte
	args   []any
	// columns are those that names adds and rows reads; all unless a read needs fewer.
	columns []int
	most    int    // bytes of text that rows keeps; 0 for any number
	caller  string // whose rows are theirs; "" for nobody's
	depth   int    // of the questions to other tables
}

func (t *Table) statement(engine db.Engine) *statement {
	return &statement{table: t, engine: engine, text: make([]byte, 0, 512), columns: t.all}
}

// statement is one that this caller asks for.
func (q *request) statement(engine db.Engine) *statement {
	s := q.table.statement(engine)
	if q.actor.SignedIn() {
		s.caller = q.actor.UserID
	}
	return s
}

func (s *statement) add(parts ...string) {
	for _, part := range parts {
		s.text = append(s.text, part...)
	}
}

// param adds a value.
func (s *statement) param(value any) {
	s.args = append(s.args, argument(value))
	s.text = append(s.text, '$')
	s.text = strconv.AppendInt(s.text, int64(len(s.args)), 10)
}

func (s *statement) name(column int) {
	c := &s.table.Columns[column]
	switch {
	case c.MineBy == "":
		s.add(`"`, c.Name, `"`)
	case s.caller == "":
		s.add("(1=0)")
	default:
		s.add(`coalesce("`, c.MineBy, `" = `)
		s.param(s.caller)
		s.add(", false)")
	}
}

// names adds the statement's columns.
func (s *statement) names() {
	for i, column := range s.columns {
		if i > 0 {
			s.add(", ")
		}
		s.name(column)
	}
}

// where adds the conditions and the policies, all of which must hold.
func (s *statement) where(conditions []Condition, actor who.Actor, policies ...Policy) {
	joint := " where "
	for i := range conditions {
		s.add(joint)
		s.condition(&conditions[i])
		joint = " and "
	}
	for _, p := range policies {
		if !p.everybody() {
			s.add(joint)
			s.policy(p, actor)
			joint = " and "
		}
	}
}

// policy adds what the rows must be for this caller.
func (s *statement) policy(p Policy, actor who.Actor) { s.policyOf(p, `"`+s.table.Name+`"`, actor) }

// policyOf adds what the rows of a table, under the name that it has in the statement, must be for this caller.
func (s *statement) policyOf(p Policy, of string, actor who.Actor) {
	s.add("(")
	joint := ""
	for _, alt := range p.any {
		from := len(s.text)
		kept := len(s.args)
		s.add(joint)
		if s.alternative(alt, of, actor) {
			joint = " or "
			continue
		}
		s.text, s.args = s.text[:from], s.args[:kept]
	}
	if joint == "" {
		s.add("1=0")
	}
	s.add(")")
}

// alternative adds one alternative and tells whether the caller can meet it at all.
func (s *statement) alternative(alt alternative, of string, actor who.Actor) bool {
	s.add("1=1")
	for _, t := range alt {
		if met, known := t.ofActor(actor); known {
			if !met {
				return false
			}
			continue
		}
		s.add(" and ")
		if t.kind == isRelated {
			s.related(t, of, actor)
			continue
		}
		s.add(of, `."`, t.column, `"`)
		switch t.kind {
		case isOwner:
			s.add(" = ")
			s.param(actor.UserID)
		case isNull:
			s.add(" is null")
		case notNull:
			s.add(" is not null")
		case isTrue:
			s.add(" = ")
			s.param(true)
		case isEqual:
			s.add(" = ")
			s.param(t.value)
		default:
			s.add(" is distinct from ")
			s.param(t.value)
		}
	}
	return true
}

var signs = map[Op]string{
	Eq: " = ", Neq: " <> ", Gt: " > ", Gte: " >= ", Lt: " < ", Lte: " <= ", IsDistinct: " is distinct from ",
}

var states = map[string]string{
	"null": " is null", "not_null": " is not null", "true": " is true", "false": " is false", "unknown": " is null",
}

func (s *statement) condition(c *Condition) {
	if c.Not {
		s.add("not ")
	}
	s.add("(")
	switch c.Op {
	case And, Or:
		s.tree(c)
	case In:
		s.list(c)
	case Is:
		s.name(c.column)
		s.add(states[c.Values[0].(string)])
	case Like, ILike:
		s.like(c)
	default:
		s.name(c.column)
		s.add(signs[c.Op])
		s.param(c.Values[0])
	}
	s.add(")")
}

func (s *statement) tree(c *Condition) {
	if len(c.Of) == 0 {
		s.add(map[Op]string{And: "1=1", Or: "1=0"}[c.Op])
	}
	for i := range c.Of {
		if i > 0 {
			s.add(" ", string(c.Op), " ")
		}
		s.condition(&c.Of[i])
	}
}

func (s *statement) list(c *Condition) {
	if len(c.Values) == 0 {
		s.add("1=0")
		return
	}
	s.name(c.column)
	s.add(" in (")
	for i, value := range c.Values {
		if i > 0 {
			s.add(", ")
		}
		s.param(value)
	}
	s.add(")")
}

// like is the one place where the engines differ: SQLite's LIKE folds ASCII letters and only those, always. Its GLOB
// compares exactly and knows sets of characters, which serve both like and ilike, at four times the cost: so ilike lets
// LIKE decide what it can, and GLOB only what is left. PostgreSQL folds by the database's locale, which may know ASCII
// alone, so the collation is named.
func (s *statement) like(c *Condition) {
	text := c.Values[0].(string)
	if s.engine == db.SQLite && c.Op == ILike {
		loose, same := ascii(text)
		s.add("(")
		s.name(c.column)
		s.add(" like ")
		s.param(loose)
		s.add(" escape ")
		s.param(`\`)
		if !same {
			s.add(" and ")
			s.name(c.column)
			s.add(" glob ")
			s.param(glob(text, true))
		}
		s.add(")")
		return
	}
	s.name(c.column)
	switch {
	case s.engine == db.SQLite:
		s.add(" glob ")
		s.param(glob(text, false))
	case c.Op == ILike:
		s.add(` collate "und-x-icu" ilike `)
		s.param(text)
	default:
		s.add(" like ")
		s.param(text)
	}
}

// ascii gives a LIKE pattern that finds all that the given one finds when only ASCII letters fold, and whether it finds
// the same: each letter that has a case outside ASCII becomes any character.
func ascii(pattern string) (loose string, same bool) {
	var out strings.Builder
	same = true
	escaped := false
	for _, r := range pattern {
		switch {
		case !escaped && r == '\\':
			escaped = true
			continue
		case strings.ContainsFunc(cases(r), func(c rune) bool { return c > unicode.MaxASCII }) && unicode.SimpleFold(r) != r:
			out.WriteByte('_')
			same = false
		case escaped:
			out.WriteRune('\\')
			out.WriteRune(r)
		default:
			out.WriteRune(r)
		}
		escaped = false
	}
	return out.String(), same
}

// glob turns a LIKE pattern into one of GLOB; folding makes each letter a set of its cases.
func glob(pattern string, folding bool) string {
	var out strings.Builder
	escaped := false
	for _, r := range pattern {
		switch {
		case !escaped && r == '\\':
			escaped = true
			continue
		case !escaped && r == '%':
			out.WriteByte('*')
		case !escaped && r == '_':
			out.WriteByte('?')
		case r == '*' || r == '?' || r == '[':
			out.WriteString("[" + string(r) + "]")
		case folding && unicode.SimpleFold(r) != r:
			out.WriteString("[" + cases(r) + "]")
		default:
			out.WriteRune(r)
		}
		escaped = false
	}
	return out.String()
}

// cases gives the letters that are the same as r in lower case.
func cases(r rune) string {
	set := []rune{r}
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		if unicode.ToLower(next) == unicode.ToLower(r) {
			set = append(set, next)
		}
	}
	return string(set)
}

// order adds the sort order. Where a null can occur its place is said, for the engines' defaults are opposite.
func (s *statement) order(keys []Order) {
	for i, key := range keys {
		s.add([]string{" order by ", ", "}[min(i, 1)])
		s.name(key.column)
		if key.Desc {
			s.add(" desc")
		}
		if s.table.Columns[key.column].Nullable {
			s.add([]string{" nulls last", " nulls first"}[bit(key.NullsFirst)])
		}
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
