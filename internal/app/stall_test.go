package app_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"time"

	"greenroom/internal/app"
	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/web"
)

// TestAStalledDatabaseHangsNobody stops PostgreSQL where it is, as a machine without power or network does. It counts
// goroutines, so it runs alone.
//
//nolint:paralleltest // as it says
func TestAStalledDatabaseHangsNobody(t *testing.T) {
	cluster, url := dbtest.Own(t)
	hands := clock.NewManual(clock.System{}.Now())
	s := apptest.StartWith(t, db.Options{URL: url}, map[string]string{"GREENROOM_RATE_LIMITS": "off"}, app.Options{
		Log: slog.New(slog.DiscardHandler), Clock: hands, Build: web.Dist(), Deadline: 2 * time.Second, Wait: 500 * time.Millisecond,
	})
	person, token := s.Person(t, "ada@example.com")
	calls := []struct{ method, path, token, body string }{
		{"GET", "/readyz", "", ""},
		{"HEAD", "/rest/v1/courses?limit=1", "", ""}, // a GET goes on: what strangers read is kept
		{"GET", "/rest/v1/saved_courses", token, ""},
		{"POST", "/rest/v1/course_recommendations", token, fmt.Sprintf(`{"user_id":%q,"course_title":"T","course_description":"D","instructor_name":"N","email":"ada@example.com"}`, person.ID)},
		{"POST", "/auth/v1/recover", "", `{"email":"ada@example.com"}`},
		{"POST", "/auth/v1/token?grant_type=refresh_token", "", `{"refresh_token":"abcdefghijkl"}`},
		{"GET", "/auth/v1/user", token, ""},
		{"GET", "/functions/v1/sessions", token, ""},
	}
	answered := func(stalled bool) (ok bool) {
		ok = true
		for _, c := range calls {
			got := s.Do(t, c.method, c.path, c.token, c.body)
			unavailable := got.Status == http.StatusServiceUnavailable
			if unavailable && got.Header.Get("Retry-After") == "" {
				t.Errorf("%s does not say when to come back", c.path)
			}
			if unavailable != stalled {
				ok = false
				if stalled {
					t.Logf("%s: %d %s", c.path, got.Status, got.Body)
				}
			}
		}
		return ok
	}
	for !answered(false) { // a machine that is busy with other tests may be slower than these bounds
		time.Sleep(50 * time.Millisecond)
	}
	goroutines := func() int {
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		return runtime.NumGoroutine()
	}
	before := goroutines()

	if err := cluster.Pause(); err != nil {
		t.Fatal(err)
	}
	hands.Advance(2 * time.Second) // who called is remembered for a second
	var wait sync.WaitGroup
	for range 12 {
		wait.Go(func() {
			if !answered(true) {
				t.Error("something was not refused")
			}
			// A page shows what it has, and does not wait either.
			for _, path := range []string{"/", "/healthz", "/sitemap.xml"} {
				s.Do(t, http.MethodGet, path, "", "")
			}
		})
	}
	wait.Wait()

	if err := cluster.Resume(); err != nil {
		t.Fatal(err)
	}
	for !answered(false) {
		time.Sleep(50 * time.Millisecond)
	}
	for goroutines() > before+8 {
		time.Sleep(50 * time.Millisecond)
	}
}

// TestAForeignLockOnTheFileIsBoundedToo holds the write lock of the file as another process does.
func TestAForeignLockOnTheFileIsBoundedToo(t *testing.T) {
	t.Parallel()
	at := dbtest.Location(t, db.SQLite)
	s := apptest.StartWith(t, at, map[string]string{"GREENROOM_RATE_LIMITS": "off"}, app.Options{
		Log: slog.New(slog.DiscardHandler), Clock: clock.System{}, Build: web.Dist(),
	})
	release := dbtest.Hold(t, at)
	defer release()
	var wait sync.WaitGroup
	for i := range 20 {
		wait.Go(func() {
			got := s.Do(t, http.MethodPost, "/auth/v1/signup", "", fmt.Sprintf(`{"email":"%d@example.com","password":"correct horse battery"}`, i))
			if got.Status != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" {
				t.Errorf("%d %v %s", got.Status, got.Header, got.Body)
			}
			if got := s.Do(t, http.MethodGet, "/rest/v1/courses?limit=1", "", ""); got.Status != http.StatusOK {
				t.Errorf("reads do not go on: %d %s", got.Status, got.Body)
			}
		})
	}
	wait.Wait()
}
