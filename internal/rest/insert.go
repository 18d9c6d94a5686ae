package rest

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"

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
	var done stored
	err = q.db.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		done = stored{}
		if err := q.storeAll(ctx, tx, p, target, &done); err != nil {
			return err
		}
		if q.form.single && len(done.keys) != 1 {
			return notSingle(len(done.keys))
		}
		return q.readBack(ctx, tx, &done)
	})
	if err != nil {
		return nil, err
	}
	return q.inserted(done, len(p.rows))
}

func (q *request) inserted(done stored, given int) (*response, error) {
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
	return a, q.represent(a, done.rows)
}

// storeAll stores the rows one by one; the transaction makes it all or nothing.
func (q *request) storeAll(ctx context.Context, tx *db.Tx, p payload, target []int, done *stored) error {
	var plain []Row
	seen := map[string]bool{}
	for _, row := range p.rows {
		q.fill(tx, row)
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
func (q *request) fill(tx *db.Tx, row Row) {
	for i, c := range q.table.Columns {
		if row.given[i] {
			continue
		}
		switch c.Default {
		case nil, Filled:
		case NewID:
			row.set(i, id.New())
		case Now:
			row.set(i, tx.Now)
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

// store checks one row in PostgreSQL's order (policy, then constraints) and stores it, by the table's verb if it has one.
func (q *request) store(ctx context.Context, tx *db.Tx, row Row) (key string, now []Row, err error) {
	if !q.table.Insert.If.Admits(q.actor, row) {
		return "", nil, q.violatesPolicy()
	}
	for i, c := range q.table.Columns {
		if row.values[i] == nil && !c.Nullable && (row.given[i] || c.Default == nil && c.Write&OnInsert != 0) {
			return "", nil, q.table.missing(c.Name, row)
		}
	}
	if q.table.Insert.Do != nil {
		key, err := q.table.Insert.Do(ctx, tx, row)
		return key, nil, err
	}
	s := q.table.statement(tx.Engine)
	s.add(`insert into "`, q.table.Name, `" (`)
	s.values(row)
	s.add(" returning ")
	s.names()
	now, err = s.rows(ctx, tx)
	if err != nil {
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

// conflictTarget gives the columns of the unique key that decides what a duplicate is; nil without a resolution.
func (q *request) conflictTarget() ([]int, error) {
	if q.prefs.resolution == "" {
		return nil, nil
	}
	names := q.query.conflict
	if names == nil {
		names = []string{q.table.Key}
	}
	var target []int
	for _, name := range names {
		column := q.table.index(name)
		if column < 0 {
			return nil, unknownColumn(q.table.Name, name)
		}
		target = append(target, column)
	}
	if _, ok := q.table.unique(names); !ok {
		return nil, refuse(http.StatusBadRequest, "42P10",
			"there is no unique or exclusion constraint matching the ON CONFLICT specification")
	}
	return target, nil
}

// unique finds the unique key over exactly these columns.
func (t *Table) unique(names []string) (Unique, bool) {
	for _, u := range t.Uniques {
		same := len(u.Columns) == len(names)
		for _, name := range names {
			same = same && slices.Contains(u.Columns, name)
		}
		if same {
			return u, true
		}
	}
	return Unique{}, false
}

// checkMerge asks for the right to update before anything is stored.
func (q *request) checkMerge(p payload, target []int) error {
	if q.prefs.resolution != "merge-duplicates" {
		return nil
	}
	if !q.table.Update.If.Declared() {
		return q.noPrivilege()
	}
	for _, column := range p.columns {
		if c := q.table.Columns[column]; c.Write&OnUpdate == 0 && !slices.Contains(target, column) {
			return q.noPrivilege().hint("The column " + c.Name + " cannot be changed.")
		}
	}
	return nil
}

// upsert stores a row, or meets the one that is there already.
func (q *request) upsert(ctx context.Context, tx *db.Tx, row Row, columns, target []int, seen map[string]bool, done *stored) error {
	merge := q.prefs.resolution == "merge-duplicates"
	var quoted []byte
	for _, column := range target {
		quoted = strconv.AppendQuote(quoted, valueText(row.values[column]))
	}
	identity := string(quoted)
	if merge && seen[identity] {
		return refuse(http.StatusBadRequest, "21000", "ON CONFLICT DO UPDATE command cannot affect row a second time").
			hint("Ensure that no rows proposed for insertion within the same command have duplicate constrained values.")
	}
	seen[identity] = true
	var key string
	var now []Row
	err := tx.Savepoint(ctx, func() (err error) {
		key, now, err = q.store(ctx, tx, row)
		return err
	})
	duplicate, refused := errors.AsType[*db.ConstraintError](err)
	switch {
	case err == nil:
		done.add(key, now)
		if q.table.Insert.After != nil && len(now) > 0 {
			err = q.table.Insert.After(ctx, tx, now)
		}
		return q.explain(ctx, tx, row, err)
	case !refused || !q.table.isDuplicate(duplicate, target):
		return q.explain(ctx, tx, row, err)
	case !merge:
		return nil
	}
	return q.merge(ctx, tx, row, columns, target, done)
}

// isDuplicate tells whether the refused row met the target's unique key and no other.
func (t *Table) isDuplicate(e *db.ConstraintError, target []int) bool {
	if e.Kind != db.Unique {
		return false
	}
	var names []string
	for _, column := range target {
		names = append(names, t.Columns[column].Name)
	}
	wanted, _ := t.unique(names)
	met, ok := t.violated(e)
	return ok && met.Name == wanted.Name
}

// merge changes the row that an insert met. The caller must be allowed to see and to change it.
func (q *request) merge(ctx context.Context, tx *db.Tx, row Row, columns, target []int, done *stored) error {
	s := q.table.statement(tx.Engine)
	s.add(`update "`, q.table.Name, `" set `)
	joint := ""
	for _, column := range columns {
		if !slices.Contains(target, column) {
			s.add(joint)
			s.name(column)
			s.add(" = ")
			s.param(row.values[column])
			joint = ", "
		}
	}
	if joint == "" {
		s.add(`"`, q.table.Key, `" = "`, q.table.Key, `"`)
	}
	same := make([]Condition, 0, len(target))
	for _, column := range target {
		same = append(same, Condition{Op: Eq, column: column, Values: []any{row.values[column]}})
	}
	s.where(same, q.actor, q.table.Read, q.table.Update.If)
	s.add(" returning ")
	s.names()
	now, err := s.rows(ctx, tx)
	if err != nil {
		return q.explain(ctx, tx, row, err)
	}
	if len(now) == 0 {
		return denied(q.actor, `new row violates row-level security policy (USING expression) for table "`+q.table.Name+`"`)
	}
	if err := q.changed(ctx, tx, now); err != nil {
		return err
	}
	done.keys = append(done.keys, now[0].Text(q.table.Key))
	done.rows = append(done.rows, now...)
	return nil
}

// readBack reads the rows for the answer where it asks for them. A row that the caller may not see undoes the insert.
func (q *request) readBack(ctx context.Context, tx *db.Tx, done *stored) error {
	if q.prefs.returning != "representation" {
		return nil
	}
	if !q.table.Read.Declared() {
		return q.noPrivilege()
	}
	found, err := q.fetch(ctx, tx, done.keys)
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
