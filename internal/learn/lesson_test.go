package learn_test

import (
	"fmt"
	"testing"
	"time"

	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest/resttest"
)

// opened is what the function lesson answers.
type opened struct {
	Lesson  struct{ ID, Title, State string }
	Access  string
	OpensAt *time.Time `json:"opens_at"`
	Body    string
	Video   *struct{ Video, HLS string }
	Files   []struct {
		ID, Name, Mimetype, URL string
		Size                    int
	}
	Progress *struct {
		Position int `json:"position_seconds"`
		Covered  string
	}
}

func (s *stage) open(t testing.TB, as who.Actor, lesson string) (got opened) {
	t.Helper()
	s.call(t, as, "lesson", fmt.Sprintf(`{"lesson":%q}`, lesson)).read(t, &got)
	if got.Access != "open" && (got.Body != "" || got.Video != nil || len(got.Files) > 0) || got.Files == nil {
		t.Errorf("%s holds %+v", got.Access, got)
	}
	return got
}

func TestALessonIsOpenToWhomItIs(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course, elsewhere := s.course(t), s.course(t)
		lesson := s.lesson(t, course, "video", 100)
		film := s.film(t, lesson)
		object := id.New()
		s.write(t, `insert into storage_objects (id, bucket_id, name, version, size, hash, mimetype, sniffed, cache_control, created_at, updated_at)
			values ($1, 'lessons', 'a b.pdf', $2, 7, 'h', 'application/pdf', 'application/pdf', '', $3, $3)`, object, id.New(), s.now())
		s.write(t, "insert into lesson_files (id, lesson_id, object_id, name, position, created_at) values ($1, $2, $3, 'The sheet', 0, $4)", id.New(), lesson, object, s.now())
		people := map[string]who.Actor{
			"stranger": resttest.Stranger, "nobody's": s.person(t, "eve"), "elsewhere": s.person(t, "bob"), "enrolled": s.person(t, "ada"),
			"revoked": s.person(t, "rev"), "teacher": s.person(t, "tea"), "other teacher": s.person(t, "oth"), "admin": s.admin(t), "service": {Role: who.Service},
		}
		for _, name := range []string{"enrolled", "revoked", "guest"} {
			if name != "guest" {
				s.enroll(t, people[name], course).Want(t, 201, "")
			}
		}
		guest := people["enrolled"]
		guest.Guest = true
		people["guest"] = guest
		s.revoke(t, people["revoked"], course)
		s.enroll(t, people["elsewhere"], elsewhere).Want(t, 201, "")
		s.teach(t, people["teacher"], course)
		s.teach(t, people["other teacher"], elsewhere)
		all := func(state string, want func(name string) string) {
			t.Helper()
			for name, as := range people {
				allowed, err := s.learn.Allowed(t.Context(), as, film)
				if err != nil {
					t.Fatal(err)
				}
				if want(name) == "" {
					s.call(t, as, "lesson", fmt.Sprintf(`{"lesson":%q}`, lesson)).want(t, 404, "That lesson does not exist.")
				} else if got := s.open(t, as, lesson); got.Access != want(name) {
					t.Errorf("%s, %s: %s", state, name, got.Access)
				} else if got.Access == "open" && (got.Body != "Said." || got.Video == nil || got.Video.Video != film || len(got.Files) != 1 || got.Files[0].Size != 7) {
					t.Errorf("%s, %s: %+v", state, name, got)
				}
				if allowed != (want(name) == "open") {
					t.Errorf("%s, %s: the video is allowed: %v", state, name, allowed)
				}
			}
		}
		staff := func(name string) bool { return name == "teacher" || name == "admin" || name == "service" }
		all("published", func(name string) string {
			if staff(name) || name == "enrolled" {
				return "open"
			}
			return "enroll"
		})
		s.write(t, "update lessons set preview = $1, release_at = $2", true, db1(begin.Add(time.Hour)))
		all("a preview", func(string) string { return "open" })
		s.write(t, "update lessons set preview = $1", false)
		all("to come", func(name string) string {
			switch {
			case staff(name):
				return "open"
			case name == "enrolled":
				return "locked"
			}
			return "enroll"
		})
		s.write(t, "update lessons set state = 'draft', preview = $1", true)
		all("a draft", func(name string) string {
			if staff(name) {
				return "open"
			}
			return ""
		})
		// What is being written is for those who teach; others get what is out.
		for name, want := range map[string]string{"teacher": "Written.", "admin": "Written."} {
			var got opened
			s.call(t, people[name], "lesson", fmt.Sprintf(`{"lesson":%q,"draft":true}`, lesson)).read(t, &got)
			if got.Body != want {
				t.Errorf("%s: %s", name, got.Body)
			}
		}
		s.write(t, "update lessons set state = 'published', release_at = null")
		var got opened
		s.call(t, people["enrolled"], "lesson", fmt.Sprintf(`{"lesson":%q,"draft":true}`, lesson)).read(t, &got)
		if got.Body != "Said." || got.Files[0].URL != "/signed/lessons/a b.pdf" || got.Files[0].Name != "The sheet" {
			t.Errorf("%+v", got)
		}
		s.call(t, people["admin"], "lesson", fmt.Sprintf(`{"lesson":%q}`, id.New())).want(t, 404, "")
		s.call(t, people["admin"], "lesson", `{"lesson":"x"}`).want(t, 404, "")
	})
}

func TestATrailerIsForEverybody(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		course := s.course(t)
		film := s.film(t, s.lesson(t, course, "video", 100))
		allowed := func() bool {
			is, err := s.learn.Allowed(t.Context(), resttest.Stranger, film)
			if err != nil {
				t.Fatal(err)
			}
			return is
		}
		if allowed() {
			t.Error("a lesson is open to a stranger")
		}
		s.write(t, "update course_offers set trailer_id = $1", film)
		if !allowed() {
			t.Error("a trailer is not open to a stranger")
		}
		for _, name := range []string{id.New(), "x", ""} {
			if is, err := s.learn.Allowed(t.Context(), resttest.Stranger, name); is || err != nil {
				t.Error(name, is, err)
			}
		}
	})
}

func TestLessonsOpenWhenTheyAreToOpen(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, late, course := s.person(t, "ada"), s.person(t, "late"), s.course(t)
		days, fixed, both, past, none := s.lesson(t, course, "text", 0), s.lesson(t, course, "text", 0), s.lesson(t, course, "text", 0), s.lesson(t, course, "text", 0), s.lesson(t, course, "text", 0)
		s.write(t, "update lessons set release_days = 2 where id = $1", days)
		s.write(t, "update lessons set release_at = $2 where id = $1", fixed, db1(begin.Add(36*time.Hour)))
		s.write(t, "update lessons set release_at = $2, release_days = 100 where id = $1", both, db1(begin.Add(36*time.Hour)))
		s.write(t, "update lessons set release_at = $2, release_days = 100 where id = $1", past, db1(begin.Add(-time.Hour)))
		s.write(t, "update lessons set release_days = 0 where id = $1", none)
		s.enroll(t, ada, course).Want(t, 201, "")
		s.hands.Advance(time.Hour)
		s.enroll(t, late, course).Want(t, 201, "")
		opens := func(as who.Actor, lesson string) string {
			t.Helper()
			got := s.open(t, as, lesson)
			if got.Access == "locked" {
				return got.OpensAt.UTC().Format("Jan 2 15:04")
			}
			if got.OpensAt != nil {
				t.Errorf("open, and opens %v", got.OpensAt)
			}
			return got.Access
		}
		want := func(as who.Actor, when ...string) {
			t.Helper()
			for i, lesson := range []string{days, fixed, both, past, none} {
				if got := opens(as, lesson); got != when[i] {
					t.Errorf("lesson %d at %v: %s, not %s", i, s.hands.Now(), got, when[i])
				}
			}
		}
		want(ada, "Nov 18 13:30", "Nov 18 01:30", "Nov 18 01:30", "open", "open")
		want(late, "Nov 18 14:30", "Nov 18 01:30", "Nov 18 01:30", "open", "open")
		s.hands.Advance(47*time.Hour - time.Microsecond)
		want(ada, "Nov 18 13:30", "open", "open", "open", "open")
		s.hands.Advance(time.Microsecond)
		want(ada, "open", "open", "open", "open", "open")
		want(late, "Nov 18 14:30", "open", "open", "open", "open")
		s.write(t, "update enrollments set opened_all = $2 where user_id = $1", late.UserID, true)
		want(late, "open", "open", "open", "open", "open")
	})
}

func TestTheFirstLookIsTheBeginning(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, course := s.person(t, "ada"), s.course(t)
		lesson, locked := s.lesson(t, course, "text", 0), s.lesson(t, course, "text", 0)
		s.write(t, "update lessons set release_days = 2 where id = $1", locked)
		s.enroll(t, ada, course).Want(t, 201, "")
		started := func() int {
			return s.count(t, "select count(*) from enrollments where started_at = $1", db1(begin.Add(time.Minute)))
		}
		s.open(t, ada, locked)
		s.hands.Advance(time.Minute)
		if s.open(t, ada, lesson); started() != 1 {
			t.Error("nobody noted the beginning, or too early")
		}
		s.hands.Advance(time.Minute)
		if s.open(t, ada, lesson); started() != 1 {
			t.Error("it began again")
		}
		s.save(t, ada, lesson, `,"position_seconds":3`)
		if got := s.open(t, ada, lesson); got.Progress == nil || got.Progress.Position != 3 {
			t.Errorf("%+v", got.Progress)
		}
	})
}

// Nobody is shown how far somebody else is, nor how they like to watch.
func TestALessonShowsOnesOwnProgress(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, bob, course := s.person(t, "ada"), s.person(t, "bob"), s.course(t)
		lesson := s.lesson(t, course, "video", 100)
		s.write(t, "update lessons set preview = $1", true)
		s.enroll(t, ada, course).Want(t, 201, "")
		s.enroll(t, bob, course).Want(t, 201, "")
		s.save(t, bob, lesson, `,"position_seconds":42,"covered":"AQ==","speed":150`)
		for _, as := range []who.Actor{ada, resttest.Stranger, s.person(t, "eve")} {
			s.call(t, as, "lesson", fmt.Sprintf(`{"lesson":%q}`, lesson)).want(t, 200, `"progress":null,"settings":null`)
		}
		s.save(t, ada, lesson, `,"position_seconds":7`)
		if a, b := s.open(t, ada, lesson).Progress, s.open(t, bob, lesson).Progress; a == nil || b == nil || a.Position != 7 || b.Position != 42 {
			t.Errorf("%+v %+v", a, b)
		}
	})
}
