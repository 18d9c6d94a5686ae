package backup

import (
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
)

// Schedule says where backups go by themselves, how often, and how many stay.
type Schedule struct {
	Folder string
	Every  time.Duration
	Keep   int
}

const (
	prefix, suffix = "greenroom-", ".db"
	// stamp is a moment in a file's name; the names sort by age.
	stamp = "20060102T150405Z"
	// look is how often a server asks whether a backup is due, and again after one failed.
	look = time.Minute
)

// Work makes backups until the context ends.
func (s Schedule) Work(ctx context.Context, d *db.DB, log *slog.Logger) {
	tick := time.NewTicker(look)
	defer tick.Stop()
	for {
		made, err := s.MakeDue(ctx, d)
		switch {
		case err != nil && ctx.Err() == nil:
			log.ErrorContext(ctx, "BACKUP FAILED", "folder", s.Folder, "error", err)
		case made.File != "":
			log.InfoContext(ctx, "backup made", "file", made.File, "bytes", made.Bytes, "rows", made.Rows)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// MakeDue makes a backup if the newest one is old enough, and takes away those beyond the number to keep. What is due
// can be seen in the folder alone: a server that was away makes up for it.
func (s Schedule) MakeDue(ctx context.Context, d *db.DB) (Made, error) {
	now := d.Clock.Now().UTC()
	if newest, err := s.Newest(now); err != nil || now.Sub(newest) < s.Every {
		return Made{}, err
	}
	made, err := Make(ctx, d, filepath.Join(s.Folder, prefix+now.Format(stamp)+suffix))
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
	if err != nil || len(names) == 0 {
		return time.Time{}, err
	}
	return madeAt(names[len(names)-1])
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
