package teach

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
)

// saveDraft keeps what is being written. Who wrote on an older version than the one that is there changes nothing.
func (s *Studio) saveDraft(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Lesson  string `json:"lesson"`
		Body    string `json:"body"`
		Version int    `json:"draft_version"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	if len(ask.Body) > mostText {
		return fn.Answer{}, fault.Newf(fault.TooLarge, "A lesson's text holds at most %d kB.", mostText/1000)
	}
	var now struct {
		Version int       `json:"draft_version"`
		At      time.Time `json:"drafted_at"`
	}
	err := s.touching(ctx, r, ask.Lesson, func(ctx context.Context, tx *db.Tx, l lesson) error {
		n, err := tx.Exec(ctx, `update lesson_contents set draft_body = $2, draft_version = draft_version + 1, drafted_at = $3
			where lesson_id = $1 and draft_version = $4`, l.ID, ask.Body, db.At(tx.Now), ask.Version)
		if err != nil {
			return err
		}
		var held string
		var at db.Time
		err = tx.QueryRow(ctx, "select draft_body, draft_version, drafted_at from lesson_contents where lesson_id = $1", l.ID).Scan(&held, &now.Version, &at)
		now.At = at.Time
		// Whoever did not hear that it was saved says it again.
		if again := now.Version == ask.Version+1 && held == ask.Body; err == nil && n == 0 && !again {
			err = fault.New(fault.Conflict, "Somebody else changed this lesson. Reload to see their version.")
		}
		return err
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(now), nil
}

// publish gives learners what was written.
func (s *Studio) publish(ctx context.Context, r fn.Request) (fn.Answer, error) {
	return s.turn(ctx, r, "lesson.publish", func(ctx context.Context, tx *db.Tx, l lesson) (bool, error) {
		if err := complete(ctx, tx, l); err != nil {
			return false, err
		}
		n, err := tx.Exec(ctx, "update lesson_contents set body = draft_body where lesson_id = $1 and body <> draft_body", l.ID)
		if err != nil {
			return false, err
		}
		asks := false
		if l.Kind == quiz {
			if asks, err = s.PublishQuiz(ctx, tx, l.ID); err != nil {
				return false, err
			}
		}
		if n == 0 && !asks && l.State == published {
			return false, nil
		}
		_, err = tx.Exec(ctx, "update lessons set state = 'published', version = version + 1 where id = $1", l.ID)
		return true, err
	})
}

// complete refuses a lesson that has nothing to show.
func complete(ctx context.Context, tx *db.Tx, l lesson) error {
	var text string
	var refused sql.NullString
	err := tx.QueryRow(ctx, `select c.draft_body, (select v.problem from videos v where v.id = c.video_id and v.state = 'refused')
		from lesson_contents c where c.lesson_id = $1`, l.ID).Scan(&text, &refused)
	switch {
	case err != nil:
		return err
	case l.Kind == "text" && strings.TrimSpace(text) == "":
		return fault.New(fault.Invalid, "Write the text of this lesson before you publish it.")
	case l.Kind == "video" && l.video == "":
		return fault.New(fault.Invalid, "Add a video to this lesson before you publish it.")
	case l.Kind == "video" && refused.Valid:
		return fault.New(fault.Invalid, "The video of this lesson cannot be played. Replace it before you publish the lesson.")
	}
	return nil
}

// unpublish takes a lesson back. What people have of it stays, for when it comes again.
func (s *Studio) unpublish(ctx context.Context, r fn.Request) (fn.Answer, error) {
	return s.turn(ctx, r, "lesson.unpublish", func(ctx context.Context, tx *db.Tx, l lesson) (bool, error) {
		n, err := tx.Exec(ctx, "update lessons set state = 'draft' where id = $1 and state = 'published'", l.ID)
		return n > 0, err
	})
}

// turn changes the state of a lesson, and of its course with it, where that is not as it was asked for already.
func (s *Studio) turn(ctx context.Context, r fn.Request, act string, do func(ctx context.Context, tx *db.Tx, l lesson) (changed bool, err error)) (fn.Answer, error) {
	var ask struct {
		Lesson string `json:"lesson"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	var now lesson
	err := s.editing(ctx, r, ask.Lesson, func(ctx context.Context, tx *db.Tx, l lesson) error {
		changed, err := do(ctx, tx, l)
		if now = l; err != nil || !changed {
			return err
		}
		if err := s.recount(ctx, tx, l.Course); err != nil {
			return err
		}
		if err := note(ctx, tx, r.Actor, act, l.Title+" ("+l.ID+")"); err != nil {
			return err
		}
		now, err = findLesson(ctx, tx, l.ID)
		return err
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(map[string]any{"lesson": now}), nil
}
