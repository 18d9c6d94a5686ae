package learn_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"greenroom/internal/platform/db"
)

// dated makes a lesson open at a moment.
func (s *stage) dated(t *testing.T, course string, after time.Duration) string {
	t.Helper()
	lesson := s.lesson(t, course, "text", 0)
	s.write(t, "update lessons set release_at = $2 where id = $1", lesson, db.At(begin.Add(after)))
	return lesson
}

// Who is put off until a day has passed hears of what is still theirs and still new then.
func TestWhatChangesBeforeAnEmailLeavesIsNotInIt(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		courses, lessons := map[string]string{}, map[string]string{}
		names := []string{"stays", "out", "all", "preview", "draft"}
		for _, name := range names {
			courses[name] = s.course(t)
			s.drip(t, courses[name], 1)
			lessons[name] = s.dated(t, courses[name], 36*time.Hour)
		}
		s.tell(t) // the beginning
		for _, name := range names {
			s.enroll(t, s.person(t, name), courses[name])
		}
		s.hands.Advance(25 * time.Hour)
		s.tell(t)
		if n := s.count(t, newsWritten); n != len(names) {
			t.Fatalf("%d emails", n)
		}
		s.hands.Advance(12 * time.Hour)
		s.tell(t) // all are put off
		s.write(t, "update enrollments set revoked_at = $2 where course_id = $1", courses["out"], s.now())
		s.write(t, "update enrollments set opened_all = $2 where course_id = $1", courses["all"], true)
		s.write(t, "update lessons set preview = $2 where id = $1", lessons["preview"], true)
		s.write(t, "update lessons set state = 'draft' where id = $1", lessons["draft"])
		s.hands.Advance(12*time.Hour + time.Minute)
		s.tell(t)
		if n := s.count(t, newsWritten); n != len(names)+1 {
			t.Errorf("%d emails, not %d", n, len(names)+1)
		}
		got := s.letters.To(t, "stays@example.com", 2)
		if link := "https://greenroom.example/learn/" + courses["stays"] + "/" + lessons["stays"]; !strings.Contains(got[1].Text, link) {
			t.Errorf("%s: %s", link, got[1].Text)
		}
	})
}

// What was open before somebody came is no news to them, an email names twenty lessons, and an address without a domain gets none.
func TestAnEmailNamesWhatIsNewAndNotTooMuch(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course, long := s.course(t), s.course(t)
		s.dated(t, course, time.Hour)
		drip := s.drip(t, course, 1)
		for range 25 {
			s.drip(t, long, 1)
		}
		s.tell(t) // the beginning
		s.hands.Advance(2 * time.Hour)
		s.enroll(t, s.person(t, "ada"), course)
		s.enroll(t, s.person(t, "bob"), long)
		nowhere := s.person(t, "nowhere")
		s.write(t, "update users set email = 'nowhere@localhost' where id = $1", nowhere.UserID)
		s.enroll(t, nowhere, course)
		s.hands.Advance(25 * time.Hour)
		s.tell(t)
		if n := s.count(t, newsWritten); n != 2 {
			t.Errorf("%d emails", n)
		}
		ada, bob := s.letters.To(t, "ada@example.com", 1), s.letters.To(t, "bob@example.com", 1)
		if ada[0].Subject != "Now open: Lesson 2" || !strings.Contains(ada[0].Text, "/learn/"+course+"/"+drip) {
			t.Errorf("%s: %s", ada[0].Subject, ada[0].Text)
		}
		named := 0
		for i := range 25 {
			if strings.Contains(bob[0].Text, fmt.Sprintf("Lesson %d", i+3)) {
				named++
			}
		}
		if bob[0].Subject != "25 new lessons are open" || named != 20 {
			t.Errorf("%s: %d named\n%s", bob[0].Subject, named, bob[0].Text)
		}
	})
}

// More learners than are read at once.
func TestEveryLearnerOfALargeCourseIsToldOfIt(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		s.drip(t, course, 1)
		s.tell(t) // the beginning
		const learners = 501
		for i := range learners {
			s.enroll(t, s.person(t, fmt.Sprintf("p%d", i)), course)
		}
		s.hands.Advance(25 * time.Hour)
		s.tell(t)
		if got := s.count(t, newsWritten); got != learners {
			t.Errorf("%d emails to %d learners", got, learners)
		}
	})
}
