package discuss

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
)

var (
	errNoLesson = fault.New(fault.NotFound, "That lesson does not exist.")
	errNoWords  = fault.Coded(fault.Invalid, "23514", "Write something first.")
)

// addNote keeps a note at a lesson of the course.
func (s *Service) addNote(ctx context.Context, tx *db.Tx, row rest.Row) (string, error) {
	text := strings.TrimSpace(row.Text("text"))
	if text == "" {
		return "", errNoWords
	}
	if _, err := s.teacherAt(ctx, tx, row); err != nil {
		return "", err
	}
	_, err := tx.Exec(ctx, `insert into lesson_notes (id, user_id, course_id, lesson_id, at_seconds, text, updated_at, created_at)
		values ($1, $2, $3, $4, $5, $6, $7, $7)`,
		row.Text("id"), who.From(ctx).UserID, row.Text("course_id"), row.Text("lesson_id"), row.Arg("at_seconds"), text, db.At(tx.Now))
	return row.Text("id"), err
}

func (s *Service) notesChanged(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	if err := s.Limits.Take(ctx, tx, limit.NoteChangePerAccount.By(who.From(ctx).UserID).Times(len(rows))); err != nil {
		return err
	}
	for _, row := range rows {
		text := strings.TrimSpace(row.Text("text"))
		if text == "" {
			return errNoWords
		}
		if _, err := tx.Exec(ctx, "update lesson_notes set text = $2, updated_at = $3 where id = $1", row.Text("id"), text, db.At(tx.Now)); err != nil {
			return err
		}
	}
	return nil
}

// teacherAt makes sure that the lesson of a new row is one of its course that the caller can open, and gives the name under which
// they teach it, "" for learners.
func (s *Service) teacherAt(ctx context.Context, tx *db.Tx, row rest.Row) (name string, err error) {
	var state string
	var shown sql.NullString
	err = tx.QueryRow(ctx, `select l.state, t.shown_name from lessons l left join course_teachers t on t.course_id = l.course_id and t.user_id = $3
		where l.id = $1 and l.course_id = $2`, row.Text("lesson_id"), row.Text("course_id"), who.From(ctx).UserID).Scan(&state, &shown)
	if errors.Is(err, sql.ErrNoRows) || err == nil && state != "published" && !shown.Valid {
		return "", errNoLesson
	}
	if err == nil && !shown.Valid {
		_, err = s.Learn.See(ctx, tx, who.From(ctx), row.Text("lesson_id"))
	}
	return shown.String, err
}
