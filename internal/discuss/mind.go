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
	"question": "select p.course_id, c.title, p.id, p.hidden_at from lesson_questions p join courses c on c.id = p.course_id where p.id = $1",
	"answer":   "select p.course_id, c.title, p.question_id, p.hidden_at from lesson_answers p join courses c on c.id = p.course_id where p.id = $1",
}

// post is a question, or an answer to one; title is the course's.
type post struct {
	kind, id, course, title, question string
	hidden                            db.Time
}

func find(ctx context.Context, tx *db.Tx, kind, name string) (p post, err error) {
	key, ok := id.Parse(name)
	if !ok || kinds[kind] == "" {
		return p, errNoPost
	}
	p.kind, p.id = kind, key
	err = tx.QueryRow(ctx, kinds[kind], key).Scan(&p.course, &p.title, &p.question, &p.hidden)
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
		if err := p.turn(ctx, tx, ask.Hidden, runs(r.Actor), reason); err != nil {
			return err
		}
		if err := recount(ctx, tx, p.question); err != nil {
			return err
		}
		return p.note(ctx, tx, r.Actor, ask.Hidden, reason)
	})
}

// turn hides a post or shows it. Its reports have been looked at then. What an admin hid is not for teachers to turn.
func (p post) turn(ctx context.Context, tx *db.Tx, hidden, byAdmin bool, reason string) error {
	at, why := db.Time{}, sql.NullString{}
	if hidden {
		at, why = db.At(tx.Now), sql.NullString{String: reason, Valid: true}
	}
	turned, err := tx.Exec(ctx, "update lesson_"+p.kind+`s set hidden_at = $2, hidden_for = $3, hidden_by_admin = $4
		where id = $1 and (not hidden_by_admin or $5)`, p.id, at, why, hidden && byAdmin, byAdmin)
	if err != nil {
		return err
	}
	if turned == 0 {
		return fault.New(fault.Forbidden, "An admin hid this. Only admins can show it again.")
	}
	_, err = tx.Exec(ctx, "delete from post_reports where "+p.kind+"_id = $1", p.id)
	return err
}

// note writes down who hid or showed a post, and why. What admins do is told among their acts.
func (p post) note(ctx context.Context, tx *db.Tx, a who.Actor, hidden bool, reason string) error {
	act, subject := "post.show", p.title+" ("+p.kind+" "+p.id+")"
	if hidden {
		act, subject = "post.hide", subject+": "+reason
	}
	if runs(a) {
		act = audit.AdminAct + act
	}
	return audit.Record(ctx, tx, audit.Entry{ActorID: a.UserID, Action: act, Subject: subject, Address: a.Address, Result: audit.OK})
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
