package inbox

import (
	"context"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
)

func TestMessagesGoWhenTheyAreNoLongerKept(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	now := time.Date(2026, 11, 16, 15, 0, 0, 0, time.UTC)
	dbtest.EachClock(t, clock.NewManual(now), func(t *testing.T, d *db.DB) {
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			for _, age := range []time.Duration{1, 29, 31, 400} {
				_, err := tx.Exec(ctx, "insert into course_recommendations (id, user_id, course_title, email, created_at, kind) values ($1, $2, 'T', 'a@example.com', $3, 'contact')",
					id.New(), id.Nil, db.At(now.Add(-age*day)))
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if Over(now, 0) != nil {
			t.Fatal("for ever is not for ever")
		}
		if swept, err := d.Sweep(t.Context(), Over(now, 30*day)...); err != nil || swept != 2 {
			t.Errorf("%d went: %v", swept, err)
		}
		for _, old := range Over(now, 30*day) {
			dbtest.Sweeps(t, d, old, id.New(), id.New())
		}
	})
}
