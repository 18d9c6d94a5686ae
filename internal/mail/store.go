package mail

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"greenroom/internal/platform/db"
	addresses "greenroom/internal/platform/email"
)

// stored is a letter as the outbox holds it.
type stored struct {
	ID, Kind, Recipient, Subject, MessageID string
	Class                                   class
	Body                                    []byte
	Attempts                                int
	CreatedAt                               db.Time
	// Wait is how long it is kept before it leaves.
	Wait time.Duration
	// User is whose account it is about, Account the address that else leads to one, ReplyTo who wrote it.
	User, Account, ReplyTo string
	// Life is how long the link or code in it works, if it has one; Expired says that it works no more.
	Life    time.Duration
	Expired bool
	// Lease is until when the letter is its sender's, and the mark of that one claim.
	Lease db.Time
}

// When a letter is due, when its sender counts as dead and when it has come too late is judged by the database's clock:
// instances whose own are minutes apart would otherwise take each other's letters and send them twice.

func insertLetter(ctx context.Context, tx *db.Tx, l stored) error {
	now, err := tx.DatabaseNow(ctx)
	if err != nil {
		return err
	}
	var expires db.Time
	if l.Life > 0 {
		expires = db.At(now.Add(l.Life))
	}
	return tx.Last(ctx, `
		insert into outbox (id, kind, class, recipient, subject, body, message_id, state, next_at, created_at, expires_at, user_id, reply_to)
		values ($1, $2, $3, $4, $5, $6, $7, 'waiting', $8, $9, $10,
		  coalesce((select id from users where id = $11), (select id from users where email = $12)), $13)`,
		l.ID, l.Kind, l.Class, l.Recipient, l.Subject, l.Body, l.MessageID, db.At(now.Add(l.Wait)), db.At(tx.Now), expires,
		orNull(l.User), orNull(l.Account), orNull(l.ReplyTo))
}

// findNotice goes by the index over addresses in lower case.
const findNotice = `select id from outbox where lower(recipient) = $3 and recipient = $1 and kind = $2 and state = 'waiting'
	order by next_at limit 1`

// waitingNotice finds a letter of this kind to this address that has not left yet, or gives "".
func waitingNotice(ctx context.Context, tx *db.Tx, kind, to string) (id string, err error) {
	err = db.Each(ctx, tx, findNotice, []any{to, kind, addresses.Key(to)},
		func(scan func(...any) error) error { return scan(&id) })
	return id, err
}

// replaceLetter changes what a waiting letter says, unless somebody has just begun to send it.
func replaceLetter(ctx context.Context, tx *db.Tx, id, subject string, body []byte) (bool, error) {
	n, err := tx.Exec(ctx, "update outbox set subject = $2, body = $3 where id = $1 and state = 'waiting'", id, subject, body)
	return n > 0, err
}

// foremost is the letter of a class that has been due longest, at the moment $1.
func foremost(of string) string {
	return "select id from outbox where state in ('waiting', 'sending') and class = " + of + " and next_at <= $1 order by next_at, id limit 1"
}

// foremostOfAll is one look into the index for each class.
var foremostOfAll = fmt.Sprintf("(%s), (%s), (%s)", foremost(urgent.text()), foremost(personal.text()), foremost(listed.text()))

// due tells whether a letter should be sent now: one that waits, or one whose sender has died.
func due(ctx context.Context, tx *db.Tx) (found bool, err error) {
	now, err := tx.DatabaseNow(ctx)
	if err != nil {
		return false, err
	}
	err = tx.QueryRow(ctx, "select coalesce("+foremostOfAll+") is not null", db.At(now)).Scan(&found)
	return found, err
}

// claiming takes letters of the class $3, or of the foremost that has some.
var claiming = `
	update outbox set state = 'sending', attempts = attempts + 1, next_at = $2
	where state not in ('sent', 'failed') and next_at <= $1 and id in (
	  select id from outbox where state in ('waiting', 'sending') and next_at <= $1
	    and class = (select class from outbox where id = coalesce((` + foremost("$3") + `), ` + foremostOfAll + `))
	  order by next_at, id limit $4)
	returning id, kind, class, recipient, subject, body, message_id, attempts, created_at, expires_at, next_at`

// claim takes the letters of a class that have been due longest, for as long as the lease lasts. A worker that comes second
// finds the condition no longer true when it gets a row, and does not take it: then there may be none though others are due.
func claim(ctx context.Context, tx *db.Tx, from class, many int, lease time.Duration) (all []stored, err error) {
	now, err := tx.DatabaseNow(ctx)
	if err != nil {
		return nil, err
	}
	err = db.Each(ctx, tx, claiming, []any{db.At(now), db.At(now.Add(lease)), from, many}, func(scan func(...any) error) error {
		var l stored
		var expires db.Time
		err := scan(&l.ID, &l.Kind, &l.Class, &l.Recipient, &l.Subject, &l.Body, &l.MessageID, &l.Attempts, &l.CreatedAt, &expires, &l.Lease)
		l.Expired = !expires.IsZero() && !now.Before(expires.Time)
		all = append(all, l)
		return err
	})
	slices.SortFunc(all, func(a, b stored) int { return cmp.Or(a.CreatedAt.Compare(b.CreatedAt.Time), cmp.Compare(a.ID, b.ID)) })
	return all, err
}

// The outcome of an attempt counts only while the lease is still that attempt's: a worker that lost it must not undo
// what the next one did. The number of the attempt would not do, because an admin's "send again" starts it anew.

func markSent(b *db.Batch, tx *db.Tx, l stored) {
	b.Exec(`
		update outbox set state = 'sent', body = null, last_error = '', sent_at = $3
		where id = $1 and state = 'sending' and next_at = $2`, []any{l.ID, l.Lease, db.At(tx.Now)}, func(int64) error { return nil })
}

// giveBack undoes a claim of which nothing came.
func giveBack(ctx context.Context, tx *db.Tx, l stored) error {
	now, err := tx.DatabaseNow(ctx)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		update outbox set state = 'waiting', attempts = attempts - 1, next_at = $3
		where id = $1 and state = 'sending' and next_at = $2`, l.ID, l.Lease, db.At(now))
	return err
}

func markWaiting(ctx context.Context, tx *db.Tx, l stored, after time.Duration, reason string) error {
	now, err := tx.DatabaseNow(ctx)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		update outbox set state = 'waiting', next_at = $3, last_error = $4
		where id = $1 and state = 'sending' and next_at = $2`, l.ID, l.Lease, db.At(now.Add(after)), reason)
	return err
}

// markFailed gives a letter up, and counts it once that is certain.
func (o *Outbox) markFailed(ctx context.Context, tx *db.Tx, l stored, reason string) error {
	n, err := tx.Exec(ctx, `
		update outbox set state = 'failed', last_error = $3
		where id = $1 and state = 'sending' and next_at = $2`, l.ID, l.Lease, reason)
	tx.AfterCommit(func() { o.failed.Add(n) })
	return err
}

// noteTrouble tells whoever looks why the letters wait. The foremost one says it for all.
func noteTrouble(ctx context.Context, tx *db.Tx, reason string) error {
	now, err := tx.DatabaseNow(ctx)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		update outbox set last_error = $2 where state = 'waiting' and id = coalesce(`+foremostOfAll+")",
		db.At(now), reason)
	return err
}

// old are the letters that were sent or given up before a moment.
func old(before time.Time) db.Old {
	return db.Old{
		Table: "outbox", Where: "state in ('sent', 'failed') and created_at < $1", Args: []any{db.At(before)}, Order: "created_at",
	}
}

func orNull(text string) sql.NullString { return sql.NullString{String: text, Valid: text != ""} }
