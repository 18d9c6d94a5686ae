package backup

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/s3/s3test"
	"greenroom/internal/storage/cloud"
	"greenroom/internal/storage/disk"
)

func change(t *testing.T, d *db.DB, query string, args ...any) {
	t.Helper()
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, query, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Files go to another place and back, also where it ends in the middle, while others are stored and removed.
func TestFilesAreBroughtElsewhereAndBack(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		here := disk.Folder{Dir: filepath.Join(t.TempDir(), "objects")}
		front := s3test.InFront(t, s3test.New())
		there, err := cloud.Open(front.URL, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		var versions []string
		for i := range 10 {
			versions = append(versions, keep(t, d, here, id.New(), []byte(strings.Repeat("x", i*100))))
		}
		film := id.New()
		wrote, err := here.Write(t.Context(), film, strings.NewReader("made of a video"))
		if err != nil {
			t.Fatal(err)
		}
		change(t, d, "insert into videos (id, object_id, version, state, created_at) values ($1, $1, $1, 'ready', $2)", id.Nil, db.At(d.Clock.Now()))
		change(t, d, "insert into video_files (version, video_id, role, mimetype, size, hash, created_at) values ($1, $2, 'a', 'x/y', $3, $4, $5)", film, id.Nil, wrote.Size, wrote.Hash, db.At(d.Clock.Now()))
		var puts atomic.Int64
		front.Choose(func(r *http.Request) s3test.Trouble {
			if r.Method == http.MethodPut && puts.Add(1) > 4 {
				return s3test.Wrong
			}
			return s3test.None
		})
		if _, err := Relocate(t.Context(), d, here, there, func(int64, int64) {}); err == nil {
			t.Fatal("a storage that breaks is no failure")
		}
		front.Make(s3test.None)
		removed, stored := false, ""
		var told int64
		r, err := Relocate(t.Context(), d, here, there, func(done, all int64) {
			if told = done * 100 / all; !removed { // a server goes on meanwhile
				removed, stored = true, keep(t, d, here, "meanwhile", []byte("meanwhile"))
				change(t, d, "delete from storage_objects where version = $1", versions[9])
			}
		})
		if err != nil || r.There != 11 || r.Brought < 5 || r.Brought > 9 || r.Missing != 0 || told != 100 {
			t.Errorf("%+v %v, %d %%", r, err, told)
		}
		for _, version := range append(versions[:9:9], film, stored) {
			if string(read(t, there, version)) != string(read(t, here, version)) {
				t.Errorf("%s is another", version)
			}
		}
		if err := Tidy(t.Context(), d, there); err != nil {
			t.Fatal(err)
		}
		if rows, err := d.Rows(t.Context(), "storage_versions"); err != nil || rows["storage_versions"] > 1 {
			t.Errorf("%v %v", rows, err)
		}
		back := disk.Folder{Dir: filepath.Join(t.TempDir(), "objects")}
		if r, err := Relocate(t.Context(), d, there, back, func(int64, int64) {}); err != nil || r.There != 11 || r.Brought != 11 || r.Bytes != 3600+15+9 {
			t.Errorf("back: %+v %v", r, err)
		}
		if r, err := Relocate(t.Context(), d, there, back, func(int64, int64) {}); err != nil || r.Brought != 0 {
			t.Errorf("again: %+v %v", r, err)
		}
	})
}

// What is not what was stored goes nowhere, and what is missing is counted.
func TestBrokenFilesAreNotBroughtInSilence(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		here, there := disk.Folder{Dir: filepath.Join(t.TempDir(), "objects")}, disk.Folder{Dir: filepath.Join(t.TempDir(), "objects")}
		broken, gone := keep(t, d, here, "broken", []byte("bytes")), keep(t, d, here, "gone", []byte("gone"))
		if err := here.Remove(t.Context(), gone); err != nil {
			t.Fatal(err)
		}
		if r, err := Relocate(t.Context(), d, here, there, func(int64, int64) {}); err != nil || r.Missing != 1 || r.There != 1 {
			t.Errorf("%+v %v", r, err)
		}
		if err := os.WriteFile(here.Path(broken), []byte("bytez"), 0o600); err != nil {
			t.Fatal(err)
		}
		third := disk.Folder{Dir: filepath.Join(t.TempDir(), "objects")}
		if _, err := Relocate(t.Context(), d, here, third, func(int64, int64) {}); err == nil || !strings.Contains(err.Error(), broken) {
			t.Errorf("it came through: %v", err)
		}
		if there, err := third.Has(t.Context(), broken, 5); err != nil || there {
			t.Errorf("%v %v", there, err)
		}
	})
}

// A backup leaves bytes elsewhere where they are and says so; one of a folder goes back into a bucket.
func TestABackupLeavesBytesElsewhere(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		storage := s3test.Start(t)
		there, err := cloud.Open(storage.URL, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		version := keep(t, d, there, "a", []byte("bytes"))
		file := filepath.Join(t.TempDir(), "a.db")
		made, err := Make(t.Context(), d, there, file)
		if err != nil || made.Elsewhere != 1 || made.Objects != 0 || made.Missing != 0 {
			t.Fatalf("%+v %v", made, err)
		}
		at := Place{dbtest.Location(t, db.SQLite), there}
		if got, _, err := Restore(t.Context(), file, at, false, t.TempDir(), quiet); err != nil || got.Missing != 0 || string(read(t, there, version)) != "bytes" {
			t.Errorf("%+v %v", got, err)
		}
		here := disk.Folder{Dir: filepath.Join(t.TempDir(), "objects")}
		if _, err := Relocate(t.Context(), d, there, here, func(int64, int64) {}); err != nil {
			t.Fatal(err)
		}
		full := filepath.Join(t.TempDir(), "b.db")
		if made, err = Make(t.Context(), d, here, full); err != nil || made.Objects != 1 {
			t.Fatalf("%+v %v", made, err)
		}
		empty, err := cloud.Open(s3test.Start(t).URL, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if got, _, err := Restore(t.Context(), full, Place{dbtest.Location(t, db.SQLite), empty}, false, t.TempDir(), quiet); err != nil || got.Missing != 0 || string(read(t, empty, version)) != "bytes" {
			t.Errorf("into a bucket: %+v %v", got, err)
		}
	})
}
