package quiz_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

func TestPassingAQuizCompletesItsLesson(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		lesson := s.published()
		q := s.sheet(s.lea, lesson)
		if len(q.Questions) != 5 || q.May != "answer" || q.Best != nil || q.Passed || !q.Questions[4].Many || q.Questions[0].Many {
			t.Fatalf("%+v", q)
		}
		try := func(part string, texts ...string) string {
			t.Helper()
			return s.call(s.lea, "answer-quiz", ask{"lesson": lesson, "answers": q.answers(texts...)}, http.StatusOK, part)
		}
		body := try(`"percent":60,"passed":false`, "yes", "yes", "yes", "no", "yes")
		var got struct {
			Questions []struct {
				ID, Explanation string
				Right           bool
				Correct         []string
			}
			Progress struct {
				Completed *string `json:"completed_at"`
				Done, Of  int
			}
		}
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Fatal(err)
		}
		for i, want := range []bool{true, true, true, false, false} {
			if one := got.Questions[i]; one.Right != want || one.ID != q.Questions[i].ID || !strings.HasPrefix(one.Explanation, "Because of") {
				t.Errorf("question %d: %+v", i, one)
			}
		}
		if len(got.Questions[4].Correct) != 2 || got.Progress.Completed != nil || got.Progress.Done != 0 {
			t.Errorf("%+v", got)
		}
		s.call(s.lea, "save-progress", ask{"lesson": lesson, "complete": true}, http.StatusForbidden, "A quiz is completed by passing it")
		try(`"percent":80,"passed":true`, "yes", "yes", "yes", "no", "yes also")
		s.wants("select count(*) from lesson_progress where completed_at is not null", "1", "select count(*) from certificates", "1",
			"select count(*) from enrollments where completed_at is not null", "1")
		// What is worse afterwards takes nothing back, and neither does the learner.
		try(`"percent":0,"passed":false`, "no", "no", "no", "no", "no")
		s.call(s.lea, "save-progress", ask{"lesson": lesson, "complete": false}, http.StatusForbidden, "stays so")
		s.wants("select count(*) from lesson_progress where completed_at is not null", "1", "select count(*) from quiz_attempts", "3")
		q = s.sheet(s.lea, lesson)
		if *q.Best != 80 || !q.Passed || len(q.Attempts) != 3 || q.Attempts[0].Percent != 0 || q.Attempts[2].Percent != 60 {
			t.Errorf("%+v", q)
		}
	})
}

func TestOnlyWholeAnswersAreJudged(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		lesson := s.published()
		q := s.sheet(s.lea, lesson)
		try := func(status int, part string, answers map[string][]string) {
			t.Helper()
			body := s.call(s.lea, "answer-quiz", ask{"lesson": lesson, "answers": answers}, status, part)
			if strings.Contains(body, "Because of") || strings.Contains(body, "correct") {
				t.Error(body)
			}
		}
		try(http.StatusBadRequest, "Answer every question first.", nil)
		try(http.StatusBadRequest, "Answer every question first.", q.answers("yes", "yes", "yes", "yes"))
		try(http.StatusBadRequest, "Answer every question first.", q.answers("yes", "yes", "yes", "yes", ""))
		try(http.StatusBadRequest, "This question takes one answer.", q.answers("yes no", "yes", "yes", "yes", "yes"))
		strange := q.answers("yes", "yes", "yes", "yes", "yes")
		strange[q.Questions[0].ID] = []string{q.Questions[1].Choices[0].ID}
		try(http.StatusConflict, "This quiz has changed. Reload to see it.", strange)
		delete(strange, q.Questions[0].ID)
		strange["x"] = []string{"y"}
		try(http.StatusConflict, "This quiz has changed.", strange)
		s.wants("select count(*) from quiz_attempts", "0")
		// A choice said twice is one.
		twice := q.answers("yes", "yes", "yes", "yes", "yes also")
		for key, chosen := range twice {
			twice[key] = append(chosen, chosen...)
		}
		s.call(s.lea, "answer-quiz", ask{"lesson": lesson, "answers": twice}, http.StatusOK, `"percent":100`)
	})
}

func TestLearnersAnswerWhatIsPublished(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		lesson := s.published()
		before := s.sheet(s.lea, lesson)
		all := five()
		all[0] = question("A", false, "yes +no maybe")
		s.save(lesson, 2, append(all, question("F", false, "+one two"))...)
		if now := s.sheet(s.lea, lesson); len(now.Questions) != 5 {
			t.Errorf("a draft is shown: %+v", now)
		}
		pass := before.answers("yes", "yes", "yes", "yes", "yes also")
		s.call(s.lea, "answer-quiz", ask{"lesson": lesson, "answers": pass, "draft": true}, http.StatusOK, `"percent":100`)
		s.publish(lesson)
		now := s.sheet(s.lea, lesson)
		if len(now.Questions) != 6 || now.Questions[0].ID != before.Questions[0].ID || !now.Passed {
			t.Errorf("%+v", now)
		}
		s.wants("select count(*) from lesson_progress where completed_at is not null", "1", "select version from lessons", "3")
		// Published again as it is, it is what it was.
		s.publish(lesson)
		s.wants("select version from lessons", "3")
		s.call(s.lea, "answer-quiz", ask{"lesson": lesson, "answers": pass}, http.StatusBadRequest, "Answer every question first.")
		s.call(s.ed, "unpublish-lesson", ask{"lesson": lesson}, http.StatusOK, "")
		s.call(s.lea, "quiz", ask{"lesson": lesson}, http.StatusNotFound, "does not exist")
		s.call(s.lea, "answer-quiz", ask{"lesson": lesson, "answers": pass}, http.StatusNotFound, "does not exist")
	})
}

func TestADraftIsSavedByVersion(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		lesson := s.quiz()
		s.call(s.ed, "studio-quiz", ask{"lesson": lesson}, http.StatusOK, `{"questions":[],"version":1,"published_version":0,"drafted_at":null}`)
		s.save(lesson, 1, five()...)
		s.save(lesson, 1, five()...) // who did not hear the answer
		s.call(s.ed, "save-quiz", ask{"lesson": lesson, "version": 1, "questions": five()[:1]}, http.StatusConflict,
			"Somebody else changed this lesson. Reload to see their version.")
		s.call(s.ann, "studio-quiz", ask{"lesson": lesson}, http.StatusOK, `"correct":true`)
		s.call(s.ann, "save-quiz", ask{"lesson": lesson, "version": 2}, http.StatusForbidden, "You may look at this course, and not change it.")
		for _, token := range []string{s.lea, s.eve} {
			s.call(token, "studio-quiz", ask{"lesson": lesson}, http.StatusForbidden, "You do not teach this course.")
			s.call(token, "save-quiz", ask{"lesson": lesson, "version": 2}, http.StatusForbidden, "You do not teach this course.")
			s.call(token, "quiz", ask{"lesson": lesson, "draft": true}, http.StatusNotFound, "")
		}
		text := s.add("lessons", ask{"course_id": s.course, "section_id": s.section, "title": "T", "kind": "text"})
		for _, name := range []string{"quiz", "studio-quiz", "save-quiz", "answer-quiz"} {
			s.call(s.ed, name, ask{"lesson": text}, http.StatusNotFound, "That lesson is not a quiz.")
			s.call(s.ed, name, ask{"lesson": "x"}, http.StatusNotFound, "That lesson does not exist.")
		}
		s.write("delete from lessons where id = $1", lesson)
		s.wants("select count(*) from quiz_drafts", "0")
	})
}

func TestAQuizIsPublishedWhenItCanBeAnswered(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		lesson := s.quiz()
		refused := func(part string) {
			t.Helper()
			s.call(s.ed, "publish-lesson", ask{"lesson": lesson}, http.StatusBadRequest, part)
		}
		refused("Add a question to this quiz before you publish it.")
		fine := question("fine", false, "+yes no")
		blank := question("blank", false, "+yes no")
		blank["prompt"] = " "
		empty := question("empty", false, "+yes no")
		empty["choices"] = append(empty["choices"].([]ask), ask{"id": "more", "text": " "})
		for i, one := range []struct {
			question ask
			said     string
		}{
			{blank, "Write what question 2 asks."},
			{question("a", false, "+yes"), "Question 2 needs at least two choices."},
			{question("a", false, "yes no"), "Mark a right choice in question 2."},
			{question("a", true, "+yes +no"), "Question 2 needs a wrong choice, too."},
			{question("a", false, "+yes +no maybe"), "Question 2 has several right choices and takes one answer."},
			{question("a", false, "+yes yes"), "Question 2 has the same choice twice."},
			{empty, "Question 2 has a choice without text."},
		} {
			s.save(lesson, i+1, fine, one.question)
			refused(one.said)
		}
		s.save(lesson, 8, fine)
		s.publish(lesson)
	})
}

func TestAQuizIsBounded(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		lesson := s.quiz()
		refused := func(status int, part string, all ...ask) {
			t.Helper()
			s.call(s.ed, "save-quiz", ask{"lesson": lesson, "version": 1, "questions": all}, status, part)
		}
		with := func(field string, value any) ask {
			q := question("a", false, "+yes no")
			q[field] = value
			return q
		}
		var many, long []ask
		for i := range 51 {
			one := with("id", fmt.Sprint(i))
			many = append(many, one)
			one = with("id", fmt.Sprint(i))
			one["explanation"] = strings.Repeat("ü", 2000)
			long = append(long, one)
		}
		refused(http.StatusBadRequest, "A quiz has at most 50 questions.", many...)
		refused(http.StatusRequestEntityTooLarge, "A quiz holds at most 200 kB.", long[:50]...)
		refused(http.StatusBadRequest, "Question 1 is longer than 1000 characters.", with("prompt", strings.Repeat("ü", 1001)))
		refused(http.StatusBadRequest, "The explanation of question 1 is longer", with("explanation", strings.Repeat("ü", 2001)))
		refused(http.StatusBadRequest, "A question has at most 10 choices.", question("a", false, strings.Repeat("x ", 11)))
		refused(http.StatusBadRequest, "A choice of question 1 is longer", question("a", false, strings.Repeat("x", 501)))
		refused(http.StatusBadRequest, "needs an id of its own", with("id", ""))
		refused(http.StatusBadRequest, "needs an id of its own", with("id", "a b"))
		refused(http.StatusBadRequest, "needs an id of its own", with("id", "a"), with("id", "a"))
		refused(http.StatusBadRequest, "needs an id of its own", with("choices", []ask{{"id": "a"}, {"id": "a"}}))
		s.save(lesson, 1, with("choices", nil))
		s.call(s.ed, "studio-quiz", ask{"lesson": lesson}, http.StatusOK, `"choices":[]`)
	})
}

func TestWhoMayAnswerAQuiz(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		lesson := s.published()
		pass := s.sheet(s.lea, lesson).answers("yes", "yes", "yes", "yes", "yes also")
		try := func(token string, status int, part string) {
			t.Helper()
			s.call(token, "answer-quiz", ask{"lesson": lesson, "answers": pass}, status, part)
		}
		s.call(s.eve, "quiz", ask{"lesson": lesson}, http.StatusForbidden, "This lesson is for enrolled learners")
		s.call("", "quiz", ask{"lesson": lesson}, http.StatusForbidden, "This lesson is for enrolled learners")
		try(s.eve, http.StatusForbidden, "This lesson is for enrolled learners")
		try("", http.StatusUnauthorized, "")
		// Those who teach it try it out, as it is and as it will be; nothing of that is kept.
		for _, token := range []string{s.ann, s.ed, s.admin} {
			if q := s.sheet(token, lesson); q.May != "try" {
				t.Errorf("%+v", q)
			}
			try(token, http.StatusOK, `"passed":true`)
		}
		s.save(lesson, 2, five()[0])
		s.call(s.ann, "quiz", ask{"lesson": lesson, "draft": true}, http.StatusOK, `"may":"try"`)
		one := s.sheet(s.lea, lesson).answers("yes")
		s.call(s.ann, "answer-quiz", ask{"lesson": lesson, "answers": one, "draft": true}, http.StatusOK, `"progress":null`)
		s.wants("select count(*) from quiz_attempts", "0")
		// A preview is there to be read, and answered by those who take the course.
		s.write("update lessons set preview = $1", true)
		for _, token := range []string{"", s.eve} {
			if q := s.sheet(token, lesson); q.May != "enroll" || len(q.Questions) != 5 {
				t.Errorf("%+v", q)
			}
		}
		try(s.eve, http.StatusForbidden, "This lesson is for enrolled learners")
		s.write("update lessons set preview = $1, release_days = 3", false)
		try(s.lea, http.StatusForbidden, "This lesson opens at")
		s.write("update lessons set release_days = null")
		try(s.lea, http.StatusOK, `"passed":true`)
		s.write("update enrollments set revoked_at = $1", s.now())
		try(s.lea, http.StatusForbidden, "This lesson is for enrolled learners")
		s.wants("select count(*) from quiz_attempts", "1")
	})
}

func TestTriesAtOnceAreAllKeptAndCompleteOnce(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		lesson := s.published()
		pass := s.sheet(s.lea, lesson).answers("yes", "yes", "yes", "yes", "yes also")
		body, _ := json.Marshal(ask{"lesson": lesson, "answers": pass})
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if got := s.Do(t, "POST", "/functions/v1/answer-quiz", s.lea, string(body)); got.Status != http.StatusOK {
					t.Errorf("%d %s", got.Status, got.Body)
				}
			})
		}
		all.Wait()
		s.wants("select count(*) from quiz_attempts", "20", "select count(*) from certificates", "1", "select count(*) from lesson_progress", "1")
	})
}

func TestTriesAreCounted(t *testing.T) {
	t.Parallel()
	onStageWith(t, "on", func(s *stage) {
		lesson := s.published()
		pass := s.sheet(s.lea, lesson).answers("yes", "yes", "yes", "yes", "yes also")
		for range 60 {
			s.call(s.lea, "answer-quiz", ask{"lesson": lesson, "answers": pass}, http.StatusOK, "")
		}
		s.call(s.lea, "answer-quiz", ask{"lesson": lesson, "answers": pass}, http.StatusTooManyRequests, "")
		s.wants("select count(*) from quiz_attempts", "60")
	})
}
