package learn

import (
	"context"

	"greenroom/internal/platform/db"
)

// AboutEnrollments gives the courses that a person takes.
func AboutEnrollments(ctx context.Context, tx *db.Tx, user, _ string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, `select id, course_id, source, started_at, completed_at, revoked_at, revoked_for, opened_all, created_at
		from enrollments where user_id = $1 order by created_at, id`, user)
}

// AboutProgress gives how far a person came.
func AboutProgress(ctx context.Context, tx *db.Tx, user, _ string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, `select id, course_id, lesson_id, position_seconds, position_at, covered, completed_at, updated_at, created_at
		from lesson_progress where user_id = $1 order by created_at, id`, user)
}

// AboutSettings gives how a person likes to watch.
func AboutSettings(ctx context.Context, tx *db.Tx, user, _ string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, "select speed, captions from learner_settings where user_id = $1", user)
}

// AboutNews gives when a person was last told of lessons that opened.
func AboutNews(ctx context.Context, tx *db.Tx, user, _ string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, "select told_at, until_at from lesson_news where user_id = $1", user)
}
