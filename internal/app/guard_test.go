package app_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
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

// line is what one request of a hot path may cost on each database.
type line struct {
	work             string
	sqlite, postgres cost
}

type cost struct{ allocations, trips int }

// How often a work is done for its figure, and before that, for what is made at the first use.
const measured, warming = 20, 5

// TestHotPathsStayBelowTheirLines holds what makes a path fast without looking at a clock. It counts allocations of the
// whole process, so it runs alone, with one worker beside it.
//
//nolint:paralleltest // as it says
func TestHotPathsStayBelowTheirLines(t *testing.T) {
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			g := openGuarded(t, engine)
			for _, l := range lines {
				allowed := l.sqlite
				if engine == db.Postgres {
					allowed = l.postgres
				}
				t.Run(l.work, func(t *testing.T) { g.hold(t, g.requests(t, l.work), allowed) })
			}
		})
	}
}

// guarded is an installation whose trips to the database are counted.
type guarded struct {
	*app.App
	people []accounttest.Person
	tokens []string

	mu    sync.Mutex
	trips []string
}

func openGuarded(t *testing.T, engine db.Engine) *guarded {
	t.Helper()
	at, g := dbtest.Location(t, engine), &guarded{}
	c, err := config.Load(map[string]string{"GREENROOM_DATA": t.TempDir(), "GREENROOM_DATABASE_URL": at.URL})
	if err != nil {
		t.Fatal(err)
	}
	g.App, err = app.Open(context.Background(), c, app.Options{
		Log: slog.New(slog.NewJSONHandler(unread{}, nil)), Clock: clock.NewManual(clock.System{}.Now()), Build: web.Dist(),
		Asked: func(statement string) {
			g.mu.Lock()
			defer g.mu.Unlock()
			g.trips = append(g.trips, statement)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	g.watch(t)
	g.Warm(t.Context())
	g.Handler().ServeHTTP(&quiet{header: http.Header{}}, g.request("GET", "/", "", "")) // waits until the page is made
	for i := range warming + measured {
		person := accounttest.Add(t, g.DB(), fmt.Sprintf("person%d@example.org", i))
		g.people = append(g.people, person)
		g.tokens = append(g.tokens, accounttest.Token(t, g.Tokens(), g.Issuer(), person, g.DB().Clock.Now()))
		// They have been here a moment ago: what is remembered of a caller is.
		g.Handler().ServeHTTP(&quiet{header: http.Header{}}, g.request("GET", "/rest/v1/saved_courses", g.tokens[i], ""))
	}
	return g
}

// watch starts the one worker that a hot path stands on: answers are kept while somebody watches the catalogue's version.
func (g *guarded) watch(t *testing.T) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	var watching sync.WaitGroup
	watching.Go(func() { g.Catalog().Run(ctx) })
	t.Cleanup(func() { stop(); watching.Wait() })
	for g.Catalog().Versions.Watched() == 0 {
		runtime.Gosched()
	}
}

// requests are as many of one work as are measured: a person does each once.
func (g *guarded) requests(t *testing.T, work string) []*http.Request {
	t.Helper()
	film := id.Named("course documentary-filmmaking")
	all := make([]*http.Request, len(g.people))
	for i, person := range g.people {
		token := g.tokens[i]
		switch work {
		case "28 courses, newest first":
			all[i] = g.request("GET", "/rest/v1/courses?select=*&order=created_at.desc&limit=28", "", "")
		case "one course by id":
			all[i] = g.request("GET", "/rest/v1/courses?select=*&id=eq."+film, "", "")
		case "own saved courses":
			all[i] = g.request("GET", "/rest/v1/saved_courses?select=*&user_id=eq."+person.ID+"&order=created_at.desc", token, "")
		case "save a course":
			all[i] = g.request("POST", "/rest/v1/saved_courses", token, fmt.Sprintf(`{"user_id":%q,"course_id":%q}`, person.ID, film))
		case "join a waitlist":
			all[i] = g.request("POST", "/rest/v1/course_waitlist", token,
				fmt.Sprintf(`{"user_id":%q,"course_title":"Documentary Filmmaking","email":%q}`, person.ID, person.Email))
		case "report progress":
			all[i] = g.request("POST", "/functions/v1/save-progress", token, fmt.Sprintf(`{"lesson":%q,"position_seconds":15,"covered":"Bw=="}`, g.watching(t, person)))
		case "GET user":
			all[i] = g.request("GET", "/auth/v1/user", token, "")
		case "refresh":
			all[i] = g.request("POST", "/auth/v1/token?grant_type=refresh_token", "", fmt.Sprintf(`{"refresh_token":%q}`, g.refreshToken(t, person)))
		case "home page":
			all[i] = g.request("GET", "/", "", "")
			all[i].Header.Set("Accept-Encoding", "gzip, deflate, br")
		default:
			t.Fatalf("nobody knows how to do %q", work)
		}
	}
	return all
}

func (g *guarded) request(method, path, token, body string) *http.Request {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Apikey", g.Keys().Publishable)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return r
}

// refreshToken gives a person's session one, as signing in would.
func (g *guarded) refreshToken(t *testing.T, of accounttest.Person) string {
	t.Helper()
	token := id.Secret()
	sum := sha256.Sum256([]byte(token))
	err := g.DB().Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, "insert into refresh_tokens (id, session_id, token_hash, created_at) values ($1, $2, $3, $4)",
			id.New(), of.SessionID, base64.RawURLEncoding.EncodeToString(sum[:]), db.At(tx.Now))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// watching gives a person a lesson that they are in the middle of.
func (g *guarded) watching(t *testing.T, who accounttest.Person) string {
	t.Helper()
	course, now := id.Named("course scene-study-for-the-camera"), db.At(g.DB().Clock.Now())
	lesson := id.Named("the lesson that everybody watches")
	for _, row := range []struct {
		text string
		with []any
	}{
		{"insert into course_offers (id, course_id, published_at, created_at) values ($1, $1, $2, $2) on conflict do nothing", []any{course, now}},
		{"insert into course_sections (id, course_id, title, position, created_at) values ($1, $1, 'S', 0, $2) on conflict do nothing", []any{course, now}},
		{`insert into lessons (id, course_id, section_id, title, kind, position, state, seconds, created_at)
			values ($1, $2, $2, 'L', 'video', 0, 'published', 600, $3) on conflict do nothing`, []any{lesson, course, now}},
		{"insert into enrollments (id, user_id, course_id, created_at) values ($1, $1, $2, $3)", []any{who.ID, course, now}},
		{`insert into lesson_progress (id, user_id, course_id, lesson_id, position_at, updated_at, created_at)
			values ($1, $1, $2, $3, $4, $4, $4)`, []any{who.ID, course, lesson, now}},
	} {
		write(t, g.DB(), row.text, row.with...)
	}
	return lesson
}

// hold does the requests and compares what they cost with what they may.
func (g *guarded) hold(t *testing.T, requests []*http.Request, allowed cost) {
	t.Helper()
	w := &quiet{header: http.Header{}}
	next := func() {
		w.status, w.bytes = 0, 0
		clear(w.header)
		g.Handler().ServeHTTP(w, requests[0])
		requests = requests[1:]
	}
	for range warming {
		next()
		if w.status >= 300 || w.status == http.StatusOK && w.bytes < 2 {
			t.Fatalf("answered %d with %d bytes", w.status, w.bytes)
		}
	}
	got, trips := g.least(next)
	t.Logf("cost{%d, %d}", got.allocations, got.trips)
	if got.allocations > allowed.allocations {
		t.Errorf("it allocates %d times; its line is %d", got.allocations, allowed.allocations)
	}
	if got.trips > allowed.trips {
		t.Errorf("it goes to the database %d times; its line is %d:\n%s", got.trips, allowed.trips, strings.Join(trips, "\n"))
	}
}

// least does a work several times and gives the least that it cost: what the runtime or a driver does besides, such as
// opening a connection or reading on while a busy machine makes an answer late, is not the path's. The trips are those of
// the last time.
func (g *guarded) least(do func()) (cost, []string) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // or it would empty the pools at a moment of its choice
	var before, after runtime.MemStats
	var allocations, trips []int
	var last []string
	for range measured {
		g.take()
		runtime.ReadMemStats(&before)
		do()
		runtime.ReadMemStats(&after)
		last = g.take()
		allocations, trips = append(allocations, int(after.Mallocs-before.Mallocs)), append(trips, len(last))
	}
	return cost{slices.Min(allocations), slices.Min(trips)}, last
}

// take gives the trips since the last look, and room for the next ones.
func (g *guarded) take() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	taken := g.trips
	g.trips = make([]string, 0, 1000)
	return taken
}

// unread takes the log's lines: a handler that discards them would not have them written first, as a server has.
type unread struct{}

func (unread) Write(text []byte) (int, error) { return len(text), nil }

// quiet is a client that allocates nothing.
type quiet struct {
	header        http.Header
	status, bytes int
}

func (q *quiet) Header() http.Header { return q.header }

func (q *quiet) WriteHeader(status int) { q.status = status }

func (q *quiet) Write(text []byte) (int, error) {
	if q.status == 0 {
		q.status = http.StatusOK
	}
	q.bytes += len(text)
	return len(text), nil
}
