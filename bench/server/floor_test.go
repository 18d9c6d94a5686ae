package main

import (
	"context"
	"strings"
	"testing"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
)

func TestFloorFitsTheSchema(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite, clock.System{}) // on which alone the floor stands
	user, course := id.New(), id.New()
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, `insert into users (id, email, email_proven_at, app_metadata, user_metadata, created_at, updated_at)
				values ($1, 'ada@example.com', $2, '{}', '{}', $2, $2)`, user, db.At(tx.Now))
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `insert into courses (id, title, instructor, duration, category, thumbnail, description, lessons, level, rating, created_at)
				values ($1, 'T', 'I', '1 week', 'AI Tools', '/art/x.webp', 'D', 1, 'Beginner', 4, $2)`, course, db.At(tx.Now))
		if err != nil {
			return err
		}
		for _, table := range []string{"saved_courses", "course_waitlist"} {
			if err := floorInsert(ctx, tx, table, []string{user, course, "ada@example.com"}); err != nil {
				t.Errorf("%s: %v", table, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := floorSaved(t.Context(), d, user); err != nil || !strings.Contains(string(text), course) {
		t.Errorf("saved: %s, %v", text, err)
	}
}
