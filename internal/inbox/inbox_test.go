package inbox_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"greenroom/internal/fn"
	"greenroom/internal/inbox"
	"greenroom/internal/mail/mailtest"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
	"greenroom/internal/rest/resttest"
)

// desk is the inbox behind its two surfaces.
type desk struct {
	api, functions http.Handler
	d              *db.DB
	box            *mailtest.Mailbox
}

var (
	admin = resttest.Admin(id.New(), "admin@example.org")
	ada   = resttest.Signed(id.New(), "ada@example.org")
	bob   = resttest.Signed(id.New(), "bob@example.org")
)

func open(t *testing.T, d *db.DB, limits *limit.Limits) *desk {
	t.Helper()
	box := mailtest.Open(t, d)
	b := inbox.New(d, box.Outbox, limits)
	return &desk{api: rest.Handler(d, b.Tables()...), functions: fn.Handler(b.Functions()...), d: d, box: box}
}

// row is one row to insert; empty texts are null.
type row struct{ user, title, description, instructor, email string }

func (r row) json() string {
	values := map[string]any{
		"user_id": r.user, "course_title": r.title, "course_description": r.description, "instructor_name": r.instructor, "email": r.email,
	}
	for name, value := range values {
		if value == "" {
			values[name] = nil
		}
	}
	text, _ := json.Marshal([]any{values})
	return string(text)
}

func (k *desk) insert(t *testing.T, as who.Actor, r row) resttest.Answer {
	t.Helper()
	return resttest.Call(t, k.api, as, "POST", "/course_recommendations", r.json())
}

func (k *desk) count(t *testing.T) (n int) {
	t.Helper()
	err := k.d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		return tx.QueryRow(ctx, "select count(*) from course_recommendations").Scan(&n)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (k *desk) call(t *testing.T, as who.Actor, method, path, body string) resttest.Answer {
	t.Helper()
	r := httptest.NewRequestWithContext(who.With(t.Context(), as), method, "/functions/v1/"+path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	k.functions.ServeHTTP(w, r)
	return resttest.Answer{Status: w.Code, Header: w.Header(), Body: w.Body.String()}
}

func TestMarkerDecidesTheKind(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := open(t, d, nil)
		for title, c := range map[string]struct{ instructor, kind string }{
			"Puppetry":                {"", "recommendation"},
			"Help: not a help form":   {"Grace Hopper", "recommendation"},
			"Help: sign-in":           {"Help Center", "help"},
			"Investor Inquiry: Acme":  {"Investor Relations", "investor"},
			"Sponsorship Inquiry: Co": {" Corporate Sponsorships ", "sponsorship"},
			"Hello":                   {"Contact: Ada", "contact"},
			"Contact":                 {"Contact Ada", "recommendation"},
		} {
			k.insert(t, ada, row{ada.UserID, title, "Name: Ada\nMessage: Hello", c.instructor, ada.Email}).Want(t, http.StatusCreated, "")
			rows := resttest.Call(t, k.api, admin, "GET", "/course_recommendations?order=created_at.desc&course_title=eq."+strings.ReplaceAll(title, " ", "+"), "").Rows(t)
			if len(rows) != 1 || rows[0]["kind"] != c.kind {
				t.Errorf("%s by %q is %v, not a %s", title, c.instructor, rows, c.kind)
			}
		}
		k.insert(t, ada, row{ada.UserID, "T", "", "", ada.Email}).Want(t, http.StatusCreated, "")
		resttest.Call(t, k.api, ada, "POST", "/course_recommendations",
			fmt.Sprintf(`{"user_id":%q,"course_title":"T","email":"ada@example.org","kind":"help"}`, ada.UserID)).Want(t, http.StatusForbidden, "42501")
	})
}

func TestOnlyTheContactFormWorksWithoutAnAccount(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := open(t, d, nil)
		message := row{id.Nil, "Hello", "Message: Hi", "Contact: Ada", "ada@example.org"}
		k.insert(t, resttest.Stranger, message).Want(t, http.StatusCreated, "")
		for _, marker := range []string{"", "Help Center", "Investor Relations", "Corporate Sponsorships", "Grace Hopper"} {
			r := message
			r.instructor = marker
			k.insert(t, resttest.Stranger, r).Want(t, http.StatusUnauthorized, "42501")
		}
		for _, user := range []string{ada.UserID, ""} {
			r := message
			r.user = user
			k.insert(t, resttest.Stranger, r).Want(t, http.StatusUnauthorized, "42501")
		}
		for _, signed := range []who.Actor{ada, admin} {
			k.insert(t, signed, message).Want(t, http.StatusForbidden, "42501")
			r := message
			r.user = bob.UserID
			k.insert(t, signed, r).Want(t, http.StatusForbidden, "42501")
			r.user = signed.UserID
			k.insert(t, signed, r).Want(t, http.StatusCreated, "")
		}
		if n := k.count(t); n != 3 {
			t.Errorf("%d rows are stored", n)
		}
	})
}

func TestLimitsOfWhatIsWritten(t *testing.T) {
	t.Parallel()
	text := func(n int) string { return strings.Repeat("é", n) }
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := open(t, d, nil)
		good := row{ada.UserID, text(100), text(500), text(100), " ada@example.org "}
		inquiry := row{ada.UserID, text(200), "Name: Ada\nCompany: Acme\nMessage: " + text(5000), "Help Center", ada.Email}
		k.insert(t, ada, good).Want(t, http.StatusCreated, "")
		k.insert(t, ada, inquiry).Want(t, http.StatusCreated, "")
		for message, change := range map[string]func(r *row){
			"Course title is required":                           func(r *row) { r.title = "  " },
			"Course title can be at most 100 characters long":    func(r *row) { r.title = text(101) },
			"Description can be at most 500 characters long":     func(r *row) { r.description = text(501) },
			"Instructor name can be at most 100 characters long": func(r *row) { r.instructor = text(101) },
			"Valid email is required":                            func(r *row) { r.email = "ada" },
			"Subject can be at most 200 characters long":         func(r *row) { *r = inquiry; r.title = text(201) },
			"A message can be at most 5000 characters long":      func(r *row) { *r = inquiry; r.description += "é" },
			"Description can be at most 6000 characters long":    func(r *row) { *r = inquiry; r.description = "Name: " + text(1000) + "\nMessage: " + text(5000) },
			"Please fill in all fields":                          func(r *row) { *r = inquiry; r.description = "" },
		} {
			r := good
			change(&r)
			if answer := k.insert(t, ada, r).Want(t, http.StatusBadRequest, "23514"); answer.Message() != message {
				t.Errorf("the refusal is %q, not %q", answer.Message(), message)
			}
		}
		rows := resttest.Call(t, k.api, admin, "GET", "/course_recommendations?kind=eq.recommendation", "").Rows(t)
		if len(rows) != 1 || rows[0]["email"] != "ada@example.org" {
			t.Errorf("stored %v", rows)
		}
	})
}

func TestAnyTextComesBackAsItWentIn(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := open(t, d, nil)
		text := "<script>alert('x')</script> \" ; drop table users; -- שלום \U0001F3AD \r\n=1+1 {{.Secret}}"
		k.insert(t, ada, row{ada.UserID, text, text, "", ada.Email}).Want(t, http.StatusCreated, "")
		rows := resttest.Call(t, k.api, admin, "GET", "/course_recommendations", "").Rows(t)
		if rows[0]["course_title"] != text || rows[0]["course_description"] != text {
			t.Errorf("came back as %v", rows[0])
		}
	})
}

func TestOnlyAdminsReadAndDeleteMessages(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := open(t, d, nil)
		k.insert(t, ada, row{ada.UserID, "Puppetry", "", "", ada.Email}).Want(t, http.StatusCreated, "")
		for _, other := range []who.Actor{resttest.Stranger, ada, bob} {
			if rows := resttest.Call(t, k.api, other, "GET", "/course_recommendations", "").Rows(t); len(rows) != 0 {
				t.Errorf("somebody reads %v", rows)
			}
			resttest.Call(t, k.api, other, "DELETE", "/course_recommendations?kind=eq.recommendation", "").Want(t, http.StatusNoContent, "")
		}
		resttest.Call(t, k.api, admin, "PATCH", "/course_recommendations?kind=eq.recommendation", `{"email":"x@example.org"}`).
			Want(t, http.StatusForbidden, "42501")
		if k.count(t) != 1 {
			t.Fatal("somebody else deleted a message")
		}
		resttest.Call(t, k.api, admin, "DELETE", "/course_recommendations?kind=eq.recommendation", "").Want(t, http.StatusNoContent, "")
		if k.count(t) != 0 {
			t.Error("an admin could not delete a message")
		}
	})
}

func TestMessagesAreLimited(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := open(t, d, limit.New(limit.Options{DB: d, Secret: []byte("test")}))
		message := row{id.Nil, "Hello", "Message: Hi", "Contact: Ada", "ada@example.org"}
		for range 10 {
			k.insert(t, resttest.Stranger, message).Want(t, http.StatusCreated, "")
		}
		if refused := k.insert(t, resttest.Stranger, message).Want(t, http.StatusTooManyRequests, ""); refused.Header.Get("Retry-After") == "" {
			t.Error("nothing says when to try again")
		}
		message.user = ada.UserID
		for range 30 {
			k.insert(t, ada, message).Want(t, http.StatusCreated, "")
		}
		if refused := k.insert(t, ada, message).Want(t, http.StatusTooManyRequests, "PT429"); refused.Header.Get("Retry-After") == "" {
			t.Error("nothing says when to try again")
		}
		message.user = bob.UserID
		k.insert(t, bob, message).Want(t, http.StatusCreated, "")
	})
}
