package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"greenroom/internal/app/apptest"
	"greenroom/internal/mail/eml"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
)

// marks are what must be nowhere once a person is erased: their name, every address that they had or asked for, and what
// they wrote. The stored hash of the password comes to them.
var marks = []string{"Quillfeather", "former-zq81", "present-zq81", "wanted-zq81", "zq81 wrote this"}

// letter waits for the newest letter to an address, with that subject.
func letter(t *testing.T, s *apptest.Server, email, subject string) eml.Letter {
	t.Helper()
	var found eml.Letter
	until(t, "the letter '"+subject+"' to "+email, func() bool {
		all, err := eml.ReadFolder(s.Config.MailFolder(), email)
		if err != nil && !os.IsNotExist(err) {
			return false // a letter is on its way into the folder, or out of it
		}
		for _, one := range all {
			if one.Subject == subject {
				found = one
			}
		}
		return found.Subject != ""
	})
	return found
}

// until waits for what a worker does.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("in vain: %s", what)
		}
	}
}

// open opens a letter's link as its code does, and gives the session, if it opened one.
func open(t *testing.T, s *apptest.Server, kind, email string, got eml.Letter) member {
	t.Helper()
	answer := s.Do(t, http.MethodPost, "/auth/v1/verify", "", fmt.Sprintf(`{"type":%q,"email":%q,"token":%q}`, kind, email, got.Code()))
	if answer.Status != 200 {
		t.Fatalf("open the letter to %s: %d %s", email, answer.Status, answer.Body)
	}
	who, _ := memberOf(answer)
	return who
}

// lifeOf lives through an account that leaves a trace wherever one can be left, and gives its session.
func lifeOf(t *testing.T, s *apptest.Server) member {
	t.Helper()
	const former, present, wanted = "former-zq81@example.com", "present-zq81@example.com", "wanted-zq81@example.com"
	sign := func(email, password string) {
		s.Do(t, http.MethodPost, "/auth/v1/token?grant_type=password", "", fmt.Sprintf(`{"email":%q,"password":%q}`, email, password))
	}
	sign(former, "before there was an account")
	do(t, s, 200, http.MethodPost, "/auth/v1/signup", "", fmt.Sprintf(`{"email":%q,"password":%q,"data":{"name":"Quillfeather"}}`, former, secretOfAda))
	for range 12 {
		sign(former, "a wrong one")
	}
	do(t, s, 200, http.MethodPost, "/auth/v1/recover", "", fmt.Sprintf(`{"email":%q}`, former))
	who := open(t, s, "recovery", former, letter(t, s, former, "Reset your password"))

	do(t, s, 200, http.MethodPut, "/auth/v1/user", who.Access, fmt.Sprintf(`{"password":%q}`, secretOfAda+" again"))
	do(t, s, 200, http.MethodPut, "/auth/v1/user", who.Access, fmt.Sprintf(`{"email":%q}`, present))
	open(t, s, "email_change", former, letter(t, s, former, "Approve your new email address"))
	who = open(t, s, "email_change", present, letter(t, s, present, "Confirm your new email address"))
	sign(former, "after it was left")
	do(t, s, 200, http.MethodPut, "/auth/v1/user", who.Access, fmt.Sprintf(`{"email":%q}`, wanted)) // and never confirmed
	for range 12 {
		sign(wanted, "before it was theirs")
	}
	do(t, s, 200, http.MethodPost, "/auth/v1/resend", "", fmt.Sprintf(`{"type":"email_change","email":%q}`, wanted))

	var courses, workshops []struct{ ID, Title string }
	_ = json.Unmarshal([]byte(do(t, s, 200, http.MethodGet, "/rest/v1/courses?limit=1", "", "")), &courses)
	_ = json.Unmarshal([]byte(do(t, s, 200, http.MethodGet, "/rest/v1/workshops?limit=1", "", "")), &workshops)
	do(t, s, 201, http.MethodPost, "/rest/v1/saved_courses", who.Access, fmt.Sprintf(`{"user_id":%q,"course_id":%q}`, who.ID, courses[0].ID))
	do(t, s, 201, http.MethodPost, "/rest/v1/course_waitlist", who.Access, fmt.Sprintf(`{"user_id":%q,"course_title":%q,"email":%q}`, who.ID, courses[0].Title, present))
	do(t, s, 201, http.MethodPost, "/rest/v1/course_recommendations", who.Access, fmt.Sprintf(`{"user_id":%q,"course_title":"zq81 wrote this","email":%q}`, who.ID, present))
	write(t, s.DB(), "insert into course_teachers (id, course_id, user_id, shown_name, created_at) values ($1, $2, $3, 'Quillfeather', $4)",
		id.New(), courses[0].ID, who.ID, db.At(s.DB().Clock.Now()))
	write(t, s.DB(), "insert into course_offers (id, course_id, published_at, created_at) values ($1, $2, $3, $3)", id.New(), courses[0].ID, db.At(s.DB().Clock.Now()))
	for _, address := range []string{former, present} {
		do(t, s, 201, http.MethodPost, "/rest/v1/course_waitlist", "", fmt.Sprintf(`{"course_title":%q,"name":"Quillfeather","email":%q}`, workshops[0].Title, address), "Prefer", "return=minimal")
	}
	course, _ := completed(t, s, who)
	posted(t, s, who, course, "zq81 wrote this")
	do(t, s, 201, http.MethodPost, "/rest/v1/course_reviews", who.Access, fmt.Sprintf(`{"course_id":%q,"stars":4,"text":"zq81 wrote this"}`, course))
	inquiry := `{"formType":"contact","name":"Quillfeather","email":%q,"message":"zq81 wrote this"}`
	do(t, s, 200, http.MethodPost, "/functions/v1/send-notification-email", "", fmt.Sprintf(inquiry, strings.ToUpper(present)))
	do(t, s, 200, http.MethodPost, "/functions/v1/send-notification-email", who.Access, fmt.Sprintf(inquiry, "elsewhere@example.com"))
	return who
}

func TestSecurity72ErasedPeopleAreNowhere(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			s := apptest.Start(t, dbtest.Location(t, engine), map[string]string{"GREENROOM_RATE_LIMITS": "off"}, clock.System{})
			bob := lived(t, s, "bob@example.com")
			who := lifeOf(t, s)
			lived(t, s, "carol@example.com")
			hash := ""
			err := s.DB().Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				return tx.QueryRow(ctx, "select password_hash from users where id = $1", who.ID).Scan(&hash)
			})
			if err != nil {
				t.Fatal(err)
			}
			until(t, "every letter is sent", func() bool { return count(t, s.DB(), "select count(*) from outbox where state <> 'sent'") == 0 })
			if found := inTables(t, s.DB(), append(marks, hash)); len(found) < len(marks)+1 {
				t.Fatalf("the life leaves too few traces to prove anything: %q", found)
			}
			do(t, s, 200, http.MethodPost, "/functions/v1/delete-account", who.Access, fmt.Sprintf(`{"password":%q}`, secretOfAda+" again"))
			if found := inTables(t, s.DB(), append(marks, hash)); len(found) > 0 {
				t.Errorf("in the tables: %q", found)
			}
			if n := count(t, s.DB(), "select count(*) from audit_entries where actor_id = $1 or subject = $2", who.ID, who.ID); n < 15 {
				t.Errorf("only %d entries of the trail are left", n)
			}
			if n := count(t, s.DB(), "select count(*) from outbox where user_id = $1", bob.ID); n == 0 {
				t.Error("somebody else's letters went, too")
			}
			s.Stop()
			if found := inFiles(t, s.Config.Data, append(marks, hash)); len(found) > 0 {
				t.Errorf("in the data folder: %q", found)
			}
			if left, err := eml.ReadFolder(s.Config.MailFolder(), "bob@example.com"); err != nil || len(left) == 0 {
				t.Errorf("somebody else's letters went from the folder, too: %v", err)
			}
		})
	}
}

// inTables looks for the marks in every column that can hold one.
func inTables(t *testing.T, d *db.DB, marks []string) map[string][]string {
	t.Helper()
	columns := `select table_name as t, column_name as c from information_schema.columns where table_schema = 'public' and data_type in ('text', 'uuid', 'bytea')`
	if d.Engine == db.SQLite {
		columns = `select m.name as t, c.name as c from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table' and m.name not like 'sqlite%' and c.type in ('TEXT', 'BLOB')`
	}
	found := map[string][]string{}
	err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		all, err := db.Maps(ctx, tx, columns)
		if err == nil && len(all) < 50 {
			err = fmt.Errorf("only %d columns", len(all))
		}
		for _, one := range all {
			for _, mark := range marks {
				var n int
				if err == nil {
					err = tx.QueryRow(ctx, fmt.Sprintf("select count(*) from %s where lower(cast(%s as text)) like $1", one["t"], one["c"]), "%"+strings.ToLower(mark)+"%").Scan(&n)
				}
				if n > 0 {
					found[mark] = append(found[mark], fmt.Sprintf("%s.%s", one["t"], one["c"]))
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// inFiles looks for the marks in every file of a folder, also as a mail program writes them.
func inFiles(t *testing.T, folder string, marks []string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		text := strings.ToLower(strings.ReplaceAll(string(content), "=\r\n", ""))
		for _, mark := range marks {
			mark = strings.ToLower(mark)
			if strings.Contains(text, mark) || strings.Contains(text, url.QueryEscape(mark)) {
				found[mark] = append(found[mark], filepath.Base(path))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestDeletingARowReadsNoWholeTable asks for every reference how the rows are found that go with what they refer to.
func TestDeletingARowReadsNoWholeTable(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		references := `select m.name as t, f."from" as c from sqlite_master m, pragma_foreign_key_list(m.name) f where m.type = 'table'`
		if d.Engine == db.Postgres {
			references = `select c.conrelid::regclass::text as t, a.attname as c from pg_constraint c
				join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1] where c.contype = 'f'`
		}
		var all []map[string]any
		err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) (err error) {
			all, err = db.Maps(ctx, tx, references)
			return err
		})
		if err != nil || len(all) < 15 {
			t.Fatalf("%d references, %v", len(all), err)
		}
		for _, one := range all {
			dbtest.Searches(t, d, fmt.Sprintf("select 1 from %s where %s = $1", one["t"], one["c"]), id.Nil)
		}
	})
}
