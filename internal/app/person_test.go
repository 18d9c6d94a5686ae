package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
)

const secretOfAda = "a fine long secret"

// member is somebody who signed up through the front door.
type member struct{ ID, Access, Refresh string }

func signUp(t *testing.T, s *apptest.Server, path, email string) member {
	t.Helper()
	answer := s.Do(t, http.MethodPost, path, "", fmt.Sprintf(`{"email":%q,"password":%q}`, email, secretOfAda),
		"User-Agent", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36")
	got, ok := memberOf(answer)
	if !ok {
		t.Fatalf("%s: %d %s", path, answer.Status, answer.Body)
	}
	return got
}

// memberOf reads a session out of an answer.
func memberOf(answer apptest.Answer) (member, bool) {
	var got struct {
		AccessToken  string `json:"access_token"`
		RefreshToken string `json:"refresh_token"`
		User         struct{ ID string }
	}
	err := json.Unmarshal([]byte(answer.Body), &got)
	return member{got.User.ID, got.AccessToken, got.RefreshToken}, err == nil && answer.Status == http.StatusOK
}

func do(t *testing.T, s *apptest.Server, status int, method, path, token, body string, headers ...string) string {
	t.Helper()
	answer := s.Do(t, method, path, token, body, headers...)
	if answer.Status != status {
		t.Fatalf("%s %s: %d %s", method, path, answer.Status, answer.Body)
	}
	return answer.Body
}

func write(t *testing.T, d *db.DB, query string, args ...any) {
	t.Helper()
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, query, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, d *db.DB, query string, args ...any) (n int) {
	t.Helper()
	err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error { return tx.QueryRow(ctx, query, args...).Scan(&n) })
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestSecurity37PeopleSeeAndEndTheirSessions also lets an admin end anybody's.
func TestSecurity37PeopleSeeAndEndTheirSessions(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		first := signUp(t, s, "/auth/v1/signup", "ada@example.com")
		second := signUp(t, s, "/auth/v1/token?grant_type=password", "ada@example.com")
		bob := signUp(t, s, "/auth/v1/signup", "bob@example.com")
		type device struct {
			ID, Device, Address string
			Current             bool
		}
		list := func(token, query string) (devices []device) {
			t.Helper()
			var got struct{ Sessions []device }
			if err := json.Unmarshal([]byte(do(t, s, 200, http.MethodGet, "/functions/v1/sessions"+query, token, "")), &got); err != nil {
				t.Fatal(err)
			}
			return got.Sessions
		}
		devices := list(second.Access, "")
		if len(devices) != 2 || devices[0].Device != "Chrome on macOS" || devices[0].Address == "" || devices[0].Current == devices[1].Current {
			t.Fatalf("sessions: %+v", devices)
		}
		other := devices[0]
		if other.Current {
			other = devices[1]
		}
		end := func(status int, token, body string) {
			t.Helper()
			do(t, s, status, http.MethodPost, "/functions/v1/sessions", token, body)
		}
		end(404, bob.Access, fmt.Sprintf(`{"end":%q}`, other.ID))
		end(403, bob.Access, fmt.Sprintf(`{"end":%q,"user_id":%q}`, other.ID, first.ID))
		end(400, second.Access, `{"end":"x"}`)
		end(200, second.Access, fmt.Sprintf(`{"end":%q}`, other.ID))
		end(404, second.Access, fmt.Sprintf(`{"end":%q}`, other.ID))
		do(t, s, 400, http.MethodPost, "/auth/v1/token?grant_type=refresh_token", "", fmt.Sprintf(`{"refresh_token":%q}`, first.Refresh))
		do(t, s, 401, http.MethodGet, "/functions/v1/sessions", first.Access, "")
		_, boss := s.Admin(t, "boss@example.com")
		left := list(boss, "?user_id="+first.ID)
		if len(left) != 1 {
			t.Fatalf("what the admin sees: %+v", left)
		}
		end(200, boss, fmt.Sprintf(`{"end":%q,"user_id":%q}`, left[0].ID, first.ID))
		do(t, s, 400, http.MethodPost, "/auth/v1/token?grant_type=refresh_token", "", fmt.Sprintf(`{"refresh_token":%q}`, second.Refresh))
	})
}

// lived is an account with a trace in every domain: a list, a saved course, a workshop's spot, a message, letters.
func lived(t *testing.T, s *apptest.Server, email string) member {
	t.Helper()
	ada := signUp(t, s, "/auth/v1/signup", email)
	var courses []struct{ ID, Title string }
	_ = json.Unmarshal([]byte(do(t, s, 200, http.MethodGet, "/rest/v1/courses?limit=1", "", "")), &courses)
	do(t, s, 201, http.MethodPost, "/rest/v1/saved_courses", ada.Access, fmt.Sprintf(`{"user_id":%q,"course_id":%q}`, ada.ID, courses[0].ID))
	do(t, s, 201, http.MethodPost, "/rest/v1/course_waitlist", ada.Access,
		fmt.Sprintf(`{"user_id":%q,"course_title":%q,"email":%q}`, ada.ID, courses[0].Title, email))
	do(t, s, 201, http.MethodPost, "/rest/v1/course_recommendations", ada.Access,
		fmt.Sprintf(`{"user_id":%q,"course_title":"Juggling","email":%q}`, ada.ID, email))
	return ada
}

func TestSecurity72MyDataIsAllThatIsKnown(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		ada := lived(t, s, "ada@example.com")
		course, _ := completed(t, s, ada)
		posted(t, s, ada, course, "Ada asks")
		lived(t, s, "bob@example.com")
		write(t, s.DB(), "insert into course_teachers (id, course_id, user_id, shown_name, created_at) values ($1, $2, $3, 'Prof. Ada', $4)",
			id.New(), id.Named("course documentary-filmmaking"), ada.ID, db.At(s.DB().Clock.Now()))
		answer := s.Do(t, http.MethodGet, "/functions/v1/my-data", ada.Access, "")
		if answer.Status != 200 || !strings.Contains(answer.Header.Get("Content-Disposition"), "attachment") {
			t.Fatalf("%d %v %s", answer.Status, answer.Header, answer.Body)
		}
		var data map[string]json.RawMessage
		if err := json.Unmarshal([]byte(answer.Body), &data); err != nil {
			t.Fatal(err)
		}
		for name, part := range map[string]string{
			"account": ada.ID, "sessions": "Chrome", "saved_courses": "course_id", "course_waitlist": "ada@example.com",
			"course_recommendations": "Juggling", "audit": "user.sign_up", "certificates": "course_title",
			"course_teachers": "Prof. Ada", "lesson_notes": "Ada asks", "lesson_questions": "Ada asks", "lesson_answers": "Ada asks", "post_reports": "Ada asks",
		} {
			if !strings.Contains(string(data[name]), part) {
				t.Errorf("%s: %s", name, data[name])
			}
		}
		for _, never := range []string{"bob@example.com", "argon2", "password_hash", "token_hash"} {
			if strings.Contains(answer.Body, never) {
				t.Errorf("the file holds %s", never)
			}
		}
		do(t, s, 401, http.MethodGet, "/functions/v1/my-data", "", "")
	})
}

func TestSecurity72ADeletedAccountLeavesAPseudonym(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			hands := clock.NewManual(time.Now().Add(-time.Hour))
			s := apptest.Start(t, dbtest.Location(t, engine), map[string]string{"GREENROOM_RATE_LIMITS": "off"}, hands)
			ada := lived(t, s, "ada@example.com")
			write(t, s.DB(), "update workshops set spots = 1, spots_left = 1")
			var workshops []struct{ Title string }
			_ = json.Unmarshal([]byte(do(t, s, 200, http.MethodGet, "/rest/v1/workshops?limit=1", "", "")), &workshops)
			register := func(email string) {
				t.Helper()
				do(t, s, 201, http.MethodPost, "/rest/v1/course_waitlist", "",
					fmt.Sprintf(`{"course_title":%q,"name":"Somebody","email":%q}`, workshops[0].Title, email), "Prefer", "return=minimal")
			}
			register("ada@example.com")
			register("bob@example.com")
			erase := func(status int, token, body string) string {
				t.Helper()
				return do(t, s, status, http.MethodPost, "/functions/v1/delete-account", token, body)
			}
			hands.Advance(15 * time.Minute)
			if got := erase(403, ada.Access, ""); !strings.Contains(got, "reauthentication_needed") {
				t.Error(got)
			}
			if got := erase(403, ada.Access, `{"password":"not the one"}`); !strings.Contains(got, "current_password_invalid") {
				t.Error(got)
			}
			// Nobody has shown yet that the address is Ada's, so its spot stays.
			mallory := signUp(t, s, "/auth/v1/signup", "bob@example.com")
			erase(200, mallory.Access, "")
			if n := count(t, s.DB(), "select count(*) from course_waitlist where email = 'bob@example.com'"); n != 1 {
				t.Errorf("%d registrations of an address that was never shown to be the person's", n)
			}
			write(t, s.DB(), "update users set email_proven_at = $2 where id = $1", ada.ID, db.At(hands.Now()))

			erase(200, ada.Access, fmt.Sprintf(`{"password":%q}`, secretOfAda))
			do(t, s, 401, http.MethodGet, "/functions/v1/sessions", ada.Access, "")
			do(t, s, 403, http.MethodGet, "/auth/v1/user", ada.Access, "")
			do(t, s, 400, http.MethodPost, "/auth/v1/token?grant_type=password", "", fmt.Sprintf(`{"email":"ada@example.com","password":%q}`, secretOfAda))
			for _, one := range []struct{ table, column string }{
				{"users", "id"},
				{"sessions", "user_id"},
				{"identities", "user_id"},
				{"saved_courses", "user_id"},
				{"course_waitlist", "user_id"},
				{"course_recommendations", "user_id"},
				{"user_roles", "user_id"},
			} {
				if n := count(t, s.DB(), "select count(*) from "+one.table+" where "+one.column+" = $1", ada.ID); n != 0 {
					t.Errorf("%d rows are left in %s", n, one.table)
				}
			}
			for table, column := range map[string]string{"course_waitlist": "email", "outbox": "recipient", "course_recommendations": "email"} {
				if n := count(t, s.DB(), "select count(*) from "+table+" where "+column+" = 'ada@example.com'"); n != 0 {
					t.Errorf("%d rows of the address are left in %s", n, table)
				}
			}
			if n := count(t, s.DB(), "select count(*) from course_waitlist where email = 'bob@example.com' and spot = 1"); n != 1 {
				t.Error("the freed spot did not go to who waited")
			}
			if n := count(t, s.DB(), "select count(*) from audit_entries where actor_id = $1 and (address <> '' or user_agent <> '')", ada.ID); n != 0 {
				t.Errorf("%d lines of the trail tell where the person sat", n)
			}
			if n := count(t, s.DB(), "select count(*) from audit_entries where subject = 'ada@example.com' and actor_id is not null"); n != 0 {
				t.Errorf("%d lines of the trail tell the address", n)
			}
			if n := count(t, s.DB(), "select count(*) from audit_entries where actor_id = $1 and action = 'user.delete'", ada.ID); n != 1 {
				t.Error("the trail does not know of the deletion")
			}
		})
	}
}
