package limit

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"greenroom/internal/platform/db"
)

const (
	sweepEvery = 5 * time.Minute
	sweepRows  = 500
)

// Run sweeps until the context ends.
func (l *Limits) Run(ctx context.Context, log *slog.Logger) {
	if l == nil {
		return
	}
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if _, err := l.Sweep(ctx); err != nil && ctx.Err() == nil {
				log.Warn("old limits were not swept", "error", err)
			}
		}
	}
}

// Sweep deletes what no longer counts, a few rows at a time, and says how many.
func (l *Limits) Sweep(ctx context.Context) (int64, error) {
	var swept int64
	for {
		var gone int64
		err := l.db.Write(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
			gone, err = tx.Exec(ctx, `
				delete from limits where expires_at <= $1 and (rule, subject) in
				  (select rule, subject from limits where expires_at <= $1 order by expires_at limit $2)`,
				db.At(tx.Now), sweepRows)
			return err
		})
		if err != nil {
			return swept, fmt.Errorf("sweep limits: %w", err)
		}
		if swept += gone; gone < sweepRows {
			return swept, nil
		}
	}
}
