// Package teach is the studio: what a course teaches, in sections and lessons, who teaches it, and on which terms it is open.
//
//	course_offers     the terms of a course, and what of it is published    made with its first section
//	 └ course_sections
//	   └ lessons          drafts until publish-lesson; in order through the whole course
//	     └ lesson_contents  what learners get (body) and what is being written (draft_body)
//
// Names, order and rights are tables of the data API; what has rules or hides a part is a function. Whatever changes what is
// published holds the course first (hold), so that two who publish at once count each other's lessons.
package teach

import (
	"context"

	"greenroom/internal/audit"
	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
	"greenroom/internal/storage"
	"greenroom/internal/video"
)

// The bounds of a course.
const (
	mostSections = 200
	mostLessons  = 500
	mostFiles    = 50
	mostText     = 100_000 // bytes of a lesson's text
	mostListed   = 200
)

// Options are what the studio stands on.
type Options struct {
	DB      *db.DB
	Limits  *limit.Limits
	Storage *storage.Service
	Videos  *video.Service
	// Changed is told, in the transaction, of courses whose page shows something else now.
	Changed func(ctx context.Context, tx *db.Tx, courses ...string) error
	// Joined is told, in the transaction, who teaches a course from now on. It may be nil.
	Joined func(ctx context.Context, tx *db.Tx, course, user string) error
}

// Studio is where courses are made.
type Studio struct {
	Options
	// PublishQuiz gives learners the questions of a quiz as they are written, in the transaction that publishes the lesson, and tells
	// whether they had others. Package quiz stands on this one, so that it is set once both are there.
	PublishQuiz func(ctx context.Context, tx *db.Tx, lesson string) (changed bool, err error)
}

// New opens the studio.
func New(o Options) *Studio { return &Studio{Options: o} }

// Functions says what can be called by name. Who may is the course's business, but for those of admins.
func (s *Studio) Functions() []fn.Function {
	return []fn.Function{
		{Name: "teaching", For: fn.Users, Call: s.teaching},
		{Name: "studio-lesson", For: fn.Users, Call: s.opened},
		{Name: "save-draft", For: fn.Users, Call: s.saveDraft},
		{Name: "publish-lesson", For: fn.Users, Call: s.publish},
		{Name: "unpublish-lesson", For: fn.Users, Call: s.unpublish},
		{Name: "arrange-lessons", For: fn.Users, Call: s.arrange},
		{Name: "set-lesson-video", For: fn.Users, Call: s.setVideo},
		{Name: "retry-lesson-video", For: fn.Users, Call: s.ofVideo(s.Videos.Retry)},
		{Name: "cancel-lesson-video", For: fn.Users, Call: s.ofVideo(s.Videos.Cancel)},
		{Name: "set-lesson-poster", For: fn.Users, Call: s.setPoster},
		{Name: "caption-lesson", For: fn.Users, Call: s.caption},
		{Name: "lesson-captions", For: fn.Users, Call: s.said},
		{Name: "set-trailer", For: fn.Users, Call: s.setTrailer},
		{Name: "add-lesson-file", For: fn.Users, Call: s.addFile},
		{Name: "remove-lesson-file", For: fn.Users, Call: s.removeFile},
		{Name: "teachers", For: fn.Admins, Call: s.teachers},
		{Name: "add-teacher", For: fn.Admins, Call: s.addTeacher},
	}
}

// note writes down what an admin did. Teachers work on what is theirs.
func note(ctx context.Context, tx *db.Tx, a who.Actor, act, subject string) error {
	if !a.Admin && a.Role != who.Service {
		return nil
	}
	return audit.Record(ctx, tx, audit.Entry{
		ActorID: a.UserID, Action: audit.AdminAct + act, Subject: subject, Address: a.Address, Result: audit.OK,
	})
}
