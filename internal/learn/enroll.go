package learn

import (
	"context"
	"database/sql"
	"errors"
	"unicode/utf8"

	"greenroom/internal/audit"
	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
	"greenroom/internal/teach"
)

// mostCourses is how many courses one person takes.
const mostCourses = 2000

// enroll opens a course to whoever asks, while it is free and open. The unique key decides whether they had it.
func (s *Service) enroll(ctx context.Context, tx *db.Tx, row rest.Row) (string, error) {
	caller, course := who.From(ctx), row.Text("course_id")
	n, err := tx.Exec(ctx, `insert into enrollments (id, user_id, course_id, source, created_at)
		select $1, $2, c.id, 'free', $4 from courses c join course_offers o on o.course_id = c.id
		where c.id = $3 and o.published_at is not null and o.price_cents = 0 and o.open and not c.coming_soon`,
		row.Text("id"), caller.UserID, course, db.At(tx.Now))
	if err != nil {
		return "", err
	}
	if n == 0 {
		return "", whyNot(ctx, tx, course)
	}
	return row.Text("id"), s.Joined(ctx, tx, caller.UserID, course)
}

// whyNot says why nobody can enroll.
func whyNot(ctx context.Context, tx *db.Tx, course string) error {
	var coming, open bool
	var published db.Time
	var price sql.NullInt64
	err := tx.QueryRow(ctx, `select c.coming_soon, coalesce(o.open, false), o.published_at, o.price_cents
		from courses c left join course_offers o on o.course_id = c.id where c.id = $1`, course).Scan(&coming, &open, &published, &price)
	why := "You cannot enroll in this course now."
	switch {
	case errors.Is(err, sql.ErrNoRows):
		why = "That course does not exist."
	case err != nil:
		return err
	case coming:
		why = "This course is coming soon."
	case published.IsZero():
		why = "This course has no lessons yet."
	case !open || !price.Valid:
		why = "Enrollment in this course is closed."
	case price.Int64 > 0:
		why = "This course is not free."
	}
	return fault.New(fault.Forbidden, why)
}

const mostReason = 500

// changed holds what admins write to the rules. A reason goes with what it was the reason for.
func changed(ctx context.Context, tx *db.Tx, rows []rest.Row) error {
	for _, row := range rows {
		if utf8.RuneCountInString(row.Text("revoked_for")) > mostReason {
			return fault.Coded(fault.Invalid, "23514", "revoked_for can be at most 500 characters long.")
		}
		if !row.Null("revoked_at") || row.Null("revoked_for") {
			continue
		}
		if _, err := tx.Exec(ctx, "update enrollments set revoked_for = null where id = $1", row.Text("id")); err != nil {
			return err
		}
	}
	return nil
}

// grant opens a course to somebody by their address, a proven one, for anybody may sign up with anybody's. What was taken back from
// them is given back.
func (s *Service) grant(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Course string `json:"course"`
		Email  string `json:"email"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	course, ok := id.Parse(ask.Course)
	if !ok {
		return fn.Answer{}, errNoCourse
	}
	var enrolled string
	err := s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		enrolled, err = s.grantTo(ctx, tx, course, ask.Email)
		if err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			ActorID: r.Actor.UserID, Action: audit.AdminAct + "enrollment.grant", Subject: course + " (" + enrolled + ")", Address: r.Actor.Address, Result: audit.OK,
		})
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(map[string]string{"enrollment": enrolled}), nil
}

var errNoCourse = fault.New(fault.NotFound, "That course does not exist.")

func (s *Service) grantTo(ctx context.Context, tx *db.Tx, course, address string) (enrolled string, err error) {
	user, err := teach.Proven(ctx, tx, address)
	if err != nil {
		return "", err
	}
	err = tx.QueryRow(ctx, `insert into enrollments (id, user_id, course_id, source, created_at) values ($1, $2, $3, 'grant', $4)
		on conflict (user_id, course_id) do update set revoked_at = null, revoked_for = null returning id`,
		id.InOrder(), user, course, db.At(tx.Now)).Scan(&enrolled)
	if db.Violates(err, db.ForeignKey) {
		return "", errNoCourse
	}
	if err != nil {
		return "", err
	}
	return enrolled, s.Joined(ctx, tx, user, course)
}
