package waitlist_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest/resttest"
	"greenroom/internal/waitlist"
)

func TestWorkshopIsTheSpecs(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		rows := resttest.Call(t, s.api, resttest.Stranger, "GET", "/workshops", "").Rows(t)
		if len(rows) != 1 {
			t.Fatalf("there are %v", rows)
		}
		for column, want := range map[string]any{
			"title": title, "date_text": "Late November 2025", "time_text": "13:30 to 14:15", "duration_minutes": 45.0, "spots": 12.0,
			"spots_left": 12.0, "starts_at": nil,
		} {
			if rows[0][column] != want {
				t.Errorf("%s is %v, not %v", column, rows[0][column], want)
			}
		}
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.Exec(ctx, "delete from workshops")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := waitlist.New(waitlist.Options{DB: d, Log: slog.New(slog.DiscardHandler)}).Install(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := s.count(t, "select count(*) from workshops"); n != 0 {
			t.Error("a later start brought the workshop back")
		}
	})
}

func TestOnlyAdminsChangeAWorkshop(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		for _, other := range []who.Actor{resttest.Stranger, s.person(t, "ada@example.org")} {
			resttest.Call(t, s.api, other, "PATCH", "/workshops?spots=gt.0", `{"host":"Me"}`).Want(t, http.StatusNoContent, "")
		}
		if n := s.count(t, "select count(*) from workshops where host = 'Me'"); n != 0 {
			t.Error("somebody else changed the workshop")
		}
		before := s.catalog.Versions.Current()
		resttest.Call(t, s.api, s.admin, "PATCH", "/workshops?spots=gt.0", `{"host":"Me","starts_at":"2025-11-27T13:30:00Z"}`).Want(t, http.StatusNoContent, "")
		if n := s.count(t, "select count(*) from workshops where host = 'Me'"); n != 1 || s.catalog.Versions.Current() != before+1 {
			t.Error("the change is not there, or pages do not know of it")
		}
		resttest.Call(t, s.api, s.admin, "DELETE", "/workshops?spots=gt.0", "").Want(t, http.StatusForbidden, "42501")
		for _, body := range []string{
			`{"title":" "}`, `{"duration_minutes":0}`, `{"duration_minutes":99999}`, `{"spots":-1}`, `{"spots":1000000}`, `{"about":""}`,
		} {
			resttest.Call(t, s.api, s.admin, "PATCH", "/workshops?spots=gt.0", body).Want(t, http.StatusBadRequest, "23514")
		}
		if answer := resttest.Call(t, s.api, s.admin, "PATCH", "/workshops?spots=gt.0", `{"spots_left":100}`); answer.Status < 400 || answer.Status > 499 {
			t.Errorf("spots_left was taken: %d", answer.Status)
		}
		s.spots(t, 0, 0, 12)
	})
}

func TestMoreSpotsPromoteAndFewerThanTakenAreRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		for i := range 15 {
			s.register(t, "Guest", fmt.Sprintf("guest%d@example.org", i)).Want(t, http.StatusCreated, "")
		}
		resttest.Call(t, s.api, s.admin, "PATCH", "/workshops?spots=gt.0", `{"spots":14}`).Want(t, http.StatusNoContent, "")
		s.spots(t, 14, 1, 0)
		if letters := s.box.To(t, "guest13@example.org", 2); letters[1].Subject != "Your spot is confirmed: "+title {
			t.Errorf("the letter is %q", letters[1].Subject)
		}
		resttest.Call(t, s.api, s.admin, "PATCH", "/workshops?spots=gt.0", `{"spots":20}`).Want(t, http.StatusNoContent, "")
		s.spots(t, 15, 0, 5)
		resttest.Call(t, s.api, s.admin, "PATCH", "/workshops?spots=gt.0", `{"spots":14}`).Want(t, http.StatusBadRequest, "23514")
		s.spots(t, 15, 0, 5)
		resttest.Call(t, s.api, s.admin, "PATCH", "/workshops?spots=gt.0", `{"spots":15}`).Want(t, http.StatusNoContent, "")
		s.spots(t, 15, 0, 0)
	})
}
