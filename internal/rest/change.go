package rest

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"greenroom/internal/platform/db"
)

// update answers PATCH.
func (q *request) update(ctx context.Context) (*response, error) {
	if err := q.checkChange("UPDATE", q.table.Update.If); err != nil {
		return nil, err
	}
	p, err := q.payload(OnUpdate)
	if err != nil {
		return nil, err
	}
	if len(p.rows) > 1 {
		return nil, badBody("An update takes one object")
	}
	var now []Row
	err = q.writing(ctx, q.table.Update.If, func(ctx context.Context, tx *db.Tx) (err error) {
		if now = nil; len(p.columns) > 0 && len(p.rows) > 0 {
			if now, err = q.change(ctx, tx, p); err != nil {
				return err
			}
		}
		return q.checkAffected(len(now))
	})
	if err != nil {
		return nil, err
	}
	return q.touched(now, contentRange(0, len(now), q.total(len(now))))
}

// writing spares the one writer the changes that can touch nothing.
func (q *request) writing(ctx context.Context, policy Policy, fn func(ctx context.Context, tx *db.Tx) error) error {
	if policy.shut(q.actor) || q.table.Read.shut(q.actor) {
		return q.checkAffected(0)
	}
	return q.db.Write(ctx, fn)
}

func (q *request) change(ctx context.Context, tx *db.Tx, p payload) ([]Row, error) {
	s := q.table.statement(tx.Engine)
	s.add(`update "`, q.table.Name, `" set `)
	for i, column := range p.columns {
		if i > 0 {
			s.add(", ")
		}
		s.name(column)
		s.add(" = ")
		s.param(p.rows[0].values[column])
	}
	s.where(q.query.Where, q.actor, q.table.Read, q.table.Update.If)
	s.add(" returning ")
	s.names()
	now, err := s.rows(ctx, tx)
	if err != nil {
		return nil, q.explain(ctx, tx, p.rows[0], err)
	}
	return now, q.changed(ctx, tx, now)
}

// changed checks rows after an update: none may have left what the caller may see and change.
func (q *request) changed(ctx context.Context, tx *db.Tx, now []Row) error {
	for _, row := range now {
		if !q.table.Update.If.Admits(q.actor, row) || !q.table.Read.Admits(q.actor, row) {
			return q.violatesPolicy()
		}
	}
	if q.table.Update.After == nil || len(now) == 0 {
		return nil
	}
	return q.explain(ctx, tx, newRow(q.table), q.table.Update.After(ctx, tx, now))
}

// delete answers DELETE.
func (q *request) delete(ctx context.Context) (*response, error) {
	if err := q.checkChange("DELETE", q.table.Delete.If); err != nil {
		return nil, err
	}
	var gone []Row
	err := q.writing(ctx, q.table.Delete.If, func(ctx context.Context, tx *db.Tx) (err error) {
		s := q.table.statement(tx.Engine)
		s.add(`delete from "`, q.table.Name, `"`)
		s.where(q.query.Where, q.actor, q.table.Read, q.table.Delete.If)
		s.add(" returning ")
		s.names()
		if gone, err = s.rows(ctx, tx); err == nil && q.table.Delete.After != nil && len(gone) > 0 {
			err = q.table.Delete.After(ctx, tx, gone)
		}
		if err != nil {
			return q.explain(ctx, tx, newRow(q.table), err)
		}
		return q.checkAffected(len(gone))
	})
	if err != nil {
		return nil, err
	}
	return q.touched(gone, contentRange(0, 0, q.total(len(gone))))
}

// checkChange refuses what is not declared, and what would touch every row.
func (q *request) checkChange(verb string, policy Policy) error {
	switch {
	case !policy.Declared() || !q.table.Read.Declared():
		return q.noPrivilege()
	case len(q.query.Where) == 0:
		return refuse(http.StatusBadRequest, "21000", verb+" requires a WHERE clause")
	case q.query.paged:
		return notImplemented("Limit and offset are not available with " + verb + ".")
	}
	return nil
}

// checkAffected holds a change to the number of rows that the client expects.
func (q *request) checkAffected(rows int) error {
	if q.prefs.limited() && rows > q.prefs.maxAffected {
		return refuse(http.StatusBadRequest, "PGRST124", "Query result exceeds max-affected preference constraint").
			details("The query affects %d rows", rows)
	}
	if q.form.single && rows != 1 {
		return notSingle(rows)
	}
	return nil
}

func (q *request) total(rows int) int {
	if q.query.Count {
		return rows
	}
	return -1
}

func (q *request) touched(rows []Row, place string) (*response, error) {
	status := http.StatusNoContent
	if q.prefs.returning == "representation" {
		status = http.StatusOK
	}
	a := q.answer(status, place)
	return a, q.represent(a, rows)
}

// represent puts the written rows into the answer, if it asks for them.
func (q *request) represent(a *response, rows []Row) error {
	if q.prefs.returning != "representation" {
		return nil
	}
	q.sort(rows)
	out := newBody(nil, q.form, q.query.shown)
	for _, row := range rows {
		out.add(func(i int) any { return row.values[q.query.shown[i].column] })
	}
	a.setBody(q.form.media, out.finish())
	return out.err
}

// sort puts written rows into the order that was asked for, by the same rules as the database.
func (q *request) sort(rows []Row) {
	slices.SortStableFunc(rows, func(a, b Row) int {
		for _, key := range q.query.Order {
			x, y := a.values[key.column], b.values[key.column]
			if x == nil || y == nil {
				if (x == nil) == (y == nil) {
					continue
				}
				if (x == nil) == key.NullsFirst {
					return -1
				}
				return 1
			}
			if order := compare(x, y); order != 0 {
				if key.Desc {
					return -order
				}
				return order
			}
		}
		return 0
	})
}

func compare(x, y any) int {
	switch x := x.(type) {
	case string:
		return strings.Compare(x, y.(string))
	case int64:
		return cmp.Compare(x, y.(int64))
	case float64:
		return cmp.Compare(x, y.(float64))
	case bool:
		return bit(x) - bit(y.(bool))
	default:
		return x.(time.Time).Compare(y.(time.Time))
	}
}
