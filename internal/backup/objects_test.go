package backup

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
	"greenroom/internal/storage/disk"
	"greenroom/internal/storage/shelf"
)

// keep stores bytes as the storage does, and gives their version.
func keep(t *testing.T, d *db.DB, in shelf.Shelf, name string, content []byte) string {
	t.Helper()
	version := id.New()
	wrote, err := in.Write(t.Context(), version, bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	err = d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		now := db.At(tx.Now)
		_, err := tx.Exec(ctx, "insert into storage_buckets (id, name, created_at, updated_at) values ('b', 'b', $1, $1) on conflict do nothing", now)
		if err == nil {
			_, err = tx.Exec(ctx, `insert into storage_objects (id, bucket_id, name, version, size, hash, mimetype, sniffed, cache_control, created_at, updated_at)
				values ($1, 'b', $2, $3, $4, $5, 'x/y', 'x/y', 'no-cache', $6, $6)`, id.New(), name, version, wrote.Size, wrote.Hash, now)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return version
}

func read(t *testing.T, in shelf.Shelf, version string) []byte {
	t.Helper()
	size := int64(0)
	if err := in.Each(t.Context(), func(found string, bytes int64) error {
		if found == version {
			size = bytes
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	file, err := in.Open(t.Context(), version, 0, size)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestABackupHoldsTheBytesOfStoredFiles(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		here := disk.Folder{Dir: filepath.Join(t.TempDir(), "objects")}
		contents := map[string][]byte{}
		for name, size := range map[string]int{"empty": 0, "small": 10, "one part": partBytes, "parts": 2*partBytes + 7} {
			content := bytes.Repeat([]byte(name+"\x00"), size/len(name)+1)[:size]
			contents[keep(t, d, here, name, content)] = content
		}
		gone := keep(t, d, here, "gone", []byte("gone"))
		if err := here.Remove(t.Context(), gone); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "a.db")
		made, err := Make(t.Context(), d, here, file)
		if err != nil || made.Objects != 4 || made.Missing != 1 {
			t.Fatalf("%+v %v", made, err)
		}
		for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
			at := Place{dbtest.Location(t, engine), disk.Folder{Dir: filepath.Join(t.TempDir(), "objects")}}
			var old string
			t.Run("as it was", func(t *testing.T) { // which closes it at its end
				old = keep(t, dbtest.Reopen(t, at.DB, clock.System{}), at.Objects, "old", []byte("old"))
			})
			for version := range contents { // what a restore left that did not end
				path := at.Objects.Path(version)
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("half"), 0o600), os.WriteFile(path+".part", []byte("begun"), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			kept := t.TempDir()
			got, saved, err := Restore(t.Context(), file, at, true, kept, quiet)
			if err != nil || got.Missing != 1 || saved == "" {
				t.Fatalf("into %s: %+v %q %v", engine, got, saved, err)
			}
			for version, content := range contents {
				if !bytes.Equal(read(t, at.Objects, version), content) {
					t.Errorf("%s: a file came back changed", engine)
				}
			}
			// What was there before belongs to the sweeper now, and is in the backup that was made of it.
			rows, err := dbtest.Reopen(t, at.DB, clock.System{}).Rows(t.Context(), "storage_versions")
			if err != nil || rows["storage_versions"] != 1 {
				t.Errorf("%v %v", rows, err)
			}
			before := Place{dbtest.Location(t, db.SQLite), disk.Folder{Dir: filepath.Join(t.TempDir(), "objects")}}
			if _, _, err := Restore(t.Context(), saved, before, false, t.TempDir(), quiet); err != nil || string(read(t, before.Objects, old)) != "old" {
				t.Errorf("what was there before: %v", err)
			}
		}
	})
}

func TestMovingTakesStoredFilesAlong(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite, clock.System{})
	here := disk.Folder{Dir: filepath.Join(t.TempDir(), "objects")}
	version := keep(t, d, here, "a", []byte("bytes"))
	there := disk.Folder{Dir: filepath.Join(t.TempDir(), "objects")}
	if _, _, err := Move(t.Context(), d, here, Place{dbtest.Location(t, db.SQLite), there}, false, t.TempDir(), quiet); err != nil {
		t.Fatal(err)
	}
	if string(read(t, there, version)) != "bytes" {
		t.Error("another folder")
	}
	if _, _, err := Move(t.Context(), d, here, Place{dbtest.Location(t, db.Postgres), here}, false, t.TempDir(), quiet); err != nil {
		t.Fatal(err)
	}
	if string(read(t, here, version)) != "bytes" {
		t.Error("the same folder")
	}
}

func TestAFileThatTheDiskChangedIsNotBackedUpInSilence(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite, clock.System{})
	here := disk.Folder{Dir: filepath.Join(t.TempDir(), "objects")}
	version := keep(t, d, here, "a", []byte("bytes"))
	if err := os.WriteFile(here.Path(version), []byte("bytez"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Make(t.Context(), d, here, filepath.Join(t.TempDir(), "a.db")); err == nil {
		t.Error("it was")
	}
	var found []string
	if err := here.Each(t.Context(), func(version string, _ int64) error { found = append(found, version); return nil }); err != nil || !slices.Equal(found, []string{version}) {
		t.Errorf("%q %v", found, err)
	}
}
