package review_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"greenroom/internal/platform/id"
)

// A report is not buried by others: reviews are listed, each once, and who waits longest comes first.
func TestReportsDoNotBuryEachOther(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		said, by := s.many(t, course, 1, 1, 1)
		report := func(review, reason string) {
			t.Helper()
			s.hands.Advance(time.Second)
			s.write(t, "insert into review_reports (id, review_id, user_id, reason, created_at) values ($1, $2, $3, $4, $5)",
				id.InOrder(), review, s.person(t, "R").UserID, reason, s.now())
		}
		type listed struct {
			ID      string
			Count   int
			Reports []struct{ Reason string }
		}
		type answer struct {
			Reviews []listed
			More    bool
		}
		list := func() (told answer) {
			t.Helper()
			if err := json.Unmarshal([]byte(s.call(t, s.boss, 200, "reported-reviews", fmt.Sprintf(`{"course":%q}`, course))), &told); err != nil {
				t.Fatal(err)
			}
			return told
		}
		report(said[0], "the real one")
		for i := range 210 {
			report(said[1], fmt.Sprintf("junk %d", i))
		}
		got := list()
		if len(got.Reviews) != 2 || got.More || got.Reviews[0].ID != said[0] || got.Reviews[0].Count != 1 || got.Reviews[0].Reports[0].Reason != "the real one" {
			t.Fatalf("%+v", got)
		}
		if junk := got.Reviews[1]; junk.Count != 210 || len(junk.Reports) != 5 || junk.Reports[0].Reason != "junk 209" || junk.Reports[4].Reason != "junk 205" {
			t.Errorf("%+v", junk)
		}
		// What is said again does not move a report to the end, and what is settled makes room.
		s.call(t, by[1], 200, "report-review", fmt.Sprintf(`{"review":%q,"reason":"me too"}`, said[0]))
		if got := list(); got.Reviews[0].ID != said[0] || got.Reviews[0].Count != 2 {
			t.Errorf("%+v", got)
		}
		for i := range 101 {
			key := id.New()
			s.write(t, "insert into course_reviews (id, course_id, author_name, stars, updated_at, created_at) values ($1, $2, 'N', 3, $3, $3)", key, course, s.now())
			report(key, fmt.Sprint(i))
		}
		if got := list(); len(got.Reviews) != 100 || !got.More || got.Reviews[0].ID != said[0] {
			t.Errorf("%d reviews, more: %v", len(got.Reviews), got.More)
		}
	})
}
