package catalog

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// importBatch is the number of courses of one transaction: a server that runs beside the import waits no longer than that.
const importBatch = 200

// Import stores the courses of a file: one with a known id is changed, any other is added. The file is read twice: first
// to the end, so that a line that breaks a rule is named before anything is stored, and then for storing, in short
// transactions with pauses for the server beside it. If the database fails midway, the first n courses are stored.
func (c *Catalog) Import(ctx context.Context, from io.ReadSeeker, format Format) (n int, err error) {
	start, err := from.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, fmt.Errorf("the file is read twice, and this one cannot be: %w", err)
	}
	for _, err := range readerOf(from, format) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return 0, err
		}
	}
	if _, err := from.Seek(start, io.SeekStart); err != nil {
		return 0, err
	}
	batch := make([]Course, 0, importBatch)
	for course, err := range readerOf(from, format) {
		if err != nil {
			return n, err
		}
		if batch = append(batch, course); len(batch) < importBatch {
			continue
		}
		if err := c.importBatch(ctx, batch); err != nil {
			return n, err
		}
		n, batch = n+len(batch), batch[:0]
	}
	if err := c.importBatch(ctx, batch); err != nil {
		return n, err
	}
	return n + len(batch), nil
}

func (c *Catalog) importBatch(ctx context.Context, batch []Course) error {
	if len(batch) == 0 {
		return nil
	}
	batch = lastOfEach(batch)
	ids := make([]string, len(batch))
	for i := range batch {
		ids[i] = batch[i].ID
	}
	return c.d.WriteBeside(ctx, func(ctx context.Context, tx *db.Tx) error {
		if err := upsert(ctx, tx, batch); err != nil {
			return err
		}
		if err := c.launchAll(ctx, tx, batch); err != nil {
			return err
		}
		return c.touch(ctx, tx, ids...)
	})
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

// upsert adds courses, or changes those that are there.
func upsert(ctx context.Context, tx *db.Tx, list []Course) error {
	for some := range slices.Chunk(list, mostParameters/len(fileColumns)) {
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

// readerOf reads a file course by course; each error names its line.
func readerOf(from io.Reader, format Format) iter.Seq2[Course, error] {
	read := jsonCourses
	if format == CSV {
		read = csvCourses
	}
	return func(yield func(Course, error) bool) {
		for line, found := range read(from) {
			course, err := found()
			if err == nil {
				course, err = ready(course)
			}
			if err != nil {
				yield(Course{}, fmt.Errorf("line %d: %w", line, err))
				return
			}
			if !yield(course, nil) {
				return
			}
		}
	}
}

// ready gives a course an id where the file has none, and holds it to the rules.
func ready(course Course) (Course, error) {
	if course.ID == "" {
		course.ID = id.New()
	}
	known, ok := id.Parse(course.ID)
	if !ok || known == id.Nil {
		return course, fmt.Errorf("the id %q is no uuid", course.ID)
	}
	course.ID = known
	return course, course.check()
}

func jsonCourses(from io.Reader) iter.Seq2[int, func() (Course, error)] {
	return func(yield func(int, func() (Course, error)) bool) {
		lines := bufio.NewScanner(from)
		lines.Buffer(nil, 1<<20)
		number := 0
		for lines.Scan() {
			number++
			text := bytes.TrimSpace(bytes.TrimPrefix(lines.Bytes(), []byte("\ufeff")))
			if len(text) == 0 {
				continue
			}
			if !yield(number, func() (course Course, err error) {
				d := json.NewDecoder(bytes.NewReader(text))
				d.DisallowUnknownFields()
				err = d.Decode(&course)
				return course, err
			}) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(number+1, func() (Course, error) { return Course{}, err })
		}
	}
}

func csvCourses(from io.Reader) iter.Seq2[int, func() (Course, error)] {
	return func(yield func(int, func() (Course, error)) bool) {
		buffered := bufio.NewReader(from)
		if mark, err := buffered.Peek(3); err == nil && string(mark) == "\ufeff" {
			_, _ = buffered.Discard(3)
		}
		sheet := csv.NewReader(buffered)
		head, err := sheet.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		if err == nil {
			err = checkHead(head)
		}
		for err == nil {
			var record []string
			if record, err = sheet.Read(); err == nil {
				line, _ := sheet.FieldPos(0)
				if !yield(line, func() (Course, error) { return courseOfCells(head, record) }) {
					return
				}
			}
		}
		if !errors.Is(err, io.EOF) {
			yield(lineOf(err), func() (Course, error) { return Course{}, err })
		}
	}
}

// lineOf is the line of a sheet that cannot be read; without one it is the head's.
func lineOf(err error) int {
	if broken, ok := errors.AsType[*csv.ParseError](err); ok {
		return broken.StartLine
	}
	return 1
}

func checkHead(head []string) error {
	for _, name := range head {
		if !slices.Contains(fileColumns, name) {
			return fmt.Errorf("the column %q is unknown; the columns are %s", name, strings.Join(fileColumns, ", "))
		}
	}
	return nil
}

func courseOfCells(head, record []string) (c Course, err error) {
	for i, name := range head {
		text := record[i]
		switch name {
		case "id":
			c.ID = text
		case "title":
			c.Title = text
		case "instructor":
			c.Instructor = text
		case "duration":
			c.Duration = text
		case "category":
			c.Category = text
		case "thumbnail":
			c.Thumbnail = text
		case "description":
			c.Description = text
		case "level":
			c.Level = text
		case "learn":
			c.Learn = text
		case "audience":
			c.Audience = text
		case "outcome":
			c.Outcome = text
		case "instructor_bio":
			c.InstructorBio = text
		case "lessons":
			c.Lessons, err = strconv.ParseInt(text, 10, 64)
		case "rating":
			c.Rating, err = strconv.ParseFloat(text, 64)
		case "coming_soon":
			c.ComingSoon, err = text != "" && text != "false", notBool(text)
		case "launch_at":
			c.LaunchAt, err = moment(text)
		case "created_at":
			c.CreatedAt, err = moment(text)
		}
		if err != nil {
			return c, fmt.Errorf("%s: %q cannot be read: %w", name, text, err)
		}
	}
	return c, nil
}

func notBool(text string) error {
	if text == "" || text == "true" || text == "false" {
		return nil
	}
	return errors.New("expected true or false")
}

func moment(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	return time.Parse(time.RFC3339Nano, text)
}
