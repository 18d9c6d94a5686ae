// Package teach is the studio: what a course teaches, in sections and lessons, who teaches it, and on which terms it is open.
package teach

import "greenroom/internal/rest"

// The questions that policies ask about a course, by the column that holds its id. Guests teach and take nothing.
var (
	// Teaches holds for those who teach the course, Edits for those of them who may change it.
	Teaches = rest.Related{Name: "teaches", Table: "course_teachers", Key: "course_id", If: member}
	Edits   = rest.Related{Name: "edits", Table: "course_teachers", Key: "course_id", If: member.And(rest.True("may_edit"))}
	// Enrolled holds for those who take the course, and whom nobody has put out of it.
	Enrolled = rest.Related{Name: "enrolled", Table: "enrollments", Key: "course_id", If: member.And(rest.Null("revoked_at"))}
	// Published holds for courses that have a published lesson, whoever asks.
	Published = rest.Related{Name: "published", Table: "course_offers", Key: "course_id", If: rest.NotNull("published_at")}
)

var member = rest.Members().And(rest.Own("user_id"))
