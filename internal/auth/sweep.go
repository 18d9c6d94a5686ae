package auth

import (
	"context"
	"fmt"
	"time"

	"greenroom/internal/platform/db"
)

const (
	sweepEvery = 10 * time.Minute
	sweepRows  = 500
)

// Run deletes what has expired, until the context ends.
func (s *Service) Run(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if _, err := s.Sweep(ctx); err != nil && ctx.Err() == nil {
				s.Log.WarnContext(ctx, "expired sessions and links were not swept", "error", err)
			}
		}
	}
}

// Sweep deletes links, flows and sessions that are over, a few rows at a time, and says how many.
func (s *Service) Sweep(ctx context.Context) (int64, error) {
	now := s.DB.Clock.Now()
	var swept int64
	for _, old := range []struct {
		table, column string
		before        time.Time
	}{
		{"one_time_tokens", "expires_at", now},
		{"flow_states", "expires_at", now},
		{"oauth_states", "expires_at", now},
		{"mfa_challenges", "expires_at", now},
		{"mfa_used_codes", "expires_at", now},
		{"sessions", "created_at", now.Add(-sessionLife)},
		{"sessions", "refreshed_at", now.Add(-idleLife)},
	} {
		for {
			var gone int64
			err := s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
				gone, err = tx.Exec(ctx, fmt.Sprintf("delete from %[1]s where id in (select id from %[1]s where %[2]s <= $1 limit $2)", old.table, old.column),
					db.At(old.before), sweepRows)
				return err
			})
			if err != nil {
				return swept, fmt.Errorf("sweep %s: %w", old.table, err)
			}
			if swept += gone; gone < sweepRows {
				break
			}
		}
	}
	for {
		var gone int64
		err := s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
			gone, err = sweepGuests(ctx, tx)
			return err
		})
		if err != nil {
			return swept, fmt.Errorf("sweep guests: %w", err)
		}
		if swept += gone; gone < sweepRows {
			return swept, nil
		}
	}
}
