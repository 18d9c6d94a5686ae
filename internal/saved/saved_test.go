package saved_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"greenroom/internal/account/accounttest"
	"greenroom/internal/catalog"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
	"greenroom/internal/rest/resttest"
	"greenroom/internal/saved"
)

var film = id.Named("course documentary-filmmaking")

// open gives the data API over the built-in courses, and two people.
func open(t *testing.T, d *db.DB) (api http.Handler, ada, bob who.Actor) {
	t.Helper()
	return openWith(t, d, nil)
}

func openWith(t *testing.T, d *db.DB, limits *limit.Limits) (api http.Handler, ada, bob who.Actor) {
	t.Helper()
	c := catalog.New(d, slog.New(slog.DiscardHandler))
	if err := c.Install(t.Context()); err != nil {
		t.Fatal(err)
	}
	a, b := accounttest.Add(t, d, "ada@example.org"), accounttest.Add(t, d, "bob@example.org")
	return rest.Handler(d, append(saved.Tables(limits), c.Tables()...)...), resttest.Signed(a.ID, a.Email), resttest.Signed(b.ID, b.Email)
}

func row(user who.Actor, course string) string {
	return fmt.Sprintf(`{"user_id":%q,"course_id":%q}`, user.UserID, course)
}

func TestSavedCoursesAreTheirOwnersOnly(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		api, ada, bob := open(t, d)
		admin := bob
		admin.Admin = true
		resttest.Call(t, api, ada, "POST", "/saved_courses", row(ada, film)).Want(t, http.StatusCreated, "")
		for _, other := range []who.Actor{bob, admin, resttest.Stranger} {
			refused := http.StatusForbidden
			if !other.SignedIn() {
				refused = http.StatusUnauthorized
			}
			resttest.Call(t, api, other, "POST", "/saved_courses", row(ada, film)).Want(t, refused, "42501")
			if rows := resttest.Call(t, api, other, "GET", "/saved_courses?select=id", "").Rows(t); len(rows) != 0 {
				t.Errorf("somebody else sees %v", rows)
			}
			resttest.Call(t, api, other, "DELETE", "/saved_courses?course_id=eq."+film, "").Want(t, http.StatusNoContent, "")
		}
		path := "/saved_courses?user_id=eq." + ada.UserID + "&course_id=eq." + film
		if rows := resttest.Call(t, api, ada, "GET", path+"&select=course_id", "").Rows(t); len(rows) != 1 {
			t.Errorf("the owner sees %v", rows)
		}
		resttest.Call(t, api, ada, "DELETE", path, "").Want(t, http.StatusNoContent, "")
		if rows := resttest.Call(t, api, ada, "GET", path, "").Rows(t); len(rows) != 0 {
			t.Errorf("after the delete the owner sees %v", rows)
		}
	})
}

func TestSavedTwiceIsADuplicate(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		api, ada, bob := open(t, d)
		resttest.Call(t, api, ada, "POST", "/saved_courses", row(ada, film)).Want(t, http.StatusCreated, "")
		again := resttest.Call(t, api, ada, "POST", "/saved_courses", row(ada, film)).Want(t, http.StatusConflict, "23505")
		if want := `duplicate key value violates unique constraint "saved_courses_user_id_course_id_key"`; again.Message() != want {
			t.Errorf("the message is %q", again.Message())
		}
		resttest.Call(t, api, bob, "POST", "/saved_courses", row(bob, film)).Want(t, http.StatusCreated, "")
	})
}

func TestFiftyHeartsAtOnceAreOne(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		api, ada, _ := open(t, d)
		var wait sync.WaitGroup
		statuses := make([]int, 50)
		for i := range statuses {
			wait.Go(func() { statuses[i] = resttest.Call(t, api, ada, "POST", "/saved_courses", row(ada, film)).Status })
		}
		wait.Wait()
		created := 0
		for _, status := range statuses {
			switch status {
			case http.StatusCreated:
				created++
			case http.StatusConflict:
			default:
				t.Errorf("one answered %d", status)
			}
		}
		if rows := resttest.Call(t, api, ada, "GET", "/saved_courses", "").Rows(t); created != 1 || len(rows) != 1 {
			t.Errorf("%d created, %d rows", created, len(rows))
		}
	})
}

func TestHeartsOfAMinuteAreBounded(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		api, ada, bob := openWith(t, d, limit.New(limit.Options{DB: d, Secret: []byte("test")}))
		save := func(as who.Actor, times int) resttest.Answer {
			body := "[" + strings.Repeat(row(as, film)+",", times-1) + row(as, film) + "]"
			return resttest.Call(t, api, as, "POST", "/saved_courses?on_conflict=user_id,course_id", body, "Prefer: resolution=ignore-duplicates")
		}
		save(ada, 100).Want(t, http.StatusCreated, "")
		save(ada, 20).Want(t, http.StatusCreated, "")
		if refused := save(ada, 1).Want(t, http.StatusTooManyRequests, "PT429"); refused.Header.Get("Retry-After") == "" {
			t.Error("nothing says when to try again")
		}
		save(bob, 1).Want(t, http.StatusCreated, "")
	})
}

func TestUnknownCourseCannotBeSaved(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		api, ada, _ := open(t, d)
		answer := resttest.Call(t, api, ada, "POST", "/saved_courses", row(ada, id.New())).Want(t, http.StatusConflict, "23503")
		want := `insert or update on table "saved_courses" violates foreign key constraint "saved_courses_course_id_fkey"`
		if answer.Message() != want {
			t.Errorf("the message is %q", answer.Message())
		}
		resttest.Call(t, api, ada, "POST", "/saved_courses", row(ada, "7")).Want(t, http.StatusBadRequest, "22P02")
	})
}

func TestDeletedCourseLeavesMyList(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		api, ada, bob := open(t, d)
		bob.Admin = true
		resttest.Call(t, api, ada, "POST", "/saved_courses", row(ada, film)).Want(t, http.StatusCreated, "")
		resttest.Call(t, api, bob, "DELETE", "/courses?id=eq."+film, "").Want(t, http.StatusNoContent, "")
		if rows := resttest.Call(t, api, ada, "GET", "/saved_courses", "").Rows(t); len(rows) != 0 {
			t.Errorf("My List still holds %v", rows)
		}
	})
}
