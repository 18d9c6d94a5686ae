package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/id"
)

// quizCourse is a course with a published quiz of one question, that is called by its key, and gives both ids.
func quizCourse(t *testing.T, s *apptest.Server, boss string) (course, lesson string) {
	t.Helper()
	course = school{s, nil}.course(t)
	write(t, s.DB(), "insert into course_sections (id, course_id, title, position, created_at) values ($1, $1, 'S', 0, $2)", course, school{s, nil}.now())
	body := do(t, s, 201, http.MethodPost, "/rest/v1/lessons", boss,
		fmt.Sprintf(`{"course_id":%q,"section_id":%q,"title":"Quiz","kind":"quiz"}`, course, course), "Prefer", "return=representation")
	var rows []struct{ ID string }
	if err := json.Unmarshal([]byte(body), &rows); err != nil {
		t.Fatal(err)
	}
	lesson = rows[0].ID
	do(t, s, 200, http.MethodPost, "/functions/v1/save-quiz", boss, fmt.Sprintf(`{"lesson":%q,"version":1,"questions":[{"id":"q","prompt":"Which?","many":false,
		"explanation":"canary","choices":[{"id":"a","text":"This","correct":true},{"id":"b","text":"That","correct":false}]}]}`, lesson))
	do(t, s, 200, http.MethodPost, "/functions/v1/publish-lesson", boss, fmt.Sprintf(`{"lesson":%q}`, lesson))
	return course, lesson
}

// otherKey makes the other choice the right one, and changes nothing else.
func otherKey(t *testing.T, s *apptest.Server) {
	t.Helper()
	write(t, s.DB(), "update quiz_choices set correct = not correct")
	write(t, s.DB(), "update quiz_questions set explanation = 'canary the other'")
	write(t, s.DB(), `update quiz_drafts set questions = replace(replace(replace(replace(questions, 'canary', 'canary the other'),
		'"correct":true', '"correct":?'), '"correct":false', '"correct":true'), '"correct":?', '"correct":false')`)
}

var moments = regexp.MustCompile(`\d{4}-\d\d-\d\d[T ][\d:.]+(Z|\+00(:00)?)?`)

// walk asks for everything that there is about a quiz, and gives what was answered, by what was asked.
func walk(t *testing.T, s *apptest.Server, token, course, lesson string) map[string]string {
	t.Helper()
	heard := map[string]string{}
	hear := func(method, path, body string, headers ...string) {
		got := s.Do(t, method, path, token, body, headers...)
		heard[strings.Join(append([]string{method, path, body}, headers...), " ")] = fmt.Sprint(got.Status, " ", moments.ReplaceAllString(got.Body, ""))
	}
	question, choice := id.Named("quiz question "+lesson+" q"), id.Named("quiz choice "+lesson+" q a")
	for _, f := range s.Functions() {
		if f.Name == "delete-account" { // who signed in a moment ago needs no password for it
			continue
		}
		for _, body := range []string{
			"{}", `{"lesson":"` + lesson + `"}`, `{"lesson":"` + lesson + `","draft":true}`, `{"course":"` + course + `"}`,
			`{"lesson":"` + lesson + `","answers":{}}`, `{"lesson":"` + lesson + `","answers":{"` + question + `":[]},"draft":true}`,
			`{"lesson":"` + lesson + `","answers":{"` + question + `":["` + choice + `","x"]}}`, `{"lesson":"` + lesson + `","answers":{"` + question + `":"` + choice + `"}}`,
			`{"lesson":"` + lesson + `","version":1,"questions":[]}`, `{"lesson":"` + lesson + `","complete":true}`,
		} {
			for _, method := range append(f.Methods, http.MethodPost, http.MethodGet) {
				hear(method, "/functions/v1/"+f.Name+"?course="+course+"&lesson="+lesson, body)
			}
		}
	}
	for _, table := range s.Tables() {
		for _, c := range table.Columns {
			hear(http.MethodGet, "/rest/v1/"+table.Name+"?select="+c.Name, "")
		}
		for _, hidden := range []string{"quiz_questions", "quiz_choices", "quiz_drafts"} {
			hear(http.MethodGet, "/rest/v1/"+table.Name+"?select=*,"+hidden+"(*)", "")
		}
		hear(http.MethodGet, "/rest/v1/"+table.Name+"?select=*", "")
		hear(http.MethodGet, "/rest/v1/"+table.Name+"?select=*", "", "Accept", "text/csv")
	}
	for _, hidden := range []string{"quiz_questions", "quiz_choices", "quiz_drafts", "lesson_contents"} {
		hear(http.MethodGet, "/rest/v1/"+hidden+"?select=*", "")
		hear(http.MethodPatch, "/rest/v1/"+hidden+"?select=*", `{"correct":true}`, "Prefer", "return=representation")
		hear(http.MethodPost, "/rest/v1/rpc/"+hidden, "{}")
	}
	hear(http.MethodGet, "/rest/v1/", "")
	for _, page := range []string{"/learn/" + course + "/" + lesson, "/learn/" + course + "/" + lesson + "?draft=1", "/course/" + course, "/teach/" + course + "?lesson=" + lesson, "/sitemap.xml"} {
		hear(http.MethodGet, page, "")
	}
	return heard
}

// TestKeysOfAQuizStayUntilItIsAnswered reads all that people get who have not answered, and looks for the key: its words are
// absent, and where another choice is right, everything is answered as before.
func TestKeysOfAQuizStayUntilItIsAnswered(t *testing.T) {
	t.Parallel()
	apptest.Each(t, map[string]string{"GREENROOM_RATE_LIMITS": "off", "GREENROOM_VIDEO_WORK": "off"}, func(t *testing.T, s *apptest.Server) {
		_, boss := s.Admin(t, "boss@example.com")
		course, lesson := quizCourse(t, s, boss)
		lea, learner := s.Person(t, "lea@example.com")
		_, stranger := s.Person(t, "eve@example.com")
		write(t, s.DB(), "insert into enrollments (id, user_id, course_id, created_at) values ($1, $2, $3, $4)", id.New(), lea.ID, course, school{s, nil}.now())
		walk(t, s, learner, course, lesson) // some of what is asked leaves a trace, the first time
		before := map[string]map[string]string{}
		for _, preview := range []bool{true, false} {
			write(t, s.DB(), "update lessons set preview = $2 where id = $1", lesson, preview)
			for _, token := range []string{learner, stranger, ""} {
				before[fmt.Sprint(preview, token)] = walk(t, s, token, course, lesson)
			}
		}
		otherKey(t, s)
		asked := 0
		for _, preview := range []bool{true, false} {
			write(t, s.DB(), "update lessons set preview = $2 where id = $1", lesson, preview)
			for _, token := range []string{learner, stranger, ""} {
				was := before[fmt.Sprint(preview, token)]
				for path, now := range walk(t, s, token, course, lesson) {
					if strings.Contains(now, "Which?") {
						asked++
					}
					for _, body := range []string{was[path], now} {
						if strings.Contains(body, "canary") || strings.Contains(body, `correct"`) || strings.Contains(body, `"right"`) {
							t.Errorf("%s: %s", path, body)
						}
					}
					if page := !strings.Contains(path, "/v1/"); !page && was[path] != now {
						t.Errorf("%s depends on the key: %s, then %s", path, was[path], now)
					}
				}
			}
		}
		if asked == 0 {
			t.Error("nobody got the quiz at all")
		}
		if n := count(t, s.DB(), "select count(*) from quiz_attempts"); n != 0 {
			t.Errorf("%d attempts", n)
		}
		body := do(t, s, 200, http.MethodPost, "/functions/v1/answer-quiz", learner, fmt.Sprintf(`{"lesson":%q,"answers":{%q:[%q]}}`, lesson,
			id.Named("quiz question "+lesson+" q"), id.Named("quiz choice "+lesson+" q b")))
		if !strings.Contains(body, "canary the other") || !strings.Contains(body, `"percent":100`) {
			t.Error(body)
		}
		if body := do(t, s, 200, http.MethodGet, "/functions/v1/my-data", learner, ""); !strings.Contains(body, `"percent": 100`) || strings.Contains(body, "canary") {
			t.Error(body)
		}
		do(t, s, 200, http.MethodPost, "/functions/v1/delete-account", learner, "{}")
		if n := count(t, s.DB(), "select count(*) from quiz_attempts"); n != 0 {
			t.Errorf("%d attempts of somebody who left", n)
		}
	})
}
