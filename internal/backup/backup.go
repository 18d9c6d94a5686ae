// Package backup copies an installation's database out, back in, and from one engine to the other.
//
// A backup is a SQLite file whichever database is in use: anybody can open it, check it and look into it, and it goes
// back into either. The secret file is not in it: a backup alone opens no sealed key.
package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"greenroom/internal/platform/db"
	"greenroom/migrations"
)

// Made says what a backup holds.
type Made struct {
	File  string
	Bytes int64
	Rows  int
}

// Make writes a backup of a database that may be serving. The file appears whole, checked and on the disk, or not at
// all; an existing one is never touched.
func Make(ctx context.Context, d *db.DB, file string) (Made, error) {
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return Made{}, fmt.Errorf("%s exists already: a backup overwrites nothing", file)
	}
	draft := file + ".part"
	forget(draft)
	made, err := write(ctx, d, draft)
	if err != nil {
		forget(draft)
		return Made{}, fmt.Errorf("back up: %w", err)
	}
	// A link, unlike a renaming, never takes the place of a file that somebody made meanwhile.
	if err := errors.Join(os.Link(draft, file), os.Remove(draft), syncFolder(filepath.Dir(file))); err != nil {
		return Made{}, err
	}
	made.File = file
	return made, nil
}

// write fills the draft and opens it again, as a restore would.
func write(ctx context.Context, d *db.DB, draft string) (made Made, err error) {
	if d.Engine == db.SQLite {
		err = d.CopyFile(ctx, draft)
	} else {
		err = fill(ctx, d, draft)
	}
	if err != nil {
		return made, err
	}
	made.Rows, err = verify(ctx, draft)
	if err != nil {
		return made, err
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
	err = d.Check(ctx)
	if err == nil {
		rows, err = db.Compare(ctx, d, d)
	}
	return rows, errors.Join(err, d.Close()) //nolint:contextcheck // it is closed though the caller was interrupted
}

// forget removes a file with what SQLite keeps beside it.
func forget(path string) {
	for _, end := range []string{"", "-wal", "-shm", "-journal"} {
		_ = os.Remove(path + end)
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
