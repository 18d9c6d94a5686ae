package certificate_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/certificate"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest/resttest"
)

var inside = who.Actor{Role: who.Anonymous} // the pages

func TestCompletingACourseGivesItsCertificateAndALetter(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada := s.person(t, "  Ada\u202e   Lovelace ")
		course, lessons := s.course(t, ada, 2)
		if code := s.complete(t, ada, lessons[0]); code != "" {
			t.Fatalf("half a course gave %q", code)
		}
		code := s.complete(t, ada, lessons[1])
		if !regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$`).MatchString(code) {
			t.Fatalf("the code is %q", code)
		}
		// Later changes do not rewrite it.
		s.write(t, "update courses set title = 'Another', instructor = 'Somebody' where id = $1", course)
		want := fmt.Sprintf(`{"state":"valid","code":%q,"holder":"Ada Lovelace","course_title":"The Self-Tape Lab","course_id":%q,"instructor":"Rosalind Mbeki","lessons":2,"seconds":1200,"issued_at":"2026-11-16T13:30:00Z","revoked_at":null,"qr":{"size":`, code, course)
		if status, body := s.call(t, inside, "certificate", fmt.Sprintf(`{"code":%q}`, " "+strings.ToLower(strings.ReplaceAll(code, "-", " ")))); status != 200 || !strings.HasPrefix(body, want) {
			t.Errorf("%d %s, not %s", status, body, want)
		}
		if _, body := s.call(t, ada, "my-learning", ""); !strings.Contains(body, fmt.Sprintf(`"certificate":%q`, code)) {
			t.Error(body)
		}
		if again := s.complete(t, ada, lessons[1]); again != code {
			t.Errorf("the next report names %q", again)
		}
		letters := s.post.To(t, ada.Email, 1)
		if got := letters[0]; len(letters) != 1 || got.Subject != "Your certificate: The Self-Tape Lab" || !strings.Contains(got.Text, site+"/certificate/"+code) {
			t.Errorf("%d letters: %+v", len(letters), got)
		}
	})
}

// TestOneCompletionIsOneCertificate completes the last lessons twenty times at once over two instances, then leaves and completes again.
func TestOneCompletionIsOneCertificate(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada := s.person(t, "Ada")
		course, lessons := s.course(t, ada, 2)
		places := []*stage{s, s.other(t)}
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() { places[i/2%2].complete(t, ada, lessons[i%2]) })
		}
		all.Wait()
		one := func(when string) {
			t.Helper()
			if n := s.count(t, "select count(*) from certificates where user_id = $1", ada.UserID); n != 1 {
				t.Errorf("%s: %d certificates", when, n)
			}
			if n := s.count(t, "select count(*) from outbox where kind = 'certificate-ready' and recipient = $1", ada.Email); n != 1 {
				t.Errorf("%s: %d letters", when, n)
			}
		}
		one("at once")
		code := s.complete(t, ada, lessons[0])
		s.write(t, "delete from enrollments where user_id = $1", ada.UserID)
		s.write(t, "insert into enrollments (id, user_id, course_id, created_at) values ($1, $2, $3, $4)", id.New(), ada.UserID, course, db.At(s.hands.Now()))
		if again := s.complete(t, ada, lessons[0]); again != code || code == "" {
			t.Errorf("%q, then %q", code, again)
		}
		one("after coming back")
	})
}

func TestACourseMayHaveNoCertificates(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada := s.person(t, "")
		course, lessons := s.course(t, ada, 1)
		s.write(t, "update course_offers set certificate = $2 where course_id = $1", course, false)
		if code := s.complete(t, ada, lessons[0]); code != "" || s.count(t, "select count(*) from certificates") != 0 {
			t.Errorf("%q", code)
		}
		_, _, code := s.held(t, "")
		if _, body := s.call(t, inside, "certificate", fmt.Sprintf(`{"code":%q}`, code)); !strings.Contains(body, `"holder":"A learner"`) {
			t.Error(body)
		}
	})
}

// TestWhoHadNoNameAddsItOnce issues a certificate to somebody without a name, who gets one afterwards.
func TestWhoHadNoNameAddsItOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, _, code := s.held(t, "")
		eve := s.person(t, "Eve")
		name := func(as who.Actor, want int, says string) {
			t.Helper()
			if status, body := s.call(t, as, "name-certificate", fmt.Sprintf(`{"code":%q}`, strings.ToLower(code))); status != want || !strings.Contains(body, says) {
				t.Errorf("%d %s, not %d %s", status, body, want, says)
			}
		}
		name(resttest.Stranger, 401, "")
		name(eve, 404, "No certificate has this code.")
		name(ada, 400, "Add your name in Settings first.")
		s.write(t, "update users set user_metadata = $2 where id = $1", ada.UserID, `{"name":" Ada\u202e  Lovelace "}`)
		s.write(t, "update certificates set revoked_at = $2, revoked_for = 'x' where code = $1", code, db.At(s.hands.Now()))
		name(ada, 409, "")
		s.write(t, "update certificates set revoked_at = null, revoked_for = null where code = $1", code)
		before := s.changes
		name(ada, 200, `"holder":"Ada Lovelace"`)
		s.write(t, "update users set user_metadata = $2 where id = $1", ada.UserID, `{"name":"Grace Hopper"}`)
		name(ada, 409, "This certificate has its name.")
		if _, body := s.call(t, inside, "certificate", fmt.Sprintf(`{"code":%q}`, code)); !strings.Contains(body, `"holder":"Ada Lovelace"`) || s.changes != before+1 {
			t.Errorf("%s, %d changes", body, s.changes-before)
		}
	})
}

func TestWithdrawingNeedsAReason(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, _, code := s.held(t, "Ada")
		admin := s.person(t, "admin")
		admin.Admin = true
		change := func(as who.Actor, body string) resttest.Answer {
			return resttest.Call(t, s.data, as, "PATCH", "/certificates?code=eq."+code, body, "Prefer: return=representation")
		}
		state := func(want string) {
			t.Helper()
			if _, body := s.call(t, inside, "certificate", fmt.Sprintf(`{"code":%q}`, code)); !strings.Contains(body, want) {
				t.Errorf("%s, not %s", body, want)
			}
		}
		for _, none := range []string{`null`, `" "`, `"` + strings.Repeat("é", 501) + `"`} {
			change(admin, `{"revoked_at":"2026-11-20T10:00:00Z","revoked_for":`+none+`}`).Want(t, 400, "23514")
		}
		if rows := change(ada, `{"revoked_for":"I"}`).Want(t, 200, "").Rows(t); len(rows) != 0 {
			t.Errorf("the holder changed %v", rows)
		}
		state(`"valid"`)
		if s.changes != 0 {
			t.Error("refused, and told to those who keep pages")
		}
		change(admin, `{"revoked_at":"2026-11-20T10:00:00Z","revoked_for":"It was somebody else’s work."}`).Want(t, 200, "")
		state(`"state":"withdrawn"`)
		state(`"revoked_at":"2026-11-20T10:00:00Z"`)
		if w := s.get(t, "/certificate/"+code+"/certificate.pdf"); w.Code != http.StatusGone || !strings.Contains(w.Body.String(), "This certificate was withdrawn on November 20, 2026.") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		own := resttest.Call(t, s.data, ada, "GET", "/certificates?select=code,revoked_for", "").Want(t, 200, "")
		if !strings.Contains(own.Body, "somebody else’s work") {
			t.Error(own.Body)
		}
		if _, body := s.call(t, ada, "my-learning", ""); !strings.Contains(body, `"certificate":null`) {
			t.Error(body)
		}
		change(admin, `{"revoked_at":null}`).Want(t, 200, "")
		state(`"valid"`)
		if n := s.count(t, "select count(*) from certificates where revoked_for is not null"); n != 0 || s.changes != 2 {
			t.Errorf("%d reasons are left, %d changes were told", n, s.changes)
		}
	})
}

func TestNobodyAsksForManyCodes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		_, _, code := s.held(t, "Ada")
		for i := range 30 {
			body := `{"code":"0000-0000-0000"}`
			if i == 29 {
				body = fmt.Sprintf(`{"code":%q}`, code)
			}
			if status, text := s.call(t, resttest.Stranger, "certificate", body); (status == 200) != (i == 29) || status == 429 {
				t.Fatalf("%d: %d %s", i, status, text)
			}
		}
		if status, text := s.call(t, resttest.Stranger, "certificate", fmt.Sprintf(`{"code":%q}`, code)); status != http.StatusTooManyRequests {
			t.Errorf("%d %s", status, text)
		}
		for range 30 {
			s.get(t, "/certificate/x")
		}
		if w := s.get(t, "/certificate/"+code); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
			t.Errorf("the page: %d %v", w.Code, w.Header())
		}
		s.hands.Advance(time.Minute)
		if w := s.get(t, "/certificate/"+code); w.Code != 200 {
			t.Errorf("a minute later: %d", w.Code)
		}
	})
}

func TestACodeHasOnePage(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		_, _, code := s.held(t, "Ada")
		plain := strings.ReplaceAll(code, "-", "")
		for _, c := range []struct {
			path, want string
			status     int
		}{
			{"/certificate/" + code, "site /certificate/" + code, 200},
			{"/certificate/" + code + "/card.png", "site /certificate/" + code + "/card.png", 200},
			{"/certificate/" + plain, "/certificate/" + code, 301},
			{"/certificate/" + strings.ToLower(code) + "/certificate.pdf", "/certificate/" + code + "/certificate.pdf", 301},
			{"/certificate/0000-0000-0000", "site /certificate/0000-0000-0000", 200},
			{"/certificate/what", "site /certificate/unknown", 200},
			{"/certificate/0000-0000-0000/certificate.pdf", "No certificate has this code.", 404},
			{"/certificate/x/certificate.pdf", "No certificate has this code.", 404},
			{"/certificate/" + code + "/more", "site /certificate/" + code + "/more", 200},
		} {
			w := s.get(t, c.path)
			got := strings.TrimSpace(w.Body.String())
			if c.status == 301 {
				got = w.Header().Get("Location")
			}
			if w.Code != c.status || got != c.want {
				t.Errorf("%s: %d %s", c.path, w.Code, got)
			}
		}
	})
}

func TestCertificatesGoWithTheirHolderAndKeepTheirCourse(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, course, code := s.held(t, "Ada")
		_, _, other := s.held(t, "Bob")
		err := s.d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			rows, err := certificate.About(ctx, tx, ada.UserID, "")
			if err != nil || len(rows) != 1 || rows[0]["code"] != code || rows[0]["holder"] != "Ada" {
				t.Errorf("%v %v", rows, err)
			}
			if err := certificate.Held(ctx, tx, []string{id.New(), course}); !fault.Is(err, fault.Conflict) || err.Error() != "This course has learners. Close it instead." {
				t.Errorf("a course with a certificate: %v", err)
			}
			if err := certificate.Held(ctx, tx, []string{id.New()}); err != nil {
				t.Error(err)
			}
			return s.papers.Forget(ctx, tx, ada.UserID, "")
		})
		if err != nil || s.changes != 1 {
			t.Errorf("%v, %d changes", err, s.changes)
		}
		if status, body := s.call(t, inside, "certificate", fmt.Sprintf(`{"code":%q}`, code)); status != 404 {
			t.Errorf("%d %s", status, body)
		}
		if status, _ := s.call(t, inside, "certificate", fmt.Sprintf(`{"code":%q}`, other)); status != 200 {
			t.Error("somebody else's went, too")
		}
	})
}

// TestAWithdrawnCertificateIsNotGivenAgain completes a course once more after its certificate was withdrawn: no answer names its code.
func TestAWithdrawnCertificateIsNotGivenAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada := s.person(t, "Ada")
		course, lessons := s.course(t, ada, 1)
		code := s.complete(t, ada, lessons[0])
		s.write(t, "update certificates set revoked_at = $2, revoked_for = 'copied' where code = $1", code, db.At(s.hands.Now()))
		if again := s.complete(t, ada, lessons[0]); again != "" {
			t.Errorf("the next report names %q", again)
		}
		s.write(t, "delete from enrollments where user_id = $1", ada.UserID)
		s.write(t, "insert into enrollments (id, user_id, course_id, created_at) values ($1, $2, $3, $4)", id.New(), ada.UserID, course, db.At(s.hands.Now()))
		if again := s.complete(t, ada, lessons[0]); again != "" {
			t.Errorf("who comes back and completes it gets %q", again)
		}
		if n := s.count(t, "select count(*) from certificates where user_id = $1 and revoked_at is not null", ada.UserID); n != 1 {
			t.Errorf("%d withdrawn", n)
		}
	})
}

// TestACertificateCountsWhatIsPublished leaves drafts out of its lessons and its length.
func TestACertificateCountsWhatIsPublished(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada := s.person(t, "Ada")
		_, lessons := s.course(t, ada, 3)
		s.write(t, "update lessons set state = 'draft' where id = $1", lessons[2])
		s.complete(t, ada, lessons[0])
		code := s.complete(t, ada, lessons[1])
		if n := s.count(t, "select count(*) from certificates where code = $1 and lessons = 2 and seconds = 1200", code); n != 1 {
			t.Errorf("%q counts drafts", code)
		}
	})
}

// TestCertificatesAreReadByWhomTheyConcern asks the data API as everybody: holders, who teaches that course, and admins.
func TestCertificatesAreReadByWhomTheyConcern(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		ada, course, _ := s.held(t, "Ada")
		bob, other, _ := s.held(t, "Bob")
		tea, tom, eve, admin, guest := s.person(t, "Tea"), s.person(t, "Tom"), s.person(t, "Eve"), s.person(t, "Admin"), ada
		admin.Admin, guest.Guest = true, true
		for teacher, course := range map[string]string{tea.UserID: course, tom.UserID: other} {
			s.write(t, "insert into course_teachers (id, course_id, user_id, shown_name, created_at) values ($1, $2, $3, 'T', $4)", id.New(), course, teacher, db.At(s.hands.Now()))
		}
		for _, c := range []struct {
			name string
			as   who.Actor
			want string
		}{
			{"a stranger", resttest.Stranger, ""},
			{"a guest", guest, ""},
			{"somebody", eve, ""},
			{"a holder", ada, "Ada"},
			{"another", bob, "Bob"},
			{"who teaches it", tea, "Ada"},
			{"who teaches the other", tom, "Bob"},
			{"an admin", admin, "Ada Bob"},
		} {
			var names []string
			for _, row := range resttest.Call(t, s.data, c.as, "GET", "/certificates?select=holder&order=holder", "").Want(t, 200, "").Rows(t) {
				names = append(names, fmt.Sprint(row["holder"]))
			}
			if got := strings.Join(names, " "); got != c.want {
				t.Errorf("%s reads %q, not %q", c.name, got, c.want)
			}
		}
	})
}
