// Package audit keeps the trail of what was done with accounts and what was tried: who, from where, what, and how it
// ended. An entry is written in the transaction of the act itself, so the two stand or fall together.
//
// Of the refusals of one client or one account the first ten in an hour are entries of their own; the others of that
// hour are counted in one (refusal.go). Entries are swept when they are old (Over), and lose their person when the
// account goes (Forget).
package audit

import (
	"context"
	"fmt"
	"strings"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// Entry is one line of the trail.
type Entry struct {
	// ActorID is the user who acted, or whose account was tried; empty when there is none.
	ActorID string
	// Action is a noun and a verb, such as "session.open".
	Action string
	// Subject is what was acted on. An address stands there alone, with no word before it: by it an entry is found.
	Subject string
	// Address and UserAgent tell from where.
	Address, UserAgent string
	// Result is "ok", or in a word why not.
	Result string
}

// OK is the result of what was done.
const OK = "ok"

const mostText = 300

// Record writes an entry, or counts a refusal that is one of too many.
func Record(ctx context.Context, tx *db.Tx, e Entry) error {
	if e.Result != OK {
		return RecordRefusals(ctx, tx, Refusals{e, 1})
	}
	if err := e.check(); err != nil {
		return err
	}
	if err := e.insert(ctx, tx); err != nil {
		return fmt.Errorf("record %s: %w", e.Action, err)
	}
	return nil
}

// check makes an entry fit to be stored.
func (e *Entry) check() error {
	if !known(e.Action) {
		return fmt.Errorf("the audit trail knows no action %q", e.Action)
	}
	e.Subject, e.Address, e.UserAgent = Text(e.Subject), Text(e.Address), Text(e.UserAgent)
	return nil
}

func (e Entry) insert(ctx context.Context, tx *db.Tx) error {
	_, err := tx.Exec(ctx, `insert into audit_entries (id, actor_id, action, subject, address, user_agent, result, created_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8)`, e.values(tx)...)
	return err
}

func (e Entry) values(tx *db.Tx) []any {
	var actor any
	if e.ActorID != "" {
		actor = e.ActorID
	}
	return []any{id.InOrder(), actor, e.Action, e.Subject, e.Address, e.UserAgent, e.Result, db.At(tx.Now)}
}

// What admins did names no person, and keeps its words.
const (
	forgetActor = `update audit_entries set address = '', user_agent = '', bucket = null,
		subject = case when subject like '%@%' and not (action >= 'admin.' and action < 'admin/') then $2 else subject end
		where actor_id = $1`
	forgetAddress = `update audit_entries set subject = $2, address = '', user_agent = '', bucket = null
		where subject = $1 and (actor_id is null or actor_id = $3 or $4)`
	forgetTallies = "delete from audit_tallies where bucket = $1"
)

// Forget leaves of a person only the id, which leads to nobody once the account is gone. former are addresses that
// were theirs before; what somebody else did with one since is not touched.
func Forget(ctx context.Context, tx *db.Tx, user, email string, former ...string) error {
	_, err := tx.Exec(ctx, forgetActor, user, user)
	if err == nil {
		_, err = tx.Exec(ctx, forgetTallies, accountBucket(user))
	}
	for _, address := range append([]string{email}, former...) {
		if err == nil && address != "" {
			_, err = tx.Exec(ctx, forgetAddress, address, user, user, address == email)
		}
		if err == nil && address != "" {
			_, err = tx.Exec(ctx, forgetTallies, accountBucket(address))
		}
	}
	if err != nil {
		return fmt.Errorf("forget in the trail: %w", err)
	}
	return nil
}

// What the trail knows of an address without an account. Who was made an admin it keeps, and what it knows of an account
// goes with that.
const (
	ofVisitor = `subject = $1 and actor_id is null and not (action >= 'admin.' and action < 'admin/')
		and not exists (select 1 from users where email = $1)`
	aboutAddress  = "select action, result, times, created_at, last_at from audit_entries where " + ofVisitor + " order by created_at, id"
	forgetVisitor = "update audit_entries set subject = $2, address = '', user_agent = '', bucket = null where " + ofVisitor
)

// AboutAddress gives what the trail knows of an address without an account.
func AboutAddress(ctx context.Context, tx *db.Tx, address string) ([]map[string]any, error) {
	return db.Maps(ctx, tx, aboutAddress, address)
}

// ForgetAddress puts a name that leads to nobody in the place of an address without an account.
func ForgetAddress(ctx context.Context, tx *db.Tx, address, instead string) error {
	_, err := tx.Exec(ctx, forgetVisitor, address, instead)
	if err == nil {
		_, err = tx.Exec(ctx, forgetTallies, accountBucket(address))
	}
	if err != nil {
		return fmt.Errorf("forget an address in the trail: %w", err)
	}
	return nil
}

// Over names the entries that are older than the trail is kept, and the counts of hours that are past.
func Over(now time.Time, keep time.Duration) []db.Old {
	return []db.Old{
		{Table: "audit_entries", Where: "created_at <= $1", Args: []any{db.At(now.Add(-keep))}, Order: "created_at", Final: true},
		{Table: "audit_tallies", Key: []string{"bucket", "hour_at"}, Where: "hour_at <= $1", Args: []any{db.At(now.Add(-2 * time.Hour))}, Order: "hour_at", Final: true},
	}
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
