package teach

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"unicode/utf8"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/email"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/rest"
)

const mostShown = 100 // characters of a teacher's name

// teacher is one as admins see them.
type teacher struct {
	ID      string `json:"id"`
	Name    string `json:"shown_name"`
	Email   string `json:"email"`
	MayEdit bool   `json:"may_edit"`
}

// teachers lists who teaches a course.
func (s *Studio) teachers(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Course string `json:"course"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	course, ok := id.Parse(ask.Course)
	if !ok {
		return fn.Answer{}, errNoCourse
	}
	all := []teacher{}
	err := s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		all = all[:0]
		return db.Each(ctx, tx, `select t.id, t.shown_name, coalesce(u.email, ''), t.may_edit from course_teachers t join users u on u.id = t.user_id
			where t.course_id = $1 order by t.created_at, t.id limit $2`, []any{course, mostListed}, func(scan func(...any) error) error {
			var one teacher
			err := scan(&one.ID, &one.Name, &one.Email, &one.MayEdit)
			all = append(all, one)
			return err
		})
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(all), nil
}

// addTeacher lets somebody teach a course, by their address. Anybody may sign up with anybody's, so it must be a proven one.
func (s *Studio) addTeacher(ctx context.Context, r fn.Request) (fn.Answer, error) {
	ask := struct {
		Course  string `json:"course"`
		Email   string `json:"email"`
		Name    string `json:"shown_name"`
		MayEdit bool   `json:"may_edit"`
	}{MayEdit: true}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	course, ok := id.Parse(ask.Course)
	if !ok {
		return fn.Answer{}, errNoCourse
	}
	ask.Name = strings.TrimSpace(ask.Name)
	if n := utf8.RuneCountInString(ask.Name); n < 1 || n > mostShown {
		return fn.Answer{}, fault.Newf(fault.Invalid, "The name of a teacher must have 1 to %d characters.", mostShown)
	}
	key := id.InOrder()
	err := s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		user, err := Proven(ctx, tx, ask.Email)
		if err != nil {
			return err
		}
		n, err := tx.Exec(ctx, `insert into course_teachers (id, course_id, user_id, shown_name, may_edit, created_at) values ($1, $2, $3, $4, $5, $6)
			on conflict (course_id, user_id) do nothing`, key, course, user, ask.Name, ask.MayEdit, db.At(tx.Now))
		switch {
		case db.Violates(err, db.ForeignKey):
			return errNoCourse
		case err != nil:
			return err
		case n == 0:
			return fault.New(fault.Conflict, "This person already teaches the course.")
		}
		if err := s.joined(ctx, tx, course, user); err != nil {
			return err
		}
		if err := s.refresh(ctx, tx, course); err != nil {
			return err
		}
		return note(ctx, tx, r.Actor, "teacher.add", course+" ("+key+")")
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(map[string]string{"id": key}), nil
}

func (s *Studio) joined(ctx context.Context, tx *db.Tx, course, user string) error {
	if s.Joined == nil {
		return nil
	}
	return s.Joined(ctx, tx, course, user)
}

// teachersJoin tells of those whom the data API made teachers.
func (s *Studio) teachersJoin(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	for _, row := range rows {
		if err := s.joined(ctx, tx, row.Text("course_id"), row.Text("user_id")); err != nil {
			return err
		}
	}
	return s.showAgain(ctx, tx, rows)
}

// Proven finds the account that an address is known to belong to.
func Proven(ctx context.Context, tx *db.Tx, address string) (user string, err error) {
	var at db.Time
	err = tx.QueryRow(ctx, "select id, email_proven_at from users where email = $1 and not is_anonymous", email.Key(strings.TrimSpace(address))).Scan(&user, &at)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "", fault.New(fault.NotFound, "No account has this address.")
	case err == nil && at.IsZero():
		return "", fault.New(fault.Conflict, "Anyone could have signed up with this address. Ask its owner to confirm it in Settings first.")
	}
	return user, err
}

// About gives what somebody teaches.
func About(ctx context.Context, tx *db.Tx, user, _ string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, `select t.id, t.course_id, c.title as course_title, t.shown_name, t.may_edit, t.created_at
		from course_teachers t join courses c on c.id = t.course_id where t.user_id = $1 order by t.created_at, t.id`, user)
}

// Forget takes somebody off the courses that they teach, and off the pages that name them.
func (s *Studio) Forget(ctx context.Context, tx *db.Tx, user, _ string) error {
	var courses []string
	err := db.Each(ctx, tx, "delete from course_teachers where user_id = $1 returning course_id", []any{user}, func(scan func(...any) error) error {
		var course string
		err := scan(&course)
		courses = append(courses, course)
		return err
	})
	for _, course := range courses {
		if err == nil {
			err = s.refresh(ctx, tx, course)
		}
	}
	return err
}
