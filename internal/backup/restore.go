package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"greenroom/internal/platform/db"
	"greenroom/internal/storage/shelf"
	"greenroom/migrations"
)

// Note hears how many rows of a table are there.
type Note = func(table string, rows int)

// Restore fills a database that nobody serves with what a backup holds. A database in use is refused unless overwrite is
// said; then what it held is backed up first, into the folder kept, and the answer names that file.
func Restore(ctx context.Context, file string, into Place, overwrite bool, kept string, note Note) (made Made, saved string, err error) {
	tidy(kept, stages)
	stage, err := os.MkdirTemp(kept, stages)
	if err != nil {
		return made, "", err
	}
	defer os.RemoveAll(stage)
	// A copy, because an older backup is brought up to date first.
	path := filepath.Join(stage, "greenroom.db")
	if err := duplicate(file, path); err != nil {
		return made, "", err
	}
	if _, err := verify(ctx, path); err != nil {
		return made, "", fmt.Errorf("%s is no backup that can be restored: %w", file, err)
	}
	from, err := openFile(ctx, path)
	if err != nil {
		return made, "", fmt.Errorf("%s is no backup that can be restored: %w", file, err)
	}
	defer func() { err = errors.Join(err, from.Close()) }() //nolint:contextcheck // it is closed though the caller was interrupted
	return move(ctx, from, inBackup(from), into, overwrite, kept, note)
}

// Move fills a database that nobody serves with all that another holds, and compares the two afterwards. Stored files go
// from one folder into the other, if those are two.
func Move(ctx context.Context, from *db.DB, objects shelf.Shelf, into Place, overwrite bool, kept string, note Note) (made Made, saved string, err error) {
	return move(ctx, from, onShelf(objects), into, overwrite, kept, note)
}

func move(ctx context.Context, from *db.DB, bytes opened, into Place, overwrite bool, kept string, note Note) (made Made, saved string, err error) {
	into.DB.Exclusive, into.DB.Name = true, "greenroom restore"
	to, err := db.Open(ctx, into.DB)
	if err != nil {
		return made, "", err
	}
	defer func() { err = errors.Join(err, to.Close()) }() //nolint:contextcheck // it is closed though the caller was interrupted
	if err := to.Check(ctx); err != nil {
		return made, "", fmt.Errorf("%w; move it out of the way to begin with a new one", err)
	}
	if _, err := to.Migrate(ctx, migrations.Files); err != nil {
		return made, "", err
	}
	if err := to.Alone(ctx); err != nil {
		return made, "", err
	}
	found, err := to.Rows(ctx, inUse...)
	if err != nil {
		return made, "", err
	}
	if len(found) > 0 && !overwrite {
		return made, "", fmt.Errorf("the database is in use (%s): nothing was changed; --overwrite puts the other in its place and keeps a backup of it", listed(found))
	}
	if len(found) > 0 {
		saved = filepath.Join(kept, "before-"+to.Clock.Now().UTC().Format(stamp)+".db")
		if _, err := Make(ctx, to, into.Objects, saved); err != nil {
			return made, "", err
		}
	}
	if made.Missing, err = bring(ctx, from, bytes, into.Objects); err != nil {
		return made, saved, err
	}
	if err := db.Copy(ctx, from, to, note); err != nil {
		return made, saved, err
	}
	if made.Rows, err = db.Compare(ctx, from, to); err != nil {
		return made, saved, err
	}
	return made, saved, leave(ctx, to, into.Objects)
}

// inUse are the tables in which a new installation has nothing that somebody would miss.
var inUse = []string{"users", "course_waitlist", "course_recommendations", "courses", "audit_entries", "storage_objects"}

func listed(found map[string]int) string {
	var parts []string
	for name, rows := range found {
		parts = append(parts, fmt.Sprintf("%s: %d", strings.ReplaceAll(name, "_", " "), rows))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}
