package quiz

import (
	"context"
	"database/sql"
	"time"

	"greenroom/internal/fn"
	"greenroom/internal/learn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
)

// attempt is one try, as its learner sees it.
type attempt struct {
	Percent int       `json:"percent"`
	Passed  bool      `json:"passed"`
	Created time.Time `json:"created_at"`
}

// mostAttempts is how many tries a quiz shows, the newest; all are kept.
const mostAttempts = 50

// may is what somebody can do with a quiz that they see.
type may string

const (
	mayAnswer may = "answer" // what they answer is kept
	mayTry    may = "try"    // those who teach it are judged, and nothing is kept
	mayEnroll may = "enroll"
)

// sheet is a quiz as somebody gets it, without its key.
type sheet struct {
	Questions []asked   `json:"questions"`
	May       may       `json:"may"`
	Attempts  []attempt `json:"attempts"`
	// Best is the most that they got right, in percent; null where they have not tried.
	Best   *int `json:"best"`
	Passed bool `json:"passed"`
}

var (
	errNoLesson = fault.New(fault.NotFound, "That lesson does not exist.")
	errNoQuiz   = fault.New(fault.NotFound, "That lesson is not a quiz.")
)

// held is a quiz with its key, as it is judged, and what its caller may do with it.
type held struct {
	lesson learn.Seen
	may    may
	all    []question
}

// find reads a quiz that is open to somebody: what learners have, or what is being written for those who teach it and ask for that.
func (s *Service) find(ctx context.Context, tx *db.Tx, a who.Actor, lesson string, drafted bool) (h held, err error) {
	if h.lesson, err = s.Learn.See(ctx, tx, a, lesson); err != nil {
		return h, err
	}
	drafted = h.lesson.Teaches && (drafted || !h.lesson.Published)
	switch {
	case h.lesson.Kind != "quiz":
		return h, errNoQuiz
	case h.lesson.Enrolled && !drafted:
		h.may = mayAnswer
	case h.lesson.Teaches:
		h.may = mayTry
	default:
		h.may = mayEnroll
	}
	if !drafted {
		h.all, err = findPublished(ctx, tx, h.lesson.ID)
		return h, err
	}
	d, err := findDraft(ctx, tx, h.lesson.ID)
	h.all = named(h.lesson.ID, d.Questions)
	return h, err
}

// take gives a quiz to whoever may open the lesson.
func (s *Service) take(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var told struct {
		Lesson string `json:"lesson"`
		Draft  bool   `json:"draft"`
	}
	if err := r.Decode(&told); err != nil {
		return fn.Answer{}, err
	}
	lesson, ok := id.Parse(told.Lesson)
	if !ok {
		return fn.Answer{}, errNoLesson
	}
	var out sheet
	err := s.DB.Look(ctx, func(ctx context.Context, tx *db.Tx) error {
		found, err := s.find(ctx, tx, r.Actor, lesson, told.Draft)
		if err != nil {
			return err
		}
		out = sheet{Questions: ask(found.all), May: found.may, Attempts: []attempt{}}
		if found.may != mayAnswer {
			return nil
		}
		return out.read(ctx, tx, r.Actor.UserID, lesson)
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(out), nil
}

// read adds what somebody got before.
func (o *sheet) read(ctx context.Context, tx *db.Tx, user, lesson string) error {
	var best sql.NullInt64
	err := tx.QueryRow(ctx, `select max(percent), exists (select 1 from quiz_attempts where user_id = $1 and lesson_id = $2 and passed)
		from quiz_attempts where user_id = $1 and lesson_id = $2`, user, lesson).Scan(&best, &o.Passed)
	if err != nil || !best.Valid {
		return err
	}
	o.Best = new(int(best.Int64))
	return db.Each(ctx, tx, `select percent, passed, created_at from quiz_attempts where user_id = $1 and lesson_id = $2
		order by created_at desc, id desc limit $3`, []any{user, lesson, mostAttempts}, func(scan func(...any) error) error {
		var one attempt
		var at db.Time
		err := scan(&one.Percent, &one.Passed, &at)
		one.Created = at.Time
		o.Attempts = append(o.Attempts, one)
		return err
	})
}
