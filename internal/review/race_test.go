package review_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest/resttest"
)

// meanwhile lets somebody review a course while another transaction is open: before is done by then, and after once the review waits for it
// (or is through). On SQLite it waits for all of it.
func (s *stage) meanwhile(t *testing.T, as who.Actor, course string, before, after func(ctx context.Context, tx *db.Tx) error) (got resttest.Answer) {
	t.Helper()
	there, said := s.other(t), make(chan struct{})
	var start sync.Once
	s.tx(t, func(ctx context.Context, tx *db.Tx) error {
		if err := before(ctx, tx); err != nil {
			return err
		}
		start.Do(func() { // a transaction can be made anew
			go func() {
				defer close(said)
				got = there.post(t, as, course, 5, "")
			}()
		})
		for waits := s.d.Engine == db.SQLite; !waits; {
			select {
			case <-said:
				waits = true
			case <-time.After(5 * time.Millisecond):
				err := tx.QueryRow(ctx, "select exists (select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')").Scan(&waits)
				if err != nil {
					return err
				}
			}
		}
		return after(ctx, tx)
	})
	<-said
	return got
}

// Whoever is made a teacher, or put out, at the moment of their review is refused, or has it hidden.
func TestAReviewAsksWhatHoldsWhenItIsStored(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		hold := func(course string) func(ctx context.Context, tx *db.Tx) error {
			return func(ctx context.Context, tx *db.Tx) error {
				_, err := tx.Exec(ctx, "update courses set rating = rating where id = $1", course)
				return err
			}
		}
		teach := func(course string, as who.Actor) func(ctx context.Context, tx *db.Tx) error {
			return func(ctx context.Context, tx *db.Tx) error {
				_, err := tx.Exec(ctx, "insert into course_teachers (id, course_id, user_id, shown_name, created_at) values ($1, $2, $3, 'T', $4)",
					id.New(), course, as.UserID, s.now())
				if err != nil {
					return err
				}
				return s.reviews.Teaches(ctx, tx, course, as.UserID)
			}
		}
		nothing := func(context.Context, *db.Tx) error { return nil }
		told := func(got resttest.Answer, part string) {
			t.Helper()
			if got.Status != 403 || !strings.Contains(got.Body, part) {
				t.Errorf("%d %s", got.Status, got.Body)
			}
		}

		course := s.course(t)
		ada := s.learner(t, "Ada", course)
		told(s.meanwhile(t, ada, course, hold(course), teach(course, ada)), "You teach this course")
		bob := s.learner(t, "Bob", course)
		told(s.meanwhile(t, bob, course, teach(course, bob), nothing), "You teach this course")
		eve := s.learner(t, "Eve", course)
		told(s.meanwhile(t, eve, course, hold(course), func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.Exec(ctx, "update enrollments set revoked_at = $2, revoked_for = 'refunded' where user_id = $1", eve.UserID, s.now())
			return err
		}), "")
		s.shows(t, course, 4, 0, -1)
	})
}
