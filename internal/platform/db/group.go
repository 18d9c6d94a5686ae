package db

import (
	"context"
	"time"

	"greenroom/internal/platform/safe"
)

// Bounds of one group: long enough to share the fsync, short enough that nobody waits for strangers.
const (
	groupJobs = 256
	groupTime = 20 * time.Millisecond
)

// wariness is for how many groups savepoints are taken after one was needed and missing.
const wariness = 100

// group is the jobs that share a transaction.
type group struct {
	*writer
	all []*job
	// standing are those whose writes are in the transaction so far, in their order.
	standing []*job
}

// group runs the first job and all that wait behind it in one transaction and answers them after its commit.
func (w *writer) group(first *job) {
	ctx := context.Background()
	begun := time.Now() //nolint:forbidigo // how long a group may run is no business time
	g := &group{writer: w, all: []*job{first}}
	// A panic in here that is no job's own is the driver's: it fails the group, and the writer goes on.
	err := safe.Try(func() error {
		err := w.disk.check(w.d.path, begun)
		alone := err != nil && first.clears // nobody else is let through behind it
		if err == nil || alone {
			err = w.exec(ctx, "begin immediate")
		}
		for next := first; err == nil; {
			if next.take() {
				if err = g.run(next); err != nil { //nolint:contextcheck // a job has its caller's
					break
				}
			}
			next = nil
			if !alone && len(g.all) < groupJobs && time.Since(begun) < groupTime {
				select {
				case next = <-w.d.jobs:
					g.all = append(g.all, next)
				default:
				}
			}
			if next == nil {
				err = w.exec(ctx, "commit")
				break
			}
		}
		return err
	})
	if err != nil {
		_ = w.exec(ctx, "rollback") // which may have nothing to undo
		stopOnBrokenDisk(err)
	}
	w.d.committed.count(len(g.all), time.Since(begun))
	w.wary = max(0, w.wary-1)
	for _, j := range g.all {
		w.answer(j, err)
	}
}

// answer tells a job's caller how the group ended. A job without a transaction did not begin: its caller gave it up,
// or learns now that the group could not.
func (w *writer) answer(j *job, err error) {
	if j.tx == nil && !j.take() {
		return
	}
	if err != nil {
		j.err = err
	} else if j.err == nil && j.panic == nil {
		j.panic = j.tx.committed()
	}
	close(j.done)
}

// run runs a job behind those that stand. SQLite copies every page that is changed after a savepoint, and hardly a job
// fails: so there is none. When one fails all the same, the transaction begins anew, those that stood before it run
// again, and for a while each job has a savepoint. The error that is returned spoils the whole group.
func (g *group) run(j *job) error {
	// A client that goes away must not interrupt a statement: SQLite would roll the others' work back with it.
	ctx := context.WithoutCancel(j.ctx)
	guarded := g.wary > 0 && len(g.standing) > 0
	if guarded {
		if err := g.exec(ctx, "savepoint job"); err != nil {
			return err
		}
	}
	j.tx = &Tx{Engine: SQLite, Now: g.d.Clock.Now(), on: g.conn}
	j.panic = safe.Try(func() error {
		j.err = j.fn(ctx, j.tx)
		return nil
	})
	failed := j.err != nil || j.panic != nil
	switch {
	case spoilsGroup(j.err):
		return j.err
	case failed && guarded:
		return g.exec(ctx, "rollback to savepoint job", "release savepoint job")
	case failed:
		return g.beginAnew(ctx)
	}
	g.standing = append(g.standing, j)
	if guarded {
		return g.exec(ctx, "release savepoint job")
	}
	return nil
}

// beginAnew undoes a job that had no savepoint.
func (g *group) beginAnew(ctx context.Context) error {
	before := g.standing
	g.standing = nil
	if len(before) > 0 {
		g.wary = wariness
	}
	err := g.exec(ctx, "rollback", "begin immediate")
	for _, j := range before {
		if err == nil {
			err = g.run(j) //nolint:contextcheck // a job has its caller's
		}
	}
	return err
}

func (w *writer) exec(ctx context.Context, statements ...string) error {
	for _, statement := range statements {
		if _, err := w.conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
