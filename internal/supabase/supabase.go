// Package supabase brings in a project that ran there: a dump in plain SQL (pg_dump, or supabase db dump, with COPY or
// INSERT, whole or of the data alone) that has the tables of this product, and the accounts in the schema auth.
//
// Accounts keep their ids and passwords, rows their ids and times. Nobody is written to. What is here already is left
// alone, so a second run goes on where the first stopped. A row that cannot come in stays out and is named; a dump that cannot
// be read to its end stays out whole.
package supabase

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"greenroom/internal/account"
	"greenroom/internal/auth"
	"greenroom/internal/catalog"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/waitlist"
)

// Import is where the rows of a dump go.
type Import struct {
	DB       *db.DB
	Accounts *account.Directory
	Auth     *auth.Service
	Catalog  *catalog.Catalog
	Lists    *waitlist.Lists
	// Note hears how far it is; it may be nil.
	Note func(table string, done int)
	// Out hears of each row that stays out.
	Out func(table string, line int, why error)
}

// Count says what became of a table's rows: they came in, were left alone (here already, or deleted there), or stayed out.
type Count struct {
	Table            string
	Added, Here, Out int
	// Confirmed are those of the accounts that came in whose address was confirmed there, and so is here.
	Confirmed int
}

// admit brings one row in. A fault says why it stays out.
type admit func(ctx context.Context, tx *db.Tx, cells cells) (added bool, err error)

// tables are read in this order: what others refer to comes first.
func (i *Import) tables() []struct {
	name  string
	admit admit
	after func(ctx context.Context, tx *db.Tx) error
} {
	none := func(context.Context, *db.Tx) error { return nil }
	return []struct {
		name  string
		admit admit
		after func(ctx context.Context, tx *db.Tx) error
	}{
		{"auth.users", func(ctx context.Context, tx *db.Tx, c cells) (bool, error) { return i.Auth.Admit(ctx, tx, c) }, none},
		{"auth.identities", func(ctx context.Context, tx *db.Tx, c cells) (bool, error) { return i.Auth.AdmitIdentity(ctx, tx, c) }, none},
		{"public.user_roles", i.role, none},
		{"public.courses", func(ctx context.Context, tx *db.Tx, c cells) (bool, error) {
			return i.Catalog.Admit(ctx, tx, c.plain())
		}, i.Catalog.Admitted},
		{"public.saved_courses", i.saved, none},
		{"public.course_waitlist", i.entry, none},
		{"public.course_recommendations", i.message, none},
	}
}

// Run brings in what a dump has. It reads the file once for each table, and once before: nothing comes in of a dump that
// cannot be read to its end.
func (i *Import) Run(ctx context.Context, file io.ReadSeeker) ([]Count, error) {
	if err := readable(file); err != nil {
		return nil, err
	}
	var counts []Count
	for _, table := range i.tables() {
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return counts, fmt.Errorf("the file is read several times, and this one cannot be: %w", err)
		}
		t := taking{i: i, admit: table.admit, after: table.after, Count: Count{Table: table.name}}
		err := t.all(ctx, file)
		counts = append(counts, t.Count)
		if err != nil {
			return counts, err
		}
	}
	return counts, nil
}

// taking is one table under way.
type taking struct {
	Count
	i      *Import
	admit  admit
	after  func(ctx context.Context, tx *db.Tx) error
	stride db.Stride
	batch  []row
	later  []row
}

// mostLater bounds what is held until a table was read to its end.
const mostLater = 1 << 20

func (t *taking) all(ctx context.Context, file io.Reader) error {
	for one, err := range rows(file, t.Table) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if _, unread := errors.AsType[*Unread](err); unread {
			return err
		}
		if err != nil {
			t.out(one.line, err)
			continue
		}
		if t.Table == "public.course_waitlist" && one.cells["user_id"] == "" {
			if t.later = append(t.later, one); len(t.later) > mostLater {
				return fmt.Errorf("line %d: more than %d registrations for workshops cannot come in at once", one.line, mostLater)
			}
			continue
		}
		if err := t.take(ctx, one); err != nil {
			return err
		}
	}
	// Spots go to those who came first, and not to those who stand first in the file. They are given as the rows come in: a row
	// without one would be told by a running server that a place is free.
	slices.SortStableFunc(t.later, func(a, b row) int { return a.begun().Compare(b.begun()) })
	for _, one := range t.later {
		if err := t.take(ctx, one); err != nil {
			return err
		}
	}
	return t.store(ctx)
}

// take puts a row into the batch, and brings that in when it is full.
func (t *taking) take(ctx context.Context, one row) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if t.batch = append(t.batch, one); len(t.batch) < t.stride.Rows() {
		return nil
	}
	return t.store(ctx)
}

// begun is when a row was made; one that does not say so is the last.
func (r row) begun() time.Time {
	at, err := moment(r.cells["created_at"])
	if err != nil {
		return time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return at
}

func (t *taking) out(line int, why error) {
	t.Out++
	t.i.Out(t.Table, line, why)
}

// store brings a batch in. Each row stands for itself: one that breaks a rule takes no other with it.
func (t *taking) store(ctx context.Context) error {
	if len(t.batch) == 0 {
		return nil
	}
	var added, confirmed int
	var refused map[int]error
	err := t.i.DB.WriteStride(ctx, &t.stride, func(ctx context.Context, tx *db.Tx) error {
		added, confirmed, refused = 0, 0, map[int]error{} // a transaction may begin anew
		for n, one := range t.batch {
			var came bool
			err := tx.Savepoint(ctx, func() (err error) {
				came, err = t.admit(ctx, tx, one.cells)
				return err
			})
			switch {
			case err != nil && (fault.Of(err).Kind != fault.Internal && fault.Of(err).Kind != fault.Unavailable || isConstraint(err)):
				refused[n] = err
			case err != nil:
				return fmt.Errorf("%s, line %d: %w", t.Table, one.line, err)
			case came:
				added++
				if t.Table == "auth.users" && one.cells["email_confirmed_at"] != "" {
					confirmed++
				}
			}
		}
		if added == 0 {
			return nil
		}
		return t.after(ctx, tx)
	})
	if err != nil {
		return err
	}
	for n, one := range t.batch {
		if why := refused[n]; why != nil {
			t.out(one.line, why)
		}
	}
	t.Added += added
	t.Confirmed += confirmed
	t.Here += len(t.batch) - added - len(refused)
	t.batch = t.batch[:0]
	if t.i.Note != nil {
		t.i.Note(t.Table, t.Added+t.Here+t.Out)
	}
	return nil
}

func isConstraint(err error) bool {
	return db.Violates(err, db.Unique) || db.Violates(err, db.ForeignKey) || db.Violates(err, db.Check)
}

// cells are a row's values by column.
type cells map[string]string

// id is a row's own id; one without gets the same each time it is read.
func (c cells) id(table string) (string, error) {
	text := c["id"]
	if text == "" {
		return id.Named(table + fmt.Sprint(map[string]string(c))), nil
	}
	known, ok := id.Parse(text)
	if !ok || known == id.Nil {
		return "", fault.Newf(fault.Invalid, "%q is no id", text)
	}
	return known, nil
}

// reference is the id of something else.
func (c cells) reference(column string) (string, error) {
	known, ok := id.Parse(c[column])
	if !ok {
		return "", fault.Newf(fault.Invalid, "%s: %q is no id", column, c[column])
	}
	return known, nil
}

// created is when the row was made.
func (c cells) created(now time.Time) (time.Time, error) {
	if c["created_at"] == "" {
		return now, nil
	}
	return moment(c["created_at"])
}

// moments are the forms in which PostgreSQL writes one.
var moments = []string{"2006-01-02 15:04:05.999999999Z07", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999", time.RFC3339Nano}

func moment(text string) (time.Time, error) {
	for _, form := range moments {
		if at, err := time.Parse(form, text); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, fault.Newf(fault.Invalid, "%q is no time", text)
}

// plain writes moments and truths as files of courses have them.
func (c cells) plain() map[string]string {
	plain := map[string]string{}
	for column, text := range c {
		if at, err := moment(text); err == nil && strings.HasSuffix(column, "_at") {
			text = at.Format(time.RFC3339Nano)
		}
		if column == "coming_soon" {
			text = map[string]string{"t": "true", "f": "false"}[text[:min(1, len(text))]]
		}
		plain[column] = text
	}
	return plain
}
