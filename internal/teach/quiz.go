package teach

import (
	"context"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
)

// quiz is the kind of a lesson whose questions another package keeps.
const quiz = "quiz"

var errNoQuiz = fault.New(fault.NotFound, "That lesson is not a quiz.")

// ReadQuiz does something with a quiz of a course that the caller teaches.
func (s *Studio) ReadQuiz(ctx context.Context, r fn.Request, key string, do func(ctx context.Context, tx *db.Tx, lesson string) error) error {
	key, ok := id.Parse(key)
	if !ok {
		return errNoLesson
	}
	return s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		l, err := findLesson(ctx, tx, key)
		if err == nil {
			err = may(ctx, tx, r.Actor, l.Course, toRead)
		}
		switch {
		case err != nil:
			return err
		case l.Kind != quiz:
			return errNoQuiz
		}
		return do(ctx, tx, l.ID)
	})
}

// WriteQuiz does something with a quiz of a course that the caller may change.
func (s *Studio) WriteQuiz(ctx context.Context, r fn.Request, key string, do func(ctx context.Context, tx *db.Tx, lesson string) error) error {
	return s.touching(ctx, r, key, func(ctx context.Context, tx *db.Tx, l lesson) error {
		if l.Kind != quiz {
			return errNoQuiz
		}
		return do(ctx, tx, l.ID)
	})
}
