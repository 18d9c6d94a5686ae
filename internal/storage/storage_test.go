package storage

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/who"
	"greenroom/internal/storage/disk"
)

// stage is a service without the edge: a bearer is the name of who asks.
type stage struct {
	*Service
	hands *clock.Manual
}

var actors = map[string]who.Actor{
	"anon":    {Role: who.Anonymous},
	"user":    {Role: who.User, UserID: "00000000-0000-4000-8000-000000000001"},
	"guest":   {Role: who.User, UserID: "00000000-0000-4000-8000-000000000002", Guest: true},
	"admin":   {Role: who.User, UserID: "00000000-0000-4000-8000-000000000003", Admin: true},
	"service": {Role: who.Service},
}

func each(t *testing.T, fn func(t *testing.T, s *stage)) {
	t.Helper()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			fn(t, open(t, engine))
		})
	}
}

func open(t *testing.T, engine db.Engine) *stage {
	t.Helper()
	hands := clock.NewManual(time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC))
	return openAt(t, dbtest.Location(t, engine), hands)
}

func openAt(t *testing.T, at db.Options, hands *clock.Manual) *stage {
	t.Helper()
	d := dbtest.Reopen(t, at, hands)
	for name, a := range actors {
		if a.UserID != "" {
			write(t, d, "insert into users (id, email, app_metadata, user_metadata, created_at, updated_at) values ($1, $2, '{}', '{}', $3, $3)", a.UserID, name+"@example.com", db.At(hands.Now()))
		}
		if a.Admin {
			write(t, d, "insert into user_roles (id, user_id, role, created_at) values ($1, $1, 'admin', $2)", a.UserID, db.At(hands.Now()))
		}
	}
	s := New(Options{
		DB: d, Folder: disk.Folder{Path: filepath.Join(t.TempDir(), "objects")}, Secret: func(context.Context) (string, error) { return "secret", nil }, QuotaAll: 1 << 40, QuotaUser: 1 << 40,
		Log: slog.New(slog.DiscardHandler),
		Identify: func(r *http.Request) (who.Actor, error) {
			a, ok := actors[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
			if !ok {
				return a, BadToken(Undecodable)
			}
			return a, nil
		},
	})
	return &stage{s, hands}
}

func write(t *testing.T, d *db.DB, query string, args ...any) {
	t.Helper()
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, query, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (s *stage) do(as, method, path string, body io.Reader, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(context.Background(), method, "/", body)
	r.URL.Path = Prefix + path
	if at := strings.IndexByte(path, '?'); at >= 0 && (strings.Contains(path, "token=") || strings.Contains(path, "search=")) {
		r.URL.Path, r.URL.RawQuery = Prefix+path[:at], path[at+1:]
	}
	if as != "" {
		r.Header.Set("Authorization", "Bearer "+as)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func (s *stage) count(t *testing.T, query string) (n int) {
	t.Helper()
	err := s.DB.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error { return tx.QueryRow(ctx, query).Scan(&n) })
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// whole holds what must hold at any time: every object has its bytes; and, after a sweep, all bytes have an object.
func (s *stage) whole(t *testing.T) {
	t.Helper()
	s.hands.Advance(patience + grace + time.Minute)
	for range 2 { // those that were pending are garbage first
		if err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.hands.Advance(patience)
	}
	named := map[string]bool{}
	err := s.DB.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, "select version, size from storage_objects", nil, func(scan func(...any) error) error {
			var version string
			var size int64
			if err := scan(&version, &size); err != nil {
				return err
			}
			named[version] = true
			file, err := s.Folder.Open(version)
			if err != nil {
				t.Errorf("an object without bytes: %v", err)
				return nil
			}
			defer file.Close()
			if about, err := file.Stat(); err != nil || about.Size() != size {
				t.Errorf("%d bytes instead of %d", about.Size(), size)
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	err = s.Folder.Each(func(version string) error {
		if !named[version] {
			t.Errorf("bytes without an object: %s", version)
		}
		return nil
	})
	if left := s.count(t, "select count(*) from storage_versions"); err != nil || left > 0 {
		t.Errorf("%d rows are left: %v", left, err)
	}
}

var png = append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 100)...)
