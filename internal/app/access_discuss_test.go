package app_test

import (
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest/resttest"
)

// discussing are the cases of what is written at lessons; rows belong to the owner.
func (s school) discussing(owner who.Actor) map[string]resttest.Case {
	place := func(t *testing.T) (course, lesson string) {
		t.Helper()
		course = s.course(t)
		return course, s.lesson(t, course, s.section(t, course), "published")
	}
	question := func(t *testing.T, user, course, lesson string, hidden db.Time) string {
		t.Helper()
		key := id.New()
		write(t, s.DB(), `insert into lesson_questions (id, user_id, author_name, course_id, lesson_id, title, hidden_at, told_at, created_at)
			values ($1, $2, 'A', $3, $4, 'Q', $5, $6, $6)`, key, user, course, lesson, hidden, s.now())
		return key
	}
	seeded := func(key, course string, hidden db.Time) map[string]any {
		row := map[string]any{"id": key, "user_id": owner.UserID, "course_id": course}
		if !hidden.IsZero() {
			row["hidden_at"] = hidden.Format(time.RFC3339)
		}
		return row
	}
	questions := func(hidden db.Time) resttest.Case {
		return resttest.Case{
			Seed: func(t *testing.T) map[string]any {
				course, lesson := place(t)
				return seeded(question(t, owner.UserID, course, lesson, hidden), course, hidden)
			},
			New: func(t *testing.T, _ resttest.Caller) map[string]any {
				course, lesson := place(t)
				return map[string]any{"course_id": course, "lesson_id": lesson, "title": "Why?", "text": "Because", "at_seconds": 5}
			},
			Change: map[string]any{"title": "Why then?"},
		}
	}
	answers := func(hidden, above db.Time, holds ...string) resttest.Case {
		return resttest.Case{
			Seed: func(t *testing.T) map[string]any {
				course, lesson := place(t)
				key, of := id.New(), question(t, owner.UserID, course, lesson, above)
				write(t, s.DB(), `insert into lesson_answers (id, question_id, user_id, author_name, course_id, text, hidden_at, told_at, created_at)
					values ($1, $2, $3, 'A', $4, 'A', $5, $6, $6)`, key, of, owner.UserID, course, hidden, s.now())
				row := seeded(key, course, hidden)
				row["question_id"] = of
				return row
			},
			New: func(t *testing.T, _ resttest.Caller) map[string]any {
				course, lesson := place(t)
				return map[string]any{"course_id": course, "question_id": question(t, owner.UserID, course, lesson, above), "text": "So."}
			},
			Change: map[string]any{"text": "So it is."},
			Holds:  holds,
		}
	}
	return map[string]resttest.Case{
		"lesson_questions": questions(db.Time{}), "lesson_questions/hidden": questions(s.now()),
		"lesson_answers":       answers(db.Time{}, db.Time{}, "asked"),
		"lesson_answers/below": answers(db.Time{}, s.now()), "lesson_answers/hidden": answers(s.now(), db.Time{}, "asked"),
		"lesson_notes": {
			Seed: func(t *testing.T) map[string]any {
				course, lesson := place(t)
				key := id.New()
				write(t, s.DB(), `insert into lesson_notes (id, user_id, course_id, lesson_id, at_seconds, text, updated_at, created_at)
					values ($1, $2, $3, $4, 5, 'N', $5, $5)`, key, owner.UserID, course, lesson, s.now())
				return map[string]any{"id": key, "user_id": owner.UserID, "course_id": course}
			},
			New: func(t *testing.T, _ resttest.Caller) map[string]any {
				course, lesson := place(t)
				return map[string]any{"course_id": course, "lesson_id": lesson, "text": "Remember.", "at_seconds": 5}
			},
			Change: map[string]any{"text": "Remember well."},
		},
	}
}
