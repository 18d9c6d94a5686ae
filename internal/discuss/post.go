package discuss

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
)

const (
	// nameless is who has not said what they are called.
	nameless = "A learner"
	mostName = 100
	// editable is how long authors may change their words.
	editable = 15 * time.Minute
)

var (
	errNoQuestion = fault.New(fault.NotFound, "That question does not exist.")
	errTooLate    = fault.New(fault.Forbidden, "You can edit this for 15 minutes after posting it.")
	errAnswered   = fault.New(fault.Conflict, "This question has answers, so it stays.")
)

// ask posts a question. What a teacher asks no teacher is told of.
func (s *Service) ask(ctx context.Context, tx *db.Tx, row rest.Row) (string, error) {
	title := oneLine(row.Text("title"))
	if title == "" {
		return "", errNoWords
	}
	teacher, err := s.teacherAt(ctx, tx, row)
	if err != nil {
		return "", err
	}
	told := db.Time{}
	if teacher != "" {
		told = db.At(tx.Now)
	}
	caller := who.From(ctx)
	_, err = tx.Exec(ctx, `insert into lesson_questions (id, user_id, author_name, course_id, lesson_id, at_seconds, title, text, told_at, created_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, row.Text("id"), caller.UserID, nameOf(caller, teacher), row.Text("course_id"), row.Text("lesson_id"),
		row.Arg("at_seconds"), title, strings.TrimSpace(row.Text("text")), told, db.At(tx.Now))
	tx.AfterCommit(s.kick)
	return row.Text("id"), err
}

// answer posts an answer. Who answers their own question need not be told of it.
func (s *Service) answer(ctx context.Context, tx *db.Tx, row rest.Row) (string, error) {
	text := strings.TrimSpace(row.Text("text"))
	if text == "" {
		return "", errNoWords
	}
	caller, question := who.From(ctx), row.Text("question_id")
	if err := lock(ctx, tx, question); err != nil {
		return "", err
	}
	var asker, teacher sql.NullString
	err := tx.QueryRow(ctx, `select cast(q.user_id as text), t.shown_name from lesson_questions q
		left join course_teachers t on t.course_id = q.course_id and t.user_id = $3
		where q.id = $1 and q.course_id = $2 and q.hidden_at is null`, question, row.Text("course_id"), caller.UserID).Scan(&asker, &teacher)
	if errors.Is(err, sql.ErrNoRows) {
		return "", errNoQuestion
	}
	if err != nil {
		return "", err
	}
	told := db.Time{}
	if !asker.Valid || asker.String == caller.UserID {
		told = db.At(tx.Now)
	}
	_, err = tx.Exec(ctx, `insert into lesson_answers (id, question_id, user_id, author_name, course_id, text, by_teacher, told_at, created_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		row.Text("id"), question, caller.UserID, nameOf(caller, teacher.String), row.Text("course_id"), text, teacher.Valid, told, db.At(tx.Now))
	if err != nil {
		return "", err
	}
	tx.AfterCommit(s.kick)
	return row.Text("id"), recount(ctx, tx, question)
}

// lock holds questions until the commit, in one order: whatever is counted below them is counted after that.
func lock(ctx context.Context, tx *db.Tx, questions ...string) error {
	slices.Sort(questions)
	for _, question := range slices.Compact(questions) {
		if _, err := tx.Exec(ctx, "update lesson_questions set answers = answers where id = $1", question); err != nil {
			return err
		}
	}
	return nil
}

// recount counts the answers of a locked question that everybody sees, and tells whether it is answered: what is hidden waits for
// nobody.
func recount(ctx context.Context, tx *db.Tx, question string) error {
	_, err := tx.Exec(ctx, `update lesson_questions set
		answers = (select count(*) from lesson_answers a where a.question_id = lesson_questions.id and a.hidden_at is null),
		answered = hidden_at is not null or exists (select 1 from lesson_answers a where a.question_id = lesson_questions.id and a.hidden_at is null and (a.by_teacher or a.accepted))
		where id = $1`, question)
	return err
}

func questionChanged(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	for _, row := range rows {
		title := oneLine(row.Text("title"))
		switch {
		case tx.Now.Sub(row.Time("created_at")) > editable:
			return errTooLate
		case title == "":
			return errNoWords
		}
		_, err := tx.Exec(ctx, "update lesson_questions set title = $2, text = $3 where id = $1", row.Text("id"), title, strings.TrimSpace(row.Text("text")))
		if err != nil {
			return err
		}
	}
	return nil
}

func answerChanged(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	for _, row := range rows {
		text := strings.TrimSpace(row.Text("text"))
		switch {
		case tx.Now.Sub(row.Time("created_at")) > editable:
			return errTooLate
		case text == "":
			return errNoWords
		}
		if _, err := tx.Exec(ctx, "update lesson_answers set text = $2 where id = $1", row.Text("id"), text); err != nil {
			return err
		}
	}
	return nil
}

// questionsLeave refuses that questions go which somebody has answered: the answers are others'. Admins take both.
func questionsLeave(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	if runs(who.From(ctx)) {
		return nil
	}
	if err := lock(ctx, tx, texts(rows, "id")...); err != nil {
		return err
	}
	for _, row := range rows {
		var answered bool
		if err := tx.QueryRow(ctx, "select exists (select 1 from lesson_answers where question_id = $1)", row.Text("id")).Scan(&answered); err != nil {
			return err
		}
		if answered {
			return errAnswered
		}
	}
	return nil
}

func answersLeave(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	return lock(ctx, tx, texts(rows, "question_id")...)
}

func answersLeft(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	questions := texts(rows, "question_id")
	slices.Sort(questions)
	for _, question := range slices.Compact(questions) {
		if err := recount(ctx, tx, question); err != nil {
			return err
		}
	}
	return nil
}

func texts(rows []rest.Row, column string) []string {
	all := make([]string, len(rows))
	for i, row := range rows {
		all[i] = row.Text(column)
	}
	return all
}

// nameOf is what somebody is called at this moment: as their course calls them, or as they do.
func nameOf(a who.Actor, teacher string) string {
	for _, name := range []string{teacher, oneLine(a.Name)} {
		if letters := []rune(name); len(letters) > 0 {
			return strings.TrimSpace(string(letters[:min(len(letters), mostName)]))
		}
	}
	return nameless
}

// oneLine is a text on one line, without what turns the direction of the text around it. The two joiners shape the letters of some
// scripts.
func oneLine(text string) string {
	kept := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d' {
			return -1
		}
		return r
	}, text)
	return strings.Trim(strings.Join(strings.Fields(kept), " "), " \u200c\u200d")
}
