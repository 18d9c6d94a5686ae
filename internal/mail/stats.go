package mail

import (
	"context"
	"fmt"
	"time"

	"greenroom/internal/platform/db"
)

// oldest is when the letter of a class was written that waits longest.
func oldest(of class) string {
	return "select created_at from outbox where state in ('waiting', 'sending') and class = " + of.text() + " order by created_at limit 1"
}

var oldestOfAll = fmt.Sprintf("select (%s), (%s), (%s)", oldest(urgent), oldest(personal), oldest(listed))

// Delay tells, for each class, how long the letter that was written first has waited to be sent. It goes by when it was
// written: the next try of one that the server puts off is always ahead.
func (o *Outbox) Delay(ctx context.Context) (map[string]time.Duration, error) {
	var first [3]db.Time
	err := o.db.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		return tx.QueryRow(ctx, oldestOfAll).Scan(&first[urgent], &first[personal], &first[listed])
	})
	if err != nil {
		return nil, fmt.Errorf("look for the oldest letters: %w", err)
	}
	waited, now := map[string]time.Duration{}, o.db.Clock.Now()
	for of, name := range map[class]string{urgent: "urgent", personal: "personal", listed: "listed"} {
		waited[name] = 0
		if !first[of].IsZero() {
			waited[name] = max(0, now.Sub(first[of].Time))
		}
	}
	return waited, nil
}

// Failures is how many letters this instance has given up for good since it began.
func (o *Outbox) Failures() int64 { return o.failed.Load() }
