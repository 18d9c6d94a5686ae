package storage

import (
	"context"
	"os"
	"path/filepath"

	"greenroom/internal/platform/db"
)

// spare is what uploads leave free: the database goes on where they are refused already.
const spare = 4 * db.LeastRoom

// reserve holds bytes that are about to come against the room and the quotas. Who reserves waits for whoever does so in the same
// moment, so that no two take the last room.
func (s *Service) reserve(ctx context.Context, tx *db.Tx, owner any, bytes int64) error {
	if err := turn(ctx, tx); err != nil {
		return err
	}
	if err := s.quota(ctx, tx, owner, bytes); err != nil {
		return err
	}
	return s.room(ctx, tx, bytes)
}

// room refuses what would fill the disk: the database needs the rest. What others were promised is not free any more.
func (s *Service) room(ctx context.Context, tx *db.Tx, bytes int64) error {
	path := s.Bytes.Path("")
	if path == "" {
		return nil // nobody knows how much there is elsewhere
	}
	if _, err := os.Stat(path); err != nil {
		path = filepath.Dir(path)
	}
	free, err := s.Free(path)
	if err != nil {
		return nil //nolint:nilerr // a disk that cannot be looked at has enough
	}
	var promised int64
	if err := tx.QueryRow(ctx, "select coalesce(sum(size), 0) from storage_versions where state = 'pending'").Scan(&promised); err != nil {
		return err
	}
	if free < spare+promised+bytes {
		return errNoRoom
	}
	return nil
}

// quota refuses what is beyond the bounds of all, or of one account. Uploads under way count as what they may become, and bytes that
// are no object's any more until they are swept.
func (s *Service) quota(ctx context.Context, tx *db.Tx, owner any, bytes int64) error {
	var stored int64
	if err := tx.QueryRow(ctx, "select bytes from storage_turn").Scan(&stored); err != nil {
		return err
	}
	if stored+bytes > s.QuotaAll {
		return errQuota
	}
	if owner == nil {
		return nil
	}
	if err := tx.QueryRow(ctx, "select coalesce(sum(bytes), 0) from storage_shares where owner = $1", owner).Scan(&stored); err != nil {
		return err
	}
	if stored+bytes > s.QuotaUser {
		return errQuota
	}
	return nil
}
