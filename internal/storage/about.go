package storage

import (
	"context"

	"greenroom/internal/platform/db"
)

// About gives what is known of the files that a person has stored, and of those that they have not finished.
func About(ctx context.Context, tx *db.Tx, user, _ string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, `select bucket_id, name, size, mimetype, metadata, 'stored' as state, created_at, updated_at from storage_objects where owner = $1
		union all select bucket_id, name, received, mimetype, metadata, 'unfinished', null, null from storage_uploads where owner = $1 and state = 'open'
		order by 1, 2, 6`, user)
}

// Forget leaves the files that a person has stored to the site, as its pages show them, without who stored them and what they said of
// them. What they have not finished goes with the next sweep.
func Forget(ctx context.Context, tx *db.Tx, user, _ string) error {
	if err := turn(ctx, tx); err != nil {
		return err
	}
	// What was told of them goes, and their bytes count in all alone.
	_, err := tx.Exec(ctx, "update storage_turn set bytes = bytes - (select coalesce(sum(told), 0) from storage_objects where owner = $1)", user)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `update storage_versions set state = 'garbage', owner = null, since_at = $2 where state = 'pending' and version in
		(select version from storage_uploads where owner = $1 and state = 'open')`, user, db.At(tx.Now.Add(-grace)))
	if err != nil {
		return err
	}
	for _, query := range []string{
		"delete from storage_shares where owner = $1",
		"delete from storage_uploads where owner = $1",
		"update storage_objects set owner = null, metadata = null, told = 0 where owner = $1",
		"update storage_versions set owner = null where owner = $1",
		"update storage_buckets set owner = null where owner = $1",
	} {
		if _, err := tx.Exec(ctx, query, user); err != nil {
			return err
		}
	}
	return nil
}
