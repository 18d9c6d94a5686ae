package db

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Tries of a transaction that PostgreSQL undid for another's sake, with a pause that grows, so that the two part.
const (
	mostTries  = 5
	firstPause = 10 * time.Millisecond
)

func (d *DB) writePostgres(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	pause := firstPause
	for try := 1; ; try++ {
		err := d.tryPostgres(ctx, fn)
		if !undone(err) || try == mostTries {
			return err
		}
		timer := time.NewTimer(pause/2 + rand.N(pause)) //nolint:gosec // jitter is no secret
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return err
		}
		pause *= 2
	}
}

// undone tells whether PostgreSQL rolled a transaction back because it met another one: a deadlock, or a change in a
// row that it had read.
func undone(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (pg.Code == "40P01" || pg.Code == "40001")
}
