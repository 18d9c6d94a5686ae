package rest

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
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
	touched, body, err := q.writing(ctx, q.table.Update.If, func(ctx context.Context, tx *db.Tx) ([]Row, error) {
		if len(p.columns) == 0 || len(p.rows) == 0 {
			return nil, nil
		}
		return q.change(ctx, tx, p)
	})
	if err != nil {
		return nil, err
	}
	return q.touched(body, contentRange(0, touched, q.total(touched))), nil
}

// writing makes a change and the answer about it, and tells how many rows it touched. It spares the one writer what
// can touch nothing.
func (q *request) writing(ctx context.Context, policy Policy, change func(ctx context.Context, tx *db.Tx) ([]Row, error)) (touched int, body []byte, err error) {
	judge := func(rows []Row) (err error) {
		if err := q.checkAffected(len(rows)); err != nil {
			return err
		}
		// Before the commit: an answer that is too large undoes the change, so that no error stands for a success.
		touched = len(rows)
		body, err = q.represent(rows)
		return err
	}
	if policy.shut(q.actor) || q.table.Read.shut(q.actor) {
		err = judge(nil)
		return touched, body, err
	}
	err = q.db.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		rows, err := change(ctx, tx)
		if err != nil {
			return err
		}
		return judge(rows)
	})
	return touched, body, err
}

func (q *request) change(ctx context.Context, tx *db.Tx, p payload) ([]Row, error) {
	if err := q.fewEnough(ctx, tx); err != nil {
		return nil, err
	}
	before, err := q.beforeUpdate(ctx, tx)
	if err != nil {
		return nil, err
	}
	s := q.statement(tx.Engine)
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
	for i := range now {
		now[i].alone, now[i].only = len(p.columns) == 1, p.columns[0]
	}
	if err := q.changed(ctx, tx, before, now); err != nil {
		return nil, err
	}
	return q.afterAll(ctx, tx, now)
}

// afterAll gives changed rows as After left them, where the answer shows them.
func (q *request) afterAll(ctx context.Context, tx *db.Tx, now []Row) ([]Row, error) {
	if q.table.Update.After == nil || q.prefs.returning != "representation" {
		return now, nil
	}
	columns := []int{q.table.index(q.table.Key)}
	want := func(column int) {
		if !slices.Contains(columns, column) {
			columns = append(columns, column)
		}
	}
	for _, s := range q.query.shown {
		want(s.column)
	}
	for _, key := range q.query.Order {
		want(key.column)
	}
	keys := make([]string, len(now))
	for i, row := range now {
		keys[i] = row.Text(q.table.Key)
	}
	found, err := q.fetch(ctx, tx, keys, columns)
	for i, key := range keys {
		if row, ok := found[key]; ok {
			now[i] = row
		}
	}
	return now, err
}

// fewEnough refuses a change of more rows than the table allows before any of them is written.
func (q *request) fewEnough(ctx context.Context, tx *db.Tx) error {
	most := q.table.Update.Most
	if most == 0 {
		return nil
	}
	s := q.statement(tx.Engine)
	s.add(`select count(*) from (select 1 from "`, q.table.Name, `"`)
	s.where(q.query.Where, q.actor, q.table.Read, q.table.Update.If)
	s.add(" limit ", strconv.Itoa(most+1), ") few")
	var rows int
	if err := tx.QueryRow(ctx, string(s.text), s.args...).Scan(&rows); err != nil {
		return err
	}
	if rows > most {
		return tooComplex("A request changes at most " + strconv.Itoa(most) + " of these rows.")
	}
	return nil
}

// beforeUpdate gives the rows that are about to change by their keys, locked, where somebody wants to know which really do.
func (q *request) beforeUpdate(ctx context.Context, tx *db.Tx) (map[string]Row, error) {
	if q.table.Update.Changed == nil {
		return nil, nil
	}
	s := q.statement(tx.Engine)
	s.add("select ")
	s.names()
	s.add(` from "`, q.table.Name, `"`)
	s.where(q.query.Where, q.actor, q.table.Read, q.table.Update.If)
	if tx.Engine == db.Postgres {
		s.add(" for update")
	}
	rows, err := s.rows(ctx, tx)
	before := make(map[string]Row, len(rows))
	for _, row := range rows {
		before[row.Text(q.table.Key)] = row
	}
	return before, err
}

// changed checks rows after an update: none may have left what the caller may see and change.
func (q *request) changed(ctx context.Context, tx *db.Tx, before map[string]Row, now []Row) error {
	for _, row := range now {
		if !q.table.Update.If.maybe(q.actor, row) || !q.table.Read.maybe(q.actor, row) {
			return q.violatesPolicy()
		}
	}
	if q.table.Update.If.asks() || q.table.Read.asks() {
		in, err := q.stayed(ctx, tx, now, q.table.Read, q.table.Update.If)
		if err != nil {
			return err
		}
		if !in {
			return q.violatesPolicy()
		}
	}
	return q.explain(ctx, tx, newRow(q.table), q.tell(ctx, tx, before, now))
}

// tell calls whoever wants to know of an update.
func (q *request) tell(ctx context.Context, tx *db.Tx, before map[string]Row, now []Row) error {
	update := q.table.Update
	if update.After != nil && len(now) > 0 {
		if err := update.After(ctx, tx, now); err != nil {
			return err
		}
	}
	if update.Changed == nil {
		return nil
	}
	others := slices.DeleteFunc(slices.Clone(now), func(row Row) bool {
		was, known := before[row.Text(q.table.Key)]
		return known && slices.EqualFunc(was.values, row.values, sameValue)
	})
	if len(others) == 0 {
		return nil
	}
	return update.Changed(ctx, tx, others)
}

// sameValue compares two values of a column.
func sameValue(x, y any) bool {
	if x == nil || y == nil {
		return x == y
	}
	return compare(x, y) == 0
}

// delete answers DELETE.
func (q *request) delete(ctx context.Context) (*response, error) {
	if err := q.checkChange("DELETE", q.table.Delete.If); err != nil {
		return nil, err
	}
	touched, body, err := q.writing(ctx, q.table.Delete.If, func(ctx context.Context, tx *db.Tx) ([]Row, error) {
		if err := q.beforeDelete(ctx, tx); err != nil {
			return nil, err
		}
		s := q.statement(tx.Engine)
		s.add(`delete from "`, q.table.Name, `"`)
		s.where(q.query.Where, q.actor, q.table.Read, q.table.Delete.If)
		s.add(" returning ")
		s.names()
		gone, err := s.rows(ctx, tx)
		if err == nil && q.table.Delete.After != nil && len(gone) > 0 {
			err = q.table.Delete.After(ctx, tx, gone)
		}
		return gone, q.explain(ctx, tx, newRow(q.table), err)
	})
	if err != nil {
		return nil, err
	}
	return q.touched(body, contentRange(0, 0, q.total(touched))), nil
}

// beforeDelete shows the rows that are about to go to whoever must lock something before them.
func (q *request) beforeDelete(ctx context.Context, tx *db.Tx) error {
	if q.table.Delete.Before == nil {
		return nil
	}
	s := q.statement(tx.Engine)
	s.add("select ")
	s.names()
	s.add(` from "`, q.table.Name, `"`)
	s.where(q.query.Where, q.actor, q.table.Read, q.table.Delete.If)
	rows, err := s.rows(ctx, tx)
	if err != nil || len(rows) == 0 {
		return err
	}
	return q.table.Delete.Before(ctx, tx, rows)
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
	case !q.trusted() && patterns(q.query.Where) > 0:
		return tooComplex("Patterns are not available with " + verb + ".")
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

func (q *request) touched(body []byte, place string) *response {
	status := http.StatusNoContent
	if q.prefs.returning == "representation" {
		status = http.StatusOK
	}
	a := q.answer(status, place)
	q.show(a, body)
	return a
}

// represent writes the rows as the answer shows them, if it asks for them.
func (q *request) represent(rows []Row) ([]byte, error) {
	if q.prefs.returning != "representation" {
		return nil, nil
	}
	q.sort(rows)
	out := newBody(nil, q.form, q.query.shown)
	for _, row := range rows {
		if out.add(func(i int) any { return row.values[q.query.shown[i].column] }); out.err != nil {
			return nil, out.err
		}
	}
	return out.finish(), nil
}

// show puts what represent wrote into the answer.
func (q *request) show(a *response, body []byte) {
	if q.prefs.returning == "representation" {
		a.setBody(q.form.media, body)
	}
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
