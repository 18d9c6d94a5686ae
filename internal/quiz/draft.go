package quiz

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
)

// draft is a quiz as it is being written.
type draft struct {
	Questions []question `json:"questions"`
	Version   int        `json:"version"`
	// Published is the version that learners have, 0 for none.
	Published int        `json:"published_version"`
	At        *time.Time `json:"drafted_at"`

	text string // the questions as they are stored
}

// findDraft reads what was written of a quiz; one that nobody has begun is empty, and of version 1.
func findDraft(ctx context.Context, tx *db.Tx, lesson string) (d draft, err error) {
	d = draft{Questions: []question{}, Version: 1}
	var at db.Time
	err = tx.QueryRow(ctx, "select questions, version, published_version, drafted_at from quiz_drafts where lesson_id = $1", lesson).
		Scan(&d.text, &d.Version, &d.Published, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return d, nil
	}
	if err != nil {
		return d, err
	}
	d.At = &at.Time
	if err := json.Unmarshal([]byte(d.text), &d.Questions); err != nil {
		return d, fmt.Errorf("read the draft of a quiz: %w", err)
	}
	return d, nil
}

// opened gives a quiz, with its key, to those who teach its course.
func (s *Service) opened(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var told struct {
		Lesson string `json:"lesson"`
	}
	if err := r.Decode(&told); err != nil {
		return fn.Answer{}, err
	}
	var found draft
	err := s.Studio.ReadQuiz(ctx, r, told.Lesson, func(ctx context.Context, tx *db.Tx, lesson string) (err error) {
		found, err = findDraft(ctx, tx, lesson)
		return err
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(found), nil
}

// save keeps what is being written, whole. Who wrote on an older version than the one that is there changes nothing.
func (s *Service) save(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var told struct {
		Lesson    string     `json:"lesson"`
		Questions []question `json:"questions"`
		Version   int        `json:"version"`
	}
	if err := r.Decode(&told); err != nil {
		return fn.Answer{}, err
	}
	text, err := stored(told.Questions)
	if err != nil {
		return fn.Answer{}, err
	}
	var now draft
	err = s.Studio.WriteQuiz(ctx, r, told.Lesson, func(ctx context.Context, tx *db.Tx, lesson string) error {
		_, err := tx.Exec(ctx, "insert into quiz_drafts (lesson_id, drafted_at) values ($1, $2) on conflict (lesson_id) do nothing", lesson, db.At(tx.Now))
		if err != nil {
			return err
		}
		n, err := tx.Exec(ctx, "update quiz_drafts set questions = $2, version = version + 1, drafted_at = $3 where lesson_id = $1 and version = $4",
			lesson, text, db.At(tx.Now), told.Version)
		if err != nil {
			return err
		}
		now, err = findDraft(ctx, tx, lesson)
		// Whoever did not hear that it was saved says it again.
		if again := now.Version == told.Version+1 && now.text == text; err == nil && n == 0 && !again {
			err = fault.New(fault.Conflict, "Somebody else changed this lesson. Reload to see their version.")
		}
		return err
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(map[string]any{"version": now.Version, "drafted_at": now.At}), nil
}

// stored writes questions down as a draft keeps them.
func stored(all []question) (string, error) {
	if err := bounded(all); err != nil {
		return "", err
	}
	for i := range all {
		if all[i].Choices == nil {
			all[i].Choices = []choice{}
		}
	}
	if all == nil {
		all = []question{}
	}
	text, err := json.Marshal(all)
	if err == nil && len(text) > mostBytes {
		err = fault.Newf(fault.TooLarge, "A quiz holds at most %d kB.", mostBytes/1000)
	}
	return string(text), err
}

// Publish gives learners a quiz as it is written, in the transaction that publishes its lesson, and tells whether they had another
// one. What they passed before stays passed.
func (s *Service) Publish(ctx context.Context, tx *db.Tx, lesson string) (changed bool, err error) {
	d, err := findDraft(ctx, tx, lesson)
	if err == nil {
		err = ready(d.Questions)
	}
	if err != nil || d.Published == d.Version {
		return false, err
	}
	if _, err := tx.Exec(ctx, "delete from quiz_questions where lesson_id = $1", lesson); err != nil {
		return false, err
	}
	var b db.Batch
	done, at := func(int64) error { return nil }, db.At(tx.Now)
	for i, q := range named(lesson, d.Questions) {
		b.Exec("insert into quiz_questions (id, lesson_id, position, prompt, explanation, many, created_at) values ($1, $2, $3, $4, $5, $6, $7)",
			[]any{q.ID, lesson, i, q.Prompt, q.Explanation, q.Many, at}, done)
		for j, c := range q.Choices {
			b.Exec("insert into quiz_choices (id, question_id, position, text, correct, created_at) values ($1, $2, $3, $4, $5, $6)",
				[]any{c.ID, q.ID, j, c.Text, c.Correct, at}, done)
		}
	}
	b.Exec("update quiz_drafts set published_version = $2 where lesson_id = $1", []any{lesson, d.Version}, done)
	return true, tx.Send(ctx, &b)
}

// findPublished reads what learners answer, by one question to the database: who publishes meanwhile changes all of it or nothing.
func findPublished(ctx context.Context, tx *db.Tx, lesson string) (all []question, err error) {
	err = db.Each(ctx, tx, `select q.id, q.prompt, q.explanation, q.many, c.id, c.text, c.correct
		from quiz_questions q join quiz_choices c on c.question_id = q.id where q.lesson_id = $1
		order by q.position, q.id, c.position, c.id`, []any{lesson}, func(scan func(...any) error) error {
		var q question
		var c choice
		err := scan(&q.ID, &q.Prompt, &q.Explanation, &q.Many, &c.ID, &c.Text, &c.Correct)
		if n := len(all); n == 0 || all[n-1].ID != q.ID {
			all = append(all, q)
		}
		last := &all[len(all)-1]
		last.Choices = append(last.Choices, c)
		return err
	})
	return all, err
}
