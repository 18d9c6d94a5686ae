package video

import (
	"context"

	"greenroom/internal/platform/db"
	"greenroom/internal/storage"
)

// over are the videos whose upload was removed, and those whose upload was replaced once the replacement can be played.
const over = `select v.id from videos v where not exists (select 1 from storage_objects o where o.id = v.object_id)
	or exists (select 1 from videos w where w.object_id = v.object_id and w.created_at > v.created_at and w.state in ('playable', 'ready')) limit 50`

// Sweep takes away videos whose upload is no more, and what killed workers left. It may end anywhere.
func (s *Service) Sweep(ctx context.Context) error {
	for {
		var gone []string
		err := s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
			return db.Each(ctx, tx, over, nil, func(scan func(...any) error) error {
				var video string
				err := scan(&video)
				gone = append(gone, video)
				return err
			})
		})
		if err != nil {
			return err
		}
		for _, video := range gone {
			if err := s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error { return remove(ctx, tx, video) }); err != nil {
				return err
			}
			s.shown.forget(video)
		}
		if len(gone) == 0 {
			break
		}
	}
	err := s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, "delete from video_turns where served_at < $1", db.At(tx.Now.Add(-turnsKept)))
		return err
	})
	if err != nil {
		return err
	}
	return s.emptyScratch(ctx)
}

// remove takes a video away, and gives its bytes to the storage's sweeper. A worker that has it loses it.
func remove(ctx context.Context, tx *db.Tx, video string) error {
	// The job first: whoever is about to publish waits for it, and then finds it gone.
	if _, err := tx.Exec(ctx, "delete from video_jobs where video_id = $1", video); err != nil {
		return err
	}
	all, err := filesOf(ctx, tx, video)
	if err != nil {
		return err
	}
	for _, m := range all {
		if err := storage.Discard(ctx, tx, m.Version, m.Size); err != nil {
			return err
		}
	}
	for _, query := range []string{"delete from video_files where video_id = $1", "delete from videos where id = $1"} {
		if _, err := tx.Exec(ctx, query, video); err != nil {
			return err
		}
	}
	return nil
}
