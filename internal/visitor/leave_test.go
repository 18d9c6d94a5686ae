package visitor_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"greenroom/internal/account/accounttest"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/limit"
	"greenroom/internal/visitor"
)

// Opening the link changes nothing, for programs open it as well; the button does, and so does a mail program without a session,
// whatever it sends. Nobody can make a link of their own.
func TestAListIsLeftByItsLink(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		desk := &visitor.Desk{
			DB: d, Limits: limit.New(limit.Options{DB: d, Off: true}), SiteURL: "https://greenroom.example", Secret: "s",
			Address: func(*http.Request) string { return "192.0.2.1" }, Asset: func(string) string { return "" },
		}
		pages := desk.Handler()
		ada, ben := accounttest.Add(t, d, "ada@example.com"), accounttest.Add(t, d, "ben@example.com")
		link, err := desk.LeaveLink(ada.ID, visitor.OpenedLessons)
		if err != nil {
			t.Fatal(err)
		}
		path := strings.TrimPrefix(link, "https://greenroom.example")
		left := func(user string) (left bool) {
			t.Helper()
			err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) (err error) {
				left, err = visitor.OpenedLessons.Left(ctx, tx, user)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return left
		}
		ask := func(method, path, body string) (int, string) {
			r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			w := httptest.NewRecorder()
			pages.ServeHTTP(w, r)
			return w.Code, w.Body.String()
		}
		if code, page := ask("GET", path, ""); code != 200 || !strings.Contains(page, "<button>Unsubscribe</button>") || left(ada.ID) {
			t.Errorf("%d, left %v: %s", code, left(ada.ID), page)
		}
		other, _ := (&visitor.Desk{Secret: "t"}).LeaveLink(ada.ID, visitor.OpenedLessons)
		for _, wrong := range []string{other, path[:len(path)-2] + "AA", path + "A", visitor.LeavePath + "x", visitor.LeavePath + "%00"} {
			for _, method := range []string{"GET", "POST"} {
				if code, page := ask(method, wrong, ""); code != http.StatusGone || left(ada.ID) {
					t.Errorf("%s %s: %d %s", method, wrong, code, page)
				}
			}
		}
		for range 2 {
			if code, page := ask("POST", path, "List-Unsubscribe=One-Click"); code != 200 || !strings.Contains(page, "unsubscribed") {
				t.Errorf("%d %s", code, page)
			}
		}
		if !left(ada.ID) || left(ben.ID) {
			t.Errorf("ada left: %v, ben left: %v", left(ada.ID), left(ben.ID))
		}
		gone := accounttest.Add(t, d, "gone@example.com")
		link, _ = desk.LeaveLink(gone.ID, visitor.OpenedLessons)
		err = d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.Exec(ctx, "delete from users where id = $1", gone.ID)
			return err
		})
		if code, _ := ask("POST", strings.TrimPrefix(link, "https://greenroom.example"), ""); err != nil || code != 200 {
			t.Errorf("%d %v", code, err)
		}
	})
}
