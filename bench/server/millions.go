package main

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"os"
	"time"

	"greenroom/internal/app"
	"greenroom/internal/platform/config"
	"greenroom/internal/platform/db"
)

// heap is a table that fills up over the years.
type heap struct {
	table string
	rows  int
	// columns and what stands in them: {i} is the row's number, {id} its id, {at} its moment.
	columns, values string
}

var heaps = []heap{
	{
		table: "users", rows: 1_000_000,
		columns: "id, email, email_confirmed_at, email_proven_at, app_metadata, user_metadata, created_at, updated_at",
		values:  "{id}, 'member' || {i} || '@members.example', {at}, {at}, '{}', '{}', {at}, {at}",
	},
	{
		table: "course_waitlist", rows: 1_000_000,
		columns: "id, user_id, course_title, email, created_at",
		values:  "{id}, {id}, 'Course ' || ({i} % 5000), 'member' || {i} || '@members.example', {at}",
	},
	{
		table: "audit_entries", rows: 10_000_000,
		columns: "id, actor_id, action, subject, address, user_agent, result, created_at",
		values:  "{id}, {id}, 'session.open', 'password', '10.1.2.3', 'Mozilla/5.0', 'ok', {at}",
	},
}

// millions fills the other tables and does the works once more, and those of the admins' panel.
func (p *plan) millions(g *grown, h *house, s *system) (*system, error) {
	s.stop()
	if err := h.fill(); err != nil {
		return s, err
	}
	next, err := h.serve()
	if err != nil {
		return s, err
	}
	maps.Copy(next.scripts, s.scripts) // they know what was said before
	settle(next.roots, time.Minute)
	for _, w := range adminWorks {
		next.scripts[w.name] = w.ours(h.scene)
	}
	return next, g.step(p, next, "250,000 and the millions", append(growthWorks(), adminWorks...))
}

// adminWorks are lists of the panel over a million rows.
var adminWorks = []work{
	{name: "filter", title: "admin: waitlist, a text that one row of a million has", ours: func(s *scene) *script {
		return s.panel(`(course_title.ilike."*member777777@*",email.ilike."*member777777@*",name.ilike."*member777777@*")`)
	}},
	{name: "miss", title: "admin: waitlist, a text that no row has", ours: func(s *scene) *script {
		return s.panel(`(course_title.ilike."*zzzz*",email.ilike."*zzzz*",name.ilike."*zzzz*")`)
	}},
	{name: "list", title: "admin: waitlist, newest hundred", ours: func(s *scene) *script { return s.panel("") }},
}

// panel is a list of the admins' panel.
func (s *scene) panel(or string) *script {
	path := "/rest/v1/course_waitlist?select=*&order=created_at.desc,id.asc&limit=100"
	if or != "" {
		path += "&or=" + url.QueryEscape(or)
	}
	return same(200, raw("GET", path, "", s.signed(&s.people[boss])...))
}

// fill puts the heaps into a stopped installation's database.
func (h *house) fill() error {
	c, err := config.Load(h.settings)
	if err != nil {
		return err
	}
	a, err := app.Open(context.Background(), c, app.Options{Log: slog.New(slog.DiscardHandler), Bulk: true})
	if err != nil {
		return err
	}
	defer func() { _ = a.Close() }()
	for _, one := range heaps {
		fmt.Fprintf(os.Stderr, "filling %s with %s rows\n", one.table, group(one.rows))
		if err := one.fill(a.DB(), one.rows); err != nil {
			return err
		}
	}
	return nil
}

// fill adds rows by SQL, fifty thousand in a transaction; the log is moved into the file between them, which may take longer
// than a write waits.
func (h heap) fill(d *db.DB, rows int) error {
	const batch = 50_000
	insert := " insert into " + h.table + " (" + h.columns + ") select " + spell(h.values, d.Engine) + " from n"
	for from := 0; from < rows; from += batch {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
		err := d.WriteBeside(ctx, func(ctx context.Context, tx *db.Tx) error {
			numbers := fmt.Sprintf("with recursive n (i) as (select %d union all select i + 1 from n where i < %d)", from, min(from+batch, rows)-1)
			_, err := tx.Exec(ctx, numbers+insert)
			return err
		})
		cancel()
		if err != nil {
			return fmt.Errorf("fill %s: %w", h.table, err)
		}
	}
	return nil
}
