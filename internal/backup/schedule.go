package backup

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/s3"
	"greenroom/internal/platform/safe"
	"greenroom/internal/storage/shelf"
)

// Schedule says where backups go by themselves, how often, and how many stay.
type Schedule struct {
	Folder string
	// Objects is where the stored files are.
	Objects shelf.Shelf
	Every   time.Duration
	// Keep is how many stay in the folder, and Keep in the bucket, if there is one.
	Keep   int
	Bucket *s3.Bucket
	// Told hears of when the newest backup in the bucket is; it may be nil.
	Told func(newest time.Time)

	look time.Duration // how often it is looked whether anything is to be done; see the constant
}

const (
	prefix, suffix = "greenroom-", ".db"
	// stamp is a moment in a file's name; the names sort by age.
	stamp = "20060102T150405Z"
	// usualLook is how often a server asks whether a backup is due, and again after one failed.
	usualLook = time.Minute
)

// Work makes backups, and brings them away, until the context ends. Each is a work of its own: a storage that is slow, or
// gone, stops no backup.
func (s Schedule) Work(ctx context.Context, d *db.DB, log *slog.Logger) {
	ctx, stop := context.WithCancel(ctx)
	made := make(chan struct{}, 1)
	var away safe.Group
	if s.Bucket != nil {
		away.Go(func() { safe.Keep(ctx, log, func(ctx context.Context) { s.ships(ctx, d, made, log) }) })
	}
	defer away.Wait()
	defer stop()
	s.makes(ctx, d, made, log)
}

// makes makes what is due, and tells of each one.
func (s Schedule) makes(ctx context.Context, d *db.DB, told chan<- struct{}, log *slog.Logger) {
	tick := time.NewTicker(cmp.Or(s.look, usualLook))
	defer tick.Stop()
	for {
		made, err := s.MakeDue(ctx, d)
		switch {
		case err != nil && ctx.Err() == nil:
			log.ErrorContext(ctx, "BACKUP FAILED", "folder", s.Folder, "error", err)
		case made.File != "":
			log.InfoContext(ctx, "backup made", "file", made.File, "bytes", made.Bytes, "rows", made.Rows, "files", made.Objects, "files_elsewhere", made.Elsewhere)
			if made.Missing > 0 {
				log.ErrorContext(ctx, "STORED FILES ARE MISSING IN THE BACKUP", "file", made.File, "missing", made.Missing)
			}
			select {
			case told <- struct{}{}:
			default: // it is known already
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// ships brings away what is made.
func (s Schedule) ships(ctx context.Context, d *db.DB, made <-chan struct{}, log *slog.Logger) {
	tick := time.NewTicker(cmp.Or(s.look, usualLook))
	defer tick.Stop()
	var away time.Time // the newest that is known to be in the bucket
	for {
		away = s.bringAway(ctx, d.Clock.Now(), away, log)
		select {
		case <-ctx.Done():
			return
		case <-made:
		case <-tick.C:
		}
	}
}

// bringAway ships what is not known to be away, and says what is. The bucket is asked only when there may be something to do.
func (s Schedule) bringAway(ctx context.Context, now, away time.Time, log *slog.Logger) time.Time {
	here, err := s.Newest(now)
	if err == nil && !here.After(away) {
		return away
	}
	shipped, newest, err := s.Ship(ctx, now)
	switch {
	case err != nil && ctx.Err() == nil:
		log.ErrorContext(ctx, "BACKUP FAILED", "bucket", s.Bucket.String(), "error", err)
	case shipped != "":
		log.InfoContext(ctx, "backup shipped", "name", shipped, "bucket", s.Bucket.String())
	}
	if newest.IsZero() {
		return away
	}
	if s.Told != nil {
		s.Told(newest)
	}
	return newest
}

// MakeDue makes a backup if the newest one is old enough, and takes away those beyond the number to keep. What is due
// can be seen in the folder alone: a server that was away makes up for it.
func (s Schedule) MakeDue(ctx context.Context, d *db.DB) (Made, error) {
	now := d.Clock.Now().UTC()
	if newest, err := s.Newest(now); err != nil || now.Sub(newest) < s.Every {
		return Made{}, err
	}
	made, err := Make(ctx, d, s.Objects, filepath.Join(s.Folder, prefix+now.Format(stamp)+suffix))
	if err != nil {
		return made, err
	}
	names, err := s.names(now)
	for len(names) > s.Keep {
		err = errors.Join(err, os.Remove(filepath.Join(s.Folder, names[0])))
		names = names[1:]
	}
	return made, err
}

// Newest is when the last backup in the folder was made; the zero time if there is none.
func (s Schedule) Newest(now time.Time) (time.Time, error) {
	names, err := s.names(now)
	return Newest(names), err
}

// Newest is when the last of some backups was made; the zero time if there is none.
func Newest(names []string) time.Time {
	if len(names) == 0 {
		return time.Time{}
	}
	at, _ := madeAt(names[len(names)-1]) // such a name has been read before
	return at
}

// names are the backups in the folder that a schedule made, oldest first. Other files are nobody's business, and a name
// of the future, from when the clock was wrong, stops nothing.
func (s Schedule) names(now time.Time) ([]string, error) {
	if err := os.MkdirAll(s.Folder, 0o700); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(s.Folder)
	var names []string
	for _, e := range entries {
		if at, wrong := madeAt(e.Name()); wrong == nil && !at.After(now) && e.Type()&fs.ModeType == 0 {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, err
}

func madeAt(name string) (time.Time, error) {
	middle, _ := strings.CutPrefix(name, prefix)
	middle, _ = strings.CutSuffix(middle, suffix)
	if prefix+middle+suffix != name {
		return time.Time{}, errors.New("no backup's name")
	}
	return time.Parse(stamp, middle)
}
