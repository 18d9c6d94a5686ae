// Package inbox takes what people write to the provider: recommendations of courses, and the messages of the help,
// contact, investor and sponsorship forms. All of it is course_recommendations; the marker in instructor_name alone
// says what a row is, and the server stores that as its kind.
//
// Two functions go with it: send-notification-email tells the provider's mailbox of a message, and export gives
// admins their lists as CSV.
package inbox

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"greenroom/internal/fn"
	"greenroom/internal/mail"
	"greenroom/internal/platform/crowd"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
)

// Inbox takes messages.
type Inbox struct {
	d      *db.DB
	post   *mail.Outbox
	limits *limit.Limits
	// exporting holds the exports under way, and exports are who waits for that.
	exporting chan struct{}
	exports   crowd.Line
}

// New makes the inbox.
func New(d *db.DB, post *mail.Outbox, limits *limit.Limits) *Inbox {
	return &Inbox{
		d: d, post: post, limits: limits, exporting: make(chan struct{}, exportsAtOnce),
		exports: crowd.Line{Busy: "Too many exports at once. Please try again in a moment.", Most: mostExports, Moment: exportSoon},
	}
}

// Tables says what the data API may touch, and for whom.
func (b *Inbox) Tables() []rest.Table {
	return []rest.Table{{
		Name: "course_recommendations",
		Columns: []rest.Column{
			{Name: "id", Type: rest.UUID, Default: rest.NewID},
			{Name: "user_id", Type: rest.UUID, Write: rest.OnInsert},
			{Name: "course_title", Type: rest.Text, Write: rest.OnInsert},
			{Name: "course_description", Type: rest.Text, Nullable: true, Write: rest.OnInsert},
			{Name: "instructor_name", Type: rest.Text, Nullable: true, Write: rest.OnInsert},
			{Name: "email", Type: rest.Text, Write: rest.OnInsert},
			{Name: "created_at", Type: rest.Timestamp, Default: rest.Now},
			{Name: "kind", Type: rest.Text, Default: rest.Filled},
		},
		Read: rest.Admins(),
		Insert: rest.Insert{
			If: rest.Own("user_id").Or(rest.Anonymous().And(rest.Equal("user_id", id.Nil))), Do: b.take,
			Quota: rest.Quota{Take: b.limits.Quota(limit.MessagePerAccount, limit.MessagePerAccountDay), Judge: b.limits.Judge},
		},
		Delete:   rest.Delete{If: rest.Admins()},
		Sketched: []string{"course_title", "course_description", "instructor_name", "email"},
	}}
}

// Functions are what the inbox does besides its table.
func (b *Inbox) Functions() []fn.Function {
	return []fn.Function{
		{Name: "send-notification-email", For: fn.Anyone, Call: b.notify},
		{Name: "export", For: fn.Admins, Methods: []string{"GET"}, Call: b.export},
	}
}

// The kinds of rows.
const (
	recommendation = "recommendation"
	help           = "help"
	contact        = "contact"
	investor       = "investor"
	sponsorship    = "sponsorship"
)

// kindOf reads the marker.
func kindOf(instructor string) string {
	switch {
	case instructor == "Help Center":
		return help
	case instructor == "Investor Relations":
		return investor
	case instructor == "Corporate Sponsorships":
		return sponsorship
	case strings.HasPrefix(instructor, "Contact:"):
		return contact
	default:
		return recommendation
	}
}

// Bounds of what people write, in characters. The description of an inquiry holds labelled lines before the message.
const (
	maxTitle              = 100
	maxDescription        = 500
	maxInstructor         = 100
	maxInquiryTitle       = 200
	maxInquiryMessage     = 5000
	maxInquiryDescription = 6000
	maxMarker             = 200
)

// message is one row as somebody wrote it, trimmed.
type message struct {
	title, description, instructor, email string
}

func (m message) kind() string { return kindOf(m.instructor) }

func (m message) check() error {
	title, description, instructor, titleText := maxTitle, maxDescription, maxInstructor, "Course title"
	if m.kind() != recommendation {
		title, description, instructor, titleText = maxInquiryTitle, maxInquiryDescription, maxMarker, "Subject"
	}
	switch {
	case m.title == "":
		return refused("%s is required", titleText)
	case long(m.title, title):
		return refused("%s can be at most %d characters long", titleText, title)
	case long(m.description, description):
		return refused("Description can be at most %d characters long", description)
	case long(m.instructor, instructor):
		return refused("Instructor name can be at most %d characters long", instructor)
	case !mail.Deliverable(m.email):
		return refused("Valid email is required")
	case m.kind() != recommendation && m.text() == "":
		return refused("Please fill in all fields")
	case m.kind() != recommendation && long(m.text(), maxInquiryMessage):
		return refused("A message can be at most %d characters long", maxInquiryMessage)
	}
	return nil
}

// text is what somebody wrote, without the labelled lines before it.
func (m message) text() string {
	const label = "Message: "
	if text, ok := strings.CutPrefix(m.description, label); ok {
		return strings.TrimSpace(text)
	}
	if _, text, ok := strings.Cut(m.description, "\n"+label); ok {
		return strings.TrimSpace(text)
	}
	return m.description
}

func long(text string, most int) bool { return utf8.RuneCountInString(text) > most }

// refused is a broken check, in the code that the data API gives one.
func refused(format string, args ...any) error {
	e := fault.Newf(fault.Invalid, format, args...)
	e.Code = "23514"
	return e
}

// take stores a recommendation or a message. Strangers may send the contact form, under nobody's id.
func (b *Inbox) take(ctx context.Context, tx *db.Tx, row rest.Row) (string, error) {
	m := message{
		title: strings.TrimSpace(row.Text("course_title")), description: strings.TrimSpace(row.Text("course_description")),
		instructor: strings.TrimSpace(row.Text("instructor_name")), email: strings.TrimSpace(row.Text("email")),
	}
	caller := who.From(ctx)
	visitor := !caller.SignedIn() || caller.Guest
	if visitor && m.kind() != contact {
		return "", fault.New(fault.Forbidden, "Only the contact form works without signing in.")
	}
	if err := m.check(); err != nil {
		return "", err
	}
	if visitor {
		if err := b.limits.Take(ctx, tx, limit.InsertPerAddress.By(caller.Address)); err != nil {
			return "", err
		}
	}
	_, err := tx.Exec(ctx, `insert into course_recommendations (id, user_id, course_title, course_description, instructor_name, email, created_at, kind)
		values ($1, $2, $3, $4, $5, $6, $7, $8)`,
		row.Text("id"), row.Text("user_id"), m.title, orNull(m.description), orNull(m.instructor), m.email, db.At(tx.Now), m.kind())
	if err != nil {
		return "", fmt.Errorf("take a message: %w", err)
	}
	return row.Text("id"), nil
}

// orNull makes an absent text null.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}
