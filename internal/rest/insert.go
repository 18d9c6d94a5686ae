package rest

import (
	"context"
	"net/http"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// stored is what an insert did.
type stored struct {
	rows     []Row    // as they are now, where that is known
	keys     []string // of all of them
	inserted int
}

// insert answers POST, with or without a resolution of duplicates.
func (q *request) insert(ctx context.Context) (*response, error) {
	if !q.table.Insert.If.Declared() {
		return nil, q.noPrivilege()
	}
	if len(q.query.Where) > 0 || q.query.paged {
		return nil, notImplemented("An insert takes no filter, limit or offset.")
	}
	target, err := q.conflictTarget()
	if err != nil {
		return nil, err
	}
	p, err := q.payload(OnInsert)
	if err != nil {
		return nil, err
	}
	if err := q.checkMerge(p, target); err != nil {
		return nil, err
	}
	// In PostgreSQL's order, and before the one writer is asked: policy first, then nulls. What other tables say of it is
	// asked again in the transaction.
	for _, row := range p.rows {
		q.fill(row)
		if err := q.admit(row); err != nil {
			return nil, err
		}
	}
	if q.table.Insert.If.asks() && !q.trusted() {
		ask := func(ctx context.Context, tx *db.Tx) error { return q.admitted(ctx, tx, p.rows) }
		if err := q.db.Read(ctx, ask); err != nil {
			return nil, err
		}
	}
	var done stored
	var body []byte
	err = q.db.Write(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		done = stored{}
		body, err = q.add(ctx, tx, p, target, &done)
		return q.judged(ctx, tx, err)
	})
	if err != nil {
		return nil, err
	}
	return q.inserted(done, len(p.rows), body), nil
}

// add stores the rows and gives what is shown of them.
func (q *request) add(ctx context.Context, tx *db.Tx, p payload, target []int, done *stored) ([]byte, error) {
	if q.table.Insert.If.asks() {
		if err := q.admitted(ctx, tx, p.rows); err != nil {
			return nil, err
		}
	}
	if err := q.takeQuota(ctx, tx, len(p.rows)); err != nil {
		return nil, err
	}
	if err := q.storeAll(ctx, tx, p, target, done); err != nil {
		return nil, err
	}
	if q.form.single && len(done.keys) != 1 {
		return nil, notSingle(len(done.keys))
	}
	if err := q.readBack(ctx, tx, done); err != nil {
		return nil, err
	}
	return q.represent(done.rows)
}

func (q *request) inserted(done stored, given int, body []byte) *response {
	status := http.StatusCreated
	if q.prefs.resolution == "merge-duplicates" && done.inserted == 0 && given > 0 {
		status = http.StatusOK
	}
	total := -1
	if q.query.Count {
		total = len(done.keys)
	}
	a := q.answer(status, contentRange(0, 0, total))
	if q.prefs.returning == "headers-only" && len(done.keys) == 1 {
		a.header.Set("Location", "/"+q.table.Name+"?"+q.table.Key+"=eq."+done.keys[0])
	}
	q.show(a, body)
	return a
}

// storeAll stores the rows one by one; the transaction makes it all or nothing.
func (q *request) storeAll(ctx context.Context, tx *db.Tx, p payload, target []int, done *stored) error {
	var plain []Row
	seen := map[string]bool{}
	for _, row := range p.rows {
		row.stamp(tx.Now)
		if target != nil {
			if err := q.upsert(ctx, tx, row, p.columns, target, seen, done); err != nil {
				return err
			}
			continue
		}
		key, now, err := q.store(ctx, tx, row)
		if err != nil {
			return q.explain(ctx, tx, row, err)
		}
		done.add(key, now)
		plain = append(plain, now...)
	}
	if q.table.Insert.After != nil && len(plain) > 0 {
		return q.explain(ctx, tx, newRow(q.table), q.table.Insert.After(ctx, tx, plain))
	}
	return nil
}

func (s *stored) add(key string, now []Row) {
	s.inserted++
	s.keys = append(s.keys, key)
	s.rows = append(s.rows, now...)
}

// fill gives a new row the defaults of the columns that the client did not name.
func (q *request) fill(row Row) {
	for i, c := range q.table.Columns {
		if row.given[i] {
			continue
		}
		switch c.Default {
		case nil, Filled, Now:
		case NewID:
			row.set(i, id.InOrder())
		case Caller:
			if q.actor.SignedIn() {
				row.set(i, q.actor.UserID)
			}
		default:
			if n, ok := c.Default.(int); ok {
				row.set(i, int64(n))
				continue
			}
			row.set(i, c.Default)
		}
	}
}

// stamp gives a new row the moment of its transaction.
func (r Row) stamp(moment time.Time) {
	for i, c := range r.table.Columns {
		if c.Default == Now && !r.given[i] {
			r.set(i, moment)
		}
	}
}

// admit refuses a new row that its policy does not admit, or that lacks a value.
func (q *request) admit(row Row) error {
	if !q.table.Insert.If.maybe(q.actor, row) {
		return q.violatesPolicy()
	}
	if q.table.Insert.If.asks() {
		return nil
	}
	return q.whole(row)
}

// whole refuses a new row that lacks a value.
func (q *request) whole(row Row) error {
	for i, c := range q.table.Columns {
		if row.values[i] == nil && !c.Nullable && (row.given[i] || c.Default == nil && c.Write&OnInsert != 0) {
			return q.table.missing(c.Name, row)
		}
	}
	return nil
}

// store stores one row, by the table's verb if it has one.
func (q *request) store(ctx context.Context, tx *db.Tx, row Row) (key string, now []Row, err error) {
	if q.table.Insert.Do != nil {
		key, err := q.table.Insert.Do(ctx, tx, row)
		return key, nil, err
	}
	s := q.statement(tx.Engine)
	s.add(`insert into "`, q.table.Name, `" (`)
	s.values(row)
	s.add(" returning ")
	s.names()
	var b db.Batch
	b.Each(string(s.text), s.args, s.each(&now))
	if err := tx.Send(ctx, &b); err != nil {
		return "", nil, err
	}
	return now[0].Text(q.table.Key), now, nil
}

// values adds a, b) values ($1, $2) for the columns that a row has.
func (s *statement) values(row Row) {
	joint := ""
	for i, given := range row.given {
		if given {
			s.add(joint)
			s.name(i)
			joint = ", "
		}
	}
	s.add(") values (")
	joint = ""
	for i, given := range row.given {
		if given {
			s.add(joint)
			s.param(row.values[i])
			joint = ", "
		}
	}
	s.add(")")
}

// readBack reads the rows for the answer where it asks for them. A row that the caller may not see undoes the insert.
func (q *request) readBack(ctx context.Context, tx *db.Tx, done *stored) error {
	if q.prefs.returning != "representation" {
		return nil
	}
	if !q.table.Read.Declared() {
		return q.noPrivilege()
	}
	found, err := q.fetch(ctx, tx, done.keys, nil)
	if err != nil {
		return err
	}
	done.rows = done.rows[:0]
	for _, key := range done.keys {
		row, ok := found[key]
		if !ok {
			return q.violatesPolicy()
		}
		done.rows = append(done.rows, row)
	}
	return nil
}
