// Package admin is what administrators do beyond the data of the other domains: they look into the outbox and send a
// letter again, and they read the trail of what each of them did.
//
// The trail of the data API is written here too, for every domain: Watch puts a note beside each write of an admin,
// in the transaction of the write.
package admin

import (
	"context"

	"greenroom/internal/audit"
	"greenroom/internal/fn"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/who"
)

// Desk is where administrators work.
type Desk struct {
	d    *db.DB
	post *mail.Outbox
}

// New opens the desk.
func New(d *db.DB, post *mail.Outbox) *Desk { return &Desk{d: d, post: post} }

// Functions says what admins may call by name.
func (k *Desk) Functions() []fn.Function {
	return []fn.Function{
		{Name: "audit", For: fn.Admins, Call: k.trail},
		{Name: "mail", For: fn.Admins, Call: k.letters},
		{Name: "resend-mail", For: fn.Admins, Call: k.resend},
	}
}

// trail lists what was done: by admins, or everything.
func (k *Desk) trail(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		All    bool   `json:"all"`
		Cursor string `json:"cursor"`
		Limit  int    `json:"limit"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	var lines []audit.Line
	var next string
	err := k.d.Read(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		lines, next, err = audit.List(ctx, tx, audit.Filter{AdminActs: !ask.All, Cursor: ask.Cursor, Limit: ask.Limit})
		return err
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(struct {
		Entries []audit.Line `json:"entries"`
		Next    string       `json:"next"`
	}{orEmpty(lines), next}), nil
}

// letters lists the outbox, with how many letters there are in each state.
func (k *Desk) letters(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		State  mail.State `json:"state"`
		Cursor string     `json:"cursor"`
		Limit  int        `json:"limit"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	switch ask.State {
	case "", mail.Waiting, mail.Sending, mail.Sent, mail.Failed:
	default:
		return fn.Answer{}, fault.New(fault.Invalid, "An email is waiting, sending, sent or failed.")
	}
	entries, next, err := k.post.List(ctx, mail.Filter{State: ask.State, Cursor: ask.Cursor, Limit: ask.Limit})
	if err != nil {
		return fn.Answer{}, err
	}
	counts, err := k.post.Count(ctx)
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.JSON(struct {
		Letters []mail.Entry       `json:"letters"`
		Next    string             `json:"next"`
		Counts  map[mail.State]int `json:"counts"`
	}{orEmpty(entries), next, counts}), nil
}

// resend tries a letter again that failed or waits.
func (k *Desk) resend(ctx context.Context, r fn.Request) (fn.Answer, error) {
	var ask struct {
		ID string `json:"id"`
	}
	if err := r.Decode(&ask); err != nil {
		return fn.Answer{}, err
	}
	err := k.d.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		if err := k.post.Resend(ctx, tx, ask.ID); err != nil {
			return err
		}
		return record(ctx, tx, r.Actor, "letter.resend", ask.ID)
	})
	if err != nil {
		return fn.Answer{}, err
	}
	return fn.Empty(), nil
}

// record notes an act of an admin, or of who holds the service key.
func record(ctx context.Context, tx *db.Tx, actor who.Actor, act, subject string) error {
	return audit.Record(ctx, tx, audit.Entry{
		ActorID: actor.UserID, Action: audit.AdminAct + act, Subject: subject, Address: actor.Address, Result: audit.OK,
	})
}

// orEmpty makes an absent list an empty one, which JSON writes as [].
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
