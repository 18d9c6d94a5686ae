package rest

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/who"
)

// A text that few of a million rows hold is found by looking at all of them, which takes seconds. So a table may
// have sketches: of each some hundred rows that follow each other in time, which three-letter parts their texts hold, as
// bits. A search reads the sketches, and of the rows only those whose sketch has all parts of what it looks for. Rows
// without a sketch, new ones and those about a change, are looked at as before: a sketch can only spare work.
const (
	sketchRows = 512
	sketchBits = 1 << 15
	sketchMost = 4 * sketchRows // of one moment; what has more has no sketch

	endOfTime = 1 << 62 // in microseconds
)

// sketch has a bit for each part. An empty one may hold anything.
type sketch []byte

// span is the rows after one moment and up to another, in microseconds since 1970.
type span struct{ begins, ends int64 }

// parts calls fn with the number of each part of a text. Case counts only outside ASCII, and there nothing is looked for;
// the three signs there that fold to an ASCII letter are that letter.
func parts(text string, fn func(part int, ascii bool)) {
	text = strings.NewReplacer("\u212a", "k", "\u017f", "s", "\u0130", "i").Replace(text)
	var last [3]byte
	for i := range len(text) {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		last = [3]byte{last[1], last[2], c}
		if i >= 2 {
			number := (uint32(last[0])<<16 | uint32(last[1])<<8 | uint32(last[2])) * 2654435761
			fn(int(number>>17), last[0]|last[1]|last[2] < 0x80)
		}
	}
}

func (s sketch) add(text string) {
	parts(text, func(part int, _ bool) { s[part/8] |= 1 << (part % 8) })
}

func (s sketch) has(part int) bool { return len(s) == 0 || s[part/8]&(1<<(part%8)) != 0 }

// wanted is what a row must hold to meet a condition: all of these parts, and one of each choice.
type wanted struct {
	parts   []int
	choices [][]wanted
}

func (w *wanted) isEmpty() bool { return len(w.parts) == 0 && len(w.choices) == 0 }

func (w *wanted) mayBeIn(s sketch) bool {
	return !slices.ContainsFunc(w.parts, func(part int) bool { return !s.has(part) }) &&
		!slices.ContainsFunc(w.choices, func(choice []wanted) bool {
			return !slices.ContainsFunc(choice, func(one wanted) bool { return one.mayBeIn(s) })
		})
}

// wants collects what conditions that must all hold ask of the sketched texts.
func (t *Table) wants(all []Condition) (w wanted) {
	for i := range all {
		switch c := &all[i]; {
		case c.Not:
		case c.Op == And:
			inner := t.wants(c.Of)
			w.parts, w.choices = append(w.parts, inner.parts...), append(w.choices, inner.choices...)
		case c.Op == Or:
			var choice []wanted
			for j := range c.Of {
				choice = append(choice, t.wants(c.Of[j:j+1]))
			}
			if !slices.ContainsFunc(choice, func(one wanted) bool { return one.isEmpty() }) {
				w.choices = append(w.choices, choice)
			}
		case (c.Op == Like || c.Op == ILike) && slices.Contains(t.Sketched, c.Column):
			w.parts = append(w.parts, patternParts(c.Values[0].(string))...)
		}
	}
	return w
}

// patternParts gives the parts of the plain texts between a pattern's wildcards.
func patternParts(pattern string) (found []int) {
	plain := make([]byte, 0, len(pattern))
	end := func() {
		parts(string(plain), func(part int, ascii bool) {
			if ascii {
				found = append(found, part)
			}
		})
		plain = plain[:0]
	}
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			i++
			plain = append(plain, pattern[i])
		case c == '%' || c == '_':
			end()
		default:
			plain = append(plain, c)
		}
	}
	end()
	return found
}

// narrow gives the times of the rows that a read may be about, the newest first; nil for all. It serves lists in that
// order, of those who see all rows: the rows of one person are few.
func (q *request) narrow(ctx context.Context, tx *db.Tx) ([]span, error) {
	if len(q.table.Sketched) == 0 || !q.isNewestFirst() || !q.actor.Admin && q.actor.Role != who.Service {
		return nil, nil
	}
	w := q.table.wants(q.query.Where)
	if w.isEmpty() {
		return nil, nil
	}
	var spans []span
	from := span{begins: endOfTime, ends: endOfTime} // the last sketch, with which the next one ends that is there
	add := func(s span) {
		if last := len(spans) - 1; last >= 0 && spans[last].begins == s.ends {
			spans[last].begins = s.begins
			return
		}
		spans = append(spans, s)
	}
	in, all := 0, 0
	err := w.eachSketch(ctx, tx, q.table.Name, func(s span, mayBeIn bool) {
		all++
		if s.ends != from.begins {
			add(span{s.ends, from.begins})
		}
		if mayBeIn {
			in++
			add(s)
		}
		from = s
	})
	if 2*in >= all { // or there is none: then the database has its own ways
		return nil, err
	}
	if from.begins != -endOfTime {
		add(span{-endOfTime, from.begins})
	}
	return spans, err
}

// eachSketch tells of every sketch of a table, the newest first, whether it has what is wanted. PostgreSQL looks into them
// itself, for they are megabytes on the way to another process.
func (w *wanted) eachSketch(ctx context.Context, tx *db.Tx, table string, fn func(s span, mayBeIn bool)) error {
	var held sql.RawBytes
	var mayBeIn bool
	look, into := "parts", any(&held)
	if tx.Engine == db.Postgres {
		var asked strings.Builder
		w.ask(&asked)
		look, into = "length(parts) = 0 or "+asked.String(), &mayBeIn
	}
	query := "select begins, ends, " + look + " from sketches where table_name = $1 order by ends desc"
	return db.Each(ctx, tx, query, []any{table}, func(scan func(...any) error) error {
		var s span
		err := scan(&s.begins, &s.ends, into)
		if tx.Engine == db.SQLite {
			mayBeIn = w.mayBeIn(sketch(held))
		}
		if err == nil {
			fn(s, mayBeIn)
		}
		return err
	})
}

// ask writes mayBeIn as a condition of PostgreSQL, of numbers alone.
func (w *wanted) ask(out *strings.Builder) {
	out.WriteString("(true")
	for _, part := range w.parts {
		fmt.Fprintf(out, " and get_bit(parts, %d) = 1", part)
	}
	for _, choice := range w.choices {
		out.WriteString(" and (false")
		for i := range choice {
			out.WriteString(" or ")
			choice[i].ask(out)
		}
		out.WriteByte(')')
	}
	out.WriteByte(')')
}

// isNewestFirst holds for the lists whose pages follow each other in time.
func (q *request) isNewestFirst() bool {
	order := q.query.Order
	return !q.query.Count && q.query.Offset == 0 && len(order) > 0 && order[0].Column == "created_at" && order[0].Desc
}

// readSpans reads one span after the other until the page is full. Rows of the same moment are in the same span, so
// together they are in the order of the page.
func (q *request) readSpans(ctx context.Context, tx *db.Tx, spans []span, out *body) error {
	for i := range spans {
		if out.rows == q.query.Limit {
			break
		}
		if err := q.scan(ctx, tx, q.pageStatement(tx.Engine, &spans[i]), out); err != nil {
			return err
		}
	}
	return nil
}

// within keeps a statement to the rows of a span.
func (s *statement) within(one span) {
	if one.begins != -endOfTime {
		s.add(` and "created_at" > `)
		s.param(time.UnixMicro(one.begins))
	}
	if one.ends != endOfTime {
		s.add(` and "created_at" <= `)
		s.param(time.UnixMicro(one.ends))
	}
}
