package discuss

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"unicode/utf8"

	"greenroom/internal/audit"
	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
)

const mostReason = 500

var errNoPost = fault.New(fault.NotFound, "That post does not exist.")

// kinds are the posts that functions name by their kind.
var kinds = map[string]string{
	"question": "select course_id, id, hidden_at from lesson_questions where id = $1",
	"answer":   "select course_id, question_id, hidden_at from lesson_answers where id = $1",
}

// post is a question, or an answer to one.
type post struct {
	kind, id, course, question string
	hidden                     db.Time
}

func find(ctx context.Context, tx *db.Tx, kind, name string) (p post, err error) {
	key, ok := id.Parse(name)
	if !ok || kinds[kind] == "" {
		return p, errNoPost
	}
	p.kind, p.id = kind, key
	err = tx.QueryRow(ctx, kinds[kind], key).Scan(&p.course, &p.question, &p.hidden)
	if errors.Is(err, sql.ErrNoRows) {
		return p, errNoPost
	}
	return p, err
}

// minding is a transaction about a post by somebody who teaches its course, counted as a change in the studio.
func (s *Service) minding(ctx context.Context, a who.Actor, kind, name string, do func(ctx context.Context, tx *db.Tx, p post) error) (fn.Answer, error) {
	err := s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		p, err := find(ctx, tx, kind, name)
		if err != nil {
			return err
		}
		if err := teaches(ctx, tx, a, p.course); err != nil {
			return err
		}
		if !runs(a) {
			if err := s.Limits.Take(ctx, tx, limit.StudioPerAccount.By(a.UserID)); err != nil {
				return err
			}
		}
		if err := lock(ctx, tx, p.question); err != nil {
			return err
		}
		return do(ctx, tx, p)
	})
	return fn.JSON(map[string]bool{"done": err == nil}), err
}

// accept makes an answer the accepted one of its question, or takes that back.
func (s *Service) accept(ctx context.Context, r fn.Request) (fn.Answer, error) {
	ask := struct {
		Answer   string `json:"answer"`
		Accepted bool   `json:"accepted"`
	}{Accepted: true}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	return s.minding(ctx, r.Actor, "answer", ask.Answer, func(ctx context.Context, tx *db.Tx, p post) error {
		if _, err := tx.Exec(ctx, "update lesson_answers set accepted = $2 where question_id = $1 and accepted", p.question, false); err != nil {
			return err
		}
		if ask.Accepted {
			if _, err := tx.Exec(ctx, "update lesson_answers set accepted = $2 where id = $1", p.id, true); err != nil {
				return err
			}
		}
		return recount(ctx, tx, p.question)
	})
}

// pin puts a question before the others of its lesson, or back among them.
func (s *Service) pin(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Question string `json:"question"`
		Pinned   bool   `json:"pinned"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	return s.minding(ctx, r.Actor, "question", ask.Question, func(ctx context.Context, tx *db.Tx, p post) error {
		_, err := tx.Exec(ctx, "update lesson_questions set pinned = $2 where id = $1", p.id, ask.Pinned)
		return err
	})
}

// hide takes a post from everybody's eyes but its author's, who reads the reason, or shows it again.
func (s *Service) hide(ctx context.Context, r fn.Request) (fn.Answer, error) {
	ask := struct {
		Kind   string `json:"kind"`
		ID     string `json:"id"`
		Reason string `json:"reason"`
		Hidden bool   `json:"hidden"`
	}{Hidden: true}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	reason, err := readReason(ask.Reason)
	switch {
	case err != nil:
		return fn.Answer{}, err
	case ask.Hidden && reason == "":
		return fn.Answer{}, fault.New(fault.Invalid, "Say why this is hidden. Its author reads the reason.")
	}
	return s.minding(ctx, r.Actor, ask.Kind, ask.ID, func(ctx context.Context, tx *db.Tx, p post) error {
		act, at, why := "post.show", db.Time{}, sql.NullString{}
		if ask.Hidden {
			act, at, why = "post.hide", db.At(tx.Now), sql.NullString{String: reason, Valid: true}
		}
		table := "lesson_questions"
		if p.kind == "answer" {
			table = "lesson_answers"
		}
		if _, err := tx.Exec(ctx, "update "+table+" set hidden_at = $2, hidden_for = $3 where id = $1", p.id, at, why); err != nil {
			return err
		}
		if err := recount(ctx, tx, p.question); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			ActorID: r.Actor.UserID, Action: act, Subject: p.kind + " " + p.id, Address: r.Actor.Address, Result: audit.OK,
		})
	})
}

// report notes that a reader finds a post out of place. The same again is the same report.
func (s *Service) report(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		Kind   string `json:"kind"`
		ID     string `json:"id"`
		Reason string `json:"reason"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	reason, err := readReason(ask.Reason)
	if err != nil {
		return fn.Answer{}, err
	}
	err = s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		p, err := find(ctx, tx, ask.Kind, ask.ID)
		if err != nil {
			return err
		}
		if err := reads(ctx, tx, r.Actor, p); err != nil {
			return err
		}
		column := p.kind + "_id"
		added, err := tx.Exec(ctx, "insert into post_reports (id, "+column+`, user_id, reason, created_at) values ($1, $2, $3, $4, $5)
			on conflict (`+column+", user_id) do nothing", id.InOrder(), p.id, r.Actor.UserID, reason, db.At(tx.Now))
		if err != nil || added == 0 {
			return err
		}
		return s.Limits.Take(ctx, tx, limit.ReportPerAccount.By(r.Actor.UserID))
	})
	return fn.JSON(map[string]bool{"reported": err == nil}), err
}

// reads refuses whoever cannot read a post: to them it is not there.
func reads(ctx context.Context, tx *db.Tx, a who.Actor, p post) error {
	if teaches(ctx, tx, a, p.course) == nil {
		return nil
	}
	var takes, hidden bool
	err := tx.QueryRow(ctx, `select exists (select 1 from enrollments where user_id = $1 and course_id = $2 and revoked_at is null),
		exists (select 1 from lesson_questions where id = $3 and hidden_at is not null)`, person(a), p.course, p.question).Scan(&takes, &hidden)
	if err == nil && (!takes || hidden || !p.hidden.IsZero()) {
		return errNoPost
	}
	return err
}

func readReason(text string) (string, error) {
	reason := strings.TrimSpace(text)
	if utf8.RuneCountInString(reason) > mostReason {
		return "", fault.New(fault.Invalid, "A reason can be at most 500 characters long.")
	}
	return reason, nil
}
