package storage

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/s3/s3test"
	"greenroom/internal/platform/who"
	"greenroom/internal/storage/cloud"
	"greenroom/internal/storage/disk"
)

// stage is a service without the edge: a bearer is the name of who asks.
type stage struct {
	*Service
	hands *clock.Manual
	ends  *atomic.Pointer[func(step string) error] // told before each step of a write on the shelf
	s3    *s3test.Storage                          // where the bytes are; nil with a folder
	front *s3test.Front                            // what is between us and it
}

// another is one more instance.
func (s *stage) another() *stage { return &stage{New(s.Options), s.hands, s.ends, s.s3, s.front} }

// ending has a function hear of every step, in the database and on the shelf; nil ends that.
func (s *stage) ending(fn func(step string) error) {
	s.step = fn
	s.shelving(fn)
}

// shelving has a function hear of every step on the shelf.
func (s *stage) shelving(fn func(step string) error) {
	if fn == nil {
		fn = func(string) error { return nil }
	}
	s.ends.Store(&fn)
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
	t.Run("s3", func(t *testing.T) {
		t.Parallel()
		s := open(t, db.Postgres)
		s.elsewhere(t)
		fn(t, s)
	})
}

// elsewhere keeps bytes in S3-compatible storage. Its parts are small, so that small uploads have some.
func (s *stage) elsewhere(t *testing.T) {
	t.Helper()
	s.s3 = s3test.New()
	s.s3.LeastPart = 1
	s.front = s3test.InFront(t, s.s3)
	bucket, err := cloud.Open(s.front.URL, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	bucket.PartSize = 1000
	bucket.Step = func(step string) error { return (*s.ends.Load())(step) }
	s.Bytes = bucket
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
	ends := &atomic.Pointer[func(string) error]{}
	folder := disk.Folder{Dir: filepath.Join(t.TempDir(), "objects"), Step: func(step string) error { return (*ends.Load())(step) }}
	s := New(Options{
		DB: d, Bytes: folder, Secret: func(context.Context) (string, error) { return "secret", nil }, QuotaAll: 1 << 40, QuotaUser: 1 << 40,
		Log: slog.New(slog.DiscardHandler),
		Identify: func(r *http.Request) (who.Actor, error) {
			a, ok := actors[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
			if !ok {
				return a, BadToken(Undecodable)
			}
			return a, nil
		},
	})
	made := &stage{Service: s, hands: hands, ends: ends}
	made.shelving(nil)
	return made
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
	s.totals(t)
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
			if there, err := s.Bytes.Has(ctx, version, size); err != nil || !there {
				t.Errorf("an object without bytes, or with others: %v", err)
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if s.s3 != nil {
		for _, name := range s.s3.Names() {
			if version, end, loose := strings.Cut(strings.TrimPrefix(name, "folder/"), "."); loose {
				t.Errorf("the end of an upload is left: %s at %s", version, end)
			}
		}
		if n := s.s3.Begun(); n > 0 {
			t.Errorf("%d uploads in parts are left", n)
		}
	}
	err = s.Bytes.Each(t.Context(), func(version string, _ int64) error {
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
