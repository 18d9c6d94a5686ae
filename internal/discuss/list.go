package discuss

import (
	"context"
	"fmt"
	"strings"
	"time"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
)

// question is one as those see it who teach the course.
type question struct {
	ID      string     `json:"id"`
	Lesson  string     `json:"lesson_id"`
	In      string     `json:"lesson_title"`
	At      *int       `json:"at_seconds"`
	Author  string     `json:"author_name"`
	Title   string     `json:"title"`
	Text    string     `json:"text"`
	Answers int        `json:"answers"`
	Settled bool       `json:"answered"`
	Pinned  bool       `json:"pinned"`
	Hidden  *time.Time `json:"hidden_at"`
	Why     *string    `json:"hidden_for"`
	ByAdmin bool       `json:"hidden_by_admin"`
	Reports int        `json:"reports"`
	Flags   []flag     `json:"flags"`
	Asked   time.Time  `json:"created_at"`
}

// flag is what a reader, who is not named, said of a question or of one of its answers.
type flag struct {
	Kind   string `json:"kind"`
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

const (
	mostFlags     = 20
	someQuestions = 30
	// mostWaiting is how far the unanswered are counted.
	mostWaiting = 1000
	// mostLooked is in how many questions reports are looked for.
	mostLooked = 5000
	reported   = "reported"
)

var (
	errNoCourse = fault.New(fault.NotFound, "That course does not exist.")
	errNoPlace  = fault.New(fault.Invalid, "That is not a place in the list of questions.")
)

// list gives the questions of a course, those without an answer first, the newest before older ones.
func (s *Service) list(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Course string `json:"course"`
		Cursor string `json:"cursor"`
		Only   string `json:"only"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	course, ok := id.Parse(ask.Course)
	if !ok {
		return fn.Answer{}, errNoCourse
	}
	var found []question
	var waiting, flagged int
	err := s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		if err := teaches(ctx, tx, r.Actor, course); err != nil {
			return err
		}
		if found, err = questionsOf(ctx, tx, course, ask.Cursor, ask.Only == reported); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `select
			(select count(*) from (select 1 from lesson_questions where course_id = $1 and not answered limit $2) as w),
			(select count(*) from (select * from lesson_questions where course_id = $1 order by answered, created_at limit $3) as q where `+flags+` > 0)`,
			course, mostWaiting, mostLooked).Scan(&waiting, &flagged)
	})
	if err != nil {
		return fn.Answer{}, err
	}
	next := ""
	if len(found) > someQuestions {
		found = found[:someQuestions]
		next = found[someQuestions-1].cursor()
	}
	return fn.JSON(map[string]any{"questions": found, "next": next, "unanswered": waiting, "reported": flagged}), nil
}

// flags are the reports about what everybody still sees of a question and its answers.
const flags = `((select count(*) from post_reports p where p.question_id = q.id and q.hidden_at is null)
	+ (select count(*) from lesson_answers a join post_reports p on p.answer_id = a.id where a.question_id = q.id and a.hidden_at is null))`

func (q question) cursor() string { return fmt.Sprintf("%t,%s", q.Settled, db.Cursor(q.Asked, q.ID)) }

func questionsOf(ctx context.Context, tx *db.Tx, course, cursor string, flagged bool) ([]question, error) {
	where, args := "", []any{course, someQuestions + 1}
	if cursor != "" {
		settled, rest, _ := strings.Cut(cursor, ",")
		at, after, ok := db.ReadCursor(rest)
		if !ok || settled != "true" && settled != "false" {
			return nil, errNoPlace
		}
		where = " and (q.created_at, q.id) < ($3, $4) and q.answered"
		if settled == "false" {
			where = " and (q.answered or (q.created_at, q.id) < ($3, $4))"
		}
		args = append(args, db.At(at), after)
	}
	if flagged {
		where += " and " + flags + " > 0"
	}
	found := []question{}
	err := db.Each(ctx, tx, `select q.id, q.lesson_id, l.title, q.at_seconds, q.author_name, q.title, q.text, q.answers, q.answered, q.pinned,
			q.hidden_at, q.hidden_for, q.hidden_by_admin, `+flags+`, q.created_at
		from lesson_questions q join lessons l on l.id = q.lesson_id where q.course_id = $1`+where+`
		order by q.answered, q.created_at desc, q.id desc limit $2`, args, func(scan func(...any) error) error {
		var one question
		var hidden, asked db.Time
		err := scan(&one.ID, &one.Lesson, &one.In, &one.At, &one.Author, &one.Title, &one.Text, &one.Answers, &one.Settled, &one.Pinned,
			&hidden, &one.Why, &one.ByAdmin, &one.Reports, &asked)
		if one.Asked = asked.Time; !hidden.IsZero() {
			one.Hidden = &hidden.Time
		}
		found = append(found, one)
		return err
	})
	for i := range found {
		if found[i].Flags = []flag{}; found[i].Reports > 0 && err == nil {
			err = found[i].readFlags(ctx, tx)
		}
	}
	return found, err
}

func (q *question) readFlags(ctx context.Context, tx *db.Tx) error {
	return db.Each(ctx, tx, `select 'question' as kind, p.question_id as post, p.reason, p.created_at as at from post_reports p where p.question_id = $1
		union all select 'answer', p.answer_id, p.reason, p.created_at from post_reports p join lesson_answers a on a.id = p.answer_id
			where a.question_id = $1 and a.hidden_at is null
		order by at limit $2`, []any{q.ID, mostFlags}, func(scan func(...any) error) error {
		var one flag
		var at db.Time
		err := scan(&one.Kind, &one.ID, &one.Reason, &at)
		q.Flags = append(q.Flags, one)
		return err
	})
}
