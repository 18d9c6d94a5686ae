package db

import (
	"context"
	"time"

	"greenroom/internal/platform/clock"
)

const clockQuery = "select clock_timestamp()"

// DatabaseNow is the moment by the clock that all instances share: PostgreSQL's own, and for a SQLite file that of the
// machine it lies on. Whatever one instance promises another (a lease) is judged by it; the clocks of two machines may
// be minutes apart. It is asked for once in a transaction.
func (t *Tx) DatabaseNow(ctx context.Context) (time.Time, error) {
	if !t.moment.IsZero() {
		return t.moment, nil
	}
	if t.Engine == SQLite {
		t.moment = clock.System{}.Now()
		return t.moment, nil
	}
	var moment Time
	if err := t.QueryRow(ctx, clockQuery).Scan(&moment); err != nil {
		return time.Time{}, err
	}
	t.moment = moment.Time
	return t.moment, nil
}

// Apart is how far this instance's clock is ahead of the database's.
func (d *DB) Apart(ctx context.Context) (apart time.Duration, err error) {
	if d.Engine == SQLite {
		return 0, nil // it is the same machine's
	}
	err = d.Read(ctx, func(ctx context.Context, tx *Tx) error {
		theirs, err := tx.DatabaseNow(ctx)
		apart = d.Clock.Now().Sub(theirs)
		return err
	})
	return apart, err
}
