package waitlist

import (
	"context"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
)

func TestRegistrationsGoWhenTheyAreNoLongerKept(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	now := time.Date(2026, 11, 16, 15, 0, 0, 0, time.UTC)
	dbtest.EachClock(t, clock.NewManual(now), func(t *testing.T, d *db.DB) {
		past, coming, unset := id.New(), id.New(), id.New()
		write := func(query string, args ...any) {
			t.Helper()
			err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				_, err := tx.Exec(ctx, query, args...)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		for workshop, starts := range map[string]db.Time{past: db.At(now.Add(-31 * day)), coming: db.At(now.Add(3 * day)), unset: {}} {
			write(`insert into workshops (id, title, host, about, learn, date_text, time_text, duration_minutes, starts_at, spots, spots_left, created_at)
				values ($1, $2, '', '', '', '', '', 45, $3, 12, 11, $4)`, workshop, workshop, starts, db.At(now))
		}
		register := func(name, workshop string, age time.Duration) {
			t.Helper()
			write("insert into course_waitlist (id, course_title, email, email_key, created_at, workshop_id) values ($1, 'W', $2, $2, $3, $4)",
				id.New(), name, db.At(now.Add(-age)), workshop)
		}
		register("old", past, 31*day)
		register("young", past, 29*day)
		register("old, and it comes", coming, 300*day)
		register("old, and nobody knows when", unset, 200*day)
		user := id.New()
		write("insert into users (id, email, app_metadata, user_metadata, created_at, updated_at) values ($1, 'a@example.com', '{}', '{}', $2, $2)", user, db.At(now))
		write("insert into course_waitlist (id, user_id, course_title, email, created_at) values ($1, $2, 'C', 'account', $3)", id.New(), user, db.At(now.Add(-900*day)))

		if Over(now, 0) != nil {
			t.Fatal("for ever is not for ever")
		}
		if swept, err := d.Sweep(t.Context(), Over(now, 30*day)...); err != nil || swept != 1 {
			t.Errorf("%d went: %v", swept, err)
		}
		var left []string
		err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			return db.Each(ctx, tx, "select email from course_waitlist order by created_at", nil, func(scan func(...any) error) error {
				var one string
				err := scan(&one)
				left = append(left, one)
				return err
			})
		})
		if err != nil || len(left) != 4 || left[2] != "old, and nobody knows when" || left[3] != "young" {
			t.Errorf("left: %q %v", left, err)
		}
		for _, old := range Over(now, 30*day) {
			dbtest.Sweeps(t, d, old, id.New(), id.New())
		}
	})
}
