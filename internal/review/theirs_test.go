package review_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest/resttest"
	"greenroom/internal/review"
)

func TestAHalfGoesUp(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		s.many(t, course, 5, 5, 4, 4, 4, 4, 4, 4) // 34 of 8: 4.25
		s.shows(t, course, 4.3, 8, 4)
	})
}

func TestAReviewIsItsAuthorsAlone(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		all, by := s.many(t, course, 5, 4)
		tom := s.person(t, "Tom")
		s.write(t, "insert into course_teachers (id, course_id, user_id, shown_name, created_at) values ($1, $2, $3, 'T', $4)", id.New(), course, tom.UserID, s.now())
		for _, other := range []who.Actor{by[1], tom, s.person(t, "Eve"), resttest.Stranger} {
			resttest.Call(t, s.data, other, "PATCH", "/course_reviews?id=eq."+all[0], `{"stars":1,"text":"Mine."}`)
			resttest.Call(t, s.data, other, "DELETE", "/course_reviews?id=eq."+all[0], "")
		}
		if n := s.count(t, "select count(*) from course_reviews where id = $1 and stars = 5 and text = 'Said.'", all[0]); n != 1 {
			t.Error("somebody else changed it")
		}
		// What its author changes bears the name of that moment, and when.
		s.hands.Advance(time.Minute)
		s.write(t, "update users set user_metadata = $2 where id = $1", by[0].UserID, `{"name":"Grace"}`)
		resttest.Call(t, s.data, by[0], "PATCH", "/course_reviews?id=eq."+all[0], `{"stars":3}`).Want(t, 204, "")
		if n := s.count(t, "select count(*) from course_reviews where id = $1 and author_name = 'Grace' and updated_at > created_at", all[0]); n != 1 {
			t.Error("the name or the moment is the old one")
		}
	})
}

func TestWhatSomebodySawElsewhereIsNotOfThisCourse(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course, other := s.course(t), s.course(t)
		ada, bob := s.learner(t, "Ada", other), s.learner(t, "Bob", course)
		s.enroll(t, ada, course)
		s.post(t, ada, course, 5, "").Want(t, 403, "42501")
		s.post(t, bob, course, 5, "").Want(t, 201, "")
		mine := s.say(t, ada, other, 5)
		s.watch(t, ada, course, "", true)
		here := s.say(t, ada, course, 5)
		// Who teaches one course says of another what they said.
		s.write(t, "insert into course_teachers (id, course_id, user_id, shown_name, created_at) values ($1, $2, $3, 'T', $4)", id.New(), course, ada.UserID, s.now())
		s.tx(t, func(ctx context.Context, tx *db.Tx) error { return s.reviews.Teaches(ctx, tx, course, ada.UserID) })
		if n := s.count(t, "select count(*) from course_reviews where state = 'published' and id = $1", mine); n != 1 {
			t.Error("the review of another course is hidden")
		}
		if n := s.count(t, "select count(*) from course_reviews where state = 'published'"); n != 2 {
			t.Errorf("%d of 2 are shown", n)
		}
		// They answer at their own course, and not as a guest.
		s.write(t, "delete from course_teachers")
		s.write(t, "insert into course_teachers (id, course_id, user_id, shown_name, created_at) values ($1, $2, $3, 'T', $4)", id.New(), course, bob.UserID, s.now())
		s.call(t, bob, 403, "reply-review", fmt.Sprintf(`{"review":%q,"text":"Thank you."}`, mine))
		s.call(t, s.boss, 200, "show-review", fmt.Sprintf(`{"review":%q}`, here))
		bob.Guest = true
		s.call(t, bob, 403, "reply-review", fmt.Sprintf(`{"review":%q,"text":"Thank you."}`, here))
	})
}

func TestAHiddenReviewIsForAdmins(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		all, by := s.many(t, course, 1, 5)
		s.call(t, s.boss, 200, "hide-review", fmt.Sprintf(`{"review":%q,"reason":"x"}`, all[0]))
		s.call(t, by[1], 404, "report-review", fmt.Sprintf(`{"review":%q,"reason":"x"}`, all[0]))
		for _, who := range by {
			s.call(t, who, 403, "show-review", fmt.Sprintf(`{"review":%q}`, all[0]))
		}
	})
}

func TestReviewsAreThirtyAnHour(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course, other := s.course(t), s.course(t)
		ada := s.learner(t, "Ada", course)
		key := s.say(t, ada, course, 5)
		s.enroll(t, ada, other)
		s.watch(t, ada, other, "", true)
		for i := range 29 {
			resttest.Call(t, s.data, ada, "PATCH", "/course_reviews?id=eq."+key, fmt.Sprintf(`{"stars":%d}`, 1+i%5)).Want(t, 204, "")
		}
		resttest.Call(t, s.data, ada, "PATCH", "/course_reviews?id=eq."+key, `{"stars":1}`).Want(t, 429, "")
		resttest.Call(t, s.data, ada, "DELETE", "/course_reviews?id=eq."+key, "").Want(t, 429, "")
		s.post(t, ada, other, 5, "").Want(t, 429, "")
		if n := s.count(t, "select count(*) from course_reviews where stars = 4"); n != 1 {
			t.Errorf("%d", n)
		}
		s.hands.Advance(time.Hour)
		resttest.Call(t, s.data, ada, "DELETE", "/course_reviews?id=eq."+key, "").Want(t, 204, "")
	})
}

func TestMyDataIsMineAlone(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		all, by := s.many(t, course, 1, 5, 3)
		for i, reason := range []string{"first", "second"} {
			s.call(t, by[i], 200, "report-review", fmt.Sprintf(`{"review":%q,"reason":%q}`, all[2], reason))
		}
		for i, name := range []string{"Tom", "Tim"} {
			as := s.person(t, name)
			s.write(t, "insert into course_teachers (id, course_id, user_id, shown_name, created_at) values ($1, $2, $3, 'T', $4)", id.New(), course, as.UserID, s.now())
			s.call(t, as, 200, "reply-review", fmt.Sprintf(`{"review":%q,"text":%q}`, all[i], name))
			by = append(by, as)
		}
		s.tx(t, func(ctx context.Context, tx *db.Tx) error {
			for name, one := range map[string]struct {
				about func(context.Context, *db.Tx, string, string) ([]map[string]any, error)
				user  who.Actor
				part  string
			}{
				"reviews": {review.About, by[0], all[0]}, "replies": {review.AboutReplies, by[3], "Tom"}, "reports": {review.AboutReports, by[0], "first"},
			} {
				told, err := one.about(ctx, tx, one.user.UserID, "")
				if err != nil || len(told) != 1 || !strings.Contains(fmt.Sprint(told), one.part) {
					t.Errorf("%s: %v %v", name, err, told)
				}
			}
			return nil
		})
	})
}
