// Package learn is about taking a course: enrolling, opening its lessons, and how far somebody came.
//
//	enroll.go     the row that opens a course; joining ends the wait for it
//	standing.go   what a lesson is to its caller: open, to be enrolled for, or not open yet (drip.go)
//	lesson.go     what a lesson holds, for those to whom it is open
//	progress.go   what was watched, as bits that are only ever added (covered.go), and when a lesson and its course are complete
//	ask.go        the same for lessons that ask something, which another package judges
//	mine.go       My Learning
//	news.go       the emails about lessons that opened
//	learners.go   who takes a course, and where they stand or stop (funnel.go, watched.go, export.go)
//
// Percentages are computed on reading and stored nowhere. What a course holds is package teach's, which knows nothing of this
// one; the tables of both are one schema.
package learn

import (
	"context"
	"log/slog"

	"greenroom/internal/fn"
	"greenroom/internal/mail"
	"greenroom/internal/platform/crowd"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
	"greenroom/internal/video"
)

// Options are what the service stands on.
type Options struct {
	DB     *db.DB
	Limits *limit.Limits
	// Play gives somebody the addresses of a video that they may see.
	Play func(ctx context.Context, a who.Actor, video string) (video.Play, error)
	// Link gives somebody an address that reads a file of a lesson for an hour, as long as Opens says that they may.
	Link func(ctx context.Context, a who.Actor, lesson string, f Stored) (string, error)
	// Joined ends somebody's wait for a course, in the transaction that opens it to them.
	Joined func(ctx context.Context, tx *db.Tx, user, course string) error
	// Completed gives somebody the certificate of a course, in the transaction that completes it: its code, or "" for none.
	Completed func(ctx context.Context, tx *db.Tx, user, course string) (code string, err error)
	// Enqueue writes an email that leaves with the transaction. Left tells who wants none about lessons, Leave gives them the way.
	Enqueue func(ctx context.Context, tx *db.Tx, letter mail.Letter) error
	Left    func(ctx context.Context, tx *db.Tx, user string) (bool, error)
	Leave   func(user string) (string, error)
	SiteURL string
	// Name reads what somebody calls themselves out of their account's metadata.
	Name func(metadata string) string
	Log  *slog.Logger
}

// Stored is a file as the storage knows it.
type Stored struct{ ID, Version, Bucket, Name string }

// Service lets people take courses.
type Service struct {
	Options
	// exporting holds the exports under way, and exports are who waits for that; the same for the counting of funnels, which reads
	// all progress in a course.
	exporting, counting chan struct{}
	exports, counts     crowd.Line
	funnels             ways[way]
	audiences           ways[audience]
}

// New makes the service.
func New(o Options) *Service {
	return &Service{
		Options: o, exporting: make(chan struct{}, 1), counting: make(chan struct{}, 1),
		exports: crowd.Line{Busy: "Too many exports at once. Please try again in a moment.", Most: mostExports, Moment: exportSoon},
		counts:  crowd.Line{Busy: "Too many are counting at once. Please try again in a moment.", Most: mostExports, Moment: exportSoon},
	}
}

// Functions says what can be called by name.
func (s *Service) Functions() []fn.Function {
	return []fn.Function{
		{Name: "lesson", For: fn.Anyone, Call: s.open},
		{Name: "save-progress", For: fn.Users, Call: s.save},
		{Name: "my-learning", For: fn.Users, Call: s.mine},
		{Name: "learners", For: fn.Users, Call: s.learners},
		{Name: "export-learners", For: fn.Users, Methods: []string{"GET"}, Call: s.export},
		{Name: "funnel", For: fn.Users, Call: s.funnel},
		{Name: "watched", For: fn.Users, Call: s.watched},
		{Name: "grant-course", For: fn.Admins, Call: s.grant},
	}
}

// person is the id under which somebody learns: guests and strangers are nobody.
func person(a who.Actor) string {
	if !a.SignedIn() || a.Guest {
		return id.Nil
	}
	return a.UserID
}

// runs tells whether somebody runs the place.
func runs(a who.Actor) bool { return a.Admin || a.Role == who.Service }
