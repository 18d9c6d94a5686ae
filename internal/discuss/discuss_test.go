package discuss_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/discuss"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest/resttest"
)

func TestNobodyButItsAuthorReadsANote(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		note := s.note(t, s.ada, "  Mind the eyeline.  ")
		boss := resttest.Admin(s.none.UserID, s.none.Email)
		for _, other := range []who.Actor{s.bob, s.tea, boss, resttest.Stranger} {
			if got := s.rows(t, other, "lesson_notes"); len(got) != 0 {
				t.Errorf("%s reads %v", other.Email, got)
			}
			resttest.Call(t, s.data, other, "DELETE", "/lesson_notes?id=eq."+note, "")
		}
		s.hands.Advance(time.Minute)
		resttest.Call(t, s.data, s.ada, "PATCH", "/lesson_notes?id=eq."+note, `{"text":"Mind the light."}`).Want(t, 204, "")
		got := s.rows(t, s.ada, "lesson_notes")
		if len(got) != 1 || got[0]["text"] != "Mind the light." || got[0]["at_seconds"] != 7.0 || got[0]["updated_at"] == got[0]["created_at"] {
			t.Errorf("%v", got)
		}
		resttest.Call(t, s.data, s.ada, "PATCH", "/lesson_notes?id=eq."+note, `{"text":" "}`).Want(t, 400, "23514")
		for status, body := range map[int]string{
			403: fmt.Sprintf(`{"course_id":%q,"lesson_id":%q,"text":"x"}`, s.lesson, s.lesson),
			404: fmt.Sprintf(`{"course_id":%q,"lesson_id":%q,"text":"x"}`, s.course, s.course),
			400: fmt.Sprintf(`{"course_id":%q,"lesson_id":%q,"text":%q}`, s.course, s.lesson, strings.Repeat("é", 5001)),
		} {
			resttest.Call(t, s.data, s.ada, "POST", "/lesson_notes", body).Want(t, status, "")
		}
		s.write(t, "update enrollments set revoked_at = $2 where user_id = $1", s.ada.UserID, s.now())
		resttest.Call(t, s.data, s.ada, "PATCH", "/lesson_notes?id=eq."+note, `{"text":"Later"}`)
		if got := s.rows(t, s.ada, "lesson_notes"); len(got) != 1 || got[0]["text"] != "Mind the light." {
			t.Errorf("after revocation: %v", got)
		}
	})
}

func TestTwentyNotesAMinuteAndThirtyPostsAnHour(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		for i := range 20 {
			s.note(t, s.ada, fmt.Sprint(i))
		}
		one := fmt.Sprintf(`{"course_id":%q,"lesson_id":%q,"text":"x","title":"x"}`, s.course, s.lesson)
		resttest.Call(t, s.data, s.ada, "POST", "/lesson_notes", strings.Replace(one, `,"title":"x"`, "", 1)).Want(t, 429, "")
		// Notes that are there change twenty at a time, and sixty times a minute.
		every := "/lesson_notes?course_id=eq." + s.course
		for range 3 {
			resttest.Call(t, s.data, s.ada, "PATCH", every, `{"text":"Other words."}`).Want(t, 204, "")
		}
		resttest.Call(t, s.data, s.ada, "PATCH", every, `{"text":"Still others."}`).Want(t, 429, "")
		if n := s.count(t, "select count(*) from lesson_notes where text = 'Other words.'"); n != 20 {
			t.Errorf("%d notes say what was last agreed to", n)
		}
		s.hands.Advance(time.Minute)
		s.note(t, s.ada, "One more.")
		resttest.Call(t, s.data, s.ada, "PATCH", every, `{"text":"Too many."}`).Want(t, 413, "54001")
		question := ""
		for range 15 {
			question = s.ask(t, s.ada, "Why?")
			s.answer(t, s.ada, question, "So.")
		}
		other := s.other(t)
		resttest.Call(t, other.data, s.ada, "POST", "/lesson_questions", one).Want(t, 429, "")
		resttest.Call(t, other.data, s.ada, "POST", "/lesson_answers", fmt.Sprintf(`{"course_id":%q,"question_id":%q,"text":"x"}`, s.course, question)).Want(t, 429, "")
		s.ask(t, s.bob, "Bob may.")
		s.hands.Advance(time.Hour)
		s.ask(t, s.ada, "Again?")
	})
}

func TestAtALessonThatIsNotOpenNothingIsWritten(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		s.write(t, "update lessons set release_at = $2 where id = $1", s.lesson, db.At(s.hands.Now().Add(time.Hour)))
		at := func(as who.Actor, want int) {
			t.Helper()
			place := fmt.Sprintf(`{"course_id":%q,"lesson_id":%q,`, s.course, s.lesson)
			resttest.Call(t, s.data, as, "POST", "/lesson_questions", place+`"title":"What is in it?"}`).Want(t, want, "")
			if as.UserID != s.tea.UserID {
				resttest.Call(t, s.data, as, "POST", "/lesson_notes", place+`"text":"Soon."}`).Want(t, want, "")
			}
		}
		at(s.ada, 403)
		at(s.tea, 201)
		s.hands.Advance(time.Hour)
		at(s.ada, 201)
		resttest.Call(t, s.data, s.ada, "POST", "/lesson_questions", fmt.Sprintf(`{"course_id":%q,"lesson_id":%q,"title":"\u200d \u200c"}`, s.course, s.lesson)).Want(t, 400, "23514")
	})
}

func TestAQuestionIsAnsweredByATeacherOrAnAcceptedAnswer(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		question := s.ask(t, s.ada, " Which \n lens? ")
		row := func(as who.Actor) map[string]any {
			t.Helper()
			return s.rows(t, as, "lesson_questions?id=eq."+question)[0]
		}
		if got := row(s.bob); got["title"] != "Which lens?" || got["author_name"] != "Ada" || got["mine"] != false || got["user_id"] != nil || got["answered"] != false {
			t.Errorf("%v", got)
		}
		first := s.answer(t, s.bob, question, "The long one.")
		if got := row(s.ada); got["answers"] != 1.0 || got["answered"] != false || got["mine"] != true {
			t.Errorf("after a learner's: %v", got)
		}
		s.call(t, s.ada, "accept-answer", fmt.Sprintf(`{"answer":%q}`, first), 403, "teachers of the course")
		s.call(t, s.tea, "accept-answer", fmt.Sprintf(`{"answer":%q}`, first), 200, "")
		if got := row(s.ada); got["answered"] != true {
			t.Errorf("accepted: %v", got)
		}
		second := s.answer(t, s.tea, question, "Both.")
		s.call(t, s.tea, "accept-answer", fmt.Sprintf(`{"answer":%q}`, second), 200, "")
		if got := s.rows(t, s.ada, "lesson_answers?accepted=is.true"); len(got) != 1 || got[0]["author_name"] != "Prof. Tea" || got[0]["by_teacher"] != true {
			t.Errorf("%v", got)
		}
		resttest.Call(t, s.data, s.tea, "DELETE", "/lesson_answers?id=eq."+second, "").Want(t, 204, "")
		if got := row(s.ada); got["answers"] != 1.0 || got["answered"] != false {
			t.Errorf("without the teacher's: %v", got)
		}
		s.call(t, s.tea, "pin-question", fmt.Sprintf(`{"question":%q,"pinned":true}`, question), 200, "")
		if got := row(s.ada); got["pinned"] != true {
			t.Errorf("%v", got)
		}
		s.call(t, s.bob, "pin-question", fmt.Sprintf(`{"question":%q,"pinned":false}`, question), 403, "")
	})
}

func TestWordsCanBeChangedForAQuarterOfAnHour(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		question := s.ask(t, s.ada, "Which lens?")
		answer := s.answer(t, s.bob, question, "The long one.")
		change := func(as who.Actor, path, body string, status int) {
			t.Helper()
			resttest.Call(t, s.data, as, "PATCH", path, body).Want(t, status, "")
		}
		change(s.ada, "/lesson_questions?id=eq."+question, `{"title":"Which  light?"}`, 204)
		change(s.bob, "/lesson_questions?id=eq."+question, `{"title":"Mine now"}`, 204) // nothing to see, nothing changed
		change(s.bob, "/lesson_answers?id=eq."+answer, `{"text":"The soft one."}`, 204)
		change(s.bob, "/lesson_answers?id=eq."+answer, `{"text":"\n"}`, 400)
		s.hands.Advance(15*time.Minute + time.Second)
		change(s.ada, "/lesson_questions?id=eq."+question, `{"title":"Late"}`, 403)
		change(s.bob, "/lesson_answers?id=eq."+answer, `{"text":"Late"}`, 403)
		if n := s.count(t, "select count(*) from lesson_questions q join lesson_answers a on a.question_id = q.id where q.title = 'Which light?' and a.text = 'The soft one.'"); n != 1 {
			t.Error("the words are others")
		}
		resttest.Call(t, s.data, s.ada, "DELETE", "/lesson_questions?id=eq."+question, "").Want(t, 409, "PT409")
		resttest.Call(t, s.data, s.bob, "DELETE", "/lesson_answers?id=eq."+answer, "").Want(t, 204, "")
		resttest.Call(t, s.data, s.ada, "DELETE", "/lesson_questions?id=eq."+question, "").Want(t, 204, "")
		if n := s.count(t, "select count(*) from lesson_questions"); n != 0 {
			t.Errorf("%d questions", n)
		}
	})
}

func TestWhatIsHiddenItsAuthorReadsWithTheReason(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		question := s.ask(t, s.ada, "Which lens?")
		answer := s.answer(t, s.bob, question, "Buy mine.")
		s.call(t, s.tea, "hide-post", fmt.Sprintf(`{"kind":"answer","id":%q}`, answer), 400, "Say why")
		s.call(t, s.bob, "hide-post", fmt.Sprintf(`{"kind":"question","id":%q,"reason":"x"}`, question), 403, "")
		s.call(t, s.tea, "hide-post", fmt.Sprintf(`{"kind":"note","id":%q,"reason":"x"}`, question), 404, "")
		s.call(t, s.tea, "hide-post", fmt.Sprintf(`{"kind":"answer","id":%q,"reason":"No ads, please."}`, answer), 200, "")
		if got := s.rows(t, s.ada, "lesson_answers"); len(got) != 0 {
			t.Errorf("others read %v", got)
		}
		if got := s.rows(t, s.bob, "lesson_answers"); len(got) != 1 || got[0]["hidden_for"] != "No ads, please." {
			t.Errorf("its author reads %v", got)
		}
		if got := s.rows(t, s.ada, "lesson_questions"); got[0]["answers"] != 0.0 {
			t.Errorf("it counts: %v", got)
		}
		s.call(t, s.tea, "hide-post", fmt.Sprintf(`{"kind":"answer","id":%q,"hidden":false}`, answer), 200, "")
		if got := s.rows(t, s.ada, "lesson_answers"); len(got) != 1 || got[0]["hidden_for"] != nil {
			t.Errorf("shown again: %v", got)
		}
		s.call(t, s.tea, "hide-post", fmt.Sprintf(`{"kind":"question","id":%q,"reason":"Off topic."}`, question), 200, "")
		if q, a := s.rows(t, s.bob, "lesson_questions?select=id"), s.rows(t, s.ada, "lesson_answers"); len(q) != 0 || len(a) != 0 {
			t.Errorf("a hidden question: %v %v", q, a)
		}
		resttest.Call(t, s.data, s.bob, "POST", "/lesson_answers", fmt.Sprintf(`{"course_id":%q,"question_id":%q,"text":"x"}`, s.course, question)).Want(t, 403, "42501")
		if n := s.count(t, "select count(*) from audit_entries where action in ('post.hide', 'post.show') and actor_id = $1", s.tea.UserID); n != 3 {
			t.Errorf("%d lines in the trail", n)
		}
	})
}

func TestWhatAnAdminHidOnlyAdminsShowAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		admin := s.person(t, "Root")
		admin.Admin = true
		question := s.ask(t, s.ada, "Which lens?")
		answer := s.answer(t, s.bob, question, "Buy mine.")
		for kind, post := range map[string]string{"question": question, "answer": answer} {
			hide := func(as who.Actor, more string, status int, part string) {
				t.Helper()
				s.call(t, as, "hide-post", fmt.Sprintf(`{"kind":%q,"id":%q%s}`, kind, post, more), status, part)
			}
			byAdmin := func() any {
				return s.rows(t, s.tea, "lesson_"+kind+"s?select=hidden_by_admin&id=eq."+post)[0]["hidden_by_admin"]
			}
			hide(admin, `,"reason":"No ads."`, 200, "")
			hide(s.tea, `,"hidden":false`, 403, "An admin hid this.")
			hide(s.tea, `,"reason":"Mine."`, 403, "An admin hid this.")
			if byAdmin() != true {
				t.Errorf("the %s is not hidden by an admin", kind)
			}
			hide(admin, `,"hidden":false`, 200, "")
			hide(s.tea, `,"reason":"Mine."`, 200, "")
			if byAdmin() != false {
				t.Errorf("the %s is not hidden by its teacher", kind)
			}
			hide(s.tea, `,"hidden":false`, 200, "")
			subject := "The Self-Tape Lab (" + kind + " " + post + ")"
			if n := s.count(t, `select count(*) from audit_entries where actor_id = $1 and (action = 'admin.post.hide' and subject = $2 or action = 'admin.post.show' and subject = $3)`,
				admin.UserID, subject+": No ads.", subject); n != 2 {
				t.Errorf("%d lines among the admins' acts", n)
			}
		}
	})
}

func TestWhatIsKeptIsReportedNoMore(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		question := s.ask(t, s.ada, "Which lens?")
		answer := s.answer(t, s.ada, question, "Any.")
		s.call(t, s.bob, "report-post", fmt.Sprintf(`{"kind":"question","id":%q,"reason":"Rude."}`, question), 200, "")
		s.call(t, s.bob, "report-post", fmt.Sprintf(`{"kind":"answer","id":%q,"reason":"Wrong."}`, answer), 200, "")
		s.call(t, s.tea, "hide-post", fmt.Sprintf(`{"kind":"question","id":%q,"hidden":false}`, question), 200, "")
		if got := s.list(t, s.tea, ""); got.Reported != 1 || len(got.Questions[0].Flags) != 1 || got.Questions[0].Flags[0].Kind != "answer" {
			t.Errorf("%+v", got)
		}
		s.call(t, s.tea, "hide-post", fmt.Sprintf(`{"kind":"answer","id":%q,"hidden":false}`, answer), 200, "")
		if got := s.list(t, s.tea, ""); got.Reported != 0 || len(got.Questions[0].Flags) != 0 {
			t.Errorf("%+v", got)
		}
	})
}

func TestReportsAreFiveAnHourAndTeachersSeeThem(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		var all []string
		for range 6 {
			all = append(all, s.ask(t, s.bob, "Buy now"))
		}
		report := func(as who.Actor, question string, status int) {
			t.Helper()
			s.call(t, as, "report-post", fmt.Sprintf(`{"kind":"question","id":%q,"reason":"An ad."}`, question), status, "")
		}
		for _, question := range all[:5] {
			report(s.ada, question, 200)
			report(s.ada, question, 200) // the same
		}
		report(s.ada, all[5], 429)
		report(s.none, all[5], 404)
		if got := s.list(t, s.tea, `,"only":"reported"`); len(got.Questions) != 5 || got.Reported != 5 || got.Questions[0].Reports != 1 || got.Unanswered != 6 || len(got.Questions[0].Flags) != 1 ||
			got.Questions[0].Flags[0].Reason != "An ad." {
			t.Errorf("%+v", got)
		}
		s.call(t, s.tea, "hide-post", fmt.Sprintf(`{"kind":"question","id":%q,"reason":"An ad."}`, all[0]), 200, "")
		// What is hidden waits for nobody, and stands after what does.
		if got := s.list(t, s.tea, ""); got.Reported != 4 || got.Unanswered != 5 || len(got.Questions) != 6 || got.Questions[5].ID != all[0] {
			t.Errorf("%+v", got)
		}
	})
}

func TestTeachersSeeTheUnansweredFirst(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		for i := range 70 {
			s.write(t, `insert into lesson_questions (id, user_id, author_name, course_id, lesson_id, title, answered, told_at, created_at)
				values ($1, $2, 'Ada', $3, $4, $5, $6, $7, $7)`, fmt.Sprintf("00000000-0000-4000-8000-%012d", i), s.ada.UserID, s.course, s.lesson, fmt.Sprint(i), i%2 == 0,
				db.At(begin.Add(time.Duration(i/3)*time.Minute)))
		}
		var titles []string
		more := ""
		for range 4 {
			got := s.list(t, s.tea, more)
			for _, one := range got.Questions {
				titles = append(titles, one.Title)
			}
			if more = fmt.Sprintf(`,"cursor":%q`, got.Next); got.Next == "" {
				break
			}
		}
		var want []string
		for i := 69; i > 0; i -= 2 {
			want = append(want, fmt.Sprint(i))
		}
		for i := 68; i >= 0; i -= 2 {
			want = append(want, fmt.Sprint(i))
		}
		if strings.Join(titles, " ") != strings.Join(want, " ") {
			t.Errorf("%v", titles)
		}
		s.call(t, s.ada, "questions", fmt.Sprintf(`{"course":%q}`, s.course), 403, "")
		s.call(t, s.tea, "questions", fmt.Sprintf(`{"course":%q,"cursor":"x"}`, s.course), 400, "")
	})
}

func TestAnswersAtOnceAreAllCounted(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		question, other := s.ask(t, s.ada, "Which lens?"), s.other(t)
		var all sync.WaitGroup
		for i := range 24 {
			at, as := []*stage{s, other}[i%2], s.person(t, fmt.Sprint("p", i)) // one person's wait for each other at their limit
			s.take(t, as)
			all.Go(func() {
				body := fmt.Sprintf(`{"course_id":%q,"question_id":%q,"text":"x"}`, s.course, question)
				if got := resttest.Call(t, at.data, as, "POST", "/lesson_answers", body); got.Status != http.StatusCreated {
					t.Errorf("%d %s", got.Status, got.Body)
				}
			})
		}
		all.Wait()
		if n := s.count(t, "select answers from lesson_questions where id = $1", question); n != 24 {
			t.Errorf("%d are counted", n)
		}
	})
}

func TestWhoLeavesTakesTheirWordsAlongOrTheirName(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		alone, shared := s.ask(t, s.ada, "Ada alone"), s.ask(t, s.ada, "Ada shared")
		others := s.ask(t, s.bob, "Bob asks")
		s.answer(t, s.tea, shared, "Yes.")
		s.answer(t, s.ada, others, "Ada answers")
		s.answer(t, s.tea, others, "Tea answers")
		forget := func(fn func(ctx context.Context, tx *db.Tx) error) {
			t.Helper()
			if err := s.d.Write(context.Background(), fn); err != nil {
				t.Fatal(err)
			}
		}
		forget(func(ctx context.Context, tx *db.Tx) error { return discuss.Keep(ctx, tx, s.tea.UserID) })
		forget(func(ctx context.Context, tx *db.Tx) error { return discuss.Forget(ctx, tx, s.ada.UserID, "") })
		s.write(t, "delete from users where id = $1 or id = $2", s.ada.UserID, s.tea.UserID)
		if n := s.count(t, "select count(*) from lesson_questions where id = $1", alone); n != 0 {
			t.Error("a question without answers stayed")
		}
		got := s.rows(t, s.bob, "lesson_questions?order=created_at,id")
		if len(got) != 2 || got[0]["title"] != "A deleted question" || got[0]["author_name"] != "A former learner" || got[1]["answers"] != 1.0 || got[1]["answered"] != true {
			t.Errorf("%v", got)
		}
		for _, one := range s.rows(t, s.bob, "lesson_answers") {
			if one["author_name"] != "A former learner" || strings.Contains(one["text"].(string), "Ada") {
				t.Errorf("%v", one)
			}
		}
	})
}
