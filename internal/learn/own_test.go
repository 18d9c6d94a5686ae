package learn_test

import (
	"testing"

	"greenroom/internal/rest/resttest"
)

// What somebody does in a course is nobody else's, and nothing of their other courses.
func TestWhoCompletesACourseCompletesNoOther(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, bob, course, other := s.person(t, "ada"), s.person(t, "bob"), s.course(t), s.course(t)
		lesson := s.lesson(t, course, "text", 0)
		s.lesson(t, other, "text", 0)
		s.enroll(t, ada, course).Want(t, 201, "")
		s.enroll(t, ada, other).Want(t, 201, "")
		s.enroll(t, bob, course).Want(t, 201, "")
		if s.save(t, ada, lesson, `,"complete":true`).Course == nil {
			t.Fatal("the course is not complete")
		}
		if n := s.count(t, "select count(*) from enrollments where started_at is not null and completed_at is not null and user_id = $1 and course_id = $2", ada.UserID, course); n != 1 {
			t.Error("the course was not begun and completed")
		}
		if n := s.count(t, "select count(*) from enrollments where started_at is not null or completed_at is not null"); n != 1 {
			t.Errorf("%d enrollments were begun or completed by it", n)
		}
	})
}

// However many are given back at once, none bears a reason for having been taken.
func TestOfSeveralThatAreGivenBackNoneHasAReason(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, bob, admin, course := s.person(t, "ada"), s.person(t, "bob"), s.admin(t), s.course(t)
		s.enroll(t, ada, course).Want(t, 201, "")
		s.enroll(t, bob, course).Want(t, 201, "")
		s.write(t, "update enrollments set revoked_at = $1, revoked_for = 'refunded'", s.now())
		resttest.Call(t, s.data, admin, "PATCH", "/enrollments?course_id=eq."+course, `{"revoked_at":null}`).Want(t, 204, "")
		if n := s.count(t, "select count(*) from enrollments where revoked_at is null and revoked_for is null"); n != 2 {
			t.Errorf("%d of 2 are without a reason", n)
		}
	})
}
