package rest

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"greenroom/internal/platform/db"
)

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
		column := q.table.visible(name)
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
			if c.Hidden {
				return q.noPrivilege()
			}
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
	s := q.statement(tx.Engine)
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
	if err := q.changed(ctx, tx, nil, now); err != nil {
		return err
	}
	done.keys = append(done.keys, now[0].Text(q.table.Key))
	done.rows = append(done.rows, now...)
	return nil
}
