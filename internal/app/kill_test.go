package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"greenroom/internal/app"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/config"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/web"
)

// The process that is killed gets these.
const killedData, killedURL, killedAt = "KILLED_DATA", "KILLED_URL", "KILLED_AT"

// mostTrips is more than the writes of a life need: the test ends by itself where the counting is wrong.
const mostTrips = 200

// TestSecurity52AKillBetweenAnyTwoStatementsLeavesAllOrNothing lives a short life in a process that kills itself before
// its first trip to the database, then one that does before its second, and so on. Afterwards each registration has its
// email, the spots are as many as are taken, and what was answered is there.
func TestSecurity52AKillBetweenAnyTwoStatementsLeavesAllOrNothing(t *testing.T) {
	t.Parallel()
	if folder := os.Getenv(killedData); folder != "" {
		liveAndDie(t, folder, os.Getenv(killedURL), os.Getenv(killedAt))
		return
	}
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			at, folder := dbtest.Location(t, engine), t.TempDir()
			if at.Path != "" {
				folder = strings.TrimSuffix(at.Path, "/greenroom.db")
			}
			var answered []string
			killed := 0
			for ; killed < mostTrips; killed++ {
				child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSecurity52AKillBetweenAnyTwoStatementsLeavesAllOrNothing$")
				child.Env = append(os.Environ(), killedData+"="+folder, killedURL+"="+at.URL, killedAt+"="+strconv.Itoa(killed+1))
				var out bytes.Buffer
				child.Stdout, child.Stderr = &out, &out
				err := child.Run()
				for line := range strings.Lines(out.String()) {
					if done, ok := strings.CutPrefix(strings.TrimSpace(line), "answered "); ok {
						answered = append(answered, done)
					}
				}
				if err == nil {
					break // it lived to its end
				}
				if status, ok := child.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
					t.Fatalf("it ended by itself: %v\n%s", err, out.String())
				}
			}
			agree(t, dbtest.Reopen(t, at, clock.System{}), answered)
			if killed < 5 || killed == mostTrips || len(answered) < 3 {
				t.Errorf("killed %d times, %d answers", killed, len(answered))
			}
		})
	}
}

// liveAndDie registers, signs up, recommends and waits, and is killed before the trip of that number.
func liveAndDie(t *testing.T, folder, url, at string) {
	t.Helper()
	last, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(map[string]string{"GREENROOM_DATA": folder, "GREENROOM_DATABASE_URL": url, "GREENROOM_RATE_LIMITS": "off"})
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
	email := "person" + at + "@example.com"
	post := func(path, token, body string) string {
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("Apikey", a.Keys().Publishable)
		r.Header.Set("Content-Type", "application/json")
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		w := httptest.NewRecorder()
		a.Handler().ServeHTTP(w, r)
		if w.Code >= 300 {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		fmt.Printf("answered %s %s\n", path, email)
		return w.Body.String()
	}
	post("/rest/v1/course_waitlist", "", fmt.Sprintf(`{"course_title":%q,"name":"N","email":%q}`, workshop, email))
	var session struct {
		AccessToken string `json:"access_token"`
		User        struct{ ID string }
	}
	if err := json.Unmarshal([]byte(post("/auth/v1/signup", "", fmt.Sprintf(`{"email":%q,"password":"correct horse battery"}`, email))), &session); err != nil {
		t.Fatal(err)
	}
	post("/rest/v1/course_recommendations", session.AccessToken, fmt.Sprintf(`{"user_id":%q,"course_title":"Juggling","email":%q}`, session.User.ID, email))
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
}

// agree compares what belongs together.
func agree(t *testing.T, d *db.DB, answered []string) {
	t.Helper()
	registered := count(t, d, "select count(*) from course_waitlist where workshop_id is not null")
	// Two emails each: one to the person, one to the provider.
	if mailed := count(t, d, "select count(distinct recipient) from outbox where recipient in (select email from course_waitlist)"); mailed != registered || registered < 2 {
		t.Errorf("%d registered, %d got an email", registered, mailed)
	}
	if lost := count(t, d, "select count(*) from outbox where recipient like 'person%' and recipient not in (select email from course_waitlist) and recipient not in (select email from users)"); lost != 0 {
		t.Errorf("%d emails to people who did nothing", lost)
	}
	taken := count(t, d, "select count(*) from course_waitlist where spot is not null")
	if left := count(t, d, "select spots_left from workshops"); left+taken != count(t, d, "select spots from workshops") {
		t.Errorf("%d spots left, %d taken", left, taken)
	}
	if half := count(t, d, "select count(*) from users where id not in (select actor_id from audit_entries where action = 'user.sign_up')"); half != 0 {
		t.Errorf("%d accounts without their entry in the trail", half)
	}
	for _, one := range answered {
		path, email, _ := strings.Cut(one, " ")
		table := strings.TrimPrefix(path, "/rest/v1/")
		if table == "/auth/v1/signup" {
			table = "users"
		}
		if count(t, d, "select count(*) from "+table+" where email = $1", email) != 1 {
			t.Errorf("answered and not there: %s", one)
		}
	}
}
