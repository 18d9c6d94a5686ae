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

	"greenroom/internal/platform/id"
	"greenroom/internal/platform/safe"
)

// readerOf reads a file course by course; each error names its line, and the next course is that of a later one.
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
				err = fmt.Errorf("line %d: %w", line, err)
			}
			if !yield(course, err) {
				return
			}
		}
	}
}

// ahead has a file read while its courses are stored.
func ahead(ctx context.Context, courses iter.Seq2[Course, error]) iter.Seq2[Course, error] {
	type found struct {
		course Course
		err    error
	}
	return func(yield func(Course, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		chunks := make(chan []found, 2)
		var reading safe.Group
		reading.Go(func() {
			defer close(chunks)
			var chunk []found
			send := func() bool {
				select {
				case chunks <- chunk:
					chunk = nil
					return true
				case <-ctx.Done():
					return false
				}
			}
			for course, err := range courses {
				if chunk = append(chunk, found{course, err}); len(chunk) == readAhead && !send() {
					return
				}
			}
			send()
		})
		defer reading.Wait()
		defer stop()
		for chunk := range chunks {
			for _, one := range chunk {
				if !yield(one.course, one.err) {
					return
				}
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
		if err != nil {
			yield(lineOf(err), func() (Course, error) { return Course{}, err })
			return
		}
		for {
			record, err := sheet.Read()
			if errors.Is(err, io.EOF) {
				return
			}
			line := lineOf(err)
			if err == nil {
				line, _ = sheet.FieldPos(0)
			}
			more := yield(line, func() (Course, error) {
				if err != nil {
					return Course{}, err
				}
				return courseOfCells(head, record)
			})
			if _, broken := errors.AsType[*csv.ParseError](err); !more || err != nil && !broken {
				return
			}
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
