package certificate

import (
	"context"
	"fmt"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
)

// About gives the certificates that a person holds.
func About(ctx context.Context, tx *db.Tx, user, _ string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, `select id, code, course_id, holder, course_title, instructor, lessons, seconds, issued_at, revoked_at, revoked_for, created_at
		from certificates where user_id = $1 order by created_at, id`, user)
}

// Forget erases the certificates of a person who leaves: they bear a name, on a page that anybody can open. Their codes are unknown
// from then on.
func (s *Service) Forget(ctx context.Context, tx *db.Tx, user, _ string) error {
	gone, err := tx.Exec(ctx, "delete from certificates where user_id = $1", user)
	if err != nil || gone == 0 {
		return err
	}
	return s.Changed(ctx, tx)
}

// Held refuses that courses go which somebody has a certificate of.
func Held(ctx context.Context, tx *db.Tx, courses []string) error {
	for _, course := range courses {
		var held bool
		if err := tx.QueryRow(ctx, "select exists (select 1 from certificates where course_id = $1)", course).Scan(&held); err != nil {
			return fmt.Errorf("look for certificates of a course: %w", err)
		}
		if held {
			return fault.New(fault.Conflict, "This course has learners. Close it instead.")
		}
	}
	return nil
}
