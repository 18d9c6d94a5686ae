package storage

import (
	"context"

	"greenroom/internal/platform/db"
)

// Drop takes objects away that the product itself has no use for any more, by their ids, and gives their bytes to the sweeper.
func (s *Service) Drop(ctx context.Context, tx *db.Tx, ids ...string) error {
	for _, one := range ids {
		if err := s.drop(ctx, tx, "id = $1", one); err != nil {
			return err
		}
	}
	return nil
}

// DropFolder takes everything in a folder away.
func (s *Service) DropFolder(ctx context.Context, tx *db.Tx, bucket, folder string) error {
	return s.drop(ctx, tx, "bucket_id = $1 and name >= $2 and name < $3", bucket, folder+"/", behind(folder))
}

func (s *Service) drop(ctx context.Context, tx *db.Tx, condition string, args ...any) error {
	if err := turn(ctx, tx); err != nil {
		return err
	}
	var gone []object
	err := db.Each(ctx, tx, "delete from storage_objects where "+condition+" returning "+returned, args, func(scan func(...any) error) error {
		var o object
		err := o.scan(scan)
		gone = append(gone, o)
		return err
	})
	if err != nil || len(gone) == 0 {
		return err
	}
	tx.AfterCommit(s.sweepSoon)
	return discard(ctx, tx, gone...)
}
