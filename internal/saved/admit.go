package saved

import (
	"context"
	"fmt"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
)

// Admit brings in a saved course from elsewhere, and says whether it was not here yet.
func Admit(ctx context.Context, tx *db.Tx, row, user, course string, at time.Time) (added bool, err error) {
	var owner, what bool
	err = tx.QueryRow(ctx, "select exists (select 1 from users where id = $1), exists (select 1 from courses where id = $2)", user, course).Scan(&owner, &what)
	switch {
	case err != nil:
		return false, fmt.Errorf("admit a saved course: %w", err)
	case !owner:
		return false, fault.New(fault.NotFound, "its account is not here")
	case !what:
		return false, fault.New(fault.NotFound, "its course is not here")
	}
	n, err := tx.Exec(ctx, "insert into saved_courses (id, user_id, course_id, created_at) values ($1, $2, $3, $4) on conflict do nothing",
		row, user, course, db.At(at))
	return n > 0, err
}
