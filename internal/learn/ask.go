package learn

import (
	"context"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/who"
)

// Seen is a lesson that is open to somebody.
type Seen struct {
	ID, Course, Kind string
	// Published is false for what only those see who teach it.
	Published bool
	Enrolled  bool
	// Teaches holds for those who teach the course, and those who run the place.
	Teaches bool
}

// See finds a lesson for somebody to whom it is open; the others hear why it is not.
func (s *Service) See(ctx context.Context, tx *db.Tx, a who.Actor, lesson string) (Seen, error) {
	found, err := findStanding(ctx, tx, a, lesson)
	if err != nil {
		return Seen{}, err
	}
	switch how, opens := found.access(a, tx.Now); how {
	case isOpen:
	case notOpened:
		return Seen{}, errOpens(opens)
	default:
		return Seen{}, ErrNotEnrolled
	}
	return Seen{
		ID: found.ID, Course: found.Course, Kind: found.Kind, Published: found.State == published,
		Enrolled: found.enrollment.id != "", Teaches: found.teaches || runs(a),
	}, nil
}

// Tried notes, in the transaction that keeps what they answered, that somebody tried what a lesson asks of them. Who passed has
// completed it, and with the last lesson the course.
func (s *Service) Tried(ctx context.Context, tx *db.Tx, a who.Actor, lesson, course string, passed bool) (Saved, error) {
	now, err := s.saveLocked(ctx, tx, a, report{lesson: lesson, passed: passed}, course)
	return now.saved(), err
}
