package teach

import (
	"context"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
)

// setPoster makes an upload what the video of a lesson shows before it plays, or lets it be a frame of the video again.
func (s *Studio) setPoster(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Lesson string  `json:"lesson"`
		Path   *string `json:"path"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	return fn.Empty(), s.editing(ctx, r, ask.Lesson, func(ctx context.Context, tx *db.Tx, l lesson) (err error) {
		if l.video == "" {
			return errNoVideo
		}
		status, err := s.Videos.Status(ctx, tx, l.video)
		if err != nil {
			return err
		}
		next := ""
		if ask.Path != nil {
			if next, err = stored(ctx, tx, l.Course, *ask.Path); err != nil {
				return err
			}
		}
		if next == status.Poster {
			return nil
		}
		if err := s.Videos.Choose(ctx, tx, l.video, next); err != nil {
			return err
		}
		if status.Poster != "" {
			if err := s.dropUnused(ctx, tx, status.Poster); err != nil {
				return err
			}
		}
		if l.State == published {
			if err := s.Changed(ctx, tx, l.Course); err != nil {
				return err
			}
		}
		return note(ctx, tx, r.Actor, "lesson.change", l.Title+" ("+l.ID+")")
	})
}
