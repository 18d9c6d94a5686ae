package inbox

import (
	"context"
	"fmt"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// whose are a person's messages: those of the account, and those that were sent from the address without one.
const whose = "(user_id = $1 or (user_id = '" + id.Nil + "' and lower(email) = $2))"

// About gives what a person wrote to us. address is empty unless it is known to be theirs.
func (b *Inbox) About(ctx context.Context, tx *db.Tx, user, address string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, `select id, kind, course_title, course_description, instructor_name, email, created_at
		from course_recommendations where `+whose+" order by created_at, id", user, address)
}

// Forget deletes what a person wrote to us.
func (b *Inbox) Forget(ctx context.Context, tx *db.Tx, user, address string) error {
	if _, err := tx.Exec(ctx, "delete from course_recommendations where "+whose, user, address); err != nil {
		return fmt.Errorf("forget messages: %w", err)
	}
	return nil
}
