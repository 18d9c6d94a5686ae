package catalog

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// Format is a form of a catalogue file.
type Format string

// The forms of catalogue files.
const (
	CSV   Format = "csv"
	JSONL Format = "jsonl"
)

// FormatOf tells a file's form by its name.
func FormatOf(name string) (Format, error) {
	for _, f := range []Format{CSV, JSONL} {
		if strings.HasSuffix(strings.ToLower(name), "."+string(f)) {
			return f, nil
		}
	}
	return "", fmt.Errorf("%s: the name of a catalogue file ends in .csv or .jsonl", name)
}

var fileColumns = []string{
	"id", "title", "instructor", "duration", "category", "thumbnail", "description", "lessons", "level", "rating", "coming_soon",
	"launch_at", "created_at", "learn", "audience", "outcome", "instructor_bio",
}

var storyColumns = fileColumns[len(fileColumns)-4:]

// Export writes all courses, in the order of their ids, page by page.
func (c *Catalog) Export(ctx context.Context, to io.Writer, format Format) (n int, err error) {
	out := bufio.NewWriterSize(to, 64<<10)
	write, flush := writerOf(out, format)
	for course, err := range c.all(ctx) {
		if err != nil {
			return n, err
		}
		if err := write(course); err != nil {
			return n, fmt.Errorf("write the catalogue: %w", err)
		}
		n++
	}
	return n, errors.Join(flush(), out.Flush())
}

func writerOf(out io.Writer, format Format) (write func(Course) error, flush func() error) {
	if format == JSONL {
		lines := json.NewEncoder(out)
		lines.SetEscapeHTML(false)
		return func(course Course) error { return lines.Encode(course) }, func() error { return nil }
	}
	sheet := csv.NewWriter(out)
	headed := false
	head := func() error {
		if headed {
			return nil
		}
		headed = true
		return sheet.Write(fileColumns)
	}
	write = func(course Course) error { return errors.Join(head(), sheet.Write(cells(course))) }
	flush = func() error {
		err := head()
		sheet.Flush()
		return errors.Join(err, sheet.Error())
	}
	return write, flush
}

func cells(c Course) []string {
	launch := ""
	if !c.LaunchAt.IsZero() {
		launch = c.LaunchAt.Format(time.RFC3339Nano)
	}
	return []string{
		c.ID, c.Title, c.Instructor, c.Duration, c.Category, c.Thumbnail, c.Description, strconv.FormatInt(c.Lessons, 10), c.Level,
		strconv.FormatFloat(c.Rating, 'f', -1, 64), strconv.FormatBool(c.ComingSoon), launch, c.CreatedAt.Format(time.RFC3339Nano),
		c.Learn, c.Audience, c.Outcome, c.InstructorBio,
	}
}

// exported are the columns of a file as they are read: the rating is the editors', also where learners have the word. Theirs comes
// out of their reviews, and a file that is read back must not make it the editors'.
var exported = strings.Replace(strings.Join(fileColumns, ", "), "rating",
	"coalesce((select o.editorial_rating from course_offers o where o.course_id = courses.id), rating)", 1)

// all gives every course, in pages of a thousand, so that no reader holds the database for long.
func (c *Catalog) all(ctx context.Context) iter.Seq2[Course, error] {
	return func(yield func(Course, error) bool) {
		for after := ""; ; {
			page, err := c.pageAfter(ctx, after)
			if err != nil {
				yield(Course{}, err)
				return
			}
			for _, course := range page {
				if !yield(course, nil) {
					return
				}
				after = course.ID
			}
			if len(page) == 0 {
				return
			}
		}
	}
}

func (c *Catalog) pageAfter(ctx context.Context, after string) (page []Course, err error) {
	if after == "" {
		after = id.Nil
	}
	query := "select " + exported + " from courses where id > $1 order by id limit 1000"
	err = c.d.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, query, []any{after}, func(scan func(into ...any) error) error {
			var course Course
			var launch, created db.Time
			err := scan(&course.ID, &course.Title, &course.Instructor, &course.Duration, &course.Category, &course.Thumbnail,
				&course.Description, &course.Lessons, &course.Level, &course.Rating, &course.ComingSoon, &launch, &created,
				&course.Learn, &course.Audience, &course.Outcome, &course.InstructorBio)
			course.LaunchAt, course.CreatedAt = launch.Time, created.Time
			page = append(page, course)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("read the courses: %w", err)
	}
	return page, nil
}
