// Package waitlist is about waiting: for a course that one wants to hear of, and for one of a workshop's spots.
//
// Both live in course_waitlist. A row with a user_id is somebody waiting for a course; a row without one is a
// registration for a workshop, which has a spot from 1 to the number of spots, or none while it waits. Who gets a
// spot is decided by workshops.spots_left, which cannot fall below zero, and by the unique key over the spot's
// number: no count beforehand, so it holds under any concurrency and over any number of instances.
//
// The letters that tell people of it go into the outbox in the same transaction.
package waitlist

import (
	"cmp"
	"context"
	"database/sql"
	"log/slog"
	"strings"
	"unicode/utf8"

	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/email"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
)

// Lists are the waitlists of the courses and the workshops.
type Lists struct {
	d       *db.DB
	post    *mail.Outbox
	limits  *limit.Limits
	site    string
	changed func(ctx context.Context, tx *db.Tx) error
	log     *slog.Logger
	kicked  chan struct{}
}

// Options say what the lists work with.
type Options struct {
	DB     *db.DB
	Outbox *mail.Outbox
	Limits *limit.Limits
	// SiteURL is where the links in letters lead.
	SiteURL string
	// Changed is told, inside the transaction, of a change of a workshop that pages show.
	Changed func(ctx context.Context, tx *db.Tx) error
	Log     *slog.Logger
}

// New makes the lists.
func New(o Options) *Lists {
	return &Lists{
		d: o.DB, post: o.Outbox, limits: o.Limits, site: strings.TrimRight(o.SiteURL, "/"), changed: o.Changed, log: o.Log,
		kicked: make(chan struct{}, 1),
	}
}

// Tables says what the data API may touch, and for whom.
func (l *Lists) Tables() []rest.Table {
	return []rest.Table{
		{
			Name: "course_waitlist",
			Columns: []rest.Column{
				{Name: "id", Type: rest.UUID, Default: rest.NewID},
				{Name: "user_id", Type: rest.UUID, Nullable: true, Write: rest.OnInsert},
				{Name: "course_title", Type: rest.Text, Write: rest.OnInsert},
				{Name: "email", Type: rest.Text, Write: rest.OnInsert},
				{Name: "name", Type: rest.Text, Nullable: true, Write: rest.OnInsert},
				{Name: "created_at", Type: rest.Timestamp, Default: rest.Now},
				{Name: "course_id", Type: rest.UUID, Nullable: true},
				{Name: "workshop_id", Type: rest.UUID, Nullable: true},
				{Name: "spot", Type: rest.Int, Nullable: true},
			},
			Uniques:     []rest.Unique{{Columns: []string{"user_id", "course_title"}}},
			ForeignKeys: []rest.ForeignKey{{Column: "user_id", Table: "users"}},
			Read:        rest.Own("user_id").OrAdmin(),
			Insert: rest.Insert{
				If: rest.Own("user_id").Or(rest.Null("user_id")), Do: l.add,
				Quota: rest.Quota{Take: l.limits.Quota(limit.WaitPerAccount), Judge: l.limits.Judge, Most: maxRows, Owner: "user_id"},
			},
			Delete:   rest.Delete{If: rest.Own("user_id").OrAdmin(), Before: leaving, After: l.left},
			Sketched: []string{"course_title", "email", "name"},
		},
		l.workshops(),
	}
}

// add stores a row for a course or a workshop: the user_id tells which.
func (l *Lists) add(ctx context.Context, tx *db.Tx, row rest.Row) (string, error) {
	if row.Null("user_id") {
		return l.register(ctx, tx, registration{
			id: row.Text("id"), workshop: row.Text("course_title"),
			name: strings.TrimSpace(row.Text("name")), email: strings.TrimSpace(row.Text("email")),
		})
	}
	return l.join(ctx, tx, row)
}

// Bounds of what people type, in characters.
const (
	maxTitle = 200
	maxName  = 100
)

// maxRows is how many courses one person waits for.
const maxRows = 2000

// join puts a signed-in person on a course's waitlist, under the address of the account. The name is the one that was
// sent, or the account's.
func (l *Lists) join(ctx context.Context, tx *db.Tx, row rest.Row) (string, error) {
	caller := who.From(ctx)
	title, name := strings.TrimSpace(row.Text("course_title")), strings.TrimSpace(row.Text("name"))
	switch {
	case title == "" || utf8.RuneCountInString(title) > maxTitle:
		return "", refused("The course title must be 1 to %d characters long.", maxTitle)
	case utf8.RuneCountInString(name) > maxName:
		return "", refused("The name can be at most %d characters long.", maxName)
	case caller.Email == "" || email.Key(strings.TrimSpace(row.Text("email"))) != email.Key(caller.Email):
		return "", fault.New(fault.Forbidden, "The email must be the one on your account.")
	}
	// The oldest course of this title, if there is one.
	var course sql.NullString
	var b db.Batch
	b.Each(`insert into course_waitlist (id, user_id, course_title, email, name, created_at, course_id)
		values ($1, $2, $3, $4, $5, $6, (select id from courses where title = $7 order by created_at, id limit 1)) returning course_id`,
		[]any{row.Text("id"), caller.UserID, title, caller.Email, orNull(cmp.Or(name, caller.Name)), db.At(tx.Now), title},
		func(scan func(into ...any) error) error { return scan(&course) })
	if err := tx.Send(ctx, &b); err != nil {
		return "", err
	}
	return row.Text("id"), l.confirmJoin(ctx, tx, caller, title, course.String)
}

// confirmJoin writes the letter about a joined waitlist. A title that no course of ours has stays on the list, and
// stands in no letter: whoever typed it may have meant the letter and not the course.
func (l *Lists) confirmJoin(ctx context.Context, tx *db.Tx, caller who.Actor, title, course string) error {
	if course == "" || !mail.Deliverable(caller.Email) {
		return nil
	}
	letter := mail.WaitlistJoined{To: caller.Email, Name: caller.Name, Course: title, Link: l.courseLink(course)}
	return l.receipt(ctx, tx, letter, limit.LetterPerAccount.By(caller.UserID))
}

// receipt writes a letter about what somebody did, unless they or their client have done very much of it: what they did
// stands without it.
func (l *Lists) receipt(ctx context.Context, tx *db.Tx, letter mail.Letter, uses ...limit.Use) error {
	uses = append(uses, limit.ReceiptPerAddress.By(who.From(ctx).Address))
	err := l.post.EnqueueIf(ctx, tx, letter, func(besides db.Batch) error { return l.limits.TakeWith(ctx, tx, besides, uses...) })
	if fault.Is(err, fault.TooMany) {
		return nil
	}
	return err
}

func (l *Lists) courseLink(course string) string { return l.site + "/course/" + course }

// refused is a broken check, in the code that the data API gives one.
func refused(format string, args ...any) error {
	e := fault.Newf(fault.Invalid, format, args...)
	e.Code = "23514"
	return e
}

// orNull makes an absent text null.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}
