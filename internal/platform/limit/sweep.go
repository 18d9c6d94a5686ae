package limit

import (
	"context"
	"time"

	"greenroom/internal/platform/db"
)

// Over names what no longer counts.
func (l *Limits) Over(now time.Time) []db.Old {
	return []db.Old{{Table: "limits", Key: []string{"rule", "subject"}, Where: "expires_at <= $1", Args: []any{db.At(now)}, Order: "expires_at"}}
}

// Sweep deletes what no longer counts, and says how many rows that were.
func (l *Limits) Sweep(ctx context.Context) (int64, error) {
	return l.db.Sweep(ctx, l.Over(l.db.Clock.Now())...)
}
