package app_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/app"
	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/migrations"
	"greenroom/web"
)

// written is a log that a test can read while it is written.
type written struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *written) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(text)
}

func (w *written) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

func TestADamagedFileIsToldOfAndNotReady(t *testing.T) {
	t.Parallel()
	at := dbtest.Location(t, db.SQLite)
	first, err := db.Open(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.Migrate(t.Context(), migrations.Files); err != nil {
		t.Fatal(err)
	}
	write(t, first, `with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000)
		insert into audit_entries (id, action, subject, address, user_agent, result, created_at)
		select hex(randomblob(16)), 'x', hex(randomblob(100)), '', '', 'ok', i from n`)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	dbtest.Damage(t, at)

	said := &written{}
	s := apptest.StartWith(t, at, nil, app.Options{Log: slog.New(slog.NewTextHandler(said, nil)), Clock: clock.System{}, Build: web.Dist()})
	got := s.Do(t, http.MethodGet, "/readyz", "", "")
	for ; got.Status == http.StatusOK; got = s.Do(t, http.MethodGet, "/readyz", "", "") {
		time.Sleep(10 * time.Millisecond) // the check runs beside the first visitors
	}
	if got.Status != http.StatusServiceUnavailable || !strings.Contains(got.Body, "damaged") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	for !strings.Contains(said.String(), "DATABASE DAMAGED") {
		time.Sleep(10 * time.Millisecond)
	}
	if text := said.String(); !strings.Contains(text, "backup") || !strings.Contains(text, ".recover") {
		t.Errorf("the log does not say what to do: %s", text)
	}
}
