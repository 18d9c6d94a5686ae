package review

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
)

// words reads what somebody wrote, which must not be empty.
func words(text, name string, most int) (string, error) {
	text = strings.TrimSpace(text)
	if n := utf8.RuneCountInString(text); n < 1 || n > most {
		return "", fault.Newf(fault.Invalid, "%s must have 1 to %d characters.", name, most)
	}
	return text, nil
}

// reply lets somebody who teaches a course answer a review of it, once. What was answered stays as it is: its author and others have
// read it.
func (s *Service) reply(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Review string `json:"review"`
		Text   string `json:"text"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	review, err := named(ask.Review, errNoReview)
	if err != nil {
		return fn.Answer{}, err
	}
	text, err := words(ask.Text, "A reply", mostReply)
	if err != nil {
		return fn.Answer{}, err
	}
	err = s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		course, held, err := toAnswer(ctx, tx, r.Actor.UserID, review)
		if err == nil && r.Actor.Guest {
			err = errNotTheirs
		}
		if err != nil {
			return err
		}
		if held.Valid && held.String == text {
			return nil // said again by who did not hear that it was stored
		}
		n, err := tx.Exec(ctx, "update course_reviews set reply = $2, replied_by = $3, replied_at = $4 where id = $1 and reply is null",
			review, text, r.Actor.UserID, db.At(tx.Now))
		if err == nil && n == 0 {
			err = fault.New(fault.Conflict, "This review already has a reply.")
		}
		if err != nil {
			return err
		}
		return s.Changed(ctx, tx, course)
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(map[string]string{"reply": text}), nil
}

var errNotTheirs = fault.New(fault.Forbidden, "You do not teach this course.")

// toAnswer finds a review that somebody may answer: a published one, of a course that they teach.
func toAnswer(ctx context.Context, tx *db.Tx, user, review string) (course string, held sql.NullString, err error) {
	var teaches bool
	err = tx.QueryRow(ctx, `select r.course_id, r.reply, exists (select 1 from course_teachers t where t.course_id = r.course_id and t.user_id = $2)
		from course_reviews r where r.id = $1 and r.state = 'published'`, review, user).Scan(&course, &held, &teaches)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "", held, errNoReview
	case err != nil:
		return "", held, fmt.Errorf("find a review: %w", err)
	case !teaches:
		return "", held, errNotTheirs
	}
	return course, held, nil
}
