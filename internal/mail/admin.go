package mail

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
)

// State says how far a letter has come.
type State string

// The states of a letter.
const (
	Waiting State = "waiting"
	Sending State = "sending"
	Sent    State = "sent"
	Failed  State = "failed"
)

// Entry is a letter as an admin sees it: everything but what it says.
type Entry struct {
	ID        string     `json:"id"`
	Kind      string     `json:"kind"`
	Recipient string     `json:"recipient"`
	Subject   string     `json:"subject"`
	State     State      `json:"state"`
	Attempts  int        `json:"attempts"`
	LastError string     `json:"last_error"`
	NextAt    *time.Time `json:"next_at"` // when it is tried next, while it waits
	CreatedAt time.Time  `json:"created_at"`
	SentAt    *time.Time `json:"sent_at"`
}

// Filter says which letters to list: of one state or all, those after Cursor, newest first.
type Filter struct {
	State  State
	Cursor string
	Limit  int
}

const maxList = 200

// List gives letters, newest first, and the cursor of the next ones; it is empty at the end.
func (o *Outbox) List(ctx context.Context, f Filter) (entries []Entry, next string, err error) {
	if f.Limit < 1 || f.Limit > maxList {
		f.Limit = 50
	}
	where, args := []string{"1 = 1"}, []any{f.Limit + 1}
	add := func(condition string, values ...any) {
		where, args = append(where, condition), append(args, values...)
	}
	if f.State != "" {
		add("state = $2", string(f.State))
	}
	if f.Cursor != "" {
		at, after, ok := db.ReadCursor(f.Cursor)
		if !ok {
			return nil, "", fault.New(fault.Invalid, "That is not a place in the list of emails.")
		}
		n := len(args)
		add(fmt.Sprintf("(created_at < $%d or (created_at = $%d and id > $%d))", n+1, n+1, n+2), db.At(at), after)
	}
	query := `select id, kind, recipient, subject, state, attempts, last_error, next_at, created_at, sent_at
		from outbox where ` + strings.Join(where, " and ") + ` order by created_at desc, id limit $1`
	err = o.db.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, query, args, func(scan func(...any) error) error {
			entry, err := scanEntry(scan)
			entries = append(entries, entry)
			return err
		})
	})
	if err != nil {
		return nil, "", fmt.Errorf("list letters: %w", err)
	}
	if len(entries) > f.Limit {
		entries = entries[:f.Limit]
		last := entries[f.Limit-1]
		next = db.Cursor(last.CreatedAt, last.ID)
	}
	return entries, next, nil
}

func scanEntry(scan func(...any) error) (Entry, error) {
	var e Entry
	var nextAt, createdAt, sentAt db.Time
	err := scan(&e.ID, &e.Kind, &e.Recipient, &e.Subject, &e.State, &e.Attempts, &e.LastError, &nextAt, &createdAt, &sentAt)
	e.CreatedAt = createdAt.Time
	if e.State == Waiting {
		e.NextAt = &nextAt.Time
	}
	if !sentAt.IsZero() {
		e.SentAt = &sentAt.Time
	}
	return e, err
}

// Count is how many letters are in each state. All states are there.
func (o *Outbox) Count(ctx context.Context) (map[State]int, error) {
	counts := map[State]int{Waiting: 0, Sending: 0, Sent: 0, Failed: 0}
	err := o.db.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, "select state, count(*) from outbox group by state", nil, func(scan func(...any) error) error {
			var state State
			var n int
			err := scan(&state, &n)
			counts[state] = n
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("count letters: %w", err)
	}
	return counts, nil
}

// Resend tries a letter again now that failed or waits. What was sent is gone from the outbox and cannot be.
func (o *Outbox) Resend(ctx context.Context, tx *db.Tx, letterID string) error {
	letterID, isID := id.Parse(letterID)
	if !isID {
		return fault.New(fault.NotFound, "That email does not exist.")
	}
	now, err := tx.DatabaseNow(ctx)
	if err != nil {
		return fmt.Errorf("resend a letter: %w", err)
	}
	again, err := tx.Exec(ctx, `
		update outbox set state = 'waiting', attempts = 0, next_at = $2
		where id = $1 and state in ('waiting', 'failed') and body is not null and (expires_at is null or expires_at > $2)`,
		letterID, db.At(now))
	if err != nil {
		return fmt.Errorf("resend a letter: %w", err)
	}
	if again > 0 {
		tx.AfterCommit(o.Kick)
		return nil
	}
	var state State
	err = tx.QueryRow(ctx, "select state from outbox where id = $1", letterID).Scan(&state)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return fault.New(fault.NotFound, "That email does not exist.")
	case err != nil:
		return fmt.Errorf("resend a letter: %w", err)
	case state == Sending:
		return fault.New(fault.Conflict, "That email is being sent right now.")
	case state != Sent:
		return fault.New(fault.Conflict, "The link or code in that email has expired. Please let the person ask for a new one.")
	default:
		return fault.New(fault.Conflict, "That email was sent, and its text is not kept.")
	}
}
