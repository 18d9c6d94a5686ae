package waitlist_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
	"greenroom/internal/rest/resttest"
)

// TestWhoeverLeavesLocksTheWorkshopFirst holds the workshop's row as raising the spots does. Whoever takes registrations
// away waits for it, and holds no registration meanwhile that the raise may want.
func TestWhoeverLeavesLocksTheWorkshopFirst(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(t *testing.T, s *stage){
		"bulk delete": func(t *testing.T, s *stage) {
			t.Helper()
			resttest.Call(t, s.api, s.admin, "DELETE", "/course_waitlist?email=like.*@example.org", "").Want(t, http.StatusNoContent, "")
		},
		"forgotten": func(t *testing.T, s *stage) {
			t.Helper()
			err := s.d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				return s.lists.Forget(ctx, tx, id.New(), "5@example.org")
			})
			if err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, dbtest.Open(t, db.Postgres, clock.System{}))
			for i := range 20 {
				s.register(t, "N", fmt.Sprintf("%d@example.org", i))
			}
			left := make(chan struct{})
			err := s.d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				if _, err := tx.Exec(ctx, "update workshops set spots = spots"); err != nil {
					return err
				}
				go func() { defer close(left); leave(t, s) }()
				for s.count(t, "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'") == 0 {
					time.Sleep(5 * time.Millisecond)
				}
				_, err := tx.Exec(ctx, "select id from course_waitlist for update nowait")
				return err
			})
			if err != nil {
				t.Error("registrations are locked before their workshop:", err)
			}
			<-left
		})
	}
}

// TestDeletingRegistrationsWhileSpotsAreRaised does both at once, many times: both succeed, and the numbers agree.
func TestDeletingRegistrationsWhileSpotsAreRaised(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		for round := range 20 {
			for i := range 20 {
				s.register(t, "N", fmt.Sprintf("%d-%d@example.org", round, i))
			}
			var both sync.WaitGroup
			both.Go(func() {
				resttest.Call(t, s.api, s.admin, "DELETE", "/course_waitlist?email=like.*5@example.org", "").Want(t, http.StatusNoContent, "")
			})
			both.Go(func() {
				resttest.Call(t, s.api, s.admin, "PATCH", "/workshops?id=not.is.null", fmt.Sprintf(`{"spots":%d}`, 20*(round+2))).Want(t, http.StatusNoContent, "")
			})
			both.Wait()
		}
		wrong := s.count(t, `select count(*) from workshops where spots_left <> spots -
			(select count(*) from course_waitlist where workshop_id = workshops.id and spot is not null)`)
		if wrong != 0 {
			t.Error("the spots left are not those that nobody has")
		}
	})
}
