package learn

import (
	"context"
	"errors"
	"time"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
)

// Saved is the answer to a report: where its learner stands now, in the lesson and in the course.
type Saved struct {
	Position  int        `json:"position_seconds"`
	Covered   string     `json:"covered"`
	Completed *time.Time `json:"completed_at"`
	Course    *time.Time `json:"course_completed_at"`
	Done      int        `json:"done"`
	Of        int        `json:"of"`
	// Certificate is the code of the one that they have of the course.
	Certificate *string `json:"certificate"`
}

func (s saving) answer() fn.Answer { return fn.JSON(s.saved()) }

func (s saving) saved() Saved {
	return Saved{
		s.progress.position, s.progress.covered.String(), moment(s.progress.completed), moment(s.enrollment.completed), s.done, s.of, orNull(s.certificate),
	}
}

// orNull is a text as an answer shows it: null where there is none.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// moment is a time as an answer shows it: null where there is none.
func moment(t db.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t.Time
}

// errStale says that somebody else wrote in between.
var errStale = errors.New("the progress is not what was read")

// save takes a player's report. Most change nothing but a position and some bits: what is written then has what was read in its
// condition, so that two tabs, two instances and a retry only add to each other. Where that fails, and where a lesson is completed,
// the rows are locked first.
func (s *Service) save(ctx context.Context, r fn.Request) (fn.Answer, error) {
	told, err := readReport(r)
	if err != nil {
		return fn.Answer{}, err
	}
	var now saving
	err = s.DB.Look(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		now, err = findSaving(ctx, tx, r.Actor, told.lesson)
		return err
	})
	if err != nil {
		return fn.Answer{}, err
	}
	next, err := now.progress.with(told, now.lesson, now.strict, s.DB.Clock.Now())
	if err != nil {
		return fn.Answer{}, err
	}
	liked := now.likes(told)
	switch {
	case next.completed.IsZero() != now.progress.completed.IsZero() || now.finished():
		err = errStale // others complete lessons of this course as well
	case !now.progress.same(next) || liked != nil:
		err = s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error { return now.write(ctx, tx, r.Actor, next, liked) })
	}
	if errors.Is(err, errStale) {
		err = s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
			now, err = s.saveLocked(ctx, tx, r.Actor, told, now.Course)
			return err
		})
		return now.answer(), err
	}
	if now.progress = next; err != nil {
		return fn.Answer{}, gone(err)
	}
	return now.answer(), nil
}

// gone makes what it is of a lesson that was deleted in between.
func gone(err error) error {
	if db.Violates(err, db.ForeignKey) {
		return errNoLesson
	}
	return err
}

// finished tells whether the course is complete, and nobody has written that down.
func (s saving) finished() bool {
	return s.of > 0 && s.done >= s.of && s.enrollment.completed.IsZero()
}

// likes gives the settings that a report changes; nil where it changes none.
func (s saving) likes(r report) *settings {
	now := settings{Speed: 100}
	if s.settings != nil {
		now = *s.settings
	}
	next := now
	if r.speed != nil {
		next.Speed = *r.speed
	}
	if r.captions != nil {
		next.Captions = *r.captions
	}
	if next == now {
		return nil
	}
	return &next
}

// write stores what came of a report if the row is still as it was read, whole.
func (s saving) write(ctx context.Context, tx *db.Tx, a who.Actor, next progress, liked *settings) error {
	var b db.Batch
	was, user := s.progress, a.UserID
	written := func(rows int64) error {
		if rows == 0 {
			return errStale
		}
		return nil
	}
	switch {
	case was.same(next):
	case was.there:
		b.Exec(`update lesson_progress set position_seconds = $3, position_at = $4, covered = $5, completed_at = $6, updated_at = $7
			where user_id = $1 and lesson_id = $2 and covered = $8 and position_seconds = $9 and position_at = $10 and completed_at is not distinct from $11`,
			[]any{
				user, s.ID, next.position, next.at, next.covered.String(), next.completed, db.At(tx.Now),
				was.text, was.position, was.at, was.completed,
			}, written)
	default:
		b.Exec(`insert into lesson_progress (id, user_id, course_id, lesson_id, position_seconds, position_at, covered, completed_at, updated_at, created_at)
			values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) on conflict (user_id, lesson_id) do nothing`,
			[]any{id.InOrder(), user, s.Course, s.ID, next.position, next.at, next.covered.String(), next.completed, db.At(tx.Now)}, written)
	}
	if liked != nil {
		b.Exec(`insert into learner_settings (user_id, speed, captions) values ($1, $2, $3)
			on conflict (user_id) do update set speed = excluded.speed, captions = excluded.captions`,
			[]any{user, liked.Speed, liked.Captions}, func(int64) error { return nil })
	}
	return tx.Send(ctx, &b)
}

// saveLocked stores a report while nobody else writes this person's progress in the course: of two that complete the last two
// lessons at once, the later sees both.
func (s *Service) saveLocked(ctx context.Context, tx *db.Tx, a who.Actor, told report, course string) (now saving, err error) {
	locked, err := tx.Exec(ctx, `update enrollments set started_at = coalesce(started_at, $3) where user_id = $1 and course_id = $2 and revoked_at is null`,
		a.UserID, course, db.At(tx.Now))
	if err == nil && locked == 0 {
		err = ErrNotEnrolled
	}
	if err != nil {
		return now, err
	}
	// A row that is there is locked by this, whoever put it there.
	_, err = tx.Exec(ctx, `insert into lesson_progress (id, user_id, course_id, lesson_id, position_at, updated_at, created_at)
		values ($1, $2, $3, $4, $5, $6, $6) on conflict (user_id, lesson_id) do update set updated_at = excluded.updated_at`,
		id.InOrder(), a.UserID, course, told.lesson, db.At(time.Unix(0, 0)), db.At(tx.Now))
	if err != nil {
		return now, gone(err)
	}
	if now, err = findSaving(ctx, tx, a, told.lesson); err != nil {
		return now, err
	}
	next, err := now.progress.with(told, now.lesson, now.strict, tx.Now)
	if err != nil {
		return now, err
	}
	if err := now.write(ctx, tx, a, next, now.likes(told)); err != nil {
		return now, err
	}
	now.progress = next
	return now, s.settle(ctx, tx, a, &now)
}

// settle counts anew, and completes the course with its last lesson, once.
func (s *Service) settle(ctx context.Context, tx *db.Tx, a who.Actor, now *saving) error {
	if err := tx.QueryRow(ctx, "select "+counts+" from lessons l where l.id = $1", now.ID, a.UserID).Scan(&now.done, &now.of); err != nil {
		return err
	}
	if !now.finished() {
		return nil
	}
	now.enrollment.completed = db.At(tx.Now)
	_, err := tx.Exec(ctx, "update enrollments set completed_at = $2 where id = $1 and completed_at is null", now.enrollment.id, now.enrollment.completed)
	if err != nil {
		return err
	}
	now.certificate, err = s.Completed(ctx, tx, a.UserID, now.Course)
	return err
}
