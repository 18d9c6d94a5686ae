package quiz

import (
	"context"

	"greenroom/internal/platform/db"
	"greenroom/internal/rest"
	"greenroom/internal/teach"
)

// Tables says what the data API may touch, and for whom: tries are read by who made them, by who teaches the course, and by admins.
// Questions and their key are in no table of it.
func (s *Service) Tables() []rest.Table {
	return []rest.Table{{
		Name: "quiz_attempts",
		Columns: []rest.Column{
			{Name: "id", Type: rest.UUID},
			{Name: "user_id", Type: rest.UUID},
			{Name: "course_id", Type: rest.UUID},
			{Name: "lesson_id", Type: rest.UUID},
			{Name: "percent", Type: rest.Int},
			{Name: "passed", Type: rest.Bool},
			{Name: "answers", Type: rest.Text},
			{Name: "created_at", Type: rest.Timestamp},
		},
		Read: rest.Members().And(rest.Own("user_id")).Or(rest.Has("course_id", teach.Teaches)).OrAdmin(),
	}}
}

// About gives the tries that a person made.
func About(ctx context.Context, tx *db.Tx, user, _ string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, `select id, course_id, lesson_id, percent, passed, answers, created_at
		from quiz_attempts where user_id = $1 order by created_at, id`, user)
}
