package app_test

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"greenroom/internal/app"
	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/web"
)

// lineLog is a log that several goroutines write to.
type lineLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lineLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lineLog) count(what string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), what)
}

// An answer from memory is one like any other: for whoever may ask, with the rules for browsers, and in the log.
func TestSecurity47KeptAnswersAreGuardedLikeOthers(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			var log lineLog
			var trips sync.Map
			s := apptest.StartWith(t, dbtest.Location(t, engine), nil, app.Options{
				Log: slog.New(slog.NewJSONHandler(&log, nil)), Clock: clock.System{}, Build: web.Dist(),
				Asked: func(statement string) { trips.Store(statement, true) },
			})
			const path = "/rest/v1/courses?select=title&order=title&limit=3"
			for s.Catalog().Versions.Watched() == 0 {
				continue
			}
			made := s.Do(t, "GET", path, "", "", "Origin", s.URL)
			trips.Clear()
			again := s.Do(t, "GET", path, s.Keys().Publishable, "", "Origin", s.URL)
			trips.Range(func(statement, _ any) bool {
				if strings.Contains(statement.(string), `from "courses"`) {
					t.Errorf("it is not kept: %s", statement)
				}
				return true
			})
			for _, name := range []string{"Date", "X-Request-Id"} {
				if again.Header.Get(name) == "" || name != "Date" && again.Header.Get(name) == made.Header.Get(name) {
					t.Errorf("%s: %q", name, again.Header.Get(name))
				}
				made.Header.Del(name)
				again.Header.Del(name)
			}
			if made.Status != 200 || again.Status != 200 || made.Body != again.Body || len(made.Header) != len(again.Header) {
				t.Errorf("%+v, then %+v", made, again)
			}
			for name, values := range made.Header {
				if strings.Join(values, "|") != strings.Join(again.Header[name], "|") {
					t.Errorf("%s: %q, then %q", name, values, again.Header[name])
				}
			}
			for token, want := range map[string]int{"a.b.c": 401, s.Keys().Service: 200, "": 200} {
				if got := s.Do(t, "GET", path, token, ""); got.Status != want {
					t.Errorf("with the token %q: %d %s", token, got.Status, got.Body)
				}
			}
			for _, key := range []string{"", "sb_publishable_of_nobody"} {
				if got := s.Do(t, "GET", path, "", "", "Apikey", key); got.Status != 401 {
					t.Errorf("with the key %q: %d %s", key, got.Status, got.Body)
				}
			}
			s.Stop()
			if n := log.count(`"path":"/rest/v1/courses","status":200`); n != 4 {
				t.Errorf("the log has %d lines of 4", n)
			}
		})
	}
}
