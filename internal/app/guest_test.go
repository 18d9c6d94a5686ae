package app_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
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

// TestAGuestsListGoesAlong lets a guest sign in to an account that has a list already.
func TestAGuestsListGoesAlong(t *testing.T) {
	t.Parallel()
	apptest.Each(t, map[string]string{"GREENROOM_ANONYMOUS": "on", "GREENROOM_RATE_LIMITS": "off"}, func(t *testing.T, s *apptest.Server) {
		come := func() member {
			t.Helper()
			guest, ok := memberOf(s.Do(t, http.MethodPost, "/auth/v1/signup", "", `{"data":{}}`))
			if !ok {
				t.Fatal("no guest came in")
			}
			return guest
		}
		save := func(who member, course string) {
			t.Helper()
			do(t, s, 201, http.MethodPost, "/rest/v1/saved_courses", who.Access, fmt.Sprintf(`{"user_id":%q,"course_id":%q}`, who.ID, id.Named("course "+course)))
		}
		adopt := func(status int, token, guest string) string {
			t.Helper()
			return do(t, s, status, http.MethodPost, "/functions/v1/adopt-guest", token, fmt.Sprintf(`{"token":%q}`, guest))
		}
		guest, other := come(), come()
		ada := signUp(t, s, "/auth/v1/signup", "ada@example.com")
		bob := signUp(t, s, "/auth/v1/signup", "bob@example.com")
		save(guest, "documentary-filmmaking")
		save(guest, "scene-study-for-the-camera")
		save(ada, "scene-study-for-the-camera")
		save(bob, "documentary-filmmaking")
		save(other, "pitching-to-producers") // which stays theirs

		adopt(403, ada.Access, "x")
		adopt(403, ada.Access, "")
		adopt(403, ada.Access, bob.Access) // somebody is no guest
		adopt(403, ada.Access, ada.Access)
		adopt(403, other.Access, guest.Access) // a guest is nobody to keep it
		do(t, s, 401, http.MethodPost, "/functions/v1/adopt-guest", "", fmt.Sprintf(`{"token":%q}`, guest.Access))

		if got := adopt(200, ada.Access, guest.Access); got != `{"kept":1}` {
			t.Errorf("got %s", got)
		}
		if n := count(t, s.DB(), "select count(*) from saved_courses where user_id = $1", ada.ID); n != 2 {
			t.Errorf("Ada's list has %d courses", n)
		}
		if n := count(t, s.DB(), "select count(*) from saved_courses where user_id = $1", other.ID); n != 1 {
			t.Errorf("the other guest's list has %d courses", n)
		}
		if n := count(t, s.DB(), "select count(*) from users where id = $1", guest.ID); n != 0 {
			t.Error("the guest is still there")
		}
		adopt(403, bob.Access, guest.Access) // once
		do(t, s, 403, http.MethodGet, "/auth/v1/user", guest.Access, "")
		if n := count(t, s.DB(), "select count(*) from audit_entries where action = 'guest.adopt' and actor_id = $1 and subject = $2", ada.ID, guest.ID); n != 1 {
			t.Errorf("it is %d times in the trail", n)
		}
		// Signed out is signed out.
		do(t, s, 204, http.MethodPost, "/auth/v1/logout", other.Access, "")
		adopt(403, ada.Access, other.Access)

		// Many at once, from both sides.
		guest = come()
		save(guest, "documentary-filmmaking")
		var wait sync.WaitGroup
		var good atomic.Int32
		for i := range 10 {
			wait.Go(func() {
				token := ada.Access
				if i%2 == 1 {
					token = bob.Access
				}
				answer := s.Do(t, http.MethodPost, "/functions/v1/adopt-guest", token, fmt.Sprintf(`{"token":%q}`, guest.Access))
				if answer.Status == http.StatusOK {
					good.Add(1)
				} else if answer.Status != http.StatusForbidden {
					t.Error(answer.Status, answer.Body)
				}
			})
		}
		wait.Wait()
		if good.Load() != 1 {
			t.Errorf("the guest was adopted %d times", good.Load())
		}
	})
}
