package saved

import (
	"context"

	"greenroom/internal/platform/db"
)

// About gives a person's own list.
func About(ctx context.Context, tx *db.Tx, user, _ string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, "select id, course_id, created_at from saved_courses where user_id = $1 order by created_at, id", user)
}
