package discuss_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"greenroom/internal/discuss"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest/resttest"
)

// change tries to change a post and to take it away, and tells whether it is as it was.
func (s *stage) change(t *testing.T, as who.Actor, table, key string) (same bool) {
	t.Helper()
	column := "text"
	if table == "lesson_questions" {
		column = "title"
	}
	resttest.Call(t, s.data, as, "PATCH", "/"+table+"?id=eq."+key, fmt.Sprintf(`{%q:"Other words"}`, column))
	resttest.Call(t, s.data, as, "DELETE", "/"+table+"?id=eq."+key, "")
	return s.count(t, "select count(*) from "+table+" where id = $1 and "+column+" <> 'Other words'", key) == 1
}

// body is a new question, or with one a new answer, as the data API takes them.
func (s *stage) body(course, lesson, question string) string {
	if question != "" {
		return fmt.Sprintf(`{"course_id":%q,"question_id":%q,"text":"x"}`, course, question)
	}
	return fmt.Sprintf(`{"course_id":%q,"lesson_id":%q,"title":"x"}`, course, lesson)
}

func TestWhatSomebodyWroteIsTheirsAlone(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		lone, shared := s.ask(t, s.ada, "Alone?"), s.ask(t, s.bob, "Shared?")
		posts := map[string]string{lone: "lesson_questions", s.answer(t, s.ada, shared, "So."): "lesson_answers", s.note(t, s.ada, "Mine."): "lesson_notes"}
		for key, table := range posts {
			for _, other := range []who.Actor{s.bob, s.tea, s.none} {
				if !s.change(t, other, table, key) {
					t.Errorf("%s changed one of %s", other.Email, table)
				}
			}
		}
		resttest.Call(t, s.data, s.none, "POST", "/lesson_questions", s.body(s.course, s.lesson, "")).Want(t, 403, "42501")
		resttest.Call(t, s.data, s.none, "POST", "/lesson_answers", s.body(s.course, "", shared)).Want(t, 403, "42501")
		// Who was put out of the course touches nothing of it any more.
		s.write(t, "update enrollments set revoked_at = $2 where user_id = $1", s.ada.UserID, s.now())
		for key, table := range posts {
			if !s.change(t, s.ada, table, key) {
				t.Errorf("one of %s was changed by who is out", table)
			}
		}
		resttest.Call(t, s.data, s.ada, "POST", "/lesson_questions", s.body(s.course, s.lesson, "")).Want(t, 403, "42501")
		resttest.Call(t, s.data, s.ada, "POST", "/lesson_answers", s.body(s.course, "", shared)).Want(t, 403, "42501")
	})
}

func TestAHiddenPostStaysAsItIs(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		question, other := s.ask(t, s.ada, "Which lens?"), s.ask(t, s.bob, "Which light?")
		answer := s.answer(t, s.ada, other, "Buy mine.")
		s.answer(t, s.bob, other, "Soft.")
		s.call(t, s.tea, "hide-post", fmt.Sprintf(`{"kind":"question","id":%q,"reason":"Off topic."}`, question), 200, "")
		s.call(t, s.tea, "hide-post", fmt.Sprintf(`{"kind":"answer","id":%q,"reason":"An ad."}`, answer), 200, "")
		if got := s.rows(t, s.ada, "lesson_questions?id=eq."+question); len(got) != 1 || got[0]["hidden_for"] != "Off topic." {
			t.Errorf("its author reads %v", got)
		}
		resttest.Call(t, s.data, s.ada, "PATCH", "/lesson_questions?id=eq."+question, `{"title":"Other words"}`)
		resttest.Call(t, s.data, s.ada, "PATCH", "/lesson_answers?id=eq."+answer, `{"text":"Other words"}`)
		if n := s.count(t, `select (select count(*) from lesson_questions where title = 'Other words') + (select count(*) from lesson_answers where text = 'Other words')`); n != 0 {
			t.Errorf("%d hidden posts were changed", n)
		}
		if n := s.count(t, "select count(*) from lesson_answers where hidden_at is null"); n != 1 {
			t.Errorf("%d of 1 answers are shown", n)
		}
	})
}

func TestATeacherOfAnotherCourseIsNobodyHere(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		far, there := s.teach(t, s.none)
		s.write(t, "insert into enrollments (id, user_id, course_id, created_at) values ($1, $2, $3, $4)", id.New(), s.ada.UserID, far, s.now())
		question := s.ask(t, s.ada, "Which lens?")
		answer := s.answer(t, s.bob, question, "Long.")
		for name, body := range map[string]string{
			"accept-answer": fmt.Sprintf(`{"answer":%q}`, answer), "pin-question": fmt.Sprintf(`{"question":%q,"pinned":true}`, question),
			"hide-post": fmt.Sprintf(`{"kind":"answer","id":%q,"reason":"x"}`, answer), "questions": fmt.Sprintf(`{"course":%q}`, s.course),
		} {
			s.call(t, s.none, name, body, 403, "teachers of the course")
		}
		// Who takes both carries nothing from one into the other.
		resttest.Call(t, s.data, s.ada, "POST", "/lesson_answers", s.body(far, "", question)).Want(t, 404, "")
		resttest.Call(t, s.data, s.ada, "POST", "/lesson_questions", s.body(s.course, there, "")).Want(t, 404, "")
		resttest.Call(t, s.data, s.ada, "POST", "/lesson_questions", s.body(far, there, "")).Want(t, 201, "")
		if got := s.list(t, s.tea, ""); len(got.Questions) != 1 || got.Unanswered != 1 {
			t.Errorf("%+v", got)
		}
		s.write(t, "update lessons set state = 'draft' where id = $1", s.lesson)
		resttest.Call(t, s.data, s.ada, "POST", "/lesson_questions", s.body(s.course, s.lesson, "")).Want(t, 404, "")
		resttest.Call(t, s.data, s.tea, "POST", "/lesson_questions", s.body(s.course, s.lesson, "")).Want(t, 201, "")
	})
}

func TestOneAnswerOfEachQuestionIsAccepted(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		first, second := s.ask(t, s.ada, "Which lens?"), s.ask(t, s.ada, "Which light?")
		of := map[string]string{first: s.answer(t, s.bob, first, "Long."), second: s.answer(t, s.bob, second, "Soft.")}
		answered := func(question string) bool {
			t.Helper()
			return s.count(t, "select count(*) from lesson_questions where id = $1 and answered", question) == 1
		}
		for _, question := range []string{first, second} {
			s.call(t, s.tea, "accept-answer", fmt.Sprintf(`{"answer":%q}`, of[question]), 200, "")
		}
		if n := s.count(t, "select count(*) from lesson_answers where accepted"); n != 2 {
			t.Errorf("%d of 2 are accepted", n)
		}
		s.call(t, s.tea, "hide-post", fmt.Sprintf(`{"kind":"answer","id":%q,"reason":"x"}`, of[first]), 200, "")
		if answered(first) || !answered(second) {
			t.Error("an answer that nobody sees answers a question")
		}
		s.call(t, s.tea, "accept-answer", fmt.Sprintf(`{"answer":%q,"accepted":false}`, of[second]), 200, "")
		if n := s.count(t, "select count(*) from lesson_answers where accepted and id = $1", of[second]); n != 0 || answered(second) {
			t.Error("it cannot be taken back")
		}
		s.call(t, s.tea, "pin-question", fmt.Sprintf(`{"question":%q,"pinned":true}`, first), 200, "")
		if n := s.count(t, "select count(*) from lesson_questions where pinned"); n != 1 {
			t.Errorf("%d are pinned by one call", n)
		}
		for range 115 { // and five before
			s.call(t, s.tea, "pin-question", fmt.Sprintf(`{"question":%q,"pinned":true}`, first), 200, "")
		}
		s.call(t, s.tea, "pin-question", fmt.Sprintf(`{"question":%q,"pinned":false}`, first), 429, "")
	})
}

func TestTheQuarterOfAnHourIsWhole(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		question := s.ask(t, s.ada, "Which lens?")
		answer := s.answer(t, s.bob, question, "Long.")
		s.hands.Advance(15 * time.Minute)
		resttest.Call(t, s.data, s.ada, "PATCH", "/lesson_questions?id=eq."+question, `{"title":"Which\u202e light?"}`).Want(t, 204, "")
		resttest.Call(t, s.data, s.bob, "PATCH", "/lesson_answers?id=eq."+answer, `{"text":"Soft."}`).Want(t, 204, "")
		if n := s.count(t, "select count(*) from lesson_questions q join lesson_answers a on a.question_id = q.id where q.title = 'Which light?' and a.text = 'Soft.'"); n != 1 {
			t.Error("the words are others")
		}
	})
}

func TestWhatSomebodyCannotReadTheyCannotReport(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		question, other := s.ask(t, s.bob, "Which lens?"), s.ask(t, s.bob, "Which light?")
		answer, below := s.answer(t, s.bob, question, "Buy mine."), s.answer(t, s.bob, other, "Soft.")
		report := func(kind, key string, status int) {
			t.Helper()
			s.call(t, s.ada, "report-post", fmt.Sprintf(`{"kind":%q,"id":%q,"reason":"An ad."}`, kind, key), status, "")
		}
		hide := func(kind, key string) {
			t.Helper()
			s.call(t, s.tea, "hide-post", fmt.Sprintf(`{"kind":%q,"id":%q,"reason":"x"}`, kind, key), 200, "")
		}
		report("answer", answer, 200)
		if got := s.list(t, s.tea, `,"only":"reported"`); len(got.Questions) != 1 || got.Questions[0].Reports != 1 || len(got.Questions[0].Flags) != 1 {
			t.Errorf("%+v", got)
		}
		report("question", question, 200)
		hide("answer", answer)
		if got := s.list(t, s.tea, `,"only":"reported"`); len(got.Questions) != 1 || got.Reported != 1 || got.Questions[0].Reports != 1 || len(got.Questions[0].Flags) != 1 ||
			got.Questions[0].Flags[0].Kind != "question" {
			t.Errorf("with the answer hidden: %+v", got)
		}
		s.write(t, "delete from post_reports")
		report("answer", answer, 404)
		hide("question", other)
		report("answer", below, 404)
		s.write(t, "update enrollments set revoked_at = $2 where user_id = $1", s.ada.UserID, s.now())
		report("question", question, 404)
		if n := s.count(t, "select count(*) from post_reports"); n != 0 {
			t.Errorf("%d reports", n)
		}
	})
}

func TestADigestIsOfOneCourseAndOfWhatIsShown(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		far, there := s.teach(t, s.none)
		s.write(t, "insert into enrollments (id, user_id, course_id, created_at) values ($1, $2, $3, $4)", id.New(), s.ada.UserID, far, s.now())
		s.ask(t, s.ada, "Which lens?")
		hidden := s.ask(t, s.ada, "Buy mine")
		s.answer(t, s.bob, hidden, "No.")
		s.call(t, s.tea, "hide-post", fmt.Sprintf(`{"kind":"question","id":%q,"reason":"An ad."}`, hidden), 200, "")
		for range 2 {
			resttest.Call(t, s.data, s.ada, "POST", "/lesson_questions", s.body(far, there, "")).Want(t, 201, "")
		}
		if n := s.tell(t, asked); n != 2 {
			t.Errorf("%d emails about two courses", n)
		}
		if got := s.post.To(t, s.tea.Email, 1); got[0].Subject != "1 new question: The Self-Tape Lab" {
			t.Error(got[0].Subject)
		}
		if got := s.post.To(t, s.none.Email, 1); len(got) != 1 || got[0].Subject != "2 new questions: The Self-Tape Lab" {
			t.Error(got[0].Subject)
		}
		if n := s.tell(t, answered); n != 0 {
			t.Error("somebody is called to a question that is hidden")
		}
	})
}

func TestWhoLeavesLeavesNoWordOfTheirs(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		shared := s.add(t, s.ada, "lesson_questions", fmt.Sprintf(`{"course_id":%q,"lesson_id":%q,"title":"T","text":"My own story"}`, s.course, s.lesson))
		s.answer(t, s.bob, shared, "Bob says")
		kept := s.ask(t, s.bob, "Bob asks")
		s.note(t, s.ada, "Ada notes")
		s.note(t, s.bob, "Bob notes")
		s.call(t, s.ada, "report-post", fmt.Sprintf(`{"kind":"question","id":%q,"reason":"Ada's reason"}`, kept), 200, "")
		s.call(t, s.bob, "report-post", fmt.Sprintf(`{"kind":"question","id":%q,"reason":"Bob's reason"}`, shared), 200, "")
		s.answer(t, s.ada, kept, "Ada says")
		err := s.d.Write(context.Background(), func(ctx context.Context, tx *db.Tx) error {
			for name, about := range map[string]func(context.Context, *db.Tx, string, string) ([]map[string]any, error){
				"notes": discuss.AboutNotes, "questions": discuss.AboutQuestions, "answers": discuss.AboutAnswers, "reports": discuss.AboutReports,
			} {
				told, err := about(ctx, tx, s.bob.UserID, "")
				if text := fmt.Sprint(told); err != nil || len(told) != 1 || strings.Contains(text, "Ada") || strings.Contains(text, "story") {
					t.Errorf("%s: %v %s", name, err, text)
				}
			}
			if err := discuss.Keep(ctx, tx, s.bob.UserID); err != nil {
				return err
			}
			return discuss.Forget(ctx, tx, s.ada.UserID, "")
		})
		if err != nil {
			t.Fatal(err)
		}
		if n := s.count(t, "select count(*) from lesson_questions where text <> '' or author_name <> 'A former learner' or user_id is not null"); n != 0 {
			t.Errorf("%d questions tell of somebody who left", n)
		}
		if n := s.count(t, "select count(*) from lesson_answers where author_name <> 'A former learner' or text = 'Ada says'"); n != 0 {
			t.Errorf("%d answers do", n)
		}
	})
}
