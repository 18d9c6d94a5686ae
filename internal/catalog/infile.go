package catalog

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"greenroom/internal/platform/db"
)

// readAhead is how many courses are read while others are stored, twice.
const readAhead = 1000

// Progress hears how far an import has come: how many courses of how many. It may be nil.
type Progress func(done, of int)

func (p Progress) note(done, of int) {
	if p != nil {
		p(done, of)
	}
}

// Import stores the courses of a file: one with a known id is changed, any other is added. The file is read twice: first
// to the end, so that a line that breaks a rule is named before anything is stored, and then for storing, in short
// transactions with pauses for the server beside it. If the database fails midway, the first n courses are stored.
func (c *Catalog) Import(ctx context.Context, from io.ReadSeeker, format Format, progress Progress) (n int, err error) {
	start, err := from.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, fmt.Errorf("the file is read twice, and this one cannot be: %w", err)
	}
	total, err := Check(ctx, from, format, func(broken error) error { return broken })
	if err != nil {
		return 0, err
	}
	if _, err := from.Seek(start, io.SeekStart); err != nil {
		return 0, err
	}
	i := importing{c: c, many: total > fullFresh}
	for course, err := range ahead(ctx, readerOf(from, format)) {
		if err == nil {
			err = i.add(ctx, course)
		}
		if err != nil {
			return i.stored, err
		}
		progress.note(i.stored, total)
	}
	if err := ctx.Err(); err != nil { // then the rest was not read
		return i.stored, err
	}
	err = i.store(ctx)
	progress.note(i.stored, total)
	return i.stored, err
}

// Check reads a file to its end and tells of every line that breaks a rule, until it is told to stop by an error. It gives
// the number of good ones.
func Check(ctx context.Context, from io.Reader, format Format, broken func(error) error) (good int, err error) {
	for _, err := range readerOf(from, format) {
		if ctx.Err() != nil {
			return good, ctx.Err()
		}
		if err == nil {
			good++
		} else if err := broken(err); err != nil {
			return good, err
		}
	}
	return good, nil
}

// importing is an import under way.
type importing struct {
	c      *Catalog
	stride db.Stride
	batch  []Course
	stored int
	// many says that there are more than an index takes on top: it is built anew in any case, so they are not noted one
	// by one.
	many bool
}

func (i *importing) add(ctx context.Context, course Course) error {
	if i.batch = append(i.batch, course); len(i.batch) < i.stride.Rows() {
		return nil
	}
	return i.store(ctx)
}

func (i *importing) store(ctx context.Context) error {
	if len(i.batch) == 0 {
		return nil
	}
	list, touched := lastOfEach(i.batch), []string{everything}
	if !i.many {
		touched = nil
		for _, course := range list {
			touched = append(touched, course.ID)
		}
	}
	err := i.c.d.WriteStride(ctx, &i.stride, func(ctx context.Context, tx *db.Tx) error {
		if err := upsert(ctx, tx, list); err != nil {
			return err
		}
		if err := i.c.launchAll(ctx, tx, list); err != nil {
			return err
		}
		if err := i.c.counted(ctx, tx, list, true); err != nil {
			return err
		}
		return i.c.touch(ctx, tx, touched...)
	})
	if err == nil {
		i.stored, i.batch = i.stored+len(i.batch), i.batch[:0]
	}
	return err
}

// lastOfEach keeps the last of several courses with one id: a statement can change a row once only.
func lastOfEach(batch []Course) []Course {
	at := make(map[string]int, len(batch))
	var kept []Course
	for _, course := range batch {
		if i, there := at[course.ID]; there {
			kept[i] = course
			continue
		}
		at[course.ID] = len(kept)
		kept = append(kept, course)
	}
	return kept
}

// mostParameters bounds one statement's: SQLite looks each $n up among those before it.
const mostParameters = 260

// How many courses one statement stores. SQLite runs the next one for less than it looks up a few hundred names of
// parameters; PostgreSQL does not.
const rowsLite, rowsPostgres = 5, 60

// upsert adds courses, or changes those that are there.
func upsert(ctx context.Context, tx *db.Tx, list []Course) error {
	rows := rowsLite
	if tx.Engine == db.Postgres {
		rows = rowsPostgres
	}
	for some := range slices.Chunk(list, rows) {
		if err := upsertSome(ctx, tx, some); err != nil {
			return err
		}
	}
	return nil
}

func upsertSome(ctx context.Context, tx *db.Tx, list []Course) error {
	args := make([]any, 0, len(fileColumns)*len(list))
	for _, c := range list {
		if c.CreatedAt.IsZero() {
			c.CreatedAt = tx.Now
		}
		args = append(args, c.ID, c.Title, c.Instructor, c.Duration, c.Category, c.Thumbnail, c.Description, c.Lessons, c.Level, c.Rating,
			c.ComingSoon, db.At(c.LaunchAt), db.At(c.CreatedAt), c.Learn, c.Audience, c.Outcome, c.InstructorBio)
	}
	err := tx.Last(ctx, "insert into courses ("+strings.Join(fileColumns, ", ")+") values "+marks(len(list), len(fileColumns))+
		" on conflict (id) do update set "+changes, args...)
	if err != nil {
		return fmt.Errorf("store courses: %w", err)
	}
	return nil
}

// changes says what a file changes of a course that is there. A file from before courses had stories takes none away.
var changes = func() string {
	var list []string
	for _, column := range fileColumns[1:] {
		value := "excluded." + column
		if slices.Contains(storyColumns, column) {
			value = "case when excluded." + column + " = '' then courses." + column + " else excluded." + column + " end"
		}
		list = append(list, column+" = "+value)
	}
	return strings.Join(list, ", ")
}()

// marks is the values list of a statement: ($1, $2), ($3, $4).
func marks(rows, columns int) string {
	var list strings.Builder
	for i := range rows * columns {
		switch {
		case i == 0:
			list.WriteByte('(')
		case i%columns == 0:
			list.WriteString("), (")
		default:
			list.WriteString(", ")
		}
		list.WriteByte('$')
		list.WriteString(strconv.Itoa(i + 1))
	}
	list.WriteByte(')')
	return list.String()
}
