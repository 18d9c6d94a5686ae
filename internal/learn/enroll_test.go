package learn_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest/resttest"
)

func TestEnrollingEndsTheWait(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, bob, course, other := s.person(t, "ada"), s.person(t, "bob"), s.course(t), s.course(t)
		wait := func(as who.Actor, course string) {
			resttest.Call(t, s.data, as, "POST", "/course_waitlist", fmt.Sprintf(`{"user_id":%q,"course_title":"Course %s","email":%q}`, as.UserID, course, as.Email)).Want(t, 201, "")
		}
		wait(ada, course)
		wait(ada, other)
		wait(bob, course)
		workshop := id.New()
		s.write(t, `insert into workshops (id, title, host, about, learn, date_text, time_text, duration_minutes, spots, spots_left, created_at)
			values ($1, $2, 'H', 'A', 'L', 'D', 'T', 45, 3, 3, $3)`, workshop, "Course "+course, s.now())
		resttest.Call(t, s.data, resttest.Stranger, "POST", "/course_waitlist", fmt.Sprintf(`{"name":"Ada","email":"ada@example.com","course_title":"Course %s"}`, course)).Want(t, 201, "")
		// A title that was no course's when somebody began to wait.
		s.write(t, "update course_waitlist set course_id = null where user_id = $1 and course_title = $2", ada.UserID, "Course "+course)
		s.enroll(t, ada, course).Want(t, 201, "")
		for query, want := range map[string]int{
			"select count(*) from course_waitlist where course_title = 'Course " + course + "' and email = 'ada@example.com' and workshop_id is null":                  0,
			"select count(*) from course_waitlist where course_title = 'Course " + course + "' and email = 'ada@example.com' and workshop_id is not null and spot = 1": 1,
			"select count(*) from course_waitlist where email = 'bob@example.com'":                                                                                     1,
			"select count(*) from course_waitlist where course_title = 'Course " + other + "'":                                                                         1,
			"select spots_left from workshops": 2,
			"select count(*) from enrollments where source = 'free' and revoked_at is null and started_at is null": 1,
		} {
			if n := s.count(t, query); n != want {
				t.Errorf("%s: %d, not %d", query, n, want)
			}
		}
		// What is refused ends no wait.
		s.write(t, "update course_offers set open = $1", false)
		s.enroll(t, bob, course).Want(t, 403, "")
		if n := s.count(t, "select count(*) from course_waitlist where email = 'bob@example.com'"); n != 1 {
			t.Error("the wait of somebody who was refused is over")
		}
	})
}

func TestOnlyFreeAndOpenCoursesAreEnrolledIn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, eve := s.person(t, "ada"), s.person(t, "eve")
		for set, sentence := range map[string]string{
			"update course_offers set open = not open where course_id = $1":       "Enrollment in this course is closed.",
			"update course_offers set price_cents = 4900 where course_id = $1":    "This course is not free.",
			"update course_offers set price_cents = null where course_id = $1":    "Enrollment in this course is closed.",
			"update course_offers set published_at = null where course_id = $1":   "This course has no lessons yet.",
			"delete from course_offers where course_id = $1":                      "This course has no lessons yet.",
			"update courses set coming_soon = not coming_soon where id = $1":      "This course is coming soon.",
			"delete from course_sections where course_id = $1 and title = 'none'": "",
		} {
			course := s.course(t)
			s.write(t, set, course)
			got := s.enroll(t, ada, course)
			if sentence == "" {
				got.Want(t, 201, "")
			} else if got.Want(t, 403, "42501"); !strings.Contains(got.Body, `"hint":"`+sentence) {
				t.Errorf("%s: %s", set, got.Body)
			}
		}
		if got := s.enroll(t, ada, id.New()).Want(t, 403, "42501"); !strings.Contains(got.Body, "That course does not exist.") {
			t.Error(got.Body)
		}
		course, body := s.course(t), `{"user_id":%q,"course_id":%q}`
		resttest.Call(t, s.data, eve, "POST", "/enrollments", fmt.Sprintf(body, ada.UserID, course)).Want(t, 403, "42501")
		guest := eve
		guest.Guest = true
		resttest.Call(t, s.data, guest, "POST", "/enrollments", fmt.Sprintf(body, eve.UserID, course)).Want(t, 403, "42501")
		resttest.Call(t, s.data, resttest.Stranger, "POST", "/enrollments", fmt.Sprintf(body, eve.UserID, course)).Want(t, 401, "42501")
		for _, column := range []string{"source", "started_at", "completed_at", "revoked_at", "opened_all"} {
			resttest.Call(t, s.data, ada, "POST", "/enrollments", fmt.Sprintf(`{"user_id":%q,"course_id":%q,%q:null}`, ada.UserID, course, column)).Want(t, 403, "42501")
		}
	})
}

func TestEnrollingTwiceIsOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, course := s.person(t, "ada"), s.course(t)
		instances := []*stage{s, s.other(t)}
		var all sync.WaitGroup
		answers := make([]int, 12)
		for i := range answers {
			all.Go(func() { answers[i] = instances[i%2].enroll(t, ada, course).Status })
		}
		all.Wait()
		made := 0
		for _, status := range answers {
			switch status {
			case 201:
				made++
			case 409:
			default:
				t.Error(status)
			}
		}
		if made != 1 {
			t.Errorf("enrolled %d times", made)
		}
		s.enroll(t, ada, course).Want(t, 409, "23505")
	})
}

func TestWhatWasTakenBackStaysSo(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, admin, course := s.person(t, "ada"), s.admin(t), s.course(t)
		lesson := s.lesson(t, course, "text", 0)
		leave := func() int {
			answer := resttest.Call(t, s.data, ada, "DELETE", "/enrollments?course_id=eq."+course, "", "Prefer: return=representation").Want(t, 200, "")
			return len(answer.Rows(t))
		}
		s.enroll(t, ada, course).Want(t, 201, "")
		s.save(t, ada, lesson, `,"position_seconds":4`)
		if n := leave(); n != 1 {
			t.Fatalf("left %d courses", n)
		}
		s.enroll(t, ada, course).Want(t, 201, "")
		if got := s.open(t, ada, lesson); got.Progress == nil || got.Progress.Position != 4 {
			t.Error("who comes back begins anew")
		}
		change := func(as who.Actor, body string) resttest.Answer {
			return resttest.Call(t, s.data, as, "PATCH", "/enrollments?course_id=eq."+course, body, "Prefer: return=representation")
		}
		if rows := change(ada, `{"opened_all":true}`).Want(t, 200, "").Rows(t); len(rows) != 0 {
			t.Error("a learner opened everything")
		}
		change(admin, `{"completed_at":null}`).Want(t, 403, "42501")
		change(admin, `{"revoked_for":"`+fmt.Sprintf("%501d", 1)+`"}`).Want(t, 400, "23514")
		change(admin, `{"revoked_at":"2026-11-16T13:30:00Z","revoked_for":"refunded"}`).Want(t, 200, "")
		if n := leave(); n != 0 {
			t.Error("who was put out can leave, and come again")
		}
		s.enroll(t, ada, course).Want(t, 409, "23505")
		if got := s.open(t, ada, lesson); got.Access != "enroll" || got.Progress == nil {
			t.Errorf("revoked: %+v", got)
		}
		if rows := resttest.Call(t, s.data, ada, "GET", "/lesson_progress", "").Want(t, 200, "").Rows(t); len(rows) != 1 {
			t.Error("their own progress is hidden from them")
		}
		change(admin, `{"revoked_at":null}`).Want(t, 200, "")
		if n := s.count(t, "select count(*) from enrollments where revoked_for is not null"); n != 0 {
			t.Error("a reason for nothing")
		}
		if s.open(t, ada, lesson).Access != "open" {
			t.Error("what was given back is shut")
		}
	})
}

func TestAdminsGiveCourses(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, admin, course := s.person(t, "ada"), s.admin(t), s.course(t)
		lesson := s.lesson(t, course, "text", 0)
		s.write(t, "update course_offers set open = $1, price_cents = 100", false)
		give := func(as who.Actor, course, email string) told {
			return s.call(t, as, "grant-course", fmt.Sprintf(`{"course":%q,"email":%q}`, course, email))
		}
		give(ada, course, ada.Email).want(t, 403, "")
		give(admin, course, "nobody@example.com").want(t, 404, "No account has this address.")
		s.write(t, "update users set email_proven_at = null where id = $1", ada.UserID)
		give(admin, course, ada.Email).want(t, 409, "Anyone could have signed up with this address.")
		s.write(t, "update users set email_proven_at = email_confirmed_at where id = $1", ada.UserID)
		give(admin, id.New(), ada.Email).want(t, 404, "That course does not exist.")
		give(admin, "x", ada.Email).want(t, 404, "That course does not exist.")
		var first, again struct{ Enrollment string }
		give(admin, course, " Ada@Example.COM ").read(t, &first)
		if s.open(t, ada, lesson).Access != "open" {
			t.Error("it is shut")
		}
		s.revoke(t, ada, course)
		give(admin, course, ada.Email).read(t, &again)
		if first != again || s.open(t, ada, lesson).Access != "open" {
			t.Error("it was not given back", first, again)
		}
		if n := s.count(t, "select count(*) from enrollments where source = 'grant' and revoked_at is null"); n != 1 {
			t.Error(n)
		}
		// A gift cannot be thrown away to enroll for free.
		answer := resttest.Call(t, s.data, ada, "DELETE", "/enrollments?course_id=eq."+course, "", "Prefer: return=representation").Want(t, 200, "")
		if len(answer.Rows(t)) != 0 {
			t.Error("a gift was deleted")
		}
		if n := s.count(t, "select count(*) from audit_entries where action = 'admin.enrollment.grant' and actor_id = $1", admin.UserID); n != 2 {
			t.Errorf("%d lines in the trail", n)
		}
	})
}

// Who is given a course waits for it no more; nobody else's wait ends.
func TestAGiftEndsTheWait(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, bob, admin, course := s.person(t, "ada"), s.person(t, "bob"), s.admin(t), s.course(t)
		for _, as := range []who.Actor{ada, bob} {
			resttest.Call(t, s.data, as, "POST", "/course_waitlist", fmt.Sprintf(`{"user_id":%q,"course_title":"Course %s","email":%q}`, as.UserID, course, as.Email)).Want(t, 201, "")
		}
		s.call(t, admin, "grant-course", fmt.Sprintf(`{"course":%q,"email":%q}`, course, ada.Email)).want(t, 200, "")
		if n := s.count(t, "select count(*) from course_waitlist where email = 'ada@example.com'"); n != 0 {
			t.Error("they wait for what they have")
		}
		if n := s.count(t, "select count(*) from course_waitlist where email = 'bob@example.com'"); n != 1 {
			t.Error("somebody else's wait is over")
		}
	})
}

// What is given back bears no reason for having been taken.
func TestWhatIsGivenBackHasNoReason(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, admin, course := s.person(t, "ada"), s.admin(t), s.course(t)
		s.enroll(t, ada, course).Want(t, 201, "")
		s.write(t, "update enrollments set revoked_at = $1, revoked_for = 'refunded'", s.now())
		s.call(t, admin, "grant-course", fmt.Sprintf(`{"course":%q,"email":%q}`, course, ada.Email)).want(t, 200, "")
		if n := s.count(t, "select count(*) from enrollments where revoked_at is null and revoked_for is null and source = 'free'"); n != 1 {
			t.Error("a reason for nothing")
		}
	})
}

// A guest's account takes no courses, whatever address it bears.
func TestGuestsAreGivenNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		eve, admin, course := s.person(t, "eve"), s.admin(t), s.course(t)
		s.write(t, "update users set is_anonymous = $2 where id = $1", eve.UserID, true)
		s.call(t, admin, "grant-course", fmt.Sprintf(`{"course":%q,"email":%q}`, course, eve.Email)).want(t, 404, "No account has this address.")
	})
}
