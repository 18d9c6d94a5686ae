package waitlist

import (
	"context"
	"fmt"
	"testing"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
)

// TestTwoWorkersClaimEachPersonOnce lets a second instance ask for rows that the first one has marked and not yet
// committed.
func TestTwoWorkersClaimEachPersonOnce(t *testing.T) {
	t.Parallel()
	at := dbtest.Location(t, db.Postgres)
	here, there := dbtest.Reopen(t, at, clock.System{}), dbtest.Reopen(t, at, clock.System{})
	out := launch{course: id.New(), title: "T", instructor: "I"}
	fill(t, here, out, 30)
	lists := New(Options{SiteURL: "https://greenroom.example"})
	claimed := func(d *db.DB, meanwhile func()) (n int) {
		err := d.Write(context.Background(), func(ctx context.Context, tx *db.Tx) error {
			letters, err := lists.claim(ctx, tx, out)
			n = len(letters)
			meanwhile()
			return err
		})
		if err != nil {
			t.Error(err)
		}
		return n
	}
	second := make(chan int, 1)
	first := claimed(here, func() {
		go func() { second <- claimed(there, func() {}) }()
		Blocked(t, here)
	})
	if n := <-second; first != 30 || n != 0 {
		t.Fatalf("the first claimed %d, the second %d", first, n)
	}
	if n := claimed(there, func() {}); n != 0 {
		t.Fatalf("%d are told again", n)
	}
}

// fill puts a course that is out and people who wait for it into the database.
func fill(t *testing.T, d *db.DB, out launch, people int) {
	t.Helper()
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, `insert into courses (id, title, instructor, duration, category, thumbnail, description, lessons, level, rating, created_at)
			values ($1, $2, $3, '1 week', 'AI Tools', '/art/x.webp', 'D', 1, 'Beginner', 4, $4)`, out.course, out.title, out.instructor, db.At(tx.Now))
		for i := range people {
			if err != nil {
				return err
			}
			_, err = tx.Exec(ctx, "insert into course_waitlist (id, course_title, email, created_at, course_id) values ($1, $2, $3, $4, $5)",
				id.New(), out.title, fmt.Sprintf("fan%d@example.org", i), db.At(tx.Now), out.course)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
