package app_test

import (
	"fmt"
	"net/http"
	"testing"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/id"
)

// TestAGuestIsAVisitorWithAList tries what a guest may do beyond a stranger, which is to keep what is theirs, and that
// the rest is a stranger's, limits included.
func TestAGuestIsAVisitorWithAList(t *testing.T) {
	t.Parallel()
	apptest.Each(t, map[string]string{"GREENROOM_ANONYMOUS": "on"}, func(t *testing.T, s *apptest.Server) {
		guest, ok := memberOf(s.Do(t, http.MethodPost, "/auth/v1/signup", "", `{"data":{}}`))
		if !ok {
			t.Fatal("no guest came in")
		}
		ada, adasToken := s.Person(t, "ada@example.com")
		course := id.Named("course documentary-filmmaking")
		saved := func(user string) string { return fmt.Sprintf(`{"user_id":%q,"course_id":%q}`, user, course) }
		do(t, s, 201, http.MethodPost, "/rest/v1/saved_courses", guest.Access, saved(guest.ID))
		do(t, s, 403, http.MethodPost, "/rest/v1/saved_courses", guest.Access, saved(ada.ID))
		do(t, s, 201, http.MethodPost, "/rest/v1/saved_courses", adasToken, saved(ada.ID))
		if rows := do(t, s, 200, http.MethodGet, "/rest/v1/saved_courses?select=user_id", guest.Access, ""); rows != fmt.Sprintf(`[{"user_id":%q}]`, guest.ID) {
			t.Errorf("a guest's list: %s", rows)
		}

		// There is no address to write to when a course opens.
		for _, email := range []string{"", "guest@example.com"} {
			do(t, s, 403, http.MethodPost, "/rest/v1/course_waitlist", guest.Access,
				fmt.Sprintf(`{"user_id":%q,"course_title":"Documentary Filmmaking","email":%q}`, guest.ID, email))
		}
		do(t, s, 201, http.MethodPost, "/rest/v1/course_waitlist", guest.Access, fmt.Sprintf(`{"course_title":%q,"name":"G","email":"g@example.com"}`, workshop))

		message := func(marker string) string {
			return fmt.Sprintf(`{"user_id":%q,"course_title":"Hello","course_description":"A word","instructor_name":%q,"email":"g@example.com"}`, guest.ID, marker)
		}
		for _, marker := range []string{"", "Somebody", "Help Center", "Investor Relations", "Corporate Sponsorships"} {
			do(t, s, 403, http.MethodPost, "/rest/v1/course_recommendations", guest.Access, message(marker))
		}
		limited := 0
		for i := 1; i <= 12 && limited == 0; i++ {
			if s.Do(t, http.MethodPost, "/rest/v1/course_recommendations", guest.Access, message("Contact: G")).Status == http.StatusTooManyRequests {
				limited = i
			}
		}
		if limited != 10 { // one was the registration
			t.Errorf("limited at message %d", limited)
		}
		if n := count(t, s.DB(), "select count(*) from course_recommendations where kind <> 'contact'"); n != 0 {
			t.Errorf("%d other messages of a guest are kept", n)
		}

		do(t, s, 403, http.MethodPost, "/functions/v1/audit", guest.Access, `{}`)
		do(t, s, 200, http.MethodGet, "/functions/v1/sessions", guest.Access, "")
		do(t, s, 200, http.MethodGet, "/functions/v1/my-data", guest.Access, "")

		// What they kept is theirs when they take an account, and all of it goes with them.
		do(t, s, 200, http.MethodPut, "/auth/v1/user", guest.Access, fmt.Sprintf(`{"email":"guest@example.com","password":%q}`, secretOfAda))
		do(t, s, 201, http.MethodPost, "/rest/v1/course_waitlist", guest.Access,
			fmt.Sprintf(`{"user_id":%q,"course_title":"Documentary Filmmaking","email":"guest@example.com"}`, guest.ID))
		do(t, s, 201, http.MethodPost, "/rest/v1/course_recommendations", guest.Access, message("Somebody"))
		if n := count(t, s.DB(), "select count(*) from saved_courses where user_id = $1", guest.ID); n != 1 {
			t.Errorf("%d courses are left on the list", n)
		}
		do(t, s, 200, http.MethodPost, "/functions/v1/delete-account", guest.Access, `{}`)
		if n := count(t, s.DB(), "select count(*) from saved_courses where user_id = $1", guest.ID); n != 0 {
			t.Errorf("%d courses outlived the account", n)
		}
	})
}
