package learn_test

import (
	"encoding/csv"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest/resttest"
)

// db1 is a moment as a parameter.
func db1(at time.Time) db.Time { return db.At(at) }

func TestMyLearningKnowsWhereToGoOn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, eve := s.person(t, "ada"), s.person(t, "eve")
		type mine struct {
			Courses []struct {
				Course  string `json:"course_id"`
				Title   string
				Done    int
				Of      int
				Revoked bool
				Last    *time.Time `json:"last_at"`
				Next    *string    `json:"next_lesson"`
				Title2  string     `json:"next_title"`
			}
		}
		list := func(as who.Actor) (got mine) {
			t.Helper()
			s.call(t, as, "my-learning", "{}").read(t, &got)
			return got
		}
		if got := list(ada); got.Courses == nil || len(got.Courses) != 0 {
			t.Errorf("%+v", got)
		}
		one, two := s.course(t), s.course(t)
		var lessons []string
		for range 4 {
			lessons = append(lessons, s.lesson(t, one, "text", 0))
		}
		s.lesson(t, two, "text", 0)
		draft := s.lesson(t, one, "text", 0)
		s.write(t, "update lessons set state = 'draft' where id = $1", draft)
		s.enroll(t, ada, one).Want(t, 201, "")
		s.hands.Advance(time.Minute)
		s.enroll(t, ada, two).Want(t, 201, "")
		if got := list(ada).Courses; len(got) != 2 || got[0].Course != two || got[1].Of != 4 || *got[1].Next != lessons[0] || got[1].Last != nil {
			t.Fatalf("%+v", got)
		}
		next := func(want string, done int) {
			t.Helper()
			s.hands.Advance(time.Minute)
			got := list(ada).Courses[0]
			if got.Course != one || got.Done != done || got.Of != 4 {
				t.Errorf("%+v", got)
			}
			if (got.Next == nil) != (want == "") || got.Next != nil && (*got.Next != want || got.Title2 == "") {
				t.Errorf("the next is %v %s, not %s", got.Next, got.Title2, want)
			}
		}
		step := func(i int, more string) {
			t.Helper()
			s.hands.Advance(time.Minute)
			s.save(t, ada, lessons[i], more)
		}
		step(2, `,"position_seconds":1`)
		next(lessons[2], 0) // the one that was watched last
		step(2, `,"complete":true`)
		next(lessons[3], 1) // the one after it
		step(3, `,"complete":true`)
		next(lessons[0], 2) // and then from the beginning
		step(1, `,"complete":true`)
		next(lessons[0], 3)
		step(0, `,"complete":true`)
		next("", 4)
		step(1, `,"complete":false`)
		next(lessons[1], 3)
		s.revoke(t, ada, one)
		if got := list(ada).Courses[0]; !got.Revoked || got.Next != nil || got.Done != 3 {
			t.Errorf("revoked: %+v", got)
		}
		if got := list(eve); len(got.Courses) != 0 {
			t.Errorf("somebody else's: %+v", got)
		}
		guest := ada
		guest.Guest = true
		if got := list(guest); len(got.Courses) != 0 {
			t.Errorf("a guest's: %+v", got)
		}
		s.call(t, who.Actor{Role: who.Anonymous}, "my-learning", "{}").want(t, 401, "")
	})
}

func TestMyLearningSaysWhatIsWithdrawnAndWhatOpensLater(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, course := s.person(t, "ada"), s.course(t)
		first, second := s.lesson(t, course, "text", 0), s.lesson(t, course, "text", 0)
		s.write(t, "update lessons set release_days = 3 where id = $1", second)
		s.enroll(t, ada, course).Want(t, 201, "")
		enrolled := s.hands.Now()
		s.hands.Advance(time.Minute)
		type taken struct {
			Certificate *string
			Withdrawn   *string    `json:"withdrawn_certificate"`
			Next        string     `json:"next_lesson"`
			Opens       *time.Time `json:"next_opens_at"`
		}
		mine := func() taken {
			t.Helper()
			var answer struct{ Courses []taken }
			s.call(t, ada, "my-learning", "{}").read(t, &answer)
			return answer.Courses[0]
		}
		if got := mine(); got.Next != first || got.Opens != nil || got.Certificate != nil || got.Withdrawn != nil {
			t.Errorf("%+v", got)
		}
		s.save(t, ada, first, `,"complete":true`)
		if got := mine(); got.Next != second || got.Opens == nil || !got.Opens.Equal(enrolled.Add(72*time.Hour)) {
			t.Errorf("what opens in three days does not say so: %+v", got)
		}
		s.write(t, "update enrollments set opened_all = true where course_id = $1", course)
		if got := mine(); got.Next != second || got.Opens != nil {
			t.Errorf("what is open to them opens later: %+v", got)
		}
		s.certify(t, ada, course, "AAAA-BBBB-CCCC")
		if got := mine(); got.Certificate == nil || got.Withdrawn != nil {
			t.Errorf("%+v", got)
		}
		s.write(t, "update certificates set revoked_at = $2 where course_id = $1", course, s.now())
		if got := mine(); got.Certificate != nil || got.Withdrawn == nil || *got.Withdrawn != "AAAA-BBBB-CCCC" {
			t.Errorf("a withdrawn certificate is silent: %+v", got)
		}
	})
}

func TestTeachersSeeTheirLearners(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		admin, teacher, stranger, course, other := s.admin(t), s.person(t, "tea"), s.person(t, "oth"), s.course(t), s.course(t)
		s.teach(t, teacher, course)
		s.teach(t, stranger, other)
		var lessons []string
		for range 3 {
			lessons = append(lessons, s.lesson(t, course, "text", 0))
		}
		var people []who.Actor
		for i, name := range []string{"=ada", `b"ob`, "cy", "dee", ""} {
			one := s.person(t, fmt.Sprintf("p%d", i))
			s.write(t, "update users set user_metadata = $2 where id = $1", one.UserID, fmt.Sprintf(`{"name":%q}`, name))
			s.enroll(t, one, course).Want(t, 201, "")
			people = append(people, one)
			if i != 2 { // two at the same moment
				s.hands.Advance(time.Minute)
			}
		}
		s.save(t, people[0], lessons[0], `,"complete":true`)
		s.save(t, people[0], lessons[2], `,"position_seconds":1`)
		s.save(t, people[1], lessons[0], `,"position_seconds":1`)
		s.save(t, people[2], lessons[1], `,"complete":true`)
		s.save(t, people[3], lessons[2], `,"complete":true`)
		s.revoke(t, people[3], course)

		s.certify(t, people[1], course, "AAAA-BBBB-CCCC")
		ask := fmt.Sprintf(`{"course":%q}`, course)
		for _, name := range []string{"learners", "funnel"} {
			for _, as := range []who.Actor{stranger, people[0]} {
				s.call(t, as, name, ask).want(t, 403, "This is for the teachers of the course.")
			}
			s.call(t, who.Actor{Role: who.Anonymous}, name, ask).want(t, 401, "")
			s.call(t, teacher, name, `{"course":"x"}`).want(t, 404, "")
			s.call(t, teacher, name, fmt.Sprintf(`{"course":%q}`, id.New())).want(t, 403, "")
		}
		s.send(t, stranger, "GET", "export-learners?course="+course, "").want(t, 403, "")

		type page struct {
			Learners []struct {
				Enrollment, Name string
				Email            *string
				Certificate      *string
				Done, Of         int
				Revoked          *time.Time `json:"revoked_at"`
			}
			Next string
		}
		var names []string
		seen := map[string]bool{}
		for cursor := ""; ; {
			var got page
			s.call(t, teacher, "learners", fmt.Sprintf(`{"course":%q,"limit":2,"cursor":%q}`, course, cursor)).read(t, &got)
			for _, one := range got.Learners {
				names = append(names, one.Name)
				if one.Email != nil || one.Of != 3 || seen[one.Enrollment] || (one.Certificate != nil) != (one.Name == `b"ob`) {
					t.Errorf("%+v", one)
				}
				seen[one.Enrollment] = true
			}
			if cursor = got.Next; cursor == "" {
				break
			}
		}
		if len(names) != 5 || names[0] != "A learner" || names[4] != "=ada" {
			t.Errorf("%q", names)
		}
		s.call(t, teacher, "learners", fmt.Sprintf(`{"course":%q,"cursor":"x"}`, course)).want(t, 400, "")
		var all page
		s.call(t, admin, "learners", ask).read(t, &all)
		if len(all.Learners) != 5 || all.Learners[4].Email == nil || *all.Learners[4].Email != people[0].Email || all.Learners[4].Done != 1 {
			t.Errorf("%+v", all)
		}
		if got := all.Learners[3].Certificate; got == nil || *got != "AAAA-BBBB-CCCC" {
			t.Errorf("an admin finds no way to a certificate: %+v", all.Learners[3])
		}

		var funnel struct {
			Learners int
			Lessons  []struct {
				ID                 string
				Reached, Completed int
			}
		}
		s.call(t, teacher, "funnel", ask).read(t, &funnel)
		if got := fmt.Sprint(funnel); got != fmt.Sprintf("{4 [{%s 3 1} {%s 2 1} {%s 1 0}]}", lessons[0], lessons[1], lessons[2]) {
			t.Error(got)
		}

		for _, c := range []struct {
			as     who.Actor
			header string
			last   []string
		}{
			{teacher, "name,enrolled_at,last_at,done,of,completed_at,revoked_at,opened_all,enrollment", []string{"'=ada"}},
			{admin, "name,email,enrolled_at,last_at,done,of,completed_at,revoked_at,opened_all,enrollment", []string{"'=ada", "p0@example.com"}},
		} {
			answer := s.send(t, c.as, "GET", "export-learners?course="+course, "").want(t, 200, "\ufeff"+c.header+"\r\n")
			rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(answer.body, "\ufeff"))).ReadAll()
			if err != nil || len(rows) != 6 || rows[4][0] != `b"ob` || strings.Join(rows[5][:len(c.last)], ",") != strings.Join(c.last, ",") {
				t.Errorf("%v %q", err, rows)
			}
		}
		if n := s.count(t, "select count(*) from audit_entries where action = 'admin.list.export'"); n != 1 {
			t.Errorf("%d exports of admins in the trail", n)
		}
	})
}

// Where people stop is counted once a minute, whoever asks; who may ask is not kept.
func TestTheFunnelIsKeptForAMinute(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		admin, teacher, bob, ada, course := s.admin(t), s.person(t, "tea"), s.person(t, "bob"), s.person(t, "ada"), s.course(t)
		s.teach(t, teacher, course)
		s.lesson(t, course, "text", 0)
		ask := fmt.Sprintf(`{"course":%q}`, course)
		var all sync.WaitGroup
		for i := range 40 {
			all.Go(func() { s.call(t, []who.Actor{admin, teacher}[i%2], "funnel", ask).want(t, 200, `"learners":0`) })
		}
		all.Wait()
		s.enroll(t, ada, course).Want(t, 201, "")
		s.hands.Advance(59 * time.Second)
		s.call(t, admin, "funnel", ask).want(t, 200, `"learners":0`)
		s.call(t, bob, "funnel", ask).want(t, 403, "")
		s.hands.Advance(time.Second)
		s.call(t, teacher, "funnel", ask).want(t, 200, `"learners":1`)
	})
}

// Teachers see how far people are by the functions: a table of all progress could be sorted and counted at will.
func TestProgressIsReadByItsOwner(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		admin, teacher, ada, course := s.admin(t), s.person(t, "tea"), s.person(t, "ada"), s.course(t)
		s.teach(t, teacher, course)
		s.enroll(t, ada, course).Want(t, 201, "")
		s.save(t, ada, s.lesson(t, course, "text", 0), `,"complete":true`)
		for _, c := range []struct {
			as   who.Actor
			want int
		}{{ada, 1}, {admin, 1}, {teacher, 0}} {
			for _, query := range []string{"", "?order=position_seconds", "?covered=eq.", "?course_id=eq." + course} {
				rows := resttest.Call(t, s.data, c.as, "GET", "/lesson_progress"+query, "", "Prefer: count=exact").Want(t, 200, "").Rows(t)
				if len(rows) != c.want {
					t.Errorf("%s%s: %d rows", c.as.Email, query, len(rows))
				}
			}
		}
	})
}

// What is asked again and again finds its rows by an index.
func TestHotQuestionsSearch(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, course := s.person(t, "ada"), s.course(t)
		lesson := s.lesson(t, course, "video", 100)
		s.film(t, lesson)
		s.enroll(t, ada, course).Want(t, 201, "")
		s.learn.Searches(t, lesson, ada.UserID)
	})
}

// A lesson that was taken back is no place that anybody reached.
func TestTheFunnelForgetsWhatWasTakenBack(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, teacher, course := s.person(t, "ada"), s.person(t, "tea"), s.course(t)
		s.teach(t, teacher, course)
		first, second, last := s.lesson(t, course, "text", 0), s.lesson(t, course, "text", 0), s.lesson(t, course, "text", 0)
		s.enroll(t, ada, course).Want(t, 201, "")
		s.save(t, ada, first, `,"complete":true`)
		s.save(t, ada, last, `,"position_seconds":1`)
		s.write(t, "update lessons set state = 'draft' where id = $1", last)
		var funnel struct {
			Learners int
			Lessons  []struct {
				ID                 string
				Reached, Completed int
			}
		}
		s.call(t, teacher, "funnel", fmt.Sprintf(`{"course":%q}`, course)).read(t, &funnel)
		if got := fmt.Sprint(funnel); got != fmt.Sprintf("{1 [{%s 1 1} {%s 0 0}]}", first, second) {
			t.Error(got)
		}
	})
}
