package quiz

import (
	"context"
	"encoding/json"
	"slices"

	"greenroom/internal/fn"
	"greenroom/internal/learn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
)

// passAt is how much of a quiz must be right, in percent.
const passAt = 80

// picked are the choices that somebody made, by question.
type picked map[string][]string

// judged is what came of a try. It is the first that a learner sees of the key.
type judged struct {
	Percent   int       `json:"percent"`
	Passed    bool      `json:"passed"`
	Questions []verdict `json:"questions"`
	// Progress is where the learner stands now; null where nothing is kept.
	Progress *learn.Saved `json:"progress"`
}

type verdict struct {
	ID          string   `json:"id"`
	Right       bool     `json:"right"`
	Correct     []string `json:"correct"`
	Explanation string   `json:"explanation"`
}

var (
	errChanged = fault.New(fault.Conflict, "This quiz has changed. Reload to see it.")
	errMissing = fault.New(fault.Invalid, "Answer every question first.")
)

// answer judges a try and keeps it. Who passed has completed the lesson.
func (s *Service) answer(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var told struct {
		Lesson  string `json:"lesson"`
		Answers picked `json:"answers"`
		Draft   bool   `json:"draft"`
	}
	if err := r.Decode(&told); err != nil {
		return fn.Answer{}, err
	}
	lesson, ok := id.Parse(told.Lesson)
	if !ok {
		return fn.Answer{}, errNoLesson
	}
	var out judged
	var found held
	try := func(ctx context.Context, tx *db.Tx) (err error) {
		if found, err = s.find(ctx, tx, r.Actor, lesson, told.Draft); err != nil {
			return err
		}
		if found.may == mayEnroll {
			return learn.ErrNotEnrolled
		}
		out, err = judge(found.all, told.Answers)
		return err
	}
	// Whoever is refused, and whoever only tries, does without the one writer.
	err := s.DB.Look(ctx, try)
	if err == nil && found.may == mayAnswer {
		err = s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
			if err := try(ctx, tx); err != nil || found.may != mayAnswer {
				return err
			}
			return s.keep(ctx, tx, r.Actor, found.lesson, told.Answers, &out)
		})
	}
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(out), nil
}

// keep writes a try down, and what comes of it.
func (s *Service) keep(ctx context.Context, tx *db.Tx, a who.Actor, lesson learn.Seen, answers picked, out *judged) error {
	if err := s.Limits.Take(ctx, tx, limit.QuizPerAccount.By(a.UserID)); err != nil {
		return err
	}
	now, err := s.Learn.Tried(ctx, tx, a, lesson.ID, lesson.Course, out.Passed)
	if err != nil {
		return err
	}
	out.Progress = &now
	text, err := json.Marshal(answers)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `insert into quiz_attempts (id, user_id, course_id, lesson_id, percent, passed, answers, created_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8)`, id.InOrder(), a.UserID, lesson.Course, lesson.ID, out.Percent, out.Passed, string(text), db.At(tx.Now))
	return err
}

// judge compares answers with the key. Only whole ones are judged: who leaves a question out has not tried, and learns nothing.
func judge(all []question, answers picked) (judged, error) {
	if len(all) == 0 {
		return judged{}, errChanged
	}
	for key, chosen := range answers {
		slices.Sort(chosen)
		answers[key] = slices.Compact(chosen)
		if err := known(all, key, answers[key]); err != nil {
			return judged{}, err
		}
	}
	out, right := judged{Questions: make([]verdict, 0, len(all))}, 0
	for _, q := range all {
		chosen := answers[q.ID]
		if len(chosen) == 0 {
			return judged{}, errMissing
		}
		one := verdict{ID: q.ID, Correct: q.right(), Explanation: q.Explanation}
		if one.Right = slices.Equal(chosen, one.Correct); one.Right {
			right++
		}
		out.Questions = append(out.Questions, one)
	}
	out.Percent = 100 * right / len(all)
	out.Passed = 100*right >= passAt*len(all)
	return out, nil
}

// known refuses choices that the quiz does not have, or no longer.
func known(all []question, key string, chosen []string) error {
	i := slices.IndexFunc(all, func(q question) bool { return q.ID == key })
	if i < 0 {
		return errChanged
	}
	if len(chosen) > 1 && !all[i].Many {
		return fault.New(fault.Invalid, "This question takes one answer.")
	}
	for _, one := range chosen {
		if !slices.ContainsFunc(all[i].Choices, func(c choice) bool { return c.ID == one }) {
			return errChanged
		}
	}
	return nil
}
