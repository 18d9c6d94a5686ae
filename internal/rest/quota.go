package rest

import (
	"context"
	"fmt"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/who"
)

// trusted tells whether the caller is bound by the size of a request alone.
func (q *request) trusted() bool { return q.actor.Admin || q.actor.Role == who.Service }

// mostRows is how many rows the caller may write at once.
func (q *request) mostRows() int {
	if q.trusted() {
		return maxRows
	}
	return someRows
}

// takeQuota counts the rows that an account is about to add. Those of strangers are counted by the verbs that take them.
func (q *request) takeQuota(ctx context.Context, tx *db.Tx, rows int) error {
	quota := q.table.Insert.Quota
	if rows == 0 || quota.Take == nil || q.trusted() || !q.actor.SignedIn() {
		return nil
	}
	// Before the rows, for the count of uses is a row that is locked: the account's inserts then come one after the other.
	var b db.Batch
	if err := quota.Take(&b, tx, q.actor.UserID, rows); err != nil {
		return err
	}
	if quota.Most > 0 {
		b.Each(q.table.countOwned, []any{q.actor.UserID}, func(scan func(into ...any) error) error {
			var held int
			if err := scan(&held); err != nil || held+rows <= quota.Most {
				return err
			}
			return fault.Coded(fault.Invalid, "54000", fmt.Sprintf("You can have at most %d rows in %s.", quota.Most, q.table.Name))
		})
	}
	return tx.Ahead(ctx, &b)
}

// judged makes of a refused quota what a person can read.
func (q *request) judged(ctx context.Context, tx *db.Tx, err error) error {
	if judge := q.table.Insert.Quota.Judge; err != nil && judge != nil {
		return judge(ctx, tx, err)
	}
	return err
}
