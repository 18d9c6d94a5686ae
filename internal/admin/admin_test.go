package admin_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"greenroom/internal/account/accounttest"
	"greenroom/internal/admin"
	"greenroom/internal/catalog"
	"greenroom/internal/fn"
	"greenroom/internal/inbox"
	"greenroom/internal/mail"
	"greenroom/internal/mail/mailtest"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
	"greenroom/internal/rest/resttest"
	"greenroom/internal/waitlist"
)

// office is the desk with the real tables and functions around it.
type office struct {
	d     *db.DB
	data  http.Handler
	calls http.Handler
	post  *mailtest.Mailbox
	boss  who.Actor
	ada   who.Actor
}

func open(t *testing.T, d *db.DB) office {
	t.Helper()
	post := mailtest.Open(t, d)
	courses := catalog.New(d, slog.New(slog.DiscardHandler))
	if err := courses.Install(t.Context()); err != nil {
		t.Fatal(err)
	}
	limits := limit.New(limit.Options{DB: d, Secret: []byte("secret"), Off: true})
	lists := waitlist.New(waitlist.Options{
		DB: d, Outbox: post.Outbox, Limits: limits,
		SiteURL: "https://greenroom.example", Log: slog.New(slog.DiscardHandler),
	})
	if err := lists.Install(t.Context()); err != nil {
		t.Fatal(err)
	}
	messages := inbox.New(d, post.Outbox, limits)
	desk := admin.New(d, post.Outbox)
	boss, ada := accounttest.Add(t, d, "boss@example.com"), accounttest.Add(t, d, "ada@example.com")
	return office{
		d: d, post: post,
		data:  rest.Handler(d, admin.Watch(slices.Concat(courses.Tables(), lists.Tables(), messages.Tables()))...),
		calls: fn.Handler(append(desk.Functions(), messages.Functions()...)...),
		boss:  resttest.Admin(boss.ID, boss.Email), ada: resttest.Signed(ada.ID, ada.Email),
	}
}

// call calls a function and reads its answer.
func (o office) call(t *testing.T, as who.Actor, name, body string, into any) int {
	t.Helper()
	r := httptest.NewRequestWithContext(who.With(t.Context(), as), http.MethodPost, "/functions/v1/"+name, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	o.calls.ServeHTTP(w, r)
	if into != nil {
		if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
			t.Fatalf("%s answered %d %s", name, w.Code, w.Body)
		}
	}
	return w.Code
}

type line struct{ Actor, Action, Subject, Address, Result string }

type trail struct {
	Entries []line
	Next    string
}

// trail reads what admins did, newest first.
func (o office) trail(t *testing.T) []line {
	t.Helper()
	var all trail
	if status := o.call(t, o.boss, "audit", `{}`, &all); status != http.StatusOK {
		t.Fatalf("audit answered %d", status)
	}
	return all.Entries
}

const course = `{"title":"Stage Combat","instructor":"Ada","duration":"4 weeks","category":"AI Tools","thumbnail":"/art/x.webp",
	"description":"Falls.","lessons":3,"level":"Beginner","rating":4.5}`

func TestWhatAdminsWriteIsInTheTrail(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := open(t, d)
		added := resttest.Call(t, o.data, o.boss, "POST", "/courses?select=id", course, "Prefer: return=representation").Want(t, 201, "")
		id := added.Rows(t)[0]["id"].(string)
		resttest.Call(t, o.data, o.boss, "PATCH", "/courses?id=eq."+id, `{"rating":4.9}`).Want(t, 204, "")
		resttest.Call(t, o.data, o.boss, "DELETE", "/courses?id=eq."+id, "").Want(t, 204, "")
		resttest.Call(t, o.data, o.boss, "PATCH", "/workshops?spots=eq.12", `{"spots":14}`).Want(t, 204, "")
		named := "Stage Combat (" + id + ")"
		lines := o.trail(t)
		if len(lines) != 4 {
			t.Fatalf("%d lines: %+v", len(lines), lines)
		}
		for i, want := range []line{
			{o.boss.Email, "admin.workshop.change", lines[0].Subject, o.boss.Address, "ok"},
			{o.boss.Email, "admin.course.delete", named, o.boss.Address, "ok"},
			{o.boss.Email, "admin.course.change", named, o.boss.Address, "ok"},
			{o.boss.Email, "admin.course.add", named, o.boss.Address, "ok"},
		} {
			if lines[i] != want {
				t.Errorf("line %d is %+v, not %+v", i, lines[i], want)
			}
		}
		if !strings.HasPrefix(lines[0].Subject, "Screen Acting and Professional Preparation Workshop (") {
			t.Errorf("the workshop is called %q", lines[0].Subject)
		}
	})
}

func TestWhatIsRefusedOrOnesOwnIsNotInTheTrail(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := open(t, d)
		join := func(as who.Actor) {
			body := fmt.Sprintf(`{"user_id":%q,"course_title":"Stage Combat","email":%q}`, as.UserID, as.Email)
			resttest.Call(t, o.data, as, "POST", "/course_waitlist", body).Want(t, 201, "")
		}
		resttest.Call(t, o.data, o.ada, "POST", "/courses", course).Want(t, 403, "42501")
		resttest.Call(t, o.data, o.boss, "POST", "/courses", strings.Replace(course, "4.5", "9", 1)).Want(t, 400, "23514")
		resttest.Call(t, o.data, o.boss, "DELETE", "/courses?title=eq.none", "").Want(t, 204, "")
		join(o.boss)
		resttest.Call(t, o.data, o.boss, "DELETE", "/course_waitlist?user_id=eq."+o.boss.UserID, "").Want(t, 204, "")
		join(o.ada)
		resttest.Call(t, o.data, o.ada, "DELETE", "/course_waitlist?user_id=eq."+o.ada.UserID, "").Want(t, 204, "")
		if lines := o.trail(t); len(lines) != 0 {
			t.Fatalf("noted %+v", lines)
		}
		join(o.ada)
		resttest.Call(t, o.data, o.boss, "DELETE", "/course_waitlist?user_id=eq."+o.ada.UserID, "").Want(t, 204, "")
		lines := o.trail(t)
		if len(lines) != 1 || lines[0].Action != "admin.waitlist.delete" || !strings.HasPrefix(lines[0].Subject, "Stage Combat (") {
			t.Fatalf("noted %+v", lines)
		}
	})
}

func TestDeletedMessagesAndExportsAreInTheTrail(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := open(t, d)
		body := fmt.Sprintf(`{"user_id":%q,"course_title":"Help: No sound","course_description":"Name: Ada\nMessage: Hi","instructor_name":"Help Center","email":"ada@example.com"}`, o.ada.UserID)
		resttest.Call(t, o.data, o.ada, "POST", "/course_recommendations", body).Want(t, 201, "")
		resttest.Call(t, o.data, o.boss, "DELETE", "/course_recommendations?kind=eq.help", "").Want(t, 204, "")
		r := httptest.NewRequestWithContext(who.With(t.Context(), o.boss), http.MethodGet, "/functions/v1/export?tab=inquiries", http.NoBody)
		w := httptest.NewRecorder()
		o.calls.ServeHTTP(w, r)
		lines := o.trail(t)
		if w.Code != http.StatusOK || len(lines) != 2 || lines[0].Action != "admin.list.export" || lines[0].Subject != "inquiries" ||
			lines[1].Action != "admin.message.delete" || !strings.HasPrefix(lines[1].Subject, "help (") {
			t.Fatalf("the export answered %d, noted %+v", w.Code, lines)
		}
	})
}

func TestManyRowsAreOneNote(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := open(t, d)
		many := "[" + strings.Repeat(course+",", 50) + course + "]"
		resttest.Call(t, o.data, o.boss, "POST", "/courses", many).Want(t, 201, "")
		lines := o.trail(t)
		if len(lines) != 1 || lines[0].Subject != "51 rows of courses" {
			t.Fatalf("noted %+v", lines)
		}
	})
}

func TestTheTrailIsReadPageByPage(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := open(t, d)
		for i := range 7 {
			body := strings.Replace(course, "Stage Combat", fmt.Sprintf("Course %d", i), 1)
			resttest.Call(t, o.data, o.boss, "POST", "/courses", body).Want(t, 201, "")
		}
		var seen []string
		for page := (trail{Next: "first"}); page.Next != ""; {
			cursor := strings.TrimPrefix(page.Next, "first")
			page = trail{}
			o.call(t, o.boss, "audit", fmt.Sprintf(`{"limit":3,"cursor":%q}`, cursor), &page)
			for _, l := range page.Entries {
				title, _, _ := strings.Cut(l.Subject, " (")
				seen = append(seen, title)
			}
		}
		if want := "Course 6,Course 5,Course 4,Course 3,Course 2,Course 1,Course 0"; strings.Join(seen, ",") != want {
			t.Fatalf("read %v", seen)
		}
		for _, bad := range []string{`{"cursor":"x"}`, `{"cursor":"2026-01-01T00:00:00Z,x"}`, `{"limit":"x"}`, `{"all":1}`} {
			if status := o.call(t, o.boss, "audit", bad, nil); status != http.StatusBadRequest {
				t.Errorf("%s answered %d", bad, status)
			}
		}
	})
}

func TestOnlyAdminsCallTheDesk(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := open(t, d)
		for _, name := range []string{"audit", "mail", "resend-mail"} {
			for _, c := range []struct {
				as     who.Actor
				status int
			}{{resttest.Stranger, http.StatusUnauthorized}, {o.ada, http.StatusForbidden}} {
				if status := o.call(t, c.as, name, `{}`, nil); status != c.status {
					t.Errorf("%s answered %d, not %d", name, status, c.status)
				}
			}
		}
		if lines := o.trail(t); len(lines) != 0 {
			t.Errorf("noted %+v", lines)
		}
	})
}

type letters struct {
	Letters []struct{ ID, Recipient, State string }
	Counts  map[mail.State]int
}

func TestALetterIsSentAgain(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := open(t, d)
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			if err := o.post.Enqueue(ctx, tx, mail.WaitlistJoined{To: "ada@example.com", Course: "Stage Combat", Link: "https://greenroom.example"}); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, "update outbox set state = 'failed', attempts = 9, last_error = 'no such mailbox'")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		var found letters
		o.call(t, o.boss, "mail", `{"state":"failed"}`, &found)
		if len(found.Letters) != 1 || found.Letters[0].Recipient != "ada@example.com" || found.Counts[mail.Failed] != 1 {
			t.Fatalf("found %+v", found)
		}
		if status := o.call(t, o.boss, "resend-mail", fmt.Sprintf(`{"id":%q}`, found.Letters[0].ID), nil); status != http.StatusNoContent {
			t.Fatalf("answered %d", status)
		}
		o.post.To(t, "ada@example.com", 1)
		if lines := o.trail(t); len(lines) != 1 || lines[0].Action != "admin.letter.resend" || lines[0].Subject != found.Letters[0].ID {
			t.Fatalf("noted %+v", lines)
		}
		for body, want := range map[string]int{
			`{"id":"x"}`: http.StatusNotFound, `{}`: http.StatusNotFound, `{"id":"00000000-0000-4000-8000-000000000000"}`: http.StatusNotFound,
		} {
			if status := o.call(t, o.boss, "resend-mail", body, nil); status != want {
				t.Errorf("%s answered %d", body, status)
			}
		}
		if status := o.call(t, o.boss, "mail", `{"state":"lost"}`, nil); status != http.StatusBadRequest {
			t.Errorf("an unknown state answered %d", status)
		}
	})
}
