package discuss

import (
	"context"
	"fmt"

	"greenroom/internal/platform/db"
)

// former is who has left, and let stay what they wrote for others.
const former = "A former learner"

// AboutNotes gives the notes of a person.
func AboutNotes(ctx context.Context, tx *db.Tx, user, _ string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, `select id, course_id, lesson_id, at_seconds, text, updated_at, created_at
		from lesson_notes where user_id = $1 order by created_at, id`, user)
}

// AboutQuestions gives what a person asked.
func AboutQuestions(ctx context.Context, tx *db.Tx, user, _ string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, `select id, course_id, lesson_id, at_seconds, author_name, title, text, answers, answered, pinned, hidden_at, hidden_for, hidden_by_admin, created_at
		from lesson_questions where user_id = $1 order by created_at, id`, user)
}

// AboutAnswers gives what a person answered.
func AboutAnswers(ctx context.Context, tx *db.Tx, user, _ string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, `select id, question_id, course_id, author_name, text, by_teacher, accepted, hidden_at, hidden_for, hidden_by_admin, created_at
		from lesson_answers where user_id = $1 order by created_at, id`, user)
}

// AboutReports gives what a person reported.
func AboutReports(ctx context.Context, tx *db.Tx, user, _ string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, "select id, question_id, answer_id, reason, created_at from post_reports where user_id = $1 order by created_at, id", user)
}

// Forget erases what a person wrote. A question that others answered keeps its place without a word of theirs: the answers are
// others'. Notes and reports go with the account's row.
func Forget(ctx context.Context, tx *db.Tx, user, _ string) error {
	return each(ctx, tx, []any{user},
		"update lesson_questions set answers = answers where id in (select question_id from lesson_answers where user_id = $1)",
		`update lesson_questions set
			answers = (select count(*) from lesson_answers a where a.question_id = lesson_questions.id and a.hidden_at is null
				and (a.user_id is null or a.user_id <> $1)),
			answered = hidden_at is not null or exists (select 1 from lesson_answers a where a.question_id = lesson_questions.id and a.hidden_at is null
				and (a.user_id is null or a.user_id <> $1) and (a.by_teacher or a.accepted))
			where id in (select question_id from lesson_answers where user_id = $1)`,
		"delete from lesson_answers where user_id = $1",
		"delete from lesson_questions where user_id = $1 and not exists (select 1 from lesson_answers a where a.question_id = lesson_questions.id)",
		"update lesson_questions set user_id = null, author_name = '"+former+"', title = 'A deleted question', text = '' where user_id = $1",
	)
}

// Keep lets what a person wrote for others stay, as nobody's.
func Keep(ctx context.Context, tx *db.Tx, user string) error {
	return each(ctx, tx, []any{user},
		"update lesson_questions set user_id = null, author_name = '"+former+"' where user_id = $1",
		"update lesson_answers set user_id = null, author_name = '"+former+"' where user_id = $1",
	)
}

func each(ctx context.Context, tx *db.Tx, args []any, statements ...string) error {
	for _, one := range statements {
		if _, err := tx.Exec(ctx, one, args...); err != nil {
			return fmt.Errorf("forget what somebody wrote: %w", err)
		}
	}
	return nil
}
