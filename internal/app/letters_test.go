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
		letters := func(email string, proven bool) int {
			who, token := s.Person(t, email)
			if !proven {
				write(t, s.DB(), "update users set email_proven_at = null where id = $1", who.ID)
			}
			for _, course := range courses {
				do(t, s, 201, http.MethodPost, "/rest/v1/course_waitlist", token,
					fmt.Sprintf(`{"user_id":%q,"course_title":%q,"email":%q}`, who.ID, course.Title, who.Email))
			}
			if rows := count(t, s.DB(), "select count(*) from course_waitlist where user_id = $1", who.ID); rows != 8 {
				t.Errorf("%d rows", rows)
			}
			return count(t, s.DB(), "select count(*) from outbox where recipient = $1", who.Email)
		}
		if n := letters("ada@example.com", false); n != 5 {
			t.Errorf("%d letters to an address that has proven nothing", n)
		}
		if n := letters("grace@example.com", true); n != 8 {
			t.Errorf("%d letters to an address that is proven", n)
		}
	})
}
