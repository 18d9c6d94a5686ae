package discuss

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// sample is a question of nobody, for an installation that asked to be shown what it does. It says that it is a sample.
type sample struct {
	lesson, author, title, text string
	at                          any // seconds, or nil
	pinned                      bool
	answers                     []reply
}

type reply struct {
	author, text      string
	teacher, accepted bool
}

var samples = []sample{
	{
		lesson: "The first seven seconds", author: "Noor (sample)", at: 21, pinned: true,
		title: "Do I slate first, or start in the scene?",
		text:  "The breakdown says nothing about it. I have heard both.",
		answers: []reply{
			{author: "Joaquín (sample)", text: "I put mine at the end. Nobody has complained so far."},
			{author: "The teacher (sample)", teacher: true, accepted: true, text: "Start in the scene and slate at the end, unless they ask for it first. The first seconds belong to the part.\n\nIf the breakdown names an order, that order wins."},
		},
	},
	{
		lesson: "Two lamps and a bedsheet", author: "Thu (sample)", at: 40,
		title: "What if I only have one lamp?",
		answers: []reply{
			{author: "Sam (sample)", accepted: true, text: "A white foam board on the dark side did it for me. It is in step 4, only without the second lamp."},
		},
	},
	{
		lesson: "The frame and the eyeline", author: "Sam (sample)",
		title: "Where do I look when two people are in the scene with me?",
		text:  "One of them sits and one stands behind the desk.",
	},
}

// Sample puts the samples into a course whose lessons have these titles, and tells how many were not there yet. There is no way to it
// but from inside.
func (s *Service) Sample(ctx context.Context, course string) (added int, err error) {
	err = s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		added = 0
		for _, one := range samples {
			n, err := one.put(ctx, tx, course)
			if err != nil {
				return fmt.Errorf("put a sample in: %w", err)
			}
			added += n
		}
		return nil
	})
	return added, err
}

// put adds a sample unless it is there. Its keys are the same every time.
func (q sample) put(ctx context.Context, tx *db.Tx, course string) (int, error) {
	var lesson string
	err := tx.QueryRow(ctx, "select id from lessons where course_id = $1 and title = $2 order by position, id limit 1", course, q.lesson).Scan(&lesson)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	key := id.Named("sample question " + course + q.title)
	n, err := tx.Exec(ctx, `insert into lesson_questions (id, author_name, course_id, lesson_id, at_seconds, title, text, pinned, told_at, created_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) on conflict (id) do nothing`,
		key, q.author, course, lesson, q.at, q.title, q.text, q.pinned, db.At(tx.Now))
	if err != nil || n == 0 {
		return 0, err
	}
	for i, a := range q.answers {
		_, err := tx.Exec(ctx, `insert into lesson_answers (id, question_id, author_name, course_id, text, by_teacher, accepted, told_at, created_at)
			values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`, id.Named(fmt.Sprintf("sample answer %d of %s", i, key)), key, a.author, course, a.text, a.teacher, a.accepted, db.At(tx.Now))
		if err != nil {
			return 0, err
		}
	}
	return 1 + len(q.answers), recount(ctx, tx, key)
}
