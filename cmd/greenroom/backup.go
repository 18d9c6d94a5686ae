package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"greenroom/internal/app"
	"greenroom/internal/backup"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/config"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/s3"
	"greenroom/internal/storage"
	"greenroom/internal/storage/shelf"
)

func backupTo(ctx context.Context, args []string, out io.Writer) error {
	if len(args) != 1 {
		return errUsage
	}
	c, err := config.Load(config.Environment(os.Environ()))
	if err != nil {
		return err
	}
	if err := exists(c); err != nil {
		return err
	}
	d, err := db.Open(ctx, db.Options{URL: c.DatabaseURL, Path: c.Database()})
	if err != nil {
		return err
	}
	files, err := shelfOf(c)
	var made backup.Made
	if err == nil {
		made, err = backup.Make(ctx, d, files, args[0])
	}
	if err := errors.Join(err, d.Close()); err != nil { //nolint:contextcheck // it is closed though the command was interrupted
		return err
	}
	fmt.Fprintf(out, "%s holds %d rows in %d kB, and was opened and checked.\n", made.File, made.Rows, made.Bytes>>10)
	if made.Objects > 0 {
		fmt.Fprintf(out, "The bytes of %d stored files are in it.\n", made.Objects)
	}
	if made.Elsewhere > 0 {
		fmt.Fprintf(out, "The bytes of %d stored files are not in it: they stay in %s, which should keep older versions of its files.\n", made.Elsewhere, files)
	}
	tellMissing(out, made)
	fmt.Fprintf(out, "Keep a copy of %s in another safe place: without it nobody can open the keys in a backup, and a restored server does not start.\n", c.SecretFile)
	return nil
}

func restore(ctx context.Context, args []string, out io.Writer) error {
	overwrite, args := flagged(args, "--overwrite")
	if len(args) != 1 {
		return errUsage
	}
	c, err := config.Load(config.Environment(os.Environ()))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return err
	}
	if _, err := os.Stat(c.SecretFile); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the secret file %s is missing: copy the one that the backup was made with there, and restore again (nothing was changed)", c.SecretFile)
	}
	file, done, err := atHand(ctx, c, args[0])
	if err != nil {
		return err
	}
	defer done()
	files, err := shelfOf(c)
	if err != nil {
		return err
	}
	made, saved, err := backup.Restore(ctx, file, backup.Place{DB: db.Options{URL: c.DatabaseURL, Path: c.Database()}, Objects: files}, overwrite, c.Data, counted(out))
	tellSaved(out, saved)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Restored %d rows, and compared each with the backup.\n", made.Rows)
	tellMissing(out, made)
	// Opened once as a server would be: the secret file must be the one that the backup was made with.
	return withApp(ctx, func(*app.App) error { return nil })
}

// atHand gives a backup as a file: one that lies in the bucket is copied out of it first. done takes the copy away.
func atHand(ctx context.Context, c config.Config, from string) (file string, done func(), err error) {
	name, away := strings.CutPrefix(from, "s3:")
	if !away {
		return from, func() {}, nil
	}
	if c.BackupS3 == "" {
		return "", nil, errors.New("GREENROOM_BACKUP_S3 is not set: there is no storage to fetch a backup from")
	}
	bucket, err := s3.Open(c.BackupS3)
	if err != nil {
		return "", nil, fmt.Errorf("GREENROOM_BACKUP_S3: %w", err)
	}
	file, err = backup.Fetch(ctx, bucket, name, c.Data, clock.System{}.Now())
	return file, func() { _ = os.RemoveAll(filepath.Dir(file)) }, err
}

func move(ctx context.Context, args []string, out io.Writer) error {
	overwrite, args := flagged(args, "--overwrite")
	if len(args) != 1 {
		return errUsage
	}
	c, err := config.Load(config.Environment(os.Environ()))
	if err != nil {
		return err
	}
	if err := exists(c); err != nil {
		return err
	}
	into, setting, err := destination(args[0], c.Data)
	if err != nil {
		return err
	}
	from, err := db.Open(ctx, db.Options{URL: c.DatabaseURL, Path: c.Database(), Exclusive: true, Name: "greenroom move"})
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }() //nolint:contextcheck // it is closed though the command was interrupted
	if err := from.Alone(ctx); err != nil {
		return err
	}
	files, err := shelfOf(c)
	if err != nil {
		return err
	}
	made, saved, err := backup.Move(ctx, from, files, into, overwrite, c.Data, counted(out))
	tellSaved(out, saved)
	if err != nil {
		return err
	}
	tellMissing(out, made)
	fmt.Fprintf(out, "Moved %d rows, and compared each. Now start the server with %s and the same GREENROOM_SECRET_FILE.\n", made.Rows, setting)
	return nil
}

// destination reads where to move to, and says which setting makes a server use it. Stored files stay in the data folder
// where the database goes elsewhere.
func destination(text, data string) (into backup.Place, setting string, err error) {
	values := config.Environment(os.Environ())
	values["GREENROOM_DATA"], values["GREENROOM_DATABASE_URL"] = text, ""
	setting = "GREENROOM_DATA=" + text + " and without GREENROOM_DATABASE_URL"
	if strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://") {
		values["GREENROOM_DATA"], values["GREENROOM_DATABASE_URL"] = "", text
		setting = "GREENROOM_DATABASE_URL set to that address"
	}
	c, err := config.Load(values) // an address is judged here as everywhere
	if c.DatabaseURL == "" {
		data = c.Data
	}
	files, wrong := storage.Open(c.StorageURL, data)
	return backup.Place{DB: db.Options{URL: c.DatabaseURL, Path: c.Database()}, Objects: files}, setting, errors.Join(err, wrong)
}

// shelfOf is where an installation keeps stored files.
func shelfOf(c config.Config) (shelf.Shelf, error) {
	files, err := storage.Open(c.StorageURL, c.Data)
	if err != nil {
		err = fmt.Errorf("GREENROOM_STORAGE_URL: %w", err)
	}
	return files, err
}

func counted(out io.Writer) backup.Note {
	return func(table string, rows int) {
		if rows > 0 {
			fmt.Fprintf(out, "  %-24s %d\n", table, rows)
		}
	}
}

func tellMissing(out io.Writer, made backup.Made) {
	if made.Missing > 0 {
		fmt.Fprintf(out, "BUT the bytes of %d stored files were not there: they may lie in the data folder of another instance, or in storage elsewhere.\n", made.Missing)
	}
}

func tellSaved(out io.Writer, saved string) {
	if saved != "" {
		fmt.Fprintf(out, "What was there before is in %s.\n", saved)
	}
}
