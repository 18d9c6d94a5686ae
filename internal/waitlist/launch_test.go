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

// told waits until so many letters about launches are there and nobody is left who is owed one.
func (s *stage) told(t *testing.T, want int) {
	t.Helper()
	const owed = `select count(*) from course_waitlist w join courses c on c.id = w.course_id join course_launches l on l.course_id = c.id
		where w.told_at is null and not c.coming_soon`
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		letters, left := s.letters(t, "course-launched"), s.count(t, owed)
		if letters == want && left == 0 {
			return
		}
		if letters > want || time.Now().After(deadline) {
			t.Fatalf("%d letters, not %d; %d are left to be told", letters, want, left)
		}
	}
}

func (s *stage) setSoon(t *testing.T, course string, soon bool) {
	t.Helper()
	resttest.Call(t, s.api, s.admin, "PATCH", "/courses?id=eq."+course, fmt.Sprintf(`{"coming_soon":%v}`, soon)).Want(t, http.StatusNoContent, "")
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

func TestWhoeverJoinsAtTheMomentOfALaunchIsToldOnce(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			at := dbtest.Location(t, engine)
			stages := []*stage{open(t, dbtest.Reopen(t, at, clock.System{}))}
			if engine == db.Postgres {
				// The other instance's clock is behind, the first one's rows come from its future.
				stages = append(stages, open(t, dbtest.Reopen(t, at, clock.NewManual(time.Now().Add(-4*time.Minute)))))
			}
			s, course := stages[0], id.Named("course documentary-filmmaking")
			for _, one := range stages {
				one.run(t)
			}
			const people = 60
			var joining sync.WaitGroup
			for i := range people {
				ada := s.person(t, fmt.Sprintf("ada%d@example.org", i))
				joining.Go(func() {
					resttest.Call(t, stages[i%len(stages)].api, ada, "POST", "/course_waitlist", join(ada, "Documentary Filmmaking")).Want(t, http.StatusCreated, "")
				})
				if i == people/2 {
					joining.Go(func() { s.setSoon(t, course, false) })
				}
			}
			joining.Wait()
			s.told(t, people)
			if n := s.count(t, "select count(distinct recipient) from outbox where kind = 'course-launched'"); n != people {
				t.Errorf("%d of %d people were told", n, people)
			}
		})
	}
}

// TestJoinThatCommitsAfterTheLaunchIsTold holds a join back until everybody else has been told.
func TestJoinThatCommitsAfterTheLaunchIsTold(t *testing.T) {
	t.Parallel()
	s := open(t, dbtest.Open(t, db.Postgres, clock.System{}))
	course, bob := id.Named("course documentary-filmmaking"), s.person(t, "bob@example.org")
	joined, told, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- s.d.Write(context.Background(), func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.Exec(ctx, `insert into course_waitlist (id, user_id, course_title, email, created_at, course_id)
				select $1, $2, title, 'bob@example.org', $3, id from courses where id = $4`, id.New(), bob.UserID, db.At(tx.Now), course)
			close(joined)
			<-told
			return err
		})
	}()
	<-joined
	s.wait(t, course, 150)
	s.setSoon(t, course, false)
	s.run(t)
	s.told(t, 150)
	close(told)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	s.told(t, 151)
}

func TestLaunchEndsAfterAnHourAndWithTheCourse(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		course := id.Named("course documentary-filmmaking")
		s.wait(t, course, 2)
		s.setSoon(t, course, false)
		s.run(t)
		s.told(t, 2)
		// Taken back: who joins now waits for the next time.
		s.setSoon(t, course, true)
		s.wait(t, course, 3)
		hourLater := func() {
			err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				_, err := tx.Exec(ctx, "update course_launches set launched_at = $1", db.At(tx.Now.Add(-time.Hour)))
				tx.AfterCommit(s.lists.Kick)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			for range 1000 {
				if s.count(t, "select count(*) from course_launches") == 0 {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
			t.Fatal("the launch goes on")
		}
		hourLater()
		s.told(t, 2)
		s.setSoon(t, course, false)
		s.told(t, 5)
		hourLater()
		s.wait(t, course, 1)
		s.told(t, 5)
	})
}
