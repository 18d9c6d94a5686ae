package teach

import (
	"context"
	"database/sql"
	"errors"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
)

// The questions that policies ask about a course, by the column that holds its id. Guests teach and take nothing.
var (
	// Teaches holds for those who teach the course, Edits for those of them who may change it.
	Teaches = rest.Related{Name: "teaches", Table: "course_teachers", Key: "course_id", If: member}
	Edits   = rest.Related{Name: "edits", Table: "course_teachers", Key: "course_id", If: member.And(rest.True("may_edit"))}
	// Enrolled holds for those who take the course, and whom nobody has put out of it.
	Enrolled = rest.Related{Name: "enrolled", Table: "enrollments", Key: "course_id", If: member.And(rest.Null("revoked_at"))}
	// Published holds for courses that have a published lesson, whoever asks.
	Published = rest.Related{Name: "published", Table: "course_offers", Key: "course_id", If: rest.NotNull("published_at")}
	// shown holds for sections that have a published lesson, by the section's id.
	shown = rest.Related{Name: "shown", Table: "lessons", Key: "section_id", If: rest.Equal("state", published)}
)

var member = rest.Members().And(rest.Own("user_id"))

var (
	errNotTheirs = fault.New(fault.Forbidden, "You do not teach this course.")
	errMayNot    = fault.New(fault.Forbidden, "You may look at this course, and not change it.")
)

// countMine counts a change against those that somebody may make in a minute: each may make the pages of all visitors anew.
func (s *Studio) countMine(ctx context.Context, tx *db.Tx, a who.Actor) error {
	if a.Admin || a.Role == who.Service {
		return nil
	}
	return s.Limits.Take(ctx, tx, limit.StudioPerAccount.By(a.UserID))
}

// countChange is countMine for the data API, whatever a request changes.
func (s *Studio) countChange(ctx context.Context, tx *db.Tx, _ []rest.Row) error {
	return s.countMine(ctx, tx, who.From(ctx))
}

// right is what a call asks of a course.
type right bool

const (
	toRead right = false
	toEdit right = true
)

// may refuses whoever does not have the right to a course, as the policies of the tables do.
func may(ctx context.Context, tx *db.Tx, a who.Actor, course string, to right) error {
	if a.Admin {
		return nil
	}
	if !a.SignedIn() || a.Guest {
		return errNotTheirs
	}
	var edits bool
	err := tx.QueryRow(ctx, "select may_edit from course_teachers where course_id = $1 and user_id = $2", course, a.UserID).Scan(&edits)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return errNotTheirs
	case err == nil && to == toEdit && !edits:
		return errMayNot
	}
	return err
}
