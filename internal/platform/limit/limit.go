// Package limit keeps anybody from doing a thing too often. The counts live in the database, so they hold over all
// instances, and they are exact: in any span of a rule's length there are never more uses than it allows.
//
//	err := limits.Allow(ctx, limit.SignInPerAddress.By(actor.Address), limit.SignInPerAccount.By(email))
//
// gives nil, or a fault.TooMany that says when to try again. A refused use is not counted. The rules stand in
// rules.go. Subjects are stored as keyed hashes: no address can be read out of the database.
package limit

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
)

// Limits counts uses. Nil allows everything.
type Limits struct {
	db      *db.DB
	secret  []byte
	refused refusals
}

// Options say what to count with.
type Options struct {
	DB *db.DB
	// Secret keys the hashes; the same on every instance.
	Secret []byte
	// Off allows everything, for benchmarks.
	Off bool
}

// New makes the counter.
func New(o Options) *Limits {
	if o.Off {
		return nil
	}
	return &Limits{db: o.DB, secret: o.Secret, refused: refusals{until: map[string]time.Time{}}}
}

// Allow counts one of each use in a transaction of its own, so that the count stands whatever becomes of the
// request. All are counted or none.
func (l *Limits) Allow(ctx context.Context, uses ...Use) error {
	if l == nil {
		return nil
	}
	if err := l.known(uses, l.db.Clock.Now()); err != nil {
		return err
	}
	return l.db.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		var b db.Batch
		if err := l.add(&b, tx, uses, l.refused.remember); err != nil {
			return err
		}
		return l.Judge(ctx, tx, tx.Send(ctx, &b))
	})
}

// Take is Allow inside the caller's transaction: the use counts only if that commits. It suits what is limited when
// it succeeds (a mail, an insert), not what is limited because it fails (a password).
func (l *Limits) Take(ctx context.Context, tx *db.Tx, uses ...Use) error {
	return l.TakeWith(ctx, tx, db.Batch{}, uses...)
}

// TakeWith is Take with a batch of what the caller wants to know besides.
func (l *Limits) TakeWith(ctx context.Context, tx *db.Tx, besides db.Batch, uses ...Use) error {
	if l == nil {
		return tx.Send(ctx, &besides)
	}
	if err := l.known(uses, tx.Now); err != nil {
		return err
	}
	var b db.Batch
	var over *refused
	var counted []Use
	for _, use := range inOrder(uses) {
		if err := use.possible(); err != nil {
			return err
		}
		b.Exec(count, l.counting(tx, use), func(rows int64) error {
			if rows > 0 {
				counted = append(counted, use)
			} else if over == nil {
				// Nothing is remembered: the refusal may rest on a use of this very transaction, which may yet be undone.
				over = &refused{use, forget}
			}
			return nil
		})
	}
	b.Append(besides)
	if err := tx.Send(ctx, &b); err != nil || over == nil {
		return err
	}
	// All are counted or none. A savepoint would do, and would make SQLite copy every page that is changed after it.
	for _, use := range counted {
		if _, err := tx.Exec(ctx, takeBack, use.rule.Name, l.hash(use), use.times*width); err != nil {
			return err
		}
	}
	return l.Judge(ctx, tx, over)
}

// takeBack removes the moments that this transaction added last; those that made room for them did not count any more.
const takeBack = "update limits set taken = substr(taken, 1, length(taken) - $3) where rule = $1 and subject = $2"

// AddFirst counts a use in a batch that begins its transaction, where that commits whatever it then decides: so a
// refusal rests on nothing that may yet be undone, and is remembered as Allow's are. Judge says what came of it.
func (l *Limits) AddFirst(b *db.Batch, tx *db.Tx, use Use) error {
	if l == nil {
		return nil
	}
	return l.add(b, tx, []Use{use}, l.refused.remember)
}

// Known refuses without the database what was refused a moment ago, for whoever is about to begin such a transaction.
func (l *Limits) Known(use Use) error {
	if l == nil {
		return nil
	}
	return l.known([]Use{use}, l.db.Clock.Now())
}

// Quota counts what an account adds to a table, in a batch: each row is a use of each rule.
func (l *Limits) Quota(rules ...Rule) func(b *db.Batch, tx *db.Tx, account string, rows int) error {
	return func(b *db.Batch, tx *db.Tx, account string, rows int) error {
		if l == nil {
			return nil
		}
		uses := make([]Use, len(rules))
		for i, rule := range rules {
			uses[i] = rule.By(account).Times(rows)
		}
		if err := l.known(uses, tx.Now); err != nil {
			return err
		}
		return l.add(b, tx, uses, forget)
	}
}

type remember func(subject string, until, now time.Time)

func forget(string, time.Time, time.Time) {}

// refused is a use that was one too many.
type refused struct {
	use  Use
	keep remember
}

func (r *refused) Error() string { return "one too many: " + r.use.rule.Name }

// add counts uses in a batch.
func (l *Limits) add(b *db.Batch, tx *db.Tx, uses []Use, keep remember) error {
	for _, use := range inOrder(uses) {
		if err := use.possible(); err != nil {
			return err
		}
		b.Exec(count, l.counting(tx, use), func(counted int64) error {
			if counted == 0 {
				return &refused{use, keep}
			}
			return nil
		})
	}
	return nil
}

// inOrder sorts uses: everybody locks the rows in one order, or two of them could wait for each other.
func inOrder(uses []Use) []Use {
	if len(uses) < 2 {
		return uses
	}
	return slices.SortedFunc(slices.Values(uses), func(a, b Use) int {
		return cmp.Or(strings.Compare(a.rule.Name, b.rule.Name), strings.Compare(a.subject, b.subject))
	})
}

// possible refuses what no wait would make room for.
func (u Use) possible() error {
	if u.times > u.rule.Times {
		return fault.Newf(fault.TooLarge, "At most %d can be added at once.", u.rule.Times)
	}
	return nil
}

// width is the number of characters of a stored moment: microseconds, base 36, enough for a few thousand years.
const width = 11

func stored(t time.Time) string {
	text := strconv.FormatInt(max(0, t.UnixMicro()), 36)
	return "00000000000"[:max(0, width-len(text))] + text
}

// count adds the moment, as often as it is used, to the row, unless with the younger ones there it would be more than
// the rule allows. The row is locked while its condition is judged, so racing uses are judged one after the other.
// A moment far ahead was written by a clock that has been set back since, and does not count: it would turn people away
// for as long as the clock was wrong. One that is a little ahead is another instance's.
const count = `
	insert into limits (rule, subject, taken, expires_at) values ($1, $2, $3, $4)
	on conflict (rule, subject) do update set
	  taken = case
	    when limits.expires_at <= $5 then excluded.taken
	    when length(limits.taken) <= $6 then limits.taken || excluded.taken
	    else substr(limits.taken, length(limits.taken) - $6 + 1) || excluded.taken end,
	  expires_at = excluded.expires_at
	where limits.expires_at <= $5 or length(limits.taken) <= $6
	  or substr(limits.taken, length(limits.taken) - $6 - $7 + 1, $7) <= $8
	  or substr(limits.taken, length(limits.taken) - $6 - $7 + 1, $7) > $9`

// room is how many characters of older moments stay: the one before them must be old enough to go.
func (u Use) room() int { return (u.rule.Times - u.times) * width }

// sweepable is when a row may be swept. It is later than its last use is old, by up to a quarter of an hour: what stays the
// same for a while does not have to be put into the index anew at every use.
func sweepable(moment time.Time) time.Time { return moment.Truncate(quarter).Add(quarter) }

const quarter = 15 * time.Minute

func (l *Limits) counting(tx *db.Tx, use Use) []any {
	rule := use.rule
	return []any{
		rule.Name, l.hash(use), strings.Repeat(stored(tx.Now), use.times), db.At(sweepable(tx.Now.Add(rule.Per))), db.At(tx.Now), use.room(), width,
		stored(tx.Now.Add(-rule.Per)), stored(tx.Now.Add(rule.Per)),
	}
}

// Judge turns what came of a batch with uses into what a person can read: when to try again.
func (l *Limits) Judge(ctx context.Context, tx *db.Tx, came error) error {
	over, ok := errors.AsType[*refused](came)
	if !ok {
		return came
	}
	rule, subject := over.use.rule, l.hash(over.use)
	if db.Aborted(came) {
		return refusal(rule, rule.Per) // nothing can be asked any more, so it is the longest that it can be
	}
	var oldest string
	err := tx.QueryRow(ctx, `select substr(taken, length(taken) - $3 - $4 + 1, $4) from limits where rule = $1 and subject = $2`,
		rule.Name, subject, over.use.room(), width).Scan(&oldest)
	if err != nil {
		return fmt.Errorf("judge %s: %w", rule.Name, err)
	}
	moment, err := strconv.ParseInt(oldest, 36, 64)
	if err != nil {
		return fmt.Errorf("judge %s: %w", rule.Name, err)
	}
	until := time.UnixMicro(moment).Add(rule.Per)
	if over.use.times == 1 { // fewer than were refused may have room
		over.keep(subject, until, tx.Now)
	}
	return refusal(rule, min(until.Sub(tx.Now), rule.Per))
}

// known refuses without the database what was refused a moment ago: nothing that happens meanwhile can make room.
func (l *Limits) known(uses []Use, now time.Time) error {
	if l.refused.none() {
		return nil
	}
	for _, use := range uses {
		if wait := l.refused.wait(l.hash(use), now); wait > 0 && wait <= use.rule.Per {
			return refusal(use.rule, wait)
		}
	}
	return nil
}

func refusal(rule Rule, wait time.Duration) error {
	seconds := max(1, int64((wait+time.Second-1)/time.Second))
	refused := fault.Coded(fault.TooMany, rule.Code, fmt.Sprintf("Too many tries. Please wait %s and try again.", spoken(seconds)))
	refused.RetryAfter = time.Duration(seconds) * time.Second
	return refused
}

func spoken(seconds int64) string {
	switch {
	case seconds == 1:
		return "a second"
	case seconds < 100:
		return fmt.Sprintf("%d seconds", seconds)
	default:
		return fmt.Sprintf("%d minutes", (seconds+59)/60)
	}
}

func (l *Limits) hash(use Use) string { return keyed(l.secret, use.rule.Name, use.subject) }

func keyed(secret []byte, name, subject string) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(name + "\x00" + subject))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

// Mark is what stays of an address where the address itself must not: the same for whatever ends in the same mailbox, another one
// for each purpose, and nothing that a mailbox can be read out of without the secret.
func Mark(secret []byte, purpose, address string) string {
	return keyed(secret, "mark: "+purpose, mailbox(address))
}
