package discuss

import (
	"context"
	"errors"
	"fmt"
	"time"

	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"
)

const (
	lookEvery = 10 * time.Second
	// quiet is how long after an email the next about the same leaves: what comes meanwhile becomes one.
	quiet = time.Hour
	// mostTold is how many questions one email tells of.
	mostTold = 500
)

func (s *Service) kick() {
	select {
	case s.kicked <- struct{}{}:
	default: // it was told already
	}
}

// Run tells teachers of questions and askers of answers, until ctx ends. What a stopped instance left is done by the next.
func (s *Service) Run(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		more, err := s.tellSome(ctx)
		if err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "some were not told of questions or answers yet", "error", err)
		}
		if more && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		case <-s.kicked:
		}
	}
}

// tellSome tells of one course's questions and of one question's answers, and whether it did: then there may be more.
func (s *Service) tellSome(ctx context.Context) (more bool, err error) {
	teachers, err := s.tell(ctx, dueCourse, s.tellTeachers)
	askers, failed := s.tell(ctx, dueQuestion, s.tellAsker)
	return teachers || askers, errors.Join(err, failed)
}

const (
	dueCourse = `select q.course_id from lesson_questions q where q.told_at is null
		and not exists (select 1 from question_digests d where d.course_id = q.course_id and d.sent_at > $1) limit 1`
	dueQuestion = `select a.question_id from lesson_answers a join lesson_questions q on q.id = a.question_id
		where a.told_at is null and (q.answers_told_at is null or q.answers_told_at <= $1) limit 1`
)

// tell finds something that is due and writes its emails. The rows are marked in the transaction that writes them, so each is told
// of once whatever happens in between. Hours are judged by the clock that all instances share.
func (s *Service) tell(ctx context.Context, due string, write func(ctx context.Context, tx *db.Tx, about string, now time.Time) (bool, error)) (done bool, err error) {
	about := ""
	err = s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		now, err := tx.DatabaseNow(ctx)
		if err != nil {
			return err
		}
		return db.Each(ctx, tx, due, []any{db.At(now.Add(-quiet))}, func(scan func(into ...any) error) error { return scan(&about) })
	})
	if err != nil || about == "" {
		return false, err
	}
	err = s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		now, err := tx.DatabaseNow(ctx)
		if err == nil {
			done, err = write(ctx, tx, about, now)
		}
		return err
	})
	if err != nil {
		return false, fmt.Errorf("tell of %s: %w", about, err)
	}
	return done, nil
}

// tellTeachers writes to the teachers of a course how many questions are new, or to the house where nobody teaches it.
func (s *Service) tellTeachers(ctx context.Context, tx *db.Tx, course string, now time.Time) (done bool, err error) {
	first, err := tx.Exec(ctx, `insert into question_digests (course_id, sent_at) values ($1, $2)
		on conflict (course_id) do update set sent_at = excluded.sent_at where question_digests.sent_at <= $3`, course, db.At(now), db.At(now.Add(-quiet)))
	if err != nil || first == 0 {
		return false, err
	}
	many := 0
	err = db.Each(ctx, tx, `update lesson_questions set told_at = $2 where told_at is null and id in (
			select id from lesson_questions where course_id = $1 and told_at is null order by id limit $3) returning hidden_at`,
		[]any{course, db.At(now), mostTold}, func(scan func(into ...any) error) error {
			var hidden db.Time
			err := scan(&hidden)
			if hidden.IsZero() {
				many++
			}
			return err
		})
	if err != nil || many == 0 {
		return true, err
	}
	letter := mail.QuestionsAsked{Many: many, Link: s.SiteURL + "/teach/" + course + "?tab=questions"}
	var to []string
	err = db.Each(ctx, tx, `select c.title, coalesce(u.email, '') from courses c left join course_teachers t on t.course_id = c.id
		left join users u on u.id = t.user_id where c.id = $1 order by t.created_at, t.id`, []any{course}, func(scan func(into ...any) error) error {
		address := ""
		err := scan(&letter.Course, &address)
		to = append(to, address)
		return err
	})
	for _, address := range to {
		// An address that no email can go to must not hold up the others; without a teacher there is one empty one.
		if letter.To = address; err == nil && (mail.Deliverable(address) || address == "" && len(to) == 1) {
			err = s.Enqueue(ctx, tx, letter)
		}
	}
	return true, err
}

// tellAsker writes to who asked a question that it has answers.
func (s *Service) tellAsker(ctx context.Context, tx *db.Tx, question string, now time.Time) (done bool, err error) {
	first, err := tx.Exec(ctx, "update lesson_questions set answers_told_at = $2 where id = $1 and (answers_told_at is null or answers_told_at <= $3)",
		question, db.At(now), db.At(now.Add(-quiet)))
	if err != nil || first == 0 {
		return false, err
	}
	letter := mail.QuestionAnswered{}
	err = db.Each(ctx, tx, "update lesson_answers set told_at = $2 where question_id = $1 and told_at is null returning by_teacher, hidden_at",
		[]any{question, db.At(now)}, func(scan func(into ...any) error) error {
			var teacher bool
			var hidden db.Time
			err := scan(&teacher, &hidden)
			if hidden.IsZero() {
				letter.Many++
				letter.Teacher = letter.Teacher || teacher
			}
			return err
		})
	if err != nil || letter.Many == 0 {
		return true, err
	}
	var course, lesson, asker string
	// Who cannot read the answer any more is not called to it.
	err = db.Each(ctx, tx, `select u.id, coalesce(u.email, ''), c.title, q.title, q.course_id, q.lesson_id from lesson_questions q
		join users u on u.id = q.user_id join courses c on c.id = q.course_id where q.id = $1 and q.hidden_at is null
		and (exists (select 1 from enrollments e where e.user_id = q.user_id and e.course_id = q.course_id and e.revoked_at is null)
			or exists (select 1 from course_teachers t where t.user_id = q.user_id and t.course_id = q.course_id))`, []any{question},
		func(scan func(into ...any) error) error {
			return scan(&asker, &letter.To, &letter.Course, &letter.Question, &course, &lesson)
		})
	if err != nil || !mail.Deliverable(letter.To) {
		return true, err
	}
	// Somebody who answers all that another asked fills no mailbox: the answers are there all the same.
	if err := s.Limits.Take(ctx, tx, limit.AnswerLetterPerAccount.By(asker)); err != nil {
		if fault.Is(err, fault.TooMany) {
			return true, nil
		}
		return false, err
	}
	letter.Link = s.SiteURL + "/learn/" + course + "/" + lesson + "?question=" + question
	return true, s.Enqueue(ctx, tx, letter)
}
