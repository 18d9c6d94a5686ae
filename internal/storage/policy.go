package storage

import (
	"context"
	"slices"
	"strings"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
)

// Verb is what somebody wants to do with objects.
type Verb int

// The verbs. Buckets themselves are the service role's, but for looking at those whose objects one may select.
const (
	Select Verb = iota
	Insert
	Update
	Delete
)

// Rights says who may do what in a bucket. What is not said is forbidden, but to the service role.
type Rights map[Verb]rest.Policy

// Declared is a bucket that exists from the start.
type Declared struct {
	ID     string
	Public bool
	Limit  int64 // bytes of one object; 0 is the server's own
	Types  []string
	Rights Rights
}

var pictures = []string{"image/avif", "image/gif", "image/jpeg", "image/png", "image/webp"}

// Buckets are those of the product. Others may be made by the service role, and are its own.
func Buckets() []Declared {
	admins := Rights{Select: rest.Admins(), Insert: rest.Admins(), Update: rest.Admins(), Delete: rest.Admins()}
	return []Declared{
		{ID: "artwork", Public: true, Limit: 10 << 20, Types: pictures, Rights: admins},
		{ID: "lessons", Types: append([]string{"application/pdf", "audio/*", "text/plain", "text/vtt", "video/*"}, pictures...), Rights: admins},
	}
}

// Admits tells whether a bucket's declaration lets somebody do something.
func (d Declared) Admits(a who.Actor, verb Verb) bool {
	return d.Rights[verb].Admits(a, rest.Row{}, nil)
}

// may is the condition that a query puts on the column of a bucket's id. The ids are those of the code, never a caller's.
func may(a who.Actor, verb Verb, column string) string {
	if a.Role == who.Service {
		return "1 = 1"
	}
	var ids []string
	for _, d := range Buckets() {
		if d.Admits(a, verb) {
			ids = append(ids, "'"+d.ID+"'")
		}
	}
	if len(ids) == 0 {
		return "1 = 0"
	}
	return column + " in (" + strings.Join(slices.Sorted(slices.Values(ids)), ", ") + ")"
}

// Whoever may change a course may do everything in one bucket, in the folder with the id of that course.
const (
	taught  = "lessons"
	editing = "course_teachers where may_edit and user_id = "
)

// member tells whether somebody may be given a course to teach. Admins need none.
func member(a who.Actor) bool { return a.SignedIn() && !a.Guest && !a.Admin }

// courseOf is the course in whose folder a place is, or nothing, which no course is called.
func courseOf(key string) string {
	course, _, inside := strings.Cut(key, "/")
	if !inside {
		return ""
	}
	return course
}

// may is the condition that a query puts on objects, or buckets where the column is theirs, for this caller.
func (c *call) may(verb Verb, column string) string {
	granted := may(c.actor, verb, column)
	switch {
	case c.editor == "":
		return granted
	case column == "id":
		return "(" + granted + " or id = '" + taught + "')"
	}
	return "(" + granted + " or " + column + " = '" + taught + "' and substr(o.name, 37, 1) = '/' and substr(o.name, 1, 36) in (select cast(course_id as text) from " +
		editing + "'" + c.editor + "'))"
}

func (c *call) all(column string, verbs ...Verb) string {
	terms := make([]string, len(verbs))
	for i, verb := range verbs {
		terms[i] = c.may(verb, column)
	}
	return strings.Join(terms, " and ")
}

// never tells whether the caller may not do all of some verbs anywhere.
func (c *call) never(verbs ...Verb) bool { return c.editor == "" && never(c.actor, verbs...) }

// edits finds out whether somebody may change any course. It is asked once a request, so that for all others the conditions stay
// what the database knows to be nothing.
func (s *Service) edits(ctx context.Context, c *call) error {
	user, ok := id.Parse(c.actor.UserID)
	if !ok || !member(c.actor) {
		return nil
	}
	return s.DB.Look(ctx, func(ctx context.Context, tx *db.Tx) error {
		var courses int
		err := tx.QueryRow(ctx, "select count(*) from "+editing+"$1", user).Scan(&courses)
		if c.editor = ""; courses > 0 {
			c.editor = user
		}
		return err
	})
}

// never tells whether somebody may not do all of some verbs in any bucket. They are answered without a question to the database.
func never(a who.Actor, verbs ...Verb) bool {
	return slices.ContainsFunc(verbs, func(verb Verb) bool { return may(a, verb, "id") == "1 = 0" })
}

// all is the condition that every one of some verbs puts on a column.
func all(a who.Actor, column string, verbs ...Verb) string {
	terms := make([]string, len(verbs))
	for i, verb := range verbs {
		terms[i] = may(a, verb, column)
	}
	return strings.Join(terms, " and ")
}
