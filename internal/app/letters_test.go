package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"greenroom/internal/app/apptest"
)

// TestAnAddressThatHasProvenNothingGetsFewReceipts joins more lists than a stranger is told of.
func TestAnAddressThatHasProvenNothingGetsFewReceipts(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		var courses []struct{ Title string }
		if err := json.Unmarshal([]byte(do(t, s, 200, http.MethodGet, "/rest/v1/courses?select=title&limit=8", "", "")), &courses); err != nil {
			t.Fatal(err)
		}
		ada, token := s.Person(t, "ada@example.com")
		for _, course := range courses {
			do(t, s, 201, http.MethodPost, "/rest/v1/course_waitlist", token,
				fmt.Sprintf(`{"user_id":%q,"course_title":%q,"email":%q}`, ada.ID, course.Title, ada.Email))
		}
		rows := count(t, s.DB(), "select count(*) from course_waitlist where user_id = $1", ada.ID)
		if letters := count(t, s.DB(), "select count(*) from outbox where recipient = $1", ada.Email); rows != 8 || letters != 5 {
			t.Errorf("%d rows, %d letters", rows, letters)
		}
	})
}
