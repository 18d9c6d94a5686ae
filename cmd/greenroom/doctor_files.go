package main

import (
	"context"
	"fmt"

	"greenroom/internal/platform/config"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/storage"
)

// mostFiles is how many stored files the doctor looks for.
const mostFiles = 20_000

// lookAtFiles tries the place of stored files, looks for their bytes, and for instances that keep them apart.
func lookAtFiles(ctx context.Context, d *db.DB, c config.Config) finding {
	f := finding{about: "files"}
	files, err := shelfOf(c)
	if err == nil {
		if err = files.Check(ctx); err != nil && c.StorageURL != "" {
			err = fmt.Errorf("GREENROOM_STORAGE_URL: %w", err)
		}
	}
	there := map[string]int64{}
	if err == nil {
		err = files.Each(ctx, func(version string, size int64) error { there[version] = size; return nil })
	}
	if f.wrong = err; err != nil {
		return f
	}
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
			if found, ok := there[version]; !ok || found != size {
				missing++
			}
			return nil
		})
		if f.said = fmt.Sprintf("%d stored files, %d MB", all, bytes/1_000_000); c.StorageURL != "" {
			f.said += " in " + files.String()
		}
		if err == nil && missing > 0 {
			err = fmt.Errorf("the bytes of %d of %d stored files are not in %s: restore a backup, bring them with greenroom storage move, or let all instances share one place", missing, all, files)
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
