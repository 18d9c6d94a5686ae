// Package backup copies an installation out, back in, and from one engine to the other: its database, and the stored files.
//
// A backup is a SQLite file whichever database is in use: anybody can open it, check it and look into it, and it goes
// back into either. The bytes of stored files stand in it, too, where
// they lie in a folder (objects.go); those in S3-compatible storage stay there. The secret file is not in it: a backup alone opens no sealed key.
package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/storage/shelf"
	"greenroom/migrations"
)

// Made says what a backup holds.
type Made struct {
	File  string
	Bytes int64
	Rows  int
	// Objects is how many stored files are in it; Missing of how many the bytes were not there.
	Objects, Missing int
	// Elsewhere is how many stored files stay where they are, which is not on this machine.
	Elsewhere int
}

// Make writes a backup of a database that may be serving. The file appears whole, checked and on the disk, or not at
// all; an existing one is never touched.
func Make(ctx context.Context, d *db.DB, objects shelf.Shelf, file string) (Made, error) {
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return Made{}, fmt.Errorf("%s exists already: a backup overwrites nothing", file)
	}
	// In a folder of its own, which nobody else can look into whatever SQLite makes there.
	tidy(filepath.Dir(file), drafts)
	folder, err := os.MkdirTemp(filepath.Dir(file), drafts)
	if err != nil {
		return Made{}, err
	}
	defer os.RemoveAll(folder)
	draft := filepath.Join(folder, "greenroom.db")
	made, err := write(ctx, d, objects, draft)
	if err != nil {
		return Made{}, fmt.Errorf("back up: %w", err)
	}
	// A link, unlike a renaming, never takes the place of a file that somebody made meanwhile.
	if err := errors.Join(os.Link(draft, file), syncFolder(filepath.Dir(file))); err != nil {
		return Made{}, err
	}
	made.File = file
	return made, nil
}

// write fills the draft and opens it again, as a restore would.
func write(ctx context.Context, d *db.DB, objects shelf.Shelf, draft string) (made Made, err error) {
	if d.Engine == db.SQLite {
		err = d.CopyFile(ctx, draft)
	} else {
		err = fill(ctx, d, draft)
	}
	if err != nil {
		return made, err
	}
	if err = made.pack(ctx, draft, objects); err != nil {
		return made, err
	}
	made.Rows, err = verify(ctx, draft)
	if err != nil {
		return made, err
	}
	if log, err := os.Stat(draft + "-wal"); err == nil && log.Size() > 0 {
		return made, errors.New("SQLite left a part of the backup in its log")
	}
	file, err := os.OpenFile(draft, os.O_RDWR, 0)
	if err != nil {
		return made, err
	}
	about, err := file.Stat()
	if err == nil {
		made.Bytes = about.Size()
	}
	return made, errors.Join(err, file.Chmod(0o600), file.Sync(), file.Close())
}

// fill copies a database of the other engine into a new SQLite file.
func fill(ctx context.Context, d *db.DB, draft string) error {
	to, err := openFile(ctx, draft)
	if err != nil {
		return err
	}
	return errors.Join(db.Copy(ctx, d, to, func(string, int) {}), to.Close()) //nolint:contextcheck // it is closed though the caller was interrupted
}

// openFile opens a SQLite file in the schema of this version.
func openFile(ctx context.Context, path string) (*db.DB, error) {
	d, err := db.Open(ctx, db.Options{Path: path})
	if err != nil {
		return nil, err
	}
	if _, err := d.Migrate(ctx, migrations.Files); err != nil {
		return nil, errors.Join(err, d.Close()) //nolint:contextcheck // it is closed though the caller was interrupted
	}
	return d, nil
}

// verify reads the whole file and counts its rows.
func verify(ctx context.Context, path string) (rows int, err error) {
	d, err := db.Open(ctx, db.Options{Path: path})
	if err != nil {
		return 0, err
	}
	if err = d.Check(ctx); err == nil {
		var found map[string]int
		found, err = d.Rows(ctx)
		for _, n := range found {
			rows += n
		}
	}
	return rows, errors.Join(err, d.Close()) //nolint:contextcheck // it is closed though the caller was interrupted
}

// What a backup and a restore work in. Whoever was killed left theirs: after a day it is nobody's.
const (
	drafts, stages = ".backup-", "restore-"
	abandoned      = 24 * time.Hour
)

// tidy takes such folders away.
func tidy(folder, kind string) {
	now := clock.System{}.Now()
	entries, _ := os.ReadDir(folder) // what is there stays, then
	for _, e := range entries {
		about, err := e.Info()
		if err == nil && e.IsDir() && strings.HasPrefix(e.Name(), kind) && now.Sub(about.ModTime()) > abandoned {
			_ = os.RemoveAll(filepath.Join(folder, e.Name()))
		}
	}
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// duplicate copies a file's bytes.
func duplicate(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
