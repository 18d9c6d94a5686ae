package catalog

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

//go:embed courses.jsonl
var builtin []byte

// Builtin gives the 28 courses that every installation begins with. Their ids are the same everywhere.
func Builtin() ([]Course, error) {
	var list []Course
	lines := json.NewDecoder(bytes.NewReader(builtin))
	lines.DisallowUnknownFields()
	for lines.More() {
		var line struct {
			Course

			Slug string `json:"slug"`
		}
		if err := lines.Decode(&line); err != nil {
			return nil, fmt.Errorf("the built-in courses: %w", err)
		}
		line.ID = id.Named("course " + line.Slug)
		line.Thumbnail = "/art/" + line.Slug + ".webp"
		list = append(list, line.Course)
	}
	return list, nil
}

// What has happened in a database once.
const coursesInstalled, storiesInstalled = "courses installed", "course stories installed"

// Install puts the built-in courses into an empty database, once: a later start never brings back what an admin
// deleted, and of several instances that start together one does it.
func (c *Catalog) Install(ctx context.Context) error {
	var done int
	err := c.d.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		return tx.QueryRow(ctx, "select count(*) from versions where name in ($1, $2)", coursesInstalled, storiesInstalled).Scan(&done)
	})
	if err != nil || done == 2 {
		return err
	}
	list, err := Builtin()
	if err != nil {
		return err
	}
	err = c.d.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		if first, err := isFirst(ctx, tx, coursesInstalled); err != nil || !first {
			return err
		}
		var there int
		if err := tx.QueryRow(ctx, "select count(*) from courses").Scan(&there); err != nil || there > 0 {
			return err
		}
		if err := upsert(ctx, tx, list); err != nil {
			return err
		}
		if err := c.launchAll(ctx, tx, list); err != nil {
			return err
		}
		return c.touch(ctx, tx, everything)
	})
	if err != nil {
		return fmt.Errorf("install the built-in courses: %w", err)
	}
	if err := c.installStories(ctx, list); err != nil {
		return fmt.Errorf("install the stories of the built-in courses: %w", err)
	}
	return nil
}

// installStories gives the built-in courses of an installation that is older than the stories their own, once: those
// that are still what they were when they came.
func (c *Catalog) installStories(ctx context.Context, list []Course) error {
	return c.d.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		if first, err := isFirst(ctx, tx, storiesInstalled); err != nil || !first {
			return err
		}
		var told []string
		for _, course := range list {
			n, err := tx.Exec(ctx, `update courses set learn = $1, audience = $2, outcome = $3, instructor_bio = $4
				where id = $5 and title = $6 and instructor = $7 and duration = $8 and lessons = $9 and level = $10
					and learn = '' and audience = '' and outcome = '' and instructor_bio = ''`,
				course.Learn, course.Audience, course.Outcome, course.InstructorBio,
				course.ID, course.Title, course.Instructor, course.Duration, course.Lessons, course.Level)
			if err != nil {
				return err
			}
			if n > 0 {
				told = append(told, course.ID)
			}
		}
		if len(told) == 0 {
			return nil
		}
		return c.touch(ctx, tx, told...)
	})
}

// isFirst tells whether something happens for the first time in this database, and notes that it did.
func isFirst(ctx context.Context, tx *db.Tx, what string) (bool, error) {
	n, err := tx.Exec(ctx, "insert into versions (name, number) values ($1, 1) on conflict do nothing", what)
	return n > 0, err
}
