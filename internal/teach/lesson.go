package teach

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// lesson is a row, as the data API shows it.
type lesson struct {
	ID          string     `json:"id"`
	Course      string     `json:"course_id"`
	Section     string     `json:"section_id"`
	Title       string     `json:"title"`
	Kind        string     `json:"kind"`
	Position    int        `json:"position"`
	State       string     `json:"state"`
	Preview     bool       `json:"preview"`
	ReleaseDays *int       `json:"release_days"`
	ReleaseAt   *time.Time `json:"release_at"`
	Seconds     int        `json:"seconds"`
	Version     int        `json:"version"`
	Created     time.Time  `json:"created_at"`

	video string // its id, or nothing
}

func findLesson(ctx context.Context, tx *db.Tx, key string) (l lesson, err error) {
	var days sql.NullInt64
	var video sql.NullString
	var release, created db.Time
	err = tx.QueryRow(ctx, `select l.id, l.course_id, l.section_id, l.title, l.kind, l.position, l.state, l.preview, l.release_days, l.release_at,
		l.seconds, l.version, l.created_at, c.video_id from lessons l join lesson_contents c on c.lesson_id = l.id where l.id = $1`, key).
		Scan(&l.ID, &l.Course, &l.Section, &l.Title, &l.Kind, &l.Position, &l.State, &l.Preview, &days, &release, &l.Seconds, &l.Version, &created, &video)
	if errors.Is(err, sql.ErrNoRows) {
		return l, errNoLesson
	}
	l.video = video.String
	if days.Valid {
		l.ReleaseDays = new(int(days.Int64))
	}
	if !release.IsZero() {
		l.ReleaseAt = &release.Time
	}
	l.Created = created.Time
	return l, err
}

// editing does something with a lesson of a course that the caller may change, which is held meanwhile.
func (s *Studio) editing(ctx context.Context, r fn.Request, key string, do func(ctx context.Context, tx *db.Tx, l lesson) error) error {
	return s.touching(ctx, r, key, func(ctx context.Context, tx *db.Tx, l lesson) error {
		if err := hold(ctx, tx, l.Course); err != nil {
			return err
		}
		// It may have changed while others had the course.
		l, err := findLesson(ctx, tx, l.ID)
		if err != nil {
			return err
		}
		return do(ctx, tx, l)
	})
}

// touching is editing for what no other lesson has to do with.
func (s *Studio) touching(ctx context.Context, r fn.Request, key string, do func(ctx context.Context, tx *db.Tx, l lesson) error) error {
	// Whoever may not is told so without the one writer.
	l, err := s.touchable(ctx, r, key)
	if err != nil {
		return err
	}
	return s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		l, err := editable(ctx, tx, r, l.ID)
		if err == nil {
			err = s.countMine(ctx, tx, r.Actor)
		}
		if err != nil {
			return err
		}
		return do(ctx, tx, l)
	})
}

// touchable finds a lesson that the caller may change, as it is now.
func (s *Studio) touchable(ctx context.Context, r fn.Request, key string) (l lesson, err error) {
	key, ok := id.Parse(key)
	if !ok {
		return l, errNoLesson
	}
	err = s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		l, err = editable(ctx, tx, r, key)
		return err
	})
	return l, err
}

func editable(ctx context.Context, tx *db.Tx, r fn.Request, key string) (l lesson, err error) {
	if l, err = findLesson(ctx, tx, key); err == nil {
		err = may(ctx, tx, r.Actor, l.Course, toEdit)
	}
	return l, err
}

// onCourse does something with a course that the caller may change, which is held meanwhile.
func (s *Studio) onCourse(ctx context.Context, r fn.Request, course string, do func(ctx context.Context, tx *db.Tx, course string) error) error {
	course, ok := id.Parse(course)
	if !ok {
		return errNoCourse
	}
	allowed := func(ctx context.Context, tx *db.Tx) error { return may(ctx, tx, r.Actor, course, toEdit) }
	if err := s.DB.Read(ctx, allowed); err != nil {
		return err
	}
	return s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		if err := allowed(ctx, tx); err != nil {
			return err
		}
		if err := s.countMine(ctx, tx, r.Actor); err != nil {
			return err
		}
		if err := hold(ctx, tx, course); err != nil {
			return err
		}
		return do(ctx, tx, course)
	})
}
