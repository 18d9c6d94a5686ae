package review_test

import (
	"context"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/rest/resttest"
)

// Who reviews a course while another review of it goes waits for that, and counts afterwards.
func TestAReviewIsCountedAfterWhatHoldsItsCourse(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		_, by := s.many(t, course, 1, 5)
		ada := s.learner(t, "Ada", course)
		there, answered := s.other(t), make(chan resttest.Answer, 1)
		s.tx(t, func(ctx context.Context, tx *db.Tx) error {
			if err := s.reviews.Forget(ctx, tx, by[0].UserID, ""); err != nil {
				return err
			}
			go func() { answered <- there.post(t, ada, course, 5, "") }()
			for waits := 0; s.d.Engine == db.Postgres && waits == 0; time.Sleep(5 * time.Millisecond) {
				waits = there.count(t, "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
			}
			return nil
		})
		if got := <-answered; got.Status != 201 {
			t.Fatal(got.Status, got.Body)
		}
		s.shows(t, course, 4, 2, -1)
	})
}
