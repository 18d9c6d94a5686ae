package rest

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/who"
)

// A text that few of a million rows hold is found by looking at all of them, which takes SQLite seconds. So a table may
// have sketches: of each some hundred rows that follow each other in time, which three-letter parts their texts hold, as
// bits. A search reads the sketches, and of the rows only those whose sketch has all parts of what it looks for. Rows
// without a sketch, new ones and those about a change, are looked at as before: a sketch can only spare work.
const (
	sketchRows  = 512
	sketchBits  = 1 << 15
	sketchMost  = 4 * sketchRows // of one moment; what has more has no sketch
	sketchEvery = time.Minute

	endOfTime = 1 << 62 // in microseconds
)

// sketch has a bit for each part. An empty one may hold anything.
type sketch []byte

// span is the rows after one moment and up to another, in microseconds since 1970.
type span struct{ begins, ends int64 }

// parts calls fn with the number of each part of a text. Case counts only outside ASCII, and there nothing is looked for;
// the two signs there that fold to an ASCII letter are that letter.
func parts(text string, fn func(part int, ascii bool)) {
	text = strings.NewReplacer("\u212a", "k", "\u017f", "s").Replace(text)
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
	if tx.Engine != db.SQLite || len(q.table.Sketched) == 0 || !q.isNewestFirst() || !q.actor.Admin && q.actor.Role != who.Service {
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
	const query = "select begins, ends, parts from sketches where table_name = $1 order by ends desc"
	err := db.Each(ctx, tx, query, []any{q.table.Name}, func(scan func(...any) error) error {
		var s span
		var held sql.RawBytes
		if err := scan(&s.begins, &s.ends, &held); err != nil {
			return err
		}
		if s.ends != from.begins {
			add(span{s.ends, from.begins})
		}
		if w.mayBeIn(sketch(held)) {
			add(s)
		}
		from = s
		return nil
	})
	if from.begins == endOfTime {
		return nil, err // there is none
	}
	add(span{-endOfTime, from.begins})
	return spans, err
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
	s.add(` and "created_at" > `)
	s.param(one.begins)
	s.add(` and "created_at" <= `)
	s.param(one.ends)
}

// Sketch makes the sketches that are missing, again and again until ctx ends.
func (h *Data) Sketch(ctx context.Context) {
	tick := time.NewTicker(sketchEvery)
	defer tick.Stop()
	for {
		if err := h.SketchAll(ctx); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "long lists are searched slowly", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// SketchAll makes the sketches that are missing now; PostgreSQL needs none.
func (h *Data) SketchAll(ctx context.Context) error {
	if h.db.Engine != db.SQLite {
		return nil
	}
	for _, t := range h.tables {
		for more := len(t.Sketched) > 0; more; {
			err := h.db.WriteBeside(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
				more, err = t.sketchNext(ctx, tx)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// sketchNext makes the first sketch that is missing. It reads the rows in the transaction that stores what they hold, so
// none of them can change in between.
func (t *Table) sketchNext(ctx context.Context, tx *db.Tx) (made bool, err error) {
	gap, inner, err := t.gap(ctx, tx)
	if err != nil {
		return false, err
	}
	held, ends, rows := sketch(make([]byte, sketchBits/8)), gap.begins, 0
	s := t.statement(tx.Engine)
	s.add(`select "created_at"`)
	for _, name := range t.Sketched {
		s.add(`, coalesce("`, name, `", '')`)
	}
	s.add(` from "`, t.Name, `" where "created_at" > `)
	s.param(gap.begins)
	s.add(` and "created_at" <= `)
	s.param(gap.ends)
	s.add(` order by "created_at"`)
	var at int64
	texts := make([]string, len(t.Sketched))
	into := []any{&at}
	for i := range texts {
		into = append(into, &texts[i])
	}
	whole := errors.New("the sketch is whole")
	err = db.Each(ctx, tx, string(s.text), s.args, func(scan func(...any) error) error {
		if err := scan(into...); err != nil {
			return err
		}
		if rows >= sketchRows && at != ends || rows == sketchMost {
			return whole
		}
		rows++
		ends = at
		for _, text := range texts {
			held.add(text)
		}
		return nil
	})
	switch {
	case errors.Is(err, whole):
	case err != nil:
		return false, err
	case inner:
		ends = gap.ends
	default:
		return false, nil // the newest rows become one when there are enough of them
	}
	if rows == sketchMost {
		held = sketch{}
	}
	_, err = tx.Exec(ctx, "insert into sketches (table_name, begins, ends, parts) values ($1, $2, $3, $4)", t.Name, gap.begins, ends, []byte(held))
	return true, err
}

// gap gives the first time without a sketch, and whether a sketch follows it.
func (t *Table) gap(ctx context.Context, tx *db.Tx) (gap span, inner bool, err error) {
	gap = span{begins: -endOfTime, ends: endOfTime}
	err = db.Each(ctx, tx, "select begins, ends from sketches where table_name = $1 order by ends", []any{t.Name}, func(scan func(...any) error) error {
		var s span
		if err := scan(&s.begins, &s.ends); err != nil || inner {
			return err
		}
		if inner = s.begins != gap.begins; inner {
			gap.ends = s.begins
		} else {
			gap.begins = s.ends
		}
		return nil
	})
	return gap, inner, err
}
