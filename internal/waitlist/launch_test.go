package waitlist_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
	"greenroom/internal/rest/resttest"
)

// wait puts n people on the waitlist of a course.
func (s *stage) wait(t *testing.T, course string, n int) {
	t.Helper()
	err := s.d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		for i := range n {
			user := id.New()
			_, err := tx.Exec(ctx, `insert into users (id, email, app_metadata, user_metadata, created_at, updated_at)
				values ($1, $2, '{}', '{}', $3, $3)`, user, fmt.Sprintf("fan%d-%s@example.org", i, user), db.At(tx.Now))
			if err != nil {
				return err
			}
			_, err = tx.Exec(ctx, `insert into course_waitlist (id, user_id, course_title, email, created_at, course_id)
				select $1, $2, title, $3, $4, id from courses where id = $5`,
				id.New(), user, fmt.Sprintf("fan%d@example.org", i), db.At(tx.Now), course)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (s *stage) run(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.lists.Run(ctx)
	}()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

func (s *stage) told(t *testing.T, want int) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		letters, open := s.letters(t, "course-launched"), s.count(t, "select count(*) from course_launches")
		if letters == want && open == 0 {
			return
		}
		if letters > want || time.Now().After(deadline) {
			t.Fatalf("%d letters, not %d; %d launches under way", letters, want, open)
		}
	}
}

func TestLaunchTellsEverybodyWhoWaitsOnce(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			at := dbtest.Location(t, engine)
			s := open(t, dbtest.Reopen(t, at, clock.System{}))
			course := id.Named("course documentary-filmmaking")
			s.wait(t, course, 350)
			s.wait(t, id.Named("course cinematography-masterclass"), 5)
			s.run(t)
			if engine == db.Postgres {
				open(t, dbtest.Reopen(t, at, clock.System{})).run(t)
			}
			path := "/courses?id=eq." + course
			resttest.Call(t, s.api, s.admin, "PATCH", path, `{"lessons":50}`).Want(t, http.StatusNoContent, "")
			s.told(t, 0)
			resttest.Call(t, s.api, s.admin, "PATCH", path, `{"coming_soon":false}`).Want(t, http.StatusNoContent, "")
			s.told(t, 350)
			// Once told is told, even when the course goes back and comes out again.
			resttest.Call(t, s.api, s.admin, "PATCH", path, `{"coming_soon":true}`).Want(t, http.StatusNoContent, "")
			s.wait(t, course, 3)
			resttest.Call(t, s.api, s.admin, "PATCH", path, `{"coming_soon":false}`).Want(t, http.StatusNoContent, "")
			s.told(t, 353)
		})
	}
}

func TestLaunchSurvivesAStop(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		course := id.Named("course documentary-filmmaking")
		s.wait(t, course, 250)
		resttest.Call(t, s.api, s.admin, "PATCH", "/courses?id=eq."+course, `{"coming_soon":false}`).Want(t, http.StatusNoContent, "")
		for range 3 {
			s.run(t)()
		}
		open(t, d).run(t)
		s.told(t, 250)
	})
}
