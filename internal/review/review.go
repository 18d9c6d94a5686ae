// Package review is what learners say of a course: one review of each, with stars, after they have seen something of it.
//
//	tables.go    who may read, write, change and take back a review
//	write.go     the rule: who has seen enough to judge, and does not teach the course
//	rating.go    the stars of a course, counted in the review's transaction, and what courses.rating follows
//	answer.go    the teacher's reply
//	moderate.go  reports, hiding with a reason, showing again
//	reported.go  what admins have to look at
//	person.go    own data and erasure
//	sample.go    reviews of nobody, for greenroom demo
//
// courses.rating is what the editors say until there are five published reviews, and their plain mean from then on. The two are
// never mixed. Whatever changes a review holds its course's row until the commit, so the counts are those of all of them.
package review

import (
	"context"

	"greenroom/internal/audit"
	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
)

// The bounds of what people write here, in characters.
const (
	mostReply  = 2000
	mostReason = 500
	mostName   = 100
)

// Options are what the service stands on.
type Options struct {
	DB     *db.DB
	Limits *limit.Limits
	// Secret makes the marks of those who left a review behind.
	Secret []byte
	// Changed is told, in the transaction, of courses whose page shows something else now.
	Changed func(ctx context.Context, tx *db.Tx, courses ...string) error
	// Name reads what somebody calls themselves out of their account's metadata.
	Name func(metadata string) string
	// Confirms says that people confirm their addresses here; then only those who have may review and report.
	Confirms bool
}

// Service keeps the reviews.
type Service struct{ Options }

// New makes the service.
func New(o Options) *Service { return &Service{o} }

// Functions says what can be called by name.
func (s *Service) Functions() []fn.Function {
	return []fn.Function{
		{Name: "review-state", For: fn.Users, Call: s.standing},
		{Name: "report-review", For: fn.Users, Call: s.report},
		{Name: "reply-review", For: fn.Users, Call: s.reply},
		{Name: "hide-review", For: fn.Admins, Call: s.hide},
		{Name: "show-review", For: fn.Admins, Call: s.show},
		{Name: "reported-reviews", For: fn.Admins, Call: s.reported},
	}
}

const (
	published = "published"
	hidden    = "hidden"
)

var (
	errNoReview = fault.New(fault.NotFound, "That review does not exist.")
	errNoCourse = fault.New(fault.NotFound, "That course does not exist.")
)

// note writes down what an admin did with a review, and why.
func note(ctx context.Context, tx *db.Tx, r fn.Request, act, subject string) error {
	return audit.Record(ctx, tx, audit.Entry{
		ActorID: r.Actor.UserID, Action: audit.AdminAct + act, Subject: subject, Address: r.Actor.Address, Result: audit.OK,
	})
}

// named reads an id out of a call; what is none names nothing.
func named(text string, missing error) (string, error) {
	key, ok := id.Parse(text)
	if !ok {
		return "", missing
	}
	return key, nil
}
