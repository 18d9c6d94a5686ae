package audit

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
)

// AdminAct begins the action of everything that an administrator did as one.
const AdminAct = "admin."

// Line is an entry as it is read.
type Line struct {
	ID string `json:"id"`
	// ActorID and Actor are who acted, and their address while they have an account; both may be empty.
	ActorID   string    `json:"actor_id"`
	Actor     string    `json:"actor"`
	Action    string    `json:"action"`
	Subject   string    `json:"subject"`
	Address   string    `json:"address"`
	UserAgent string    `json:"user_agent"`
	Result    string    `json:"result"`
	CreatedAt time.Time `json:"created_at"`
	// Times is how many refusals a counted entry stands for, and LastAt until when they came; null for any other.
	Times  int        `json:"times"`
	LastAt *time.Time `json:"last_at"`
}

// Filter says which entries to list: those of administrators or all, after Cursor, newest first.
type Filter struct {
	AdminActs bool
	Cursor    string
	Limit     int
}

const (
	usualList = 50
	mostList  = 200
)

// List gives entries, newest first, and the cursor of the next ones; it is empty at the end.
func List(ctx context.Context, tx *db.Tx, f Filter) (lines []Line, next string, err error) {
	if f.Limit < 1 || f.Limit > mostList {
		f.Limit = usualList
	}
	where, args := []string{"1 = 1"}, []any{f.Limit + 1}
	if f.AdminActs {
		// In the words of the partial index, or it does not serve.
		where = append(where, "e.action >= 'admin.' and e.action < 'admin/'")
	}
	if f.Cursor != "" {
		at, after, ok := db.ReadCursor(f.Cursor)
		if !ok {
			return nil, "", fault.New(fault.Invalid, "That is not a place in the audit trail.")
		}
		where, args = append(where, "(e.created_at, e.id) < ($2, $3)"), append(args, db.At(at), after)
	}
	query := `select e.id, e.actor_id, u.email, e.action, e.subject, e.address, e.user_agent, e.result, e.created_at, e.times, e.last_at
		from audit_entries e left join users u on u.id = e.actor_id
		where ` + strings.Join(where, " and ") + ` order by e.created_at desc, e.id desc limit $1`
	err = db.Each(ctx, tx, query, args, func(scan func(...any) error) error {
		var l Line
		var actorID, actor sql.NullString
		var at, last db.Time
		err := scan(&l.ID, &actorID, &actor, &l.Action, &l.Subject, &l.Address, &l.UserAgent, &l.Result, &at, &l.Times, &last)
		l.ActorID, l.Actor, l.CreatedAt = actorID.String, actor.String, at.Time
		if !last.IsZero() {
			l.LastAt = &last.Time
		}
		lines = append(lines, l)
		return err
	})
	if err != nil {
		return nil, "", fmt.Errorf("list the audit trail: %w", err)
	}
	if len(lines) > f.Limit {
		lines = lines[:f.Limit]
		last := lines[f.Limit-1]
		next = db.Cursor(last.CreatedAt, last.ID)
	}
	return lines, next, nil
}
