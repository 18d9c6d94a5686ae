// Package audit keeps the trail of what was done with accounts and what was tried: who, from where, what, and how it
// ended. An entry is written in the transaction of the act itself, so the two stand or fall together.
package audit

import (
	"context"
	"fmt"
	"strings"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// Entry is one line of the trail.
type Entry struct {
	// ActorID is the user who acted, or whose account was tried; empty when there is none.
	ActorID string
	// Action is a noun and a verb, such as "session.open".
	Action string
	// Subject is what was acted on, such as the address that somebody signed in with.
	Subject string
	// Address and UserAgent tell from where.
	Address, UserAgent string
	// Result is "ok", or in a word why not.
	Result string
}

// OK is the result of what was done.
const OK = "ok"

const mostText = 300

// Record writes an entry.
func Record(ctx context.Context, tx *db.Tx, e Entry) error {
	var actor any
	if e.ActorID != "" {
		actor = e.ActorID
	}
	_, err := tx.Exec(ctx, `insert into audit_entries (id, actor_id, action, subject, address, user_agent, result, created_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8)`,
		id.New(), actor, e.Action, Text(e.Subject), Text(e.Address), Text(e.UserAgent), e.Result, db.At(tx.Now))
	if err != nil {
		return fmt.Errorf("record %s: %w", e.Action, err)
	}
	return nil
}

// Forget leaves of a person only the id, which leads to nobody once the account is gone.
func Forget(ctx context.Context, tx *db.Tx, user, email string) error {
	_, err := tx.Exec(ctx, "update audit_entries set address = '', user_agent = '' where actor_id = $1", user)
	if err == nil && email != "" {
		_, err = tx.Exec(ctx, "update audit_entries set subject = $2 where subject = $1", email, user)
	}
	if err == nil && email != "" {
		// Some subjects say a word before the address.
		tail := " " + email
		_, err = tx.Exec(ctx, `update audit_entries set subject = substr(subject, 1, length(subject) - $2) || $3
			where length(subject) > $2 and substr(subject, length(subject) - $2 + 1) = $1`, tail, len(tail), " "+user)
	}
	if err != nil {
		return fmt.Errorf("forget in the trail: %w", err)
	}
	return nil
}

// Text makes any text of a stranger's fit to be stored: valid, without control characters, not too long.
func Text(text string) string {
	text = strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(text, "\ufffd"))
	if len(text) > mostText {
		text = strings.ToValidUTF8(text[:mostText], "")
	}
	return text
}
