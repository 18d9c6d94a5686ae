package mail

import (
	"context"
	"fmt"
	"time"

	"greenroom/internal/platform/db"
)

// mostCounted is how far letters are counted for those who watch: beyond it the number says nothing more.
const mostCounted = 1000

// Delay tells, for each class, how long the letter that is due longest has waited, and how many letters failed for good,
// up to a thousand.
func (o *Outbox) Delay(ctx context.Context) (waited map[string]time.Duration, failed int, err error) {
	waited = map[string]time.Duration{}
	err = o.db.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		now, err := tx.DatabaseNow(ctx)
		if err != nil {
			return err
		}
		for of, name := range map[class]string{urgent: "urgent", personal: "personal", listed: "listed"} {
			waited[name] = 0
			query := fmt.Sprintf("select next_at from outbox where state in ('waiting', 'sending') and class = %d and next_at <= $1 order by next_at, id limit 1", of)
			err := db.Each(ctx, tx, query, []any{db.At(now)}, func(scan func(...any) error) error {
				var due db.Time
				err := scan(&due)
				waited[name] = now.Sub(due.Time)
				return err
			})
			if err != nil {
				return err
			}
		}
		return tx.QueryRow(ctx, "select count(*) from (select 1 from outbox where state = 'failed' limit $1) as f", mostCounted).Scan(&failed)
	})
	return waited, failed, err
}
