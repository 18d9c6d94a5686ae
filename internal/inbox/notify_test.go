package inbox_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"greenroom/internal/mail/eml"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/limit"
	"greenroom/internal/rest/resttest"
)

const notification = "send-notification-email"

func TestNoticeGoesToTheProviderAndAnswersToTheWriter(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := open(t, d, nil)
		answer := k.call(t, resttest.Stranger, "POST", notification,
			`{"formType":"contact","name":"Ada Kovač","email":"ada@example.org","subject":"Hello","message":"One\nTwo <b>","to":"eve@example.org","inbox":"eve@example.org"}`)
		if answer.Status != http.StatusOK || answer.Body != `{"success":true}` {
			t.Fatalf("answered %d %s", answer.Status, answer.Body)
		}
		letter := k.box.To(t, "inbox@greenroom.example", 1)[0]
		reply, err := letter.Header.AddressList("Reply-To")
		if err != nil || len(reply) != 1 || reply[0].Address != "ada@example.org" {
			t.Errorf("an answer goes to %v (%v)", reply, err)
		}
		if letter.Subject != "Contact: Hello" || !strings.Contains(letter.Text, "One\n") || strings.Contains(letter.HTML, "<b>") {
			t.Errorf("the letter is %q: %s", letter.Subject, letter.HTML)
		}
		if all, err := eml.ReadFolder(k.box.Folder, ""); err != nil || len(all) != 1 {
			t.Errorf("%d letters, %v", len(all), err)
		}
	})
}

func TestNoticeIsChecked(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := open(t, d, nil)
		good := map[string]map[string]string{
			"help":        {"name": "Ada", "email": "ada@example.org", "subject": "S", "message": "M"},
			"contact":     {"name": "Ada", "email": "ada@example.org", "message": "M"},
			"investor":    {"name": "Ada", "email": "ada@example.org", "message": "M"},
			"sponsorship": {"name": "Ada", "email": "ada@example.org", "company": "C", "message": "M"},
		}
		send := func(form string, fields map[string]string) int {
			fields["formType"] = form
			body, _ := json.Marshal(fields)
			return k.call(t, ada, "POST", notification, string(body)).Status
		}
		with := func(fields map[string]string, name, value string) map[string]string {
			changed := map[string]string{name: value}
			for other, kept := range fields {
				if other != name {
					changed[other] = kept
				}
			}
			return changed
		}
		for form, fields := range good {
			if status := send(form, with(fields, "name", "Ada")); status != http.StatusOK {
				t.Errorf("%s answered %d", form, status)
			}
			for name := range fields {
				if status := send(form, with(fields, name, "  ")); name != "formType" && status != http.StatusBadRequest {
					t.Errorf("%s without %s answered %d", form, name, status)
				}
			}
			for name, value := range map[string]string{
				"email": "ada@example.org\r\nBcc: eve@example.org", "name": strings.Repeat("n", 101), "message": strings.Repeat("m", 5001),
				"phone": strings.Repeat("1", 51), "company": strings.Repeat("c", 101), "subject": strings.Repeat("s", 201),
			} {
				if status := send(form, with(fields, name, value)); status != http.StatusBadRequest {
					t.Errorf("%s with %s %.20q answered %d", form, name, value, status)
				}
			}
		}
		for _, body := range []string{"", "{}", "[]", "{", `{"formType":"other","name":"A","email":"a@example.org","message":"M"}`, `{"formType":1}`} {
			if answer := k.call(t, ada, "POST", notification, body); answer.Status != http.StatusBadRequest {
				t.Errorf("%q answered %d", body, answer.Status)
			}
		}
		if answer := k.call(t, ada, "GET", notification, ""); answer.Status != http.StatusMethodNotAllowed {
			t.Errorf("GET answered %d", answer.Status)
		}
	})
}

func TestNoticesAreLimited(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := open(t, d, limit.New(limit.Options{DB: d, Secret: []byte("test")}))
		body := `{"formType":"contact","name":"Ada","email":"ada@example.org","message":"M"}`
		for range 10 {
			if answer := k.call(t, resttest.Stranger, "POST", notification, body); answer.Status != http.StatusOK {
				t.Fatalf("answered %d %s", answer.Status, answer.Body)
			}
		}
		if answer := k.call(t, resttest.Stranger, "POST", notification, body); answer.Status != http.StatusTooManyRequests || answer.Header.Get("Retry-After") == "" {
			t.Errorf("the eleventh answered %d", answer.Status)
		}
	})
}
