// Package discuss is what learners write at a lesson: notes for themselves, questions, and answers to them.
//
//	tables.go   what the data API may touch, and for whom
//	note.go     notes, which nobody but their author reads
//	post.go     asking, answering, changing one's words for a quarter of an hour, and the counts
//	mind.go     what teachers do with questions: accept, pin, hide; and what readers report
//	list.go     the questions of a course as its teachers see them, the unanswered first
//	tell.go     the letters: to teachers about questions, to askers about answers, each told once
//	person.go   what is known of a person here, and what is left when they go
//
// Letters carry nobody else's words or names: they leave our hands, and what somebody wrote must be able to go with its author.
package discuss

import (
	"context"
	"log/slog"

	"greenroom/internal/fn"
	"greenroom/internal/learn"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
)

// Options are what the service stands on.
type Options struct {
	DB      *db.DB
	Limits  *limit.Limits
	Learn   *learn.Service
	Enqueue func(ctx context.Context, tx *db.Tx, letter mail.Letter) error
	SiteURL string
	Log     *slog.Logger
}

// Service keeps notes, questions and answers.
type Service struct {
	Options
	kicked chan struct{} // there may be somebody to tell
}

// New makes the service.
func New(o Options) *Service { return &Service{Options: o, kicked: make(chan struct{}, 1)} }

// Functions says what can be called by name.
func (s *Service) Functions() []fn.Function {
	return []fn.Function{
		{Name: "questions", For: fn.Users, Call: s.list},
		{Name: "accept-answer", For: fn.Users, Call: s.accept},
		{Name: "pin-question", For: fn.Users, Call: s.pin},
		{Name: "hide-post", For: fn.Users, Call: s.hide},
		{Name: "report-post", For: fn.Users, Call: s.report},
	}
}

// person is the id under which somebody learns or teaches: guests and strangers are nobody.
func person(a who.Actor) string {
	if !a.SignedIn() || a.Guest {
		return id.Nil
	}
	return a.UserID
}

// runs tells whether somebody runs the place.
func runs(a who.Actor) bool { return a.Admin || a.Role == who.Service }

// teaches refuses whoever neither teaches a course nor runs the place.
func teaches(ctx context.Context, tx *db.Tx, a who.Actor, course string) error {
	if runs(a) {
		return nil
	}
	var does bool
	err := tx.QueryRow(ctx, "select exists (select 1 from course_teachers where course_id = $1 and user_id = $2)", course, person(a)).Scan(&does)
	if err == nil && !does {
		err = fault.New(fault.Forbidden, "This is for the teachers of the course.")
	}
	return err
}
