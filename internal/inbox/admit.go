package inbox

import (
	"context"
	"fmt"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
)

// Message is what somebody wrote elsewhere, under the id of their account or nobody's.
type Message struct {
	ID, User, Title, Description, Instructor, Email string
	CreatedAt                                       time.Time
}

// Admit brings in a message from elsewhere, and says whether it was not here yet. It is kept as it was written, however
// long: what people have said is no matter of today's bounds. Whose account is not here has written it as a visitor.
func Admit(ctx context.Context, tx *db.Tx, m Message) (added bool, err error) {
	if m.Title == "" || m.Email == "" {
		return false, fault.New(fault.Invalid, "it has no title or no email")
	}
	n, err := tx.Exec(ctx, `insert into course_recommendations (id, user_id, course_title, course_description, instructor_name, email, created_at, kind)
		values ($1, coalesce((select id from users where id = $2), $9), $3, $4, $5, $6, $7, $8) on conflict do nothing`,
		m.ID, m.User, m.Title, orNull(m.Description), orNull(m.Instructor), m.Email, db.At(m.CreatedAt), kindOf(m.Instructor), id.Nil)
	if err != nil {
		return false, fmt.Errorf("admit a message: %w", err)
	}
	return n > 0, nil
}
