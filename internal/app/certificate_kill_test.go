package app_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"greenroom/internal/app"
	"greenroom/internal/app/apptest"
	"greenroom/internal/mail/eml"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/config"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
	"greenroom/web"
)

// The process that is killed while it completes a course gets these besides.
const killedToken, killedLesson = "KILLED_TOKEN", "KILLED_LESSON"

// TestAKillWhileACourseIsCompletedLeavesOneCertificateAndOneLetter completes a course in a process that kills itself before its first
// trip to the database, then in one that does before its second, and so on, until one lives to its end.
func TestAKillWhileACourseIsCompletedLeavesOneCertificateAndOneLetter(t *testing.T) {
	t.Parallel()
	if folder := os.Getenv(killedData); folder != "" {
		completeAndDie(t, folder)
		return
	}
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			at, folder := dbtest.Location(t, engine), t.TempDir()
			if at.Path != "" {
				folder = filepath.Dir(at.Path)
			}
			settings := map[string]string{"GREENROOM_DATA": folder, "GREENROOM_RATE_LIMITS": "off", "GREENROOM_SITE_URL": "http://localhost:8080"}
			s := apptest.Start(t, at, settings, clock.System{})
			ada, token := s.Person(t, "ada@example.com")
			course := school{s, nil}.course(t)
			lesson := textLesson(t, s, course)
			write(t, s.DB(), "insert into enrollments (id, user_id, course_id, created_at) values ($1, $2, $3, $4)", id.New(), ada.ID, course, school{s, nil}.now())
			s.Stop()
			killed := 0
			for ; killed < mostTrips; killed++ {
				child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+strings.Split(t.Name(), "/")[0]+"$")
				child.Env = append(os.Environ(), killedData+"="+folder, killedURL+"="+at.URL, killedAt+"="+strconv.Itoa(killed+1), killedToken+"="+token, killedLesson+"="+lesson)
				var out bytes.Buffer
				child.Stdout, child.Stderr = &out, &out
				err := child.Run()
				if err == nil {
					break // it lived to its end
				}
				if status, ok := child.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
					t.Fatalf("it ended by itself: %v\n%s", err, out.String())
				}
			}
			s = apptest.Start(t, at, settings, clock.System{})
			until(t, "every letter is sent", func() bool { return count(t, s.DB(), "select count(*) from outbox where state <> 'sent'") == 0 })
			papers, letters := count(t, s.DB(), "select count(*) from certificates"), count(t, s.DB(), "select count(*) from outbox where kind = 'certificate-ready'")
			arrived, err := eml.ReadFolder(s.Config.MailFolder(), ada.Email)
			if papers != 1 || letters != 1 || len(arrived) != 1 || err != nil {
				t.Errorf("%d certificates, %d letters, %d arrived: %v", papers, letters, len(arrived), err)
			}
			if killed < 4 || killed == mostTrips {
				t.Errorf("killed %d times", killed)
			}
		})
	}
}

// completeAndDie completes a course, and is killed before the trip of that number.
func completeAndDie(t *testing.T, folder string) {
	t.Helper()
	last, err := strconv.ParseInt(os.Getenv(killedAt), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(map[string]string{
		"GREENROOM_DATA": folder, "GREENROOM_DATABASE_URL": os.Getenv(killedURL), "GREENROOM_RATE_LIMITS": "off", "GREENROOM_SITE_URL": "http://localhost:8080",
	})
	if err != nil {
		t.Fatal(err)
	}
	var counting atomic.Bool
	var trips atomic.Int64
	a, err := app.Open(context.Background(), c, app.Options{
		Log: slog.New(slog.DiscardHandler), Clock: clock.System{}, Build: web.Dist(),
		Asked: func(string) {
			if counting.Load() && trips.Add(1) == last {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {} // nothing happens after a kill
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	counting.Store(true)
	r := httptest.NewRequest(http.MethodPost, "/functions/v1/save-progress", strings.NewReader(fmt.Sprintf(`{"lesson":%q,"complete":true}`, os.Getenv(killedLesson))))
	r.Header.Set("Apikey", a.Keys().Publishable)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+os.Getenv(killedToken))
	w := httptest.NewRecorder()
	a.Handler().ServeHTTP(w, r)
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"certificate":"`) {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	counting.Store(false)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
}
