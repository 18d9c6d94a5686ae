package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/id"
)

// posted lets somebody who takes a course write all that can be written at its lesson.
func posted(t *testing.T, s *apptest.Server, who member, course, words string) {
	t.Helper()
	var lessons []struct{ ID string }
	if err := json.Unmarshal([]byte(do(t, s, 200, http.MethodGet, "/rest/v1/lessons?limit=1&course_id=eq."+course, "", "")), &lessons); err != nil || len(lessons) != 1 {
		t.Fatalf("%v: %v", lessons, err)
	}
	add := func(table, body string) string {
		t.Helper()
		var rows []struct{ ID string }
		text := do(t, s, 201, http.MethodPost, "/rest/v1/"+table, who.Access, body, "Prefer", "return=representation")
		if err := json.Unmarshal([]byte(text), &rows); err != nil || len(rows) != 1 {
			t.Fatalf("%s: %v", text, err)
		}
		return rows[0].ID
	}
	add("lesson_notes", fmt.Sprintf(`{"course_id":%q,"lesson_id":%q,"text":%q}`, course, lessons[0].ID, words))
	question := add("lesson_questions", fmt.Sprintf(`{"course_id":%q,"lesson_id":%q,"title":%q,"text":%q}`, course, lessons[0].ID, words, words))
	answer := add("lesson_answers", fmt.Sprintf(`{"course_id":%q,"question_id":%q,"text":%q}`, course, question, words))
	do(t, s, 200, http.MethodPost, "/functions/v1/report-post", who.Access, fmt.Sprintf(`{"kind":"answer","id":%q,"reason":%q}`, answer, words))
}

func TestWhoLeavesMayLetTheirPostsStayWithoutTheirName(t *testing.T) {
	t.Parallel()
	for _, keep := range []bool{true, false} {
		t.Run(fmt.Sprint(keep), func(t *testing.T) {
			t.Parallel()
			apptest.Each(t, map[string]string{"GREENROOM_RATE_LIMITS": "off"}, func(t *testing.T, s *apptest.Server) {
				ada, bob := signUp(t, s, "/auth/v1/signup", "ada@example.com"), signUp(t, s, "/auth/v1/signup", "bob@example.com")
				do(t, s, 200, http.MethodPut, "/auth/v1/user", ada.Access, `{"data":{"name":"Quillfeather"}}`)
				course, _ := completed(t, s, ada)
				posted(t, s, ada, course, "Ada asks")
				write(t, s.DB(), "insert into enrollments (id, user_id, course_id, created_at) values ($1, $2, $3, $4)", id.New(), bob.ID, course, school{s, nil}.now())
				if got := do(t, s, 200, http.MethodGet, "/rest/v1/lesson_questions", bob.Access, ""); !strings.Contains(got, `"Quillfeather"`) || strings.Contains(got, ada.ID) {
					t.Fatal(got)
				}
				do(t, s, 200, http.MethodPost, "/functions/v1/delete-account", ada.Access, fmt.Sprintf(`{"password":%q,"keep_posts":%t}`, secretOfAda, keep))
				for _, table := range []string{"lesson_questions", "lesson_answers"} {
					got := do(t, s, 200, http.MethodGet, "/rest/v1/"+table, bob.Access, "")
					if keep != strings.Contains(got, `"A former learner"`) || keep != strings.Contains(got, "Ada asks") || strings.Contains(got, "Quillfeather") {
						t.Errorf("%s: %s", table, got)
					}
				}
				for _, table := range []string{"lesson_notes", "post_reports"} {
					if n := count(t, s.DB(), "select count(*) from "+table); n != 0 {
						t.Errorf("%d rows are left in %s", n, table)
					}
				}
			})
		})
	}
}
