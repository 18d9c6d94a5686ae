package quiz_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"greenroom/internal/platform/id"
)

// Of 24 questions 19 are 79.2 %, and 20 are 83.3 %.
func TestLessThanEightyPercentIsNotPassed(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		lesson := s.quiz()
		all := []ask{}
		for i := range 24 {
			all = append(all, question(fmt.Sprint("n", i), false, "+yes no"))
		}
		s.save(lesson, 1, all...)
		s.publish(lesson)
		texts := strings.Split(strings.Repeat("yes,", 19)+"no,no,no,no,no", ",")
		q := s.sheet(s.lea, lesson)
		s.call(s.lea, "answer-quiz", ask{"lesson": lesson, "answers": q.answers(texts...)}, http.StatusOK, `"percent":79,"passed":false`)
		s.wants("select count(*) from lesson_progress where completed_at is not null", "0")
		texts[19] = "yes"
		s.call(s.lea, "answer-quiz", ask{"lesson": lesson, "answers": q.answers(texts...)}, http.StatusOK, `"percent":83,"passed":true`)
	})
}

func TestAllRightChoicesAndAWrongOneAreWrong(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		lesson := s.published()
		q := s.sheet(s.lea, lesson)
		s.call(s.lea, "answer-quiz", ask{"lesson": lesson, "answers": q.answers("no", "no", "no", "no", "yes also no")}, http.StatusOK, `"percent":0,`)
		s.call(s.lea, "answer-quiz", ask{"lesson": lesson, "answers": q.answers("no", "no", "no", "no", "also")}, http.StatusOK, `"percent":0,`)
		s.call(s.lea, "answer-quiz", ask{"lesson": lesson, "answers": q.answers("no", "no", "no", "no", "yes also")}, http.StatusOK, `"percent":20,`)
	})
}

// What somebody got is nothing of what another one did.
func TestTriesAreEverybodysOwn(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		lesson := s.published()
		max, token := s.Person(t, "max@example.com")
		s.write("insert into enrollments (id, user_id, course_id, created_at) values ($1, $2, $3, $4)", id.New(), max.ID, s.course, s.now())
		pass := s.sheet(s.lea, lesson).answers("yes", "yes", "yes", "yes", "yes also")
		s.call(s.lea, "answer-quiz", ask{"lesson": lesson, "answers": pass}, http.StatusOK, `"passed":true`)
		if q := s.sheet(token, lesson); q.Best != nil || q.Passed || len(q.Attempts) != 0 {
			t.Errorf("%+v", q)
		}
		fail := s.sheet(token, lesson).answers("yes", "no", "no", "no", "no")
		s.call(token, "answer-quiz", ask{"lesson": lesson, "answers": fail}, http.StatusOK, `"percent":20,"passed":false`)
		if q := s.sheet(token, lesson); q.Best == nil || *q.Best != 20 || q.Passed || len(q.Attempts) != 1 {
			t.Errorf("%+v", q)
		}
		if got := s.Do(t, "GET", "/functions/v1/my-data", token, ""); !strings.Contains(got.Body, `"percent": 20`) || strings.Contains(got.Body, `"percent": 100`) {
			t.Error(got.Body)
		}
	})
}

// A copy of a quiz has the same names in the studio, and others for learners.
func TestTwoQuizzesHaveNothingInCommon(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		first := s.published()
		second := s.published()
		one, other := s.sheet(s.lea, first), s.sheet(s.lea, second)
		if len(one.Questions) != 5 || len(other.Questions) != 5 || one.Questions[0].ID == other.Questions[0].ID ||
			one.Questions[0].Choices[0].ID == other.Questions[0].Choices[0].ID {
			t.Errorf("%+v\n%+v", one, other)
		}
		s.call(s.lea, "answer-quiz", ask{"lesson": second, "answers": one.answers("yes", "yes", "yes", "yes", "yes also")}, http.StatusConflict, "This quiz has changed.")
		s.call(s.lea, "answer-quiz", ask{"lesson": second, "answers": other.answers("yes", "yes", "yes", "yes", "yes also")}, http.StatusOK, `"percent":100`)
		long := question("a", false, "+yes no")
		long["id"] = strings.Repeat("k", 41)
		s.call(s.ed, "save-quiz", ask{"lesson": first, "version": 2, "questions": []ask{long}}, http.StatusBadRequest, "needs an id of its own")
		long["id"] = strings.Repeat("k", 40)
		s.save(first, 2, long)
	})
}
