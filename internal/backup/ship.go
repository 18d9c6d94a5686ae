package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"greenroom/internal/platform/s3"
)

// Ship puts the newest backup of the folder into the bucket if it is not there yet, and takes away those beyond the number
// to keep. It says what it put there, and of when the newest one there is, also where it could add none; the zero time says
// that this is not known, or that there is none.
func (s Schedule) Ship(ctx context.Context, now time.Time) (shipped string, newest time.Time, err error) {
	here, err := s.names(now)
	if err != nil {
		return "", time.Time{}, err
	}
	there, err := Shipped(ctx, s.Bucket, now)
	if err != nil {
		return "", time.Time{}, err
	}
	if len(here) > 0 && !slices.Contains(there, here[len(here)-1]) {
		shipped = here[len(here)-1]
		if err := s.Bucket.Put(ctx, shipped, filepath.Join(s.Folder, shipped)); err != nil {
			return "", Newest(there), err
		}
		there = append(there, shipped)
		slices.Sort(there)
	}
	for ; len(there) > s.Keep; there = there[1:] {
		err = errors.Join(err, s.Bucket.Delete(ctx, there[0]))
	}
	return shipped, Newest(there), err
}

// Shipped are the backups in a bucket, oldest first.
func Shipped(ctx context.Context, b *s3.Bucket, now time.Time) ([]string, error) {
	all, err := b.List(ctx)
	names := slices.DeleteFunc(all, func(name string) bool {
		at, wrong := madeAt(name)
		return wrong != nil || at.After(now)
	})
	slices.Sort(names)
	return names, err
}

// Fetch copies a backup out of a bucket into a folder of its own below another, the newest where no name is given. The
// folder is the caller's to remove.
func Fetch(ctx context.Context, b *s3.Bucket, name, below string, now time.Time) (file string, err error) {
	if name == "" {
		names, err := Shipped(ctx, b, now)
		if err != nil {
			return "", err
		}
		if len(names) == 0 {
			return "", fmt.Errorf("there is no backup in %s", b)
		}
		name = names[len(names)-1]
	}
	if _, err := madeAt(name); err != nil {
		return "", fmt.Errorf("%s is not the name of a backup that the server made", name)
	}
	tidy(below, stages)
	folder, err := os.MkdirTemp(below, stages)
	if err != nil {
		return "", err
	}
	file = filepath.Join(folder, name)
	if err := b.Get(ctx, name, file); err != nil {
		return "", errors.Join(err, os.RemoveAll(folder))
	}
	return file, nil
}
