package db

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Bounds of what a replica may cost: a read that is not served by then goes to the primary, and after a failure none is
// tried for a while.
const (
	replicaTime  = time.Second
	replicaPause = 5 * time.Second
	replicaLate  = 50 * time.Millisecond
)

// Replica is a PostgreSQL that follows the primary, for reads that say themselves how new they must be. It may be late, away
// or gone at any time: whoever reads there asks the primary then.
type Replica struct {
	d *DB
	// until is when it is asked again after a failure, in nanoseconds.
	until              atomic.Int64
	served, late, away atomic.Int64
}

// ErrLate says that a replica has not seen what a read must see.
var ErrLate = errors.New("the replica is late")

// OpenReplica opens a replica. It need not be there yet.
func OpenReplica(o Options) (*Replica, error) {
	config, err := pgx.ParseConfig(o.URL)
	if err != nil {
		// The driver's own text quotes the URL with its password.
		return nil, fmt.Errorf("GREENROOM_REPLICA_URL is no PostgreSQL address: expected postgres://user:password@host/database")
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = replicaTime
	}
	config.RuntimeParams["application_name"], config.RuntimeParams["timezone"] = serving+" replica", "UTC"
	config.RuntimeParams["default_transaction_read_only"] = "on"
	pool := openPool(config, &greeting{})
	return &Replica{d: &DB{Engine: Postgres, Clock: o.Clock, read: pool, write: pool, wait: replicaTime, reading: newLine(), writing: newLine()}}, nil
}

// Close closes it.
func (r *Replica) Close() error { return r.d.Close() }

// Read runs a read on the replica, and says whether that went well; if it did not, the primary is to be asked. The function
// may have been run in part, and gives ErrLate where the replica has not seen enough.
func (r *Replica) Read(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) (served bool) {
	now := r.d.Clock.Now()
	if now.UnixNano() < r.until.Load() {
		return false
	}
	bound, cancel := context.WithTimeout(ctx, replicaTime)
	defer cancel()
	var err error
	if conn, failed := r.d.connect(bound, r.d.read, r.d.reading); failed != nil {
		err = failed
	} else {
		err = fn(bound, &Tx{Engine: Postgres, Now: now, on: conn})
		_ = conn.Close()
	}
	switch {
	case err == nil:
		r.served.Add(1)
		return true
	case errors.Is(err, ErrLate):
		r.late.Add(1)
		r.until.Store(now.Add(replicaLate).UnixNano())
	case ctx.Err() == nil: // or it was the asker who left
		r.away.Add(1)
		if _, answered := errors.AsType[*pgconn.PgError](err); !answered {
			r.until.Store(now.Add(replicaPause).UnixNano())
		}
	}
	return false
}

// Stats tells how many reads it served, for how many it was late, and how often it was away.
func (r *Replica) Stats() (served, late, away int64) {
	return r.served.Load(), r.late.Load(), r.away.Load()
}
