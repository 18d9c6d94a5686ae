package learn

import (
	"context"
	"fmt"
	"time"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
)

// learner is somebody who takes a course, as those see them who teach it. Addresses are for admins.
type learner struct {
	Enrollment string     `json:"enrollment"`
	Name       string     `json:"name"`
	Email      *string    `json:"email,omitempty"`
	Enrolled   time.Time  `json:"enrolled_at"`
	Last       *time.Time `json:"last_at"`
	Done       int        `json:"done"`
	Of         int        `json:"of"`
	Completed  *time.Time `json:"completed_at"`
	Revoked    *time.Time `json:"revoked_at"`
	OpenedAll  bool       `json:"opened_all"`
	// Certificate is the code of the one that they got, also where it was withdrawn since.
	Certificate *string `json:"certificate"`
}

// nameless is what people are called who gave no name.
const nameless = "A learner"

// teaches refuses whoever neither teaches a course nor runs the place.
func teaches(ctx context.Context, tx *db.Tx, a who.Actor, course string) error {
	if runs(a) {
		return nil
	}
	var does bool
	err := tx.QueryRow(ctx, "select exists (select 1 from course_teachers where course_id = $1 and user_id = $2)", course, person(a)).Scan(&does)
	if err == nil && !does {
		err = fault.New(fault.Forbidden, "This is for the teachers of the course.")
	}
	return err
}

const (
	mostLearners = 200
	someLearners = 50
)

// learners lists who takes a course, the newest first.
func (s *Service) learners(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Course string `json:"course"`
		Cursor string `json:"cursor"`
		Limit  int    `json:"limit"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	course, ok := id.Parse(ask.Course)
	if !ok {
		return fn.Answer{}, errNoCourse
	}
	if ask.Limit < 1 || ask.Limit > mostLearners {
		ask.Limit = someLearners
	}
	var found []learner
	err := s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		if err := teaches(ctx, tx, r.Actor, course); err != nil {
			return err
		}
		found, err = s.learnersOf(ctx, tx, r.Actor, course, ask.Cursor, ask.Limit+1)
		return err
	})
	if err != nil {
		return fn.Answer{}, err
	}
	next := ""
	if len(found) > ask.Limit {
		found = found[:ask.Limit]
		next = found[ask.Limit-1].cursor()
	}
	return fn.JSON(map[string]any{"learners": found, "next": next}), nil
}

func (l learner) cursor() string { return db.Cursor(l.Enrolled, l.Enrollment) }

// learnersOf reads a page of them. The page is found first, along the index: what is counted is counted for its rows alone.
func (s *Service) learnersOf(ctx context.Context, tx *db.Tx, a who.Actor, course, cursor string, limit int) ([]learner, error) {
	where, args := "", []any{course, limit}
	if cursor != "" {
		at, after, ok := db.ReadCursor(cursor)
		if !ok {
			return nil, fault.New(fault.Invalid, "That is not a place in the list of learners.")
		}
		where, args = " and (created_at, id) < ($3, $4)", append(args, db.At(at), after)
	}
	found := []learner{}
	err := db.Each(ctx, tx, fmt.Sprintf(`select e.id, u.user_metadata, coalesce(u.email, ''), e.created_at,
			(select max(p.updated_at) from lesson_progress p where p.user_id = e.user_id and p.course_id = e.course_id),
			(select count(*) from lesson_progress p join lessons l on l.id = p.lesson_id
				where p.user_id = e.user_id and p.course_id = e.course_id and p.completed_at is not null and l.state = 'published'),
			(select count(*) from lessons l where l.course_id = e.course_id and l.state = 'published'),
			e.completed_at, e.revoked_at, e.opened_all,
			coalesce((select x.code from certificates x where x.user_id = e.user_id and x.course_id = e.course_id), '')
		from (select * from enrollments where course_id = $1%s order by created_at desc, id desc limit $2) e join users u on u.id = e.user_id
		order by e.created_at desc, e.id desc`, where), args,
		func(scan func(...any) error) error {
			var one learner
			var metadata, address, code string
			var enrolled, last, completed, revoked db.Time
			err := scan(&one.Enrollment, &metadata, &address, &enrolled, &last, &one.Done, &one.Of, &completed, &revoked, &one.OpenedAll, &code)
			one.Certificate = orNull(code)
			if one.Name = s.Name(metadata); one.Name == "" {
				one.Name = nameless
			}
			if runs(a) {
				one.Email = &address
			}
			one.Enrolled, one.Last, one.Completed, one.Revoked = enrolled.Time, moment(last), moment(completed), moment(revoked)
			found = append(found, one)
			return err
		})
	return found, err
}
