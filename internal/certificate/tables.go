package certificate

import (
	"context"
	"strings"
	"unicode/utf8"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/rest"
	"greenroom/internal/teach"
)

// Tables says what the data API may touch, and for whom: people read their own certificates, who teaches a course those of it,
// and admins withdraw them.
func (s *Service) Tables() []rest.Table {
	return []rest.Table{{
		Name: "certificates",
		Columns: []rest.Column{
			{Name: "id", Type: rest.UUID},
			{Name: "code", Type: rest.Text},
			{Name: "user_id", Type: rest.UUID, Nullable: true},
			{Name: "course_id", Type: rest.UUID, Nullable: true},
			{Name: "holder", Type: rest.Text},
			{Name: "course_title", Type: rest.Text},
			{Name: "instructor", Type: rest.Text},
			{Name: "lessons", Type: rest.Int},
			{Name: "seconds", Type: rest.Int},
			{Name: "issued_at", Type: rest.Timestamp},
			{Name: "revoked_at", Type: rest.Timestamp, Nullable: true, Write: rest.OnUpdate},
			{Name: "revoked_for", Type: rest.Text, Nullable: true, Write: rest.OnUpdate},
			{Name: "created_at", Type: rest.Timestamp},
		},
		Uniques: []rest.Unique{{Columns: []string{"code"}}, {Columns: []string{"user_id", "course_id"}}},
		Read:    rest.Members().And(rest.Own("user_id")).Or(rest.Has("course_id", teach.Teaches)).OrAdmin(),
		Update:  rest.Update{If: rest.Admins(), After: s.changed},
	}}
}

const mostReason = 500

// changed holds what admins write to the rules: who withdraws a certificate says why, and a reason goes with what it was the
// reason for.
func (s *Service) changed(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	for _, row := range rows {
		reason := strings.TrimSpace(row.Text("revoked_for"))
		switch {
		case row.Null("revoked_at") && row.Null("revoked_for"):
		case row.Null("revoked_at"):
			if _, err := tx.Exec(ctx, "update certificates set revoked_for = null where id = $1", row.Text("id")); err != nil {
				return err
			}
		case reason == "":
			return fault.Coded(fault.Invalid, "23514", "Say why this certificate is withdrawn.")
		case utf8.RuneCountInString(reason) > mostReason:
			return fault.Coded(fault.Invalid, "23514", "revoked_for can be at most 500 characters long.")
		}
	}
	return s.Changed(ctx, tx)
}
