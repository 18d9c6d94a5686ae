package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"greenroom/internal/app/apptest"
	"greenroom/internal/mail/eml"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

const stranger = "stranger-zq82@example.com"

var strangerMarks = []string{"stranger-zq82", "Quillwright", "zq82 wrote this", "Browser of zq82"}

// send sends one of the pages' forms, as a browser does from the site itself.
func send(t *testing.T, s *apptest.Server, path string, form url.Values, headers ...string) apptest.Answer {
	t.Helper()
	return s.Do(t, http.MethodPost, path, "", form.Encode(), append([]string{"Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "same-origin", "User-Agent", "Browser of zq82"}, headers...)...)
}

// linkFor asks for the link and gives the token in its letter.
func linkFor(t *testing.T, s *apptest.Server, address string) string {
	t.Helper()
	if answer := send(t, s, "/your-data", url.Values{"email": {address}}); answer.Status != 200 {
		t.Fatalf("ask: %d %s", answer.Status, answer.Body)
	}
	link, err := url.Parse(letter(t, s, address, "Your data at Greenroom").Link())
	if err != nil || link.Path != "/your-data/open" {
		t.Fatalf("the link: %v %v", link, err)
	}
	page := do(t, s, 200, http.MethodGet, link.Path+"?"+link.RawQuery, "", "")
	if token := link.Query().Get("token"); strings.Count(page, token) == 2 {
		return token
	}
	t.Fatalf("the page behind the link: %s", page)
	return ""
}

// strangersLife leaves what can be left without an account, in the first spot of a workshop with one place for two.
func strangersLife(t *testing.T, s *apptest.Server) (workshop string) {
	t.Helper()
	var workshops []struct{ ID, Title string }
	_ = json.Unmarshal([]byte(do(t, s, 200, http.MethodGet, "/rest/v1/workshops?limit=1", "", "")), &workshops)
	workshop = workshops[0].ID
	write(t, s.DB(), "update workshops set spots = 1, spots_left = 1 where id = $1", workshop)
	for _, email := range []string{"Stranger-zq82@example.com", "next@example.com"} {
		do(t, s, 201, http.MethodPost, "/rest/v1/course_waitlist", "", fmt.Sprintf(`{"course_title":%q,"name":"Quillwright","email":%q}`, workshops[0].Title, email), "Prefer", "return=minimal")
	}
	write(t, s.DB(), "update course_waitlist set name = 'Next' where email = 'next@example.com'")
	message := `{"user_id":"00000000-0000-0000-0000-000000000000","course_title":"zq82 wrote this","instructor_name":"Contact: %s","course_description":"zq82 wrote this","email":%q}`
	do(t, s, 201, http.MethodPost, "/rest/v1/course_recommendations", "", fmt.Sprintf(message, "Quillwright", stranger), "Prefer", "return=minimal")
	do(t, s, 201, http.MethodPost, "/rest/v1/course_recommendations", "", strings.ReplaceAll(fmt.Sprintf(message, "Other", "other@example.com"), "zq82 wrote this", "kept"), "Prefer", "return=minimal")
	do(t, s, 200, http.MethodPost, "/functions/v1/send-notification-email", "", fmt.Sprintf(`{"formType":"contact","name":"Quillwright","email":%q,"message":"zq82 wrote this"}`, stranger))
	return workshop
}

func TestSecurity72VisitorsGetACopyOrAreErased(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			s := apptest.Start(t, dbtest.Location(t, engine), map[string]string{"GREENROOM_RATE_LIMITS": "off"}, clock.System{})
			workshop := strangersLife(t, s)
			// Signing in under the address leaves it in the trail, though there is no such account.
			s.Do(t, http.MethodPost, "/auth/v1/token?grant_type=password", "", fmt.Sprintf(`{"email":%q,"password":"a guess of somebody"}`, stranger))
			_ = send(t, s, "/your-data", url.Values{"email": {stranger}}) // one that is never opened
			token := linkFor(t, s, stranger)
			choose := func(do, sure string) apptest.Answer {
				return send(t, s, "/your-data/open", url.Values{"token": {token}, "do": {do}, "sure": {sure}})
			}

			got := choose("export", "")
			var data map[string][]map[string]any
			if err := json.Unmarshal([]byte(got.Body), &data); err != nil || !strings.Contains(got.Header.Get("Content-Disposition"), "attachment") {
				t.Fatalf("export: %d %v %s", got.Status, err, got.Body)
			}
			if len(data["course_waitlist"]) != 1 || len(data["course_recommendations"]) != 1 || len(data["letters"]) < 3 || len(data["audit"]) < 2 {
				t.Errorf("the copy: %s", got.Body)
			}
			for _, other := range []string{"next@example.com", "other@example.com", "kept"} {
				if strings.Contains(got.Body, other) {
					t.Errorf("somebody else's %s is in the copy: %s", other, got.Body)
				}
			}
			if again := choose("export", ""); again.Status != http.StatusGone {
				t.Errorf("a second copy: %d", again.Status)
			}
			if unsure := choose("erase", ""); unsure.Status != http.StatusBadRequest || !strings.Contains(unsure.Body, token) {
				t.Errorf("erase without being sure: %d", unsure.Status)
			}
			until(t, "every letter is sent", func() bool { return count(t, s.DB(), "select count(*) from outbox where state <> 'sent'") == 0 })
			if found := inTables(t, s.DB(), strangerMarks); len(found) < len(strangerMarks) {
				t.Fatalf("too few traces to prove anything: %q", found)
			}
			if done := choose("erase", "yes"); done.Status != 200 {
				t.Fatalf("erase: %d %s", done.Status, done.Body)
			}
			if found := inTables(t, s.DB(), strangerMarks); len(found) > 0 {
				t.Errorf("in the tables: %q", found)
			}
			if n := count(t, s.DB(), "select count(*) from course_waitlist where workshop_id = $1 and spot = 1 and email = 'next@example.com'", workshop); n != 1 {
				t.Error("the spot did not go to the next in line")
			}
			letter(t, s, "next@example.com", "Your spot is confirmed: Screen Acting and Professional Preparation Workshop")
			if n := count(t, s.DB(), "select count(*) from course_recommendations where email = 'other@example.com'"); n != 1 {
				t.Error("somebody else's message went, too")
			}
			if n := count(t, s.DB(), "select count(*) from audit_entries where action in ('data.request', 'data.export', 'data.erase')"); n != 4 {
				t.Errorf("%d entries in the trail", n)
			}
			if n := count(t, s.DB(), "select count(*) from visitor_links"); n != 0 {
				t.Errorf("%d other links still lead to the address", n)
			}
			if again := choose("erase", "yes"); again.Status != http.StatusGone {
				t.Errorf("a used link: %d", again.Status)
			}
			s.Stop()
			if found := inFiles(t, s.Config.Data, strangerMarks); len(found) > 0 {
				t.Errorf("in the data folder: %q", found)
			}
		})
	}
}

func TestVisitorsLinksTellNobodyWhoIsKnown(t *testing.T) {
	t.Parallel()
	hands := clock.NewManual(time.Now().Truncate(time.Second))
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			own := clock.NewManual(hands.Now())
			s := apptest.Start(t, dbtest.Location(t, engine), nil, own)
			strangersLife(t, s)
			ask := func(address string, headers ...string) apptest.Answer {
				return send(t, s, "/your-data", url.Values{"email": {address}}, headers...)
			}
			known, unknown := ask(stranger), ask("nobody@example.com")
			if known.Status != 200 || known.Status != unknown.Status || known.Body != unknown.Body {
				t.Errorf("known: %d %s\nunknown: %d %s", known.Status, known.Body, unknown.Status, unknown.Body)
			}
			for _, one := range []string{stranger, "nobody@example.com"} {
				if again := ask(one); again.Status != http.StatusTooManyRequests || again.Header.Get("Retry-After") == "" {
					t.Errorf("%s again: %d", one, again.Status)
				}
			}
			if bad := ask("no address"); bad.Status != http.StatusBadRequest || !strings.Contains(bad.Body, "Invalid email address") {
				t.Errorf("no address: %d", bad.Status)
			}
			if foreign := ask("next@example.com", "Sec-Fetch-Site", "cross-site"); foreign.Status != http.StatusForbidden {
				t.Errorf("from another site: %d", foreign.Status)
			}
			link, _ := url.Parse(letter(t, s, stranger, "Your data at Greenroom").Link())
			if all, _ := eml.ReadFolder(s.Config.MailFolder(), "nobody@example.com"); len(all) > 0 {
				t.Errorf("a letter to an address that nobody gave us: %+v", all)
			}
			own.Advance(time.Hour)
			late := send(t, s, "/your-data/open", url.Values{"token": {link.Query().Get("token")}, "do": {"erase"}, "sure": {"yes"}})
			if late.Status != http.StatusGone || count(t, s.DB(), "select count(*) from course_recommendations where email = $1", stranger) != 1 {
				t.Errorf("an old link: %d", late.Status)
			}
			if late := send(t, s, "/your-data/open", url.Values{"token": {link.Query().Get("token")}, "do": {"export"}}); late.Status != http.StatusGone || strings.Contains(late.Body, "zq82") {
				t.Errorf("a copy by an old link: %d", late.Status)
			}
			if guess := send(t, s, "/your-data/open", url.Values{"token": {"guess"}, "do": {"export"}}); guess.Status != http.StatusGone {
				t.Errorf("a guess: %d", guess.Status)
			}
			limited := false
			for range 100 {
				guess := send(t, s, "/your-data/open", url.Values{"token": {"guess"}, "do": {"export"}})
				limited = limited || guess.Status == http.StatusTooManyRequests
			}
			if !limited {
				t.Error("a hundred guesses were judged")
			}
		})
	}
}

// TestErasingAnAddressLeavesTheTrailOfAnAccount: an admin who also registered for a workshop must not make the trail forget
// who made them one.
func TestErasingAnAddressLeavesTheTrailOfAnAccount(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			s := apptest.Start(t, dbtest.Location(t, engine), map[string]string{"GREENROOM_RATE_LIMITS": "off"}, clock.System{})
			strangersLife(t, s)
			s.Admin(t, stranger)
			trail := func() int {
				return count(t, s.DB(), "select count(*) from audit_entries where subject = $1 and action not like 'data.%'", stranger)
			}
			before := trail()
			if before == 0 {
				t.Fatal("nobody was made an admin")
			}
			token := linkFor(t, s, stranger)
			if done := send(t, s, "/your-data/open", url.Values{"token": {token}, "do": {"erase"}, "sure": {"yes"}}); done.Status != 200 {
				t.Fatalf("erase: %d %s", done.Status, done.Body)
			}
			if after := trail(); after != before {
				t.Errorf("%d entries of %d are left", after, before)
			}
		})
	}
}
