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
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"greenroom/internal/account/accounttest"
	"greenroom/internal/app"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/config"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
	"greenroom/web"
)

// TestAKillBetweenTheStatementsOfPublishingLeavesAllOrNothing publishes a lesson in a process that kills itself before its first
// trip to the database, another one before its second, and so on, and takes back one that is out. Afterwards each lesson is out with
// its text, or neither, and the course counts those that are.
func TestAKillBetweenTheStatementsOfPublishingLeavesAllOrNothing(t *testing.T) {
	t.Parallel()
	if folder := os.Getenv(killedData); folder != "" {
		publishAndDie(t, folder, os.Getenv(killedURL), os.Getenv(killedAt))
		return
	}
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			at, folder := dbtest.Location(t, engine), t.TempDir()
			if at.Path != "" {
				folder = strings.TrimSuffix(at.Path, "/greenroom.db")
			}
			killed, answered := 0, []string{}
			for ; killed < mostTrips; killed++ {
				child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+strings.Split(t.Name(), "/")[0]+"$")
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
			d := dbtest.Reopen(t, at, clock.System{})
			if killed < 5 || killed == mostTrips || len(answered) < 2 {
				t.Errorf("killed %d times, %d answers", killed, len(answered))
			}
			for query, want := range map[string]int{
				"select count(*) from lessons l join lesson_contents c on c.lesson_id = l.id where (l.version = 2) <> (c.body = c.draft_body)":     0,
				"select count(*) from lessons where state = 'published' and version <> 2":                                                          0,
				"select count(*) from course_offers where lessons <> (select count(*) from lessons where state = 'published')":                     0,
				"select count(*) from courses where lessons <> (select lessons from course_offers) and id = (select course_id from course_offers)": 0,
				"select count(*) from course_offers where published_at is not null":                                                                1,
			} {
				if got := count(t, d, query); got != want {
					t.Errorf("%s: %d, not %d", query, got, want)
				}
			}
			for _, one := range answered {
				state, lesson, _ := strings.Cut(one, " ")
				if n := count(t, d, "select count(*) from lessons where id = $1 and version = 2", lesson); n != 1 {
					t.Errorf("answered and not there: %s %s", state, lesson)
				}
			}
		})
	}
}

// publishAndDie publishes a lesson, takes an older one back, and is killed before the trip of that number.
func publishAndDie(t *testing.T, folder, url, at string) {
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
	course, now := id.Named("course cinematography-masterclass"), db.At(a.DB().Clock.Now())
	person := accounttest.Add(t, a.DB(), "teacher"+at+"@example.com")
	token := accounttest.Token(t, a.Tokens(), a.Issuer(), person, now.Time)
	section, lesson, older := id.New(), id.New(), id.New()
	write(t, a.DB(), "insert into course_teachers (id, course_id, user_id, shown_name, created_at) values ($1, $2, $3, 'T', $4)", id.New(), course, person.ID, now)
	write(t, a.DB(), "insert into course_sections (id, course_id, title, position, created_at) values ($1, $2, 'S', 1, $3)", section, course, now)
	for _, one := range []string{lesson, older} {
		write(t, a.DB(), "insert into lessons (id, course_id, section_id, title, kind, position, created_at) values ($1, $2, $3, 'L', 'text', 1, $4)", one, course, section, now)
		write(t, a.DB(), "insert into lesson_contents (lesson_id, draft_body, drafted_at) values ($1, 'text', $2)", one, now)
	}
	post := func(name, lesson string) {
		r := httptest.NewRequest(http.MethodPost, "/functions/v1/"+name, strings.NewReader(`{"lesson":"`+lesson+`"}`))
		r.Header.Set("Apikey", a.Keys().Publishable)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		a.Handler().ServeHTTP(w, r)
		if w.Code >= 300 {
			t.Fatalf("%s: %d %s", name, w.Code, w.Body)
		}
		fmt.Printf("answered %s %s\n", name, lesson)
	}
	post("publish-lesson", older)
	counting.Store(true)
	post("publish-lesson", lesson)
	post("unpublish-lesson", older)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
}
