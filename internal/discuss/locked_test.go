package discuss_test

import (
	"context"
	"testing"
	"time"

	"greenroom/internal/discuss"
	"greenroom/internal/platform/db"
	"greenroom/internal/rest/resttest"
)

// Who answers while another one's answers go waits for that, and counts afterwards.
func TestAnAnswerIsCountedAfterWhatHoldsItsQuestion(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		question := s.ask(t, s.ada, "Which lens?")
		s.answer(t, s.bob, question, "Long.")
		there, answered := s.other(t), make(chan resttest.Answer, 1)
		body := s.body(s.course, "", question)
		err := s.d.Write(context.Background(), func(ctx context.Context, tx *db.Tx) error {
			if err := discuss.Forget(ctx, tx, s.bob.UserID, ""); err != nil {
				return err
			}
			go func() { answered <- resttest.Call(t, there.data, s.ada, "POST", "/lesson_answers", body) }()
			for waits := 0; s.d.Engine == db.Postgres && waits == 0; time.Sleep(5 * time.Millisecond) {
				waits = there.count(t, "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := <-answered; got.Status != 201 {
			t.Fatal(got.Status, got.Body)
		}
		if n := s.count(t, "select answers from lesson_questions where id = $1", question); n != 1 {
			t.Errorf("%d of 1 are counted", n)
		}
	})
}
