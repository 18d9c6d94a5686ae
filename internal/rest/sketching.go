package rest

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"time"

	"greenroom/internal/platform/db"
)

const sketchEvery = time.Minute

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

// SketchAll makes the sketches that are missing now.
func (h *Data) SketchAll(ctx context.Context) error {
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
	if err := t.hold(ctx, tx); err != nil {
		return false, err
	}
	gap, inner, err := t.gap(ctx, tx)
	if err != nil {
		return false, err
	}
	held, ends, rows := sketch(make([]byte, sketchBits/8)), gap.begins, 0
	s := t.statement(tx.Engine)
	s.add("select ", microseconds(tx.Engine))
	for _, name := range t.Sketched {
		s.add(`, coalesce("`, name, `", '')`)
	}
	s.add(` from "`, t.Name, `" where true`)
	s.within(gap)
	s.add(` order by "created_at" limit `, strconv.Itoa(sketchMost+1))
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
	_, err = tx.Exec(ctx, "insert into sketches (table_name, begins, ends, parts) values ($1, $2, $3, $4) on conflict do nothing",
		t.Name, gap.begins, ends, []byte(held))
	return true, err
}

// hold keeps all others from writing to the table until this transaction ends, so that each of them finds the sketch that it
// must drop. SQLite has one writer anyway; PostgreSQL is asked, and whoever writes for long there is not waited for, because
// others would wait behind us.
func (t *Table) hold(ctx context.Context, tx *db.Tx) error {
	if tx.Engine == db.SQLite {
		return nil
	}
	_, err := tx.Exec(ctx, "set local lock_timeout = '200ms'")
	if err == nil {
		_, err = tx.Exec(ctx, `lock table "`+t.Name+`" in share mode`)
	}
	return err
}

// microseconds is when a row was made, as sketches count time.
func microseconds(engine db.Engine) string {
	if engine == db.SQLite {
		return `"created_at"`
	}
	return `(extract(epoch from "created_at") * 1000000)::bigint`
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
