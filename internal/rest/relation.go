package rest

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/who"
)

// Related is a question to another table: has it a row that is about the same thing, and that If admits the caller to? The
// table need not be declared itself, and nothing of it is shown. Questions about the caller and about the row alike:
//
//	teaches := rest.Related{Name: "teaches", Table: "course_teachers", Key: "course_id", If: rest.Own("user_id")}
//	offered := rest.Related{Name: "offered", Table: "course_offers", Key: "course_id", If: rest.NotNull("published_at")}
//	Read: rest.Has("course_id", teaches).Or(rest.Has("course_id", offered)).OrAdmin()
type Related struct {
	Name  string // what tests call it
	Table string
	Key   string // its column that holds what the asking row's column holds
	If    Policy
}

// Has admits to the rows about which another table has a row.
func Has(column string, r Related) Policy {
	return one(term{kind: isRelated, column: column, asks: &r})
}

// check finds mistakes of the declaration.
func (r *Related) check() error {
	for _, name := range append(r.If.columns(), r.Table, r.Key) {
		if !plainName(name) {
			return fmt.Errorf("the relation %s names %q, which is no plain name", r.Name, name)
		}
	}
	if r.Name == "" || !r.If.Declared() {
		return fmt.Errorf("the relation with %s has no name, or admits nobody", r.Table)
	}
	return r.If.checkRelations()
}

func (p Policy) checkRelations() error {
	for _, alt := range p.any {
		for _, t := range alt {
			if t.kind != isRelated {
				continue
			}
			if err := t.asks.check(); err != nil {
				return err
			}
		}
	}
	return nil
}

// asks tells whether the policy asks other tables.
func (p Policy) asks() bool {
	return slices.ContainsFunc(p.any, func(alt alternative) bool {
		return slices.ContainsFunc(alt, func(t term) bool { return t.kind == isRelated })
	})
}

// ofCaller tells whether the answer is about the caller: then it is the same list for every row.
func (r *Related) ofCaller() bool {
	return !slices.ContainsFunc(r.If.any, func(alt alternative) bool {
		return !slices.ContainsFunc(alt, func(t term) bool { return t.kind == isOwner })
	})
}

// related adds the question to another table. What is the caller's is few, so it is listed once and indexes find the rows
// of it; PostgreSQL does so only for an array. What is about the row is looked up for each.
func (s *statement) related(t term, of string, actor who.Actor) {
	r := t.asks
	s.depth++
	as := `"r` + strconv.Itoa(s.depth) + `"`
	from := ` from "` + r.Table + `" as ` + as + " where "
	switch {
	case !r.ofCaller():
		s.add("exists (select 1", from, as, `."`, r.Key, `" = `, of, `."`, t.column, `" and `)
		s.policyOf(r.If, as, actor)
		s.add(")")
	case s.engine == db.Postgres:
		s.add(of, `."`, t.column, `" = any(array(select `, as, `."`, r.Key, `"`, from)
		s.policyOf(r.If, as, actor)
		s.add("))")
	default:
		s.add(of, `."`, t.column, `" in (select `, as, `."`, r.Key, `"`, from)
		s.policyOf(r.If, as, actor)
		s.add(")")
	}
}

// maybe tells whether the policy admits the actor to the row if every other table says yes.
func (p Policy) maybe(a who.Actor, row Row) bool {
	return p.Admits(a, row, func(string) bool { return true })
}

// admitted asks other tables where the policy of an insert does. Rows of one request mostly ask the same.
func (q *request) admitted(ctx context.Context, tx *db.Tx, rows []Row) error {
	known := map[string]bool{}
	for _, row := range rows {
		admitted := false
		for _, alt := range q.table.Insert.If.any {
			holds, err := q.alternativeHolds(ctx, tx, alt, row, known)
			if err != nil {
				return err
			}
			if admitted = holds; holds {
				break
			}
		}
		if !admitted {
			return q.violatesPolicy()
		}
		if err := q.whole(row); err != nil {
			return err
		}
	}
	return nil
}

// alternativeHolds asks only where all that the row and the caller tell speaks for it.
func (q *request) alternativeHolds(ctx context.Context, tx *db.Tx, alt alternative, row Row, known map[string]bool) (bool, error) {
	if !(Policy{[]alternative{alt}}).maybe(q.actor, row) {
		return false, nil
	}
	for _, t := range alt {
		if t.kind != isRelated {
			continue
		}
		if row.Null(t.column) {
			return false, nil
		}
		asked := t.asks.Name + " " + valueText(row.get(t.column))
		holds, before := known[asked]
		if !before {
			var err error
			if holds, err = q.relates(ctx, tx, t, row); err != nil {
				return false, err
			}
			known[asked] = holds
		}
		if !holds {
			return false, nil
		}
	}
	return true, nil
}

// relates asks another table about one row that is not stored yet.
func (q *request) relates(ctx context.Context, tx *db.Tx, t term, row Row) (bool, error) {
	s := q.statement(tx.Engine)
	s.add(`select count(*) from (select 1 from "`, t.asks.Table, `" as "r0" where "r0"."`, t.asks.Key, `" = `)
	s.param(row.get(t.column))
	s.add(" and ")
	s.policyOf(t.asks.If, `"r0"`, q.actor)
	s.add(" limit 1) as found")
	var found int
	err := tx.QueryRow(ctx, string(s.text), s.args...).Scan(&found)
	return found > 0, err
}

// stayed tells whether all rows that were changed are still in reach of these policies.
func (q *request) stayed(ctx context.Context, tx *db.Tx, now []Row, policies ...Policy) (bool, error) {
	for some := range slices.Chunk(now, maxItems) {
		s := q.statement(tx.Engine)
		s.add(`select count(*) from "`, q.table.Name, `"`)
		byKey := Condition{Op: In, column: q.table.index(q.table.Key)}
		for _, row := range some {
			byKey.Values = append(byKey.Values, row.get(q.table.Key))
		}
		s.where([]Condition{byKey}, q.actor, policies...)
		var in int
		if err := tx.QueryRow(ctx, string(s.text), s.args...).Scan(&in); err != nil || in != len(some) {
			return false, err
		}
	}
	return true, nil
}
