package db

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Bounds of what a replica may cost: a read that is not served by then goes to the primary, and after a failure none is
// tried for a while.
const (
	replicaTime  = time.Second
	replicaPause = 5 * time.Second
	replicaLate  = 50 * time.Millisecond
	// replicaSays is how often at most the log hears of reads that a replica which is there did not answer.
	replicaSays = time.Minute
)

// Replica is a PostgreSQL that follows the primary, for reads that say themselves how new they must be. It may be late, away
// or gone at any time: whoever reads there asks the primary then.
type Replica struct {
	d    *DB
	log  *slog.Logger
	most time.Duration // that a read may take
	// until is when it is asked again after a failure, and said when the log last heard of a read, in nanoseconds.
	until, said        atomic.Int64
	gone               atomic.Bool
	served, late, away atomic.Int64
}

// ErrLate says that a replica has not seen what a read must see.
var ErrLate = errors.New("the replica is late")

// OpenReplica opens a replica. It need not be there yet. Wait is how long a read may take there; a second when zero.
func OpenReplica(o Options, log *slog.Logger) (*Replica, error) {
	o.Name = serving + " replica"
	o.Wait = cmp.Or(o.Wait, replicaTime)
	pool, _, err := poolOf(o, "GREENROOM_REPLICA_URL", o.Wait, true)
	if err != nil {
		return nil, err
	}
	d := &DB{Engine: Postgres, Clock: o.Clock, read: pool, write: pool, wait: o.Wait, reading: newLine(), writing: newLine()}
	return &Replica{d: d, log: log, most: o.Wait}, nil
}

// Close closes it.
func (r *Replica) Close() error { return r.d.Close() }

// Follows asks whether it follows a primary.
func (r *Replica) Follows(ctx context.Context) (follows bool, err error) {
	err = r.d.Read(ctx, func(ctx context.Context, tx *Tx) error {
		return tx.QueryRow(ctx, "select pg_is_in_recovery()").Scan(&follows)
	})
	return follows, err
}

// Read runs a read on the replica, and says whether that was all; if it was not, the primary is to be asked. First comes fresh,
// which gives ErrLate where the replica has not seen enough. The read itself may have been run in part. Its own error is
// final: a request that is wrong, or has no time left, is so at the primary, too.
func (r *Replica) Read(ctx context.Context, fresh, fn func(ctx context.Context, tx *Tx) error) (done bool, err error) {
	now := r.d.Clock.Now()
	if now.UnixNano() < r.until.Load() {
		return false, nil
	}
	bound, cancel := context.WithTimeout(ctx, r.most)
	defer cancel()
	answered, err := r.try(bound, now, fresh, fn)
	slow := bound.Err() != nil
	switch {
	case err == nil:
		r.served.Add(1)
		r.answers(ctx)
		return true, nil
	case ctx.Err() != nil: // the asker left, or took too long
		return true, translate(err)
	case errors.Is(err, ErrLate):
		r.late.Add(1)
		r.until.Store(now.Add(replicaLate).UnixNano())
		r.answers(ctx)
	case answered && !slow && !ofDatabase(err):
		r.served.Add(1)
		return true, err
	case answered && (slow || !connectionLost(err)): // of this read alone
		r.away.Add(1)
		r.passes(ctx, now, err)
	default:
		r.away.Add(1)
		r.until.Store(now.Add(replicaPause).UnixNano())
		if !r.gone.Swap(true) {
			r.log.WarnContext(ctx, "the replica is away: the primary is read", "error", err)
		}
	}
	return false, nil
}

// try tells besides whether the replica said how new it is: then it is there.
func (r *Replica) try(ctx context.Context, now time.Time, fresh, fn func(ctx context.Context, tx *Tx) error) (answered bool, err error) {
	conn, err := r.d.connect(ctx, r.d.read, r.d.reading)
	if err != nil {
		return false, err
	}
	defer conn.Close()
	tx := &Tx{Engine: Postgres, Now: now, on: conn}
	if err := fresh(ctx, tx); err != nil {
		return false, err
	}
	return true, fn(ctx, tx)
}

func (r *Replica) answers(ctx context.Context) {
	if r.gone.Load() && r.gone.Swap(false) {
		r.log.InfoContext(ctx, "the replica answers again")
	}
}

func (r *Replica) passes(ctx context.Context, now time.Time, err error) {
	said := r.said.Load()
	if now.UnixNano()-said >= int64(replicaSays) && r.said.CompareAndSwap(said, now.UnixNano()) {
		r.log.WarnContext(ctx, "the replica did not answer a read: the primary was asked", "error", err)
	}
}

// ofDatabase tells a database's error from one of whoever reads.
func ofDatabase(err error) bool {
	_, answered := errors.AsType[*pgconn.PgError](err)
	return answered || connectionLost(err)
}

// connectionLost tells that the connection, and not a statement, failed.
func connectionLost(err error) bool {
	if pg, answered := errors.AsType[*pgconn.PgError](err); answered {
		class := pg.Code[:min(2, len(pg.Code))]
		return class == "08" || class == "53" || class == "58" || strings.HasPrefix(pg.Code, "57P")
	}
	return lost(err) || pgconn.SafeToRetry(err)
}

// Stats tells how many reads it served, for how many it was late, and how often it was away.
func (r *Replica) Stats() (served, late, away int64) {
	return r.served.Load(), r.late.Load(), r.away.Load()
}
