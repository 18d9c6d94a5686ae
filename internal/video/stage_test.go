package video

import (
	"context"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/s3/s3test"
	"greenroom/internal/platform/who"
	"greenroom/internal/storage"
	"greenroom/internal/storage/cloud"
	"greenroom/internal/storage/disk"
	"greenroom/internal/storage/shelf"
)

// stage is an installation without its surfaces.
type stage struct {
	*Service
	folder  shelf.Shelf
	scratch string
	ended   atomic.Bool // the session of ada
	denied  atomic.Bool // her right to see any video
}

var (
	ada = who.Actor{Role: who.User, UserID: "00000000-0000-4000-8000-000000000001", SessionID: "00000000-0000-4000-8000-000000000002"}
	ben = who.Actor{Role: who.User, UserID: "00000000-0000-4000-8000-000000000003", SessionID: "00000000-0000-4000-8000-000000000004"}
)

func each(t *testing.T, fn func(t *testing.T, s *stage)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { fn(t, open(t, d)) })
}

// everywhere is each, and PostgreSQL with the bytes in S3-compatible storage.
func everywhere(t *testing.T, fn func(t *testing.T, s *stage)) {
	t.Helper()
	each(t, fn)
	t.Run("s3", func(t *testing.T) {
		t.Parallel()
		fn(t, elsewhere(t, dbtest.Open(t, db.Postgres, clock.System{})))
	})
}

// elsewhere is a stage whose bytes lie in S3-compatible storage.
func elsewhere(t *testing.T, d *db.DB) *stage {
	t.Helper()
	bucket, err := cloud.Open(s3test.Start(t).URL, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{folder: bucket, scratch: filepath.Join(t.TempDir(), "scratch")}
	s.Service = s.instance(t, d)
	return s
}

func open(t *testing.T, d *db.DB) *stage {
	t.Helper()
	data := t.TempDir()
	s := &stage{folder: disk.Folder{Dir: filepath.Join(data, "objects")}, scratch: filepath.Join(data, "scratch")}
	s.Service = s.instance(t, d)
	return s
}

// instance is one more on the same database and folder.
func (s *stage) instance(t *testing.T, d *db.DB) *Service {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	kept := storage.New(storage.Options{DB: d, Bytes: s.folder, QuotaAll: 1 << 40, QuotaUser: 1 << 40, Log: log})
	return New(Options{
		DB: d, Storage: kept, Scratch: s.scratch, Tools: tools(t), Log: log,
		Secret: func(context.Context) (string, error) { return "a secret of the tests", nil },
		Session: func(_ context.Context, user, session string) (who.Actor, error) {
			switch {
			case user == ada.UserID && session == ada.SessionID && !s.ended.Load():
				return ada, nil
			case user == ben.UserID && session == ben.SessionID:
				return ben, nil
			}
			return who.Actor{}, ErrNoSession
		},
		Allowed: func(_ context.Context, a who.Actor, _ string) (bool, error) {
			return a.SignedIn() && (a.UserID != ada.UserID || !s.denied.Load()), nil
		},
	})
}

func (s *stage) write(t *testing.T, query string, args ...any) {
	t.Helper()
	s.do(t, func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, query, args...)
		return err
	})
}

func (s *stage) do(t *testing.T, fn func(ctx context.Context, tx *db.Tx) error) {
	t.Helper()
	if err := s.DB.Write(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

func (s *stage) text(t *testing.T, query string, args ...any) (found string) {
	t.Helper()
	err := s.DB.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error { return tx.QueryRow(ctx, query, args...).Scan(&found) })
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return found
}

// upload stores a file as an object and gives its id.
func (s *stage) upload(t *testing.T, path string) string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	object, version := id.New(), id.New()
	wrote, err := s.folder.Write(t.Context(), version, file)
	if err != nil {
		t.Fatal(err)
	}
	s.write(t, `insert into storage_objects (id, bucket_id, name, version, size, hash, mimetype, sniffed, cache_control, created_at, updated_at)
		values ($1, 'lessons', $2, $3, $4, $5, 'video/mp4', 'video/mp4', 'no-cache', $6, $6)`, object, object+".mp4", version, wrote.Size, wrote.Hash, db.At(s.DB.Clock.Now()))
	return object
}

func (s *stage) add(t *testing.T, object string) (video string) {
	t.Helper()
	s.do(t, func(ctx context.Context, tx *db.Tx) (err error) { video, err = s.Add(ctx, tx, object); return err })
	return video
}

// workAll does every job that is due.
func workAll(t *testing.T, s *Service) {
	t.Helper()
	for {
		worked, err := s.next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !worked {
			return
		}
	}
}

// lapse lets the leases and waits of all jobs be over.
func (s *stage) lapse(t *testing.T) {
	t.Helper()
	s.write(t, "update video_jobs set due_at = $1 where state in ('queued', 'running')", db.At(clock.System{}.Now().Add(-time.Second)))
}

// whole holds what must hold at any time: a file has its bytes, and bytes have a row.
func (s *stage) whole(t *testing.T) {
	t.Helper()
	err := s.DB.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		err := db.Each(ctx, tx, "select version, size from video_files", nil, func(scan func(...any) error) error {
			var version string
			var size int64
			err := scan(&version, &size)
			if err != nil {
				return err
			}
			there, err := s.folder.Has(ctx, version, size)
			if !there {
				t.Errorf("the bytes of %s are not there", version)
			}
			return err
		})
		if err != nil {
			return err
		}
		return s.folder.Each(ctx, func(version string, _ int64) error {
			var n int
			err := tx.QueryRow(ctx, `select (select count(*) from video_files where version = $1) + (select count(*) from storage_objects where version = $1)
				+ (select count(*) from storage_versions where version = $1)`, version).Scan(&n)
			if err == nil && n != 1 {
				t.Errorf("%s has %d rows", version, n)
			}
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (s *stage) get(t *testing.T, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	return s.ask(t, "GET", path, headers...)
}

func (s *stage) ask(t *testing.T, method, path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, "/", nil)
	r.URL.Path = path
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func body(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	text, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
