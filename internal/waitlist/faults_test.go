//go:build faults

package waitlist_test

import (
	"context"
	"testing"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// clear makes the workshop as it was before anybody came.
func (s *stage) clear(t *testing.T) {
	t.Helper()
	// Workers of both instances send letters meanwhile: a deadlock with them is tried again.
	err := s.d.WriteBeside(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		for _, statement := range []string{"delete from course_waitlist", "delete from outbox", "update workshops set spots_left = spots"} {
			if _, err := tx.Exec(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFiftyRoundsOverTwoInstancesNeverConfirmThirteen(t *testing.T) {
	at := dbtest.Location(t, db.Postgres)
	here, there := open(t, dbtest.Reopen(t, at, clock.System{})), open(t, dbtest.Reopen(t, at, clock.System{}))
	for range 50 {
		registerAll(t, 500, here, there)
		here.clear(t)
	}
}

func TestFiftyRoundsOnSQLiteNeverConfirmThirteen(t *testing.T) {
	s := open(t, dbtest.Open(t, db.SQLite, clock.System{}))
	for range 50 {
		registerAll(t, 500, s)
		s.clear(t)
	}
}
