package waitlist

import (
	"context"
	"fmt"
	"strings"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/email"
	"greenroom/internal/platform/fault"
)

// Entry is a place on a list that somebody had elsewhere. Without a user it is a registration for a workshop.
type Entry struct {
	ID, User, Title, Email, Name string
	CreatedAt                    time.Time
}

// Admit brings in a place on a list from elsewhere, and says whether it was not here yet. Nobody is written to. A
// registration gets a spot while there is one, in the order in which they are brought in.
func (l *Lists) Admit(ctx context.Context, tx *db.Tx, e Entry) (added bool, err error) {
	e.Title, e.Email = strings.TrimSpace(e.Title), strings.TrimSpace(e.Email)
	if e.Title == "" || e.Email == "" {
		return false, fault.New(fault.Invalid, "it has no title or no email")
	}
	if e.User == "" {
		return l.admitRegistration(ctx, tx, e)
	}
	var owner bool
	if err := tx.QueryRow(ctx, "select exists (select 1 from users where id = $1)", e.User).Scan(&owner); err != nil {
		return false, fmt.Errorf("admit an entry: %w", err)
	}
	if !owner {
		return false, fault.New(fault.NotFound, "its account is not here")
	}
	n, err := tx.Exec(ctx, `insert into course_waitlist (id, user_id, course_title, email, name, created_at, course_id)
		values ($1, $2, $3, $4, $5, $6, (select id from courses where title = $7 order by created_at, id limit 1)) on conflict do nothing`,
		e.ID, e.User, e.Title, e.Email, orNull(e.Name), db.At(e.CreatedAt), e.Title)
	return n > 0, err
}

func (l *Lists) admitRegistration(ctx context.Context, tx *db.Tx, e Entry) (bool, error) {
	w, err := workshopByTitle(ctx, tx, e.Title)
	if fault.Is(err, fault.Forbidden) {
		return false, fault.Newf(fault.NotFound, "no workshop is called %q", e.Title)
	}
	if err != nil {
		return false, err
	}
	n, err := tx.Exec(ctx, `insert into course_waitlist (id, course_title, email, name, created_at, workshop_id, email_key)
		values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
		e.ID, e.Title, e.Email, orNull(e.Name), db.At(e.CreatedAt), w.id, email.Key(e.Email))
	if err != nil || n == 0 {
		return false, err
	}
	_, err = l.takeSpot(ctx, tx, w.id, e.ID)
	return true, err
}
