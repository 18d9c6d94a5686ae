// Package apptest starts the whole installation in a test: real database, real handler, real workers, on a port of
// the kernel's choice.
package apptest

import (
	"context"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/account/accounttest"
	"greenroom/internal/app"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/config"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/web"
)

// Server is a running installation.
type Server struct {
	*app.App
	URL    string
	Config config.Config
	// Stop ends it before the test does, as a signal would.
	Stop func()
}

// Each starts an installation on each engine.
func Each(t *testing.T, settings map[string]string, fn func(t *testing.T, s *Server)) {
	t.Helper()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			fn(t, Start(t, dbtest.Location(t, engine), settings, clock.System{}))
		})
	}
}

// Start starts one instance on a database; two of them on one PostgreSQL location are two instances, and must
// share GREENROOM_SECRET_FILE.
func Start(t testing.TB, at db.Options, settings map[string]string, hands clock.Clock) *Server {
	t.Helper()
	return StartWith(t, at, settings, app.Options{
		Log: slog.New(slog.DiscardHandler), Clock: hands, Build: web.Dist(),
		Deadline: time.Minute, Wait: time.Minute, // a busy machine turns nobody away where that is not what is tested
	})
}

// StartWith is Start with a log or bounds of the test's own.
func StartWith(t testing.TB, at db.Options, settings map[string]string, o app.Options) *Server {
	t.Helper()
	listener := httptest.NewUnstartedServer(nil)
	url := "http://" + listener.Listener.Addr().String()
	folder := t.TempDir()
	if at.Path != "" {
		folder = strings.TrimSuffix(at.Path, "/greenroom.db")
	}
	all := map[string]string{
		"GREENROOM_DATA": folder, "GREENROOM_DATABASE_URL": at.URL, "GREENROOM_SITE_URL": url,
		"GREENROOM_API_KEY": "sb_publishable_of_the_tests", "GREENROOM_SERVICE_KEY": "sb_secret_of_the_tests",
	}
	maps.Copy(all, settings)
	c, err := config.Load(all)
	if err != nil {
		t.Fatal(err)
	}
	a, err := app.Open(context.Background(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	listener.Config.Handler = a.Handler()
	listener.Start()
	working, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); a.Work(working) }()
	end := sync.OnceFunc(func() {
		listener.Close()
		stop()
		<-done
		if err := a.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	t.Cleanup(end)
	return &Server{App: a, URL: url, Config: c, Stop: end}
}

// Person adds somebody with an account and gives their token.
func (s *Server) Person(t testing.TB, email string) (accounttest.Person, string) {
	t.Helper()
	person := accounttest.Add(t, s.DB(), email)
	return person, accounttest.Token(t, s.Tokens(), s.Issuer(), person, s.DB().Clock.Now())
}

// Admin adds an administrator and gives their token.
func (s *Server) Admin(t testing.TB, email string) (accounttest.Person, string) {
	t.Helper()
	person, token := s.Person(t, email)
	if err := s.Accounts().Grant(context.Background(), email); err != nil {
		t.Fatal(err)
	}
	return person, token
}

// Answer is what came back.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// Do sends a request with the publishable key and, if given, a person's token.
func (s *Server) Do(t testing.TB, method, path, token, body string, headers ...string) Answer {
	t.Helper()
	request, err := http.NewRequestWithContext(context.Background(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("apikey", s.Keys().Publishable)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return Answer{response.StatusCode, response.Header, string(text)}
}
