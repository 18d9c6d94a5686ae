package video

import (
	"context"

	"greenroom/internal/platform/db"
	"greenroom/internal/storage"
)

// Rebuild lets videos be prepared again whose files are not all there, as after a restore: a backup holds uploads, not what can
// be made of them. It says how many. Until then they play as they were uploaded.
func (s *Service) Rebuild(ctx context.Context) (n int, err error) {
	there := map[string]int64{}
	err = s.bytes().Each(ctx, func(version string, size int64) error { there[version] = size; return nil })
	if err != nil {
		return 0, err
	}
	missing := map[string]bool{}
	err = s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, "select video_id, version, size from video_files", nil, func(scan func(...any) error) error {
			var video, version string
			var size int64
			err := scan(&video, &version, &size)
			if found, ok := there[version]; err == nil && (!ok || found != size) {
				missing[video] = true
			}
			return err
		})
	})
	if err != nil {
		return 0, err
	}
	for video := range missing {
		if err := s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error { return s.anew(ctx, tx, video) }); err != nil {
			return n, err
		}
		s.shown.forget(video)
		n++
	}
	return n, nil
}

// anew takes away what was made of a video, and queues it. What its job is doing comes too late to count.
func (s *Service) anew(ctx context.Context, tx *db.Tx, video string) error {
	_, err := tx.Exec(ctx, "update video_jobs set state = 'cancelled', claim = null where video_id = $1", video)
	if err != nil {
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
	if _, err := tx.Exec(ctx, "delete from video_files where video_id = $1", video); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "update videos set state = 'waiting' where id = $1", video); err != nil {
		return err
	}
	tx.AfterCommit(s.Kick)
	return queue(ctx, tx, video)
}
