package inbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"greenroom/internal/audit"
	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/safe"
	"greenroom/internal/platform/web"
)

// list is one tab of the admin panel as a file: its columns (the last two are the keyset's), and which rows.
type list struct {
	table   string
	columns []column
	where   string
}

type column struct {
	name string
	form form
}

// form is how a cell is written.
type form int

const (
	text   form = iota // quoted, and harmless to a spreadsheet
	number             // as it is
	truth
	moment
)

var lists = map[string]list{
	"courses": {table: "courses", columns: []column{
		{name: "title"},
		{name: "instructor"},
		{name: "duration"},
		{name: "category"},
		{name: "level"},
		{"lessons", number},
		{"rating", number},
		{"coming_soon", truth},
		{"launch_at", moment},
		{name: "description"},
		{name: "learn"},
		{name: "audience"},
		{name: "outcome"},
		{name: "instructor_bio"},
		{name: "thumbnail"},
		{"created_at", moment},
		{name: "id"},
	}},
	"waitlist": {table: "course_waitlist", columns: []column{
		{name: "course_title"},
		{name: "name"},
		{name: "email"},
		{"spot", number},
		{name: "user_id"},
		{name: "course_id"},
		{name: "workshop_id"},
		{"created_at", moment},
		{name: "id"},
	}},
	"recommendations": {table: "course_recommendations", where: "kind = 'recommendation'", columns: []column{
		{name: "course_title"},
		{name: "course_description"},
		{name: "instructor_name"},
		{name: "email"},
		{name: "user_id"},
		{"created_at", moment},
		{name: "id"},
	}},
	"inquiries": {table: "course_recommendations", where: "kind <> 'recommendation'", columns: []column{
		{name: "kind"},
		{name: "course_title"},
		{name: "course_description"},
		{name: "instructor_name"},
		{name: "email"},
		{name: "user_id"},
		{"created_at", moment},
		{name: "id"},
	}},
}

// export streams all rows of a tab, newest first.
func (b *Inbox) export(ctx context.Context, r fn.Request) (fn.Answer, error) {
	tab := r.Query.Get("tab")
	l, ok := lists[tab]
	if !ok {
		return fn.Answer{}, fault.Newf(fault.Invalid, "tab must be one of: %s.", strings.Join(slices.Sorted(maps.Keys(lists)), ", "))
	}
	end, err := b.exports.Turn(ctx, b.exporting, exportWithin)
	if err != nil {
		return fn.Answer{}, err
	}
	err = b.d.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		return audit.Record(ctx, tx, audit.Entry{
			ActorID: r.Actor.UserID, Action: audit.AdminAct + "list.export", Subject: tab, Address: r.Actor.Address, Result: audit.OK,
		})
	})
	if err != nil {
		end()
		return fn.Answer{}, err
	}
	name := tab + "-" + b.d.Clock.Now().UTC().Format("2006-01-02") + ".csv"
	return fn.File(name, "text/csv; charset=utf-8", func(w io.Writer) error {
		ctx, cancel := web.Unhurried(ctx)
		defer cancel()
		defer end()
		return b.write(ctx, giving{w, end}, l)
	}), nil
}

// Exports are made one at a time: many at once would all be late, and the next page of each is a core's whole attention.
const (
	exportsAtOnce = 1
	exportWithin  = 2 * time.Second
	exportSoon    = 400 * time.Millisecond
	mostExports   = 100
	// slowReader is when somebody reads so slowly that their export is hardly any work, and the next may begin.
	slowReader = 50 * time.Millisecond
)

// giving is a download that gives the turn away when its reader is slow.
type giving struct {
	io.Writer
	end func()
}

func (g giving) Write(piece []byte) (int, error) {
	slow := time.AfterFunc(slowReader, safe.Func(slog.Default(), g.end))
	defer slow.Stop()
	return g.Writer.Write(piece)
}

// Bounds of one page: long enough to be fast, short enough to hold neither a connection nor much memory for long.
const (
	exportRows  = 1000
	exportBytes = 256 << 10
)

// write makes the file page by page, each beginning after the last row of the one before. A page is read before any of
// it is sent: whoever downloads may be slow, and must not keep a connection of the database waiting for that.
func (b *Inbox) write(ctx context.Context, w io.Writer, l list) error {
	out := append(make([]byte, 0, exportBytes+(16<<10)), "\ufeff"...)
	for i, c := range l.columns {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, c.name...)
	}
	out = append(out, "\r\n"...)
	var last []any
	for more := true; more; {
		var err error
		if out, last, more, err = b.page(ctx, l, out, last); err != nil {
			return fmt.Errorf("export %s: %w", l.table, err)
		}
		if _, err := w.Write(out); err != nil {
			return err
		}
		out = out[:0]
	}
	return nil
}

var errFull = errors.New("the page is full")

// page adds the rows that follow the last one, and gives the new last one and whether there may be more.
func (b *Inbox) page(ctx context.Context, l list, out []byte, last []any) (page []byte, end []any, more bool, err error) {
	cells, into := make([]any, len(l.columns)), make([]any, len(l.columns))
	for i := range cells {
		into[i] = &cells[i]
	}
	query, args := l.query(last)
	rows, before := 0, len(out)
	err = b.d.ReadBeside(ctx, func(ctx context.Context, tx *db.Tx) error {
		rows, out = 0, out[:before]
		return db.Each(ctx, tx, query, args, func(scan func(into ...any) error) error {
			if err := scan(into...); err != nil {
				return err
			}
			rows++
			if out, err = appendRow(out, l.columns, cells); err == nil && len(out) >= exportBytes {
				return errFull
			}
			return err
		})
	})
	if errors.Is(err, errFull) {
		return out, cells, true, nil
	}
	return out, cells, rows == exportRows, err
}

// query is the statement of a page; last are the cells of the row before it, nil for the first page.
func (l list) query(last []any) (string, []any) {
	names := make([]string, len(l.columns))
	for i, c := range l.columns {
		names[i] = c.name
	}
	var conditions []string
	var args []any
	if l.where != "" {
		conditions = append(conditions, l.where)
	}
	if last != nil {
		conditions = append(conditions, "created_at <= $1 and (created_at < $1 or id > $2)")
		args = append(args, last[len(last)-2], last[len(last)-1])
	}
	query := "select " + strings.Join(names, ", ") + " from " + l.table
	if len(conditions) > 0 {
		query += " where " + strings.Join(conditions, " and ")
	}
	return fmt.Sprintf("%s order by created_at desc, id limit %d", query, exportRows), args
}
