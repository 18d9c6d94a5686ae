package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/id"
)

// Whatever is kept of people by what they do in courses has its place in what they can take along, though it be empty.
func TestSecurity72MyDataHasAPlaceForAllThatIsKept(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		_, token := s.Person(t, "ada@example.com")
		var data map[string]json.RawMessage
		if err := json.Unmarshal([]byte(do(t, s, 200, http.MethodGet, "/functions/v1/my-data", token, "")), &data); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{
			"enrollments", "lesson_progress", "learner_settings", "lesson_news", "lists_left", "quiz_attempts", "certificates", "course_teachers",
			"course_reviews", "review_replies", "review_reports", "lesson_notes", "lesson_questions", "lesson_answers", "post_reports",
		} {
			if _, there := data[name]; !there {
				t.Errorf("%s is missing", name)
			}
		}
	})
}

// What others answered stays when who asked leaves with all their words.
func TestWhoLeavesTakesNoAnswersOfOthers(t *testing.T) {
	t.Parallel()
	apptest.Each(t, map[string]string{"GREENROOM_RATE_LIMITS": "off"}, func(t *testing.T, s *apptest.Server) {
		ada, bob := signUp(t, s, "/auth/v1/signup", "ada@example.com"), signUp(t, s, "/auth/v1/signup", "bob@example.com")
		course, _ := completed(t, s, ada)
		posted(t, s, ada, course, "Ada asks")
		var questions []struct{ ID string }
		if err := json.Unmarshal([]byte(do(t, s, 200, http.MethodGet, "/rest/v1/lesson_questions?select=id", ada.Access, "")), &questions); err != nil || len(questions) != 1 {
			t.Fatal(questions, err)
		}
		write(t, s.DB(), "insert into enrollments (id, user_id, course_id, created_at) values ($1, $2, $3, $4)", id.New(), bob.ID, course, school{s, nil}.now())
		do(t, s, 201, http.MethodPost, "/rest/v1/lesson_answers", bob.Access, fmt.Sprintf(`{"course_id":%q,"question_id":%q,"text":"Bob says"}`, course, questions[0].ID))
		do(t, s, 200, http.MethodPost, "/functions/v1/delete-account", ada.Access, fmt.Sprintf(`{"password":%q}`, secretOfAda))
		if got := do(t, s, 200, http.MethodGet, "/rest/v1/lesson_answers?select=text", bob.Access, ""); got != `[{"text":"Bob says"}]` {
			t.Error(got)
		}
		got := do(t, s, 200, http.MethodGet, "/rest/v1/lesson_questions?select=author_name,title,text,answers", bob.Access, "")
		if got != `[{"author_name":"A former learner","title":"A deleted question","text":"","answers":1}]` {
			t.Error(got)
		}
	})
}

// What an admin writes as a rating is kept for when the learners have the word no more.
func TestAnAdminDoesNotOverruleLearners(t *testing.T) {
	t.Parallel()
	apptest.Each(t, map[string]string{"GREENROOM_RATE_LIMITS": "off"}, func(t *testing.T, s *apptest.Server) {
		_, boss := s.Admin(t, "boss@example.com")
		course := school{s, nil}.course(t)
		lesson := textLesson(t, s, course)
		for i := range 5 {
			reviewer(t, s, course, lesson, fmt.Sprint("learner", i), 2)
		}
		do(t, s, 204, http.MethodPatch, "/rest/v1/courses?id=eq."+course, boss, `{"rating":5}`)
		if got := do(t, s, 200, http.MethodGet, "/rest/v1/courses?select=rating&id=eq."+course, boss, ""); got != `[{"rating":2}]` {
			t.Error(got)
		}
		if n := count(t, s.DB(), "select count(*) from course_offers where editorial_rating = 5"); n != 1 {
			t.Error("what the admin wrote is lost")
		}
	})
}
