package review

import (
	"context"
	"database/sql"
	"errors"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
)

// report asks admins to look at a review. Twice by the same person is once, with what they say now.
func (s *Service) report(ctx context.Context, r fn.Request) (fn.Answer, error) {
	review, reason, err := readReason(r, "A report")
	if err != nil {
		return fn.Answer{}, err
	}
	if r.Actor.Guest {
		return fn.Answer{}, fault.New(fault.Forbidden, "Sign in to report a review.")
	}
	err = s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		if err := s.Limits.Take(ctx, tx, limit.ReportPerAccount.By(r.Actor.UserID)); err != nil {
			return err
		}
		if _, err := s.proven(ctx, tx, r.Actor.UserID); err != nil {
			return err
		}
		var mine bool
		err := tx.QueryRow(ctx, "select coalesce(user_id = $2, false) from course_reviews where id = $1 and state = 'published'", review, r.Actor.UserID).Scan(&mine)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return errNoReview
		case err != nil:
			return err
		case mine:
			return fault.New(fault.Invalid, "This review is your own.")
		}
		_, err = tx.Exec(ctx, `insert into review_reports (id, review_id, user_id, reason, created_at) values ($1, $2, $3, $4, $5)
			on conflict (review_id, user_id) do update set reason = excluded.reason`, id.InOrder(), review, r.Actor.UserID, reason, db.At(tx.Now))
		return err
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(map[string]bool{"reported": true}), nil
}

func readReason(r fn.Request, name string) (review, reason string, err error) {
	var ask struct {
		Review string `json:"review"`
		Reason string `json:"reason"`
	}
	if err = r.Decode(&ask); err != nil {
		return "", "", err
	}
	if review, err = named(ask.Review, errNoReview); err != nil {
		return "", "", err
	}
	reason, err = words(ask.Reason, name, mostReason)
	return review, reason, err
}

// hide takes a review off the page, for a reason that its author reads.
func (s *Service) hide(ctx context.Context, r fn.Request) (fn.Answer, error) {
	review, reason, err := readReason(r, "The reason")
	if err != nil {
		return fn.Answer{}, err
	}
	return s.turn(ctx, r, review, "review.hide", hidden, &reason)
}

// show puts a review back, or lets one stay that was reported.
func (s *Service) show(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Review string `json:"review"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	review, err := named(ask.Review, errNoReview)
	if err != nil {
		return fn.Answer{}, err
	}
	return s.turn(ctx, r, review, "review.show", published, nil)
}

// turn gives a review another state. Its reports have been looked at then.
func (s *Service) turn(ctx context.Context, r fn.Request, review, act, state string, reason *string) (fn.Answer, error) {
	err := s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		var course, title string
		err := tx.QueryRow(ctx, `update course_reviews set state = $2, hidden_for = $3 where id = $1
			returning course_id, (select c.title from courses c where c.id = course_reviews.course_id)`, review, state, reason).Scan(&course, &title)
		if errors.Is(err, sql.ErrNoRows) {
			return errNoReview
		}
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "delete from review_reports where review_id = $1", review); err != nil {
			return err
		}
		if err := s.settle(ctx, tx, course); err != nil {
			return err
		}
		subject := title + " (" + review + ")"
		if reason != nil {
			subject += ": " + *reason
		}
		return note(ctx, tx, r, act, subject)
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(map[string]any{"state": state, "hidden_for": reason}), nil
}

// Teaches hides what somebody said of a course that they teach from now on, in the transaction that makes them its teacher. It
// holds the course before it looks: a review that is on its way is there then, or learns whom it is of.
func (s *Service) Teaches(ctx context.Context, tx *db.Tx, course, user string) error {
	if err := hold(ctx, tx, course); err != nil {
		return err
	}
	n, err := tx.Exec(ctx, `update course_reviews set state = 'hidden', hidden_for = $3 where course_id = $1 and user_id = $2 and state = 'published'`,
		course, user, "You teach this course now.")
	if err != nil || n == 0 {
		return err
	}
	return s.settle(ctx, tx, course)
}
