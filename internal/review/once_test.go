package review_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/who"
)

// leave erases somebody as their account's deletion does, with or without what they said.
func (s *stage) leave(t testing.TB, as who.Actor, keep bool) {
	t.Helper()
	s.tx(t, func(ctx context.Context, tx *db.Tx) error {
		if keep {
			if err := s.reviews.Keep(ctx, tx, as.UserID); err != nil {
				return err
			}
		}
		if err := s.reviews.Forget(ctx, tx, as.UserID, ""); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "delete from users where id = $1", as.UserID)
		return err
	})
}

func (s *stage) state(t testing.TB, as who.Actor, course, part string) {
	t.Helper()
	if body := s.call(t, as, 200, "review-state", fmt.Sprintf(`{"course":%q}`, course)); !strings.Contains(body, part) {
		t.Errorf("%s, not %s", body, part)
	}
}

// Who leaves a review behind and comes back by the same mailbox has said what they said.
func TestWhoComesBackDoesNotReviewTwice(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course, another := s.course(t), s.course(t)
		come := func(email string) who.Actor { return s.takes(t, s.personAt(t, "One", email), course) }
		again := func(email string) {
			t.Helper()
			as := come(email)
			s.state(t, as, course, `"may":false,"why":"reviewed","mine":null`)
			got := s.post(t, as, course, 1, "again").Want(t, 409, "23505")
			if !strings.Contains(got.Body, `"message":"You have already reviewed this course."`) {
				t.Error(got.Body)
			}
			s.say(t, s.takes(t, as, another), another, 5)
			s.leave(t, as, false)
		}
		one, twin := come("one@example.com"), come("one+twin@example.com")
		s.say(t, one, course, 1)
		s.say(t, twin, course, 1) // two accounts, as long as there are two
		s.leave(t, one, true)
		s.leave(t, twin, true)
		s.shows(t, course, 4, 1, -1) // of one mailbox one stays
		for _, same := range []string{"one@example.com", "one+more@example.com"} {
			again(same)
		}
		s.shows(t, course, 4, 1, -1)
		s.shows(t, another, 4, 0, -1)
		if n := s.count(t, "select count(*) from course_reviews where author_mark like '%one%' or length(author_mark) < 20"); n != 0 {
			t.Error("the mark tells the address")
		}

		// What was hidden does not come back this way either.
		rude := come("rude@example.com")
		s.call(t, s.boss, 200, "hide-review", fmt.Sprintf(`{"review":%q,"reason":"Rude."}`, s.say(t, rude, course, 1)))
		s.leave(t, rude, true)
		again("rude@example.com")

		// Who takes all along leaves nothing, so they may speak anew.
		for range 2 {
			two := come("two@example.com")
			s.say(t, two, course, 5)
			s.leave(t, two, false)
		}
		if n := s.count(t, "select count(*) from course_reviews"); n != 2 {
			t.Errorf("%d reviews are left, not that of one and the hidden one", n)
		}
	})
}

// Where an installation has people confirm their addresses, those who have not neither rate nor accuse.
func TestAnUnprovenAddressWaitsWhereProofIsAsked(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		said, _ := s.many(t, course, 3)
		report := fmt.Sprintf(`{"review":%q,"reason":"rude"}`, said[0])
		nobody := s.learner(t, "Nobody", course)
		s.write(t, "update users set email_proven_at = null where id = $1", nobody.UserID)

		s.reviews.Confirms = true
		s.state(t, nobody, course, `"may":false,"why":"confirm"`)
		got := s.post(t, nobody, course, 1, "").Want(t, 403, "42501")
		body := s.call(t, nobody, 403, "report-review", report)
		for _, told := range []string{got.Body, body} {
			if !strings.Contains(told, "Confirm your email address in Settings first.") {
				t.Error(told)
			}
		}
		s.shows(t, course, 4, 1, -1)

		s.reviews.Confirms = false // nobody is asked there, so all are believed
		s.state(t, nobody, course, `"may":true`)
		s.say(t, nobody, course, 1)
		s.call(t, nobody, 200, "report-review", report)
	})
}
