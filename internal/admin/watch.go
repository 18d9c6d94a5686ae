package admin

import (
	"context"
	"fmt"
	"slices"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
)

// watched are the tables whose writes by admins are noted, by what a row is called and which column tells it from
// others without naming a person.
var watched = map[string]struct{ noun, column string }{
	"courses":                {"course", "title"},
	"workshops":              {"workshop", "title"},
	"course_waitlist":        {"waitlist", "course_title"},
	"course_recommendations": {"message", "kind"},
	"enrollments":            {"enrollment", "course_id"},
	"course_offers":          {"offer", "course_id"},
	"course_sections":        {"section", "title"},
	"lessons":                {"lesson", "title"},
	"course_teachers":        {"teacher", "course_id"},
	"certificates":           {"certificate", "course_title"},
	"lesson_questions":       {"question", "course_id"},
	"lesson_answers":         {"answer", "course_id"},
}

// mostNotes is how many rows of one request are noted each; more of them are noted as one.
const mostNotes = 50

// Watch gives the tables with a note in the audit trail beside each write of an admin, in its transaction.
func Watch(tables []rest.Table) []rest.Table {
	tables = slices.Clone(tables)
	for i := range tables {
		t := &tables[i]
		about, ok := watched[t.Name]
		if !ok {
			continue
		}
		note := func(verb string, then after) after {
			return func(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
				if then != nil {
					if err := then(ctx, tx, rows); err != nil {
						return err
					}
				}
				return noteRows(ctx, tx, about.noun+"."+verb, about.column, *t, rows)
			}
		}
		t.Insert.After = note("add", t.Insert.After)
		t.Update.After = note("change", t.Update.After)
		t.Delete.After = note("delete", t.Delete.After)
	}
	return tables
}

type after func(ctx context.Context, tx *db.Tx, rows []rest.Row) error

func noteRows(ctx context.Context, tx *db.Tx, act, column string, t rest.Table, rows []rest.Row) error {
	actor := who.From(ctx)
	if !actor.Admin && actor.Role != who.Service {
		return nil
	}
	// What admins do with rows of their own they do as anybody would.
	if slices.ContainsFunc(t.Columns, func(c rest.Column) bool { return c.Name == "user_id" }) && actor.UserID != "" {
		rows = slices.DeleteFunc(slices.Clone(rows), func(r rest.Row) bool { return r.Text("user_id") == actor.UserID })
	}
	if len(rows) > mostNotes {
		return record(ctx, tx, actor, act, fmt.Sprintf("%d rows of %s", len(rows), t.Name))
	}
	for _, row := range rows {
		if err := record(ctx, tx, actor, act, row.Text(column)+" ("+row.Text("id")+")"); err != nil {
			return err
		}
	}
	return nil
}
