package main

import (
	"context"
	"fmt"

	"greenroom/internal/platform/config"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/storage"
)

// mostFiles is how many stored files the doctor looks for on the disk.
const mostFiles = 20_000

// lookAtFiles looks for the bytes of stored files, and for instances that keep them apart.
func lookAtFiles(ctx context.Context, d *db.DB, c config.Config) finding {
	f, folder := finding{about: "files"}, storage.Objects(c.Data)
	f.wrong = d.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		all, missing := 0, 0
		var bytes int64
		err := db.Each(ctx, tx, "select version, size from storage_objects order by version limit $1", []any{mostFiles}, func(scan func(...any) error) error {
			var version string
			var size int64
			if err := scan(&version, &size); err != nil {
				return err
			}
			all, bytes = all+1, bytes+size
			if !folder.Has(version, size) {
				missing++
			}
			return nil
		})
		f.said = fmt.Sprintf("%d stored files, %d MB", all, bytes/1_000_000)
		if err == nil && missing > 0 {
			err = fmt.Errorf("the bytes of %d of %d stored files are not in %s: restore a backup, or let all instances share one folder", missing, all, folder.Path)
		}
		used := 0
		if err == nil {
			used, err = storage.Places(ctx, tx, id.Nil) // beside nobody's: all of them
		}
		if used > 1 {
			f.advice = storage.NotShared
		}
		return err
	})
	return f
}
