package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/safe"
)

// job is one request's write on its way through the writer.
type job struct {
	ctx   context.Context
	fn    func(ctx context.Context, tx *Tx) error
	tx    *Tx
	err   error
	panic error // what fn panicked with, for its caller to go on with
	done  chan struct{}
	// taken is set once, by the writer that begins the job or by the caller who gives up before that.
	taken atomic.Bool
}

// take tells whether the job is still to be had: nobody runs it and nobody gave it up.
func (j *job) take() bool { return j.taken.CompareAndSwap(false, true) }

// Bounds of one group: long enough to share the fsync, short enough that nobody waits for strangers.
const (
	groupJobs = 256
	groupTime = 20 * time.Millisecond
)

// submit has the writer run fn. Whoever waits too long for it gives up: while another process holds the file's lock,
// all who wait are turned away at their own time, not one after the other.
func (d *DB) submit(ctx context.Context, wait time.Duration, fn func(ctx context.Context, tx *Tx) error) error {
	leave, err := d.writing.join()
	if err != nil {
		return err
	}
	defer leave()
	j := &job{ctx: ctx, fn: fn, done: make(chan struct{})}
	late := time.NewTimer(wait)
	defer late.Stop()
	select {
	case d.jobs <- j:
	case <-late.C:
		return crowded()
	case <-ctx.Done():
		return ctx.Err()
	case <-d.quit:
		return fault.New(fault.Unavailable, "The server is stopping. Please try again.")
	}
	select {
	case <-j.done:
	case <-late.C:
		if j.take() {
			return crowded()
		}
	case <-ctx.Done():
		if j.take() {
			return ctx.Err()
		}
	}
	<-j.done // it has begun, and what is begun is finished
	if j.panic != nil {
		panic(j.panic)
	}
	return j.err
}

// writer is the one goroutine that writes to a SQLite file.
type writer struct {
	d    *DB
	conn *sql.Conn
	log  walState
}

func (w *writer) run() {
	defer close(w.d.done)
	defer w.conn.Close()
	checkpoint := safe.Func(slog.Default(), w.checkpoint)
	for {
		select {
		case first := <-w.d.jobs:
			w.group(first)
			checkpoint()
		case <-w.log.again:
			w.log = walState{}
			checkpoint()
		case <-w.d.quit:
			return
		}
	}
}

// group runs the first job and all that wait behind it in one transaction and answers them after its commit.
func (w *writer) group(first *job) {
	ctx := context.Background()
	begun := time.Now() //nolint:forbidigo // how long a group may run is no business time
	group := []*job{first}
	// A panic in here that is no job's own is the driver's: it fails the group, and the writer goes on.
	err := safe.Try(func() error {
		_, err := w.conn.ExecContext(ctx, "begin immediate")
		for next := first; err == nil; {
			if next.take() {
				if err = w.runJob(next, next == first); err != nil { //nolint:contextcheck // a job has its caller's
					break
				}
			}
			next = nil
			if len(group) < groupJobs && time.Since(begun) < groupTime {
				select {
				case next = <-w.d.jobs:
					group = append(group, next)
				default:
				}
			}
			if next == nil {
				_, err = w.conn.ExecContext(ctx, "commit")
				break
			}
		}
		return err
	})
	if err != nil {
		_, _ = w.conn.ExecContext(ctx, "rollback")
		stopOnBrokenDisk(err)
	}
	w.d.committed.count(len(group), time.Since(begun))
	for _, j := range group {
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

// runJob runs one job in its savepoint; the first of a group needs none, for there is nothing before it to keep. The
// error it returns is one that spoils the whole group.
func (w *writer) runJob(j *job, first bool) error {
	// A client that goes away must not interrupt a statement: SQLite would roll the others' work back with it.
	ctx := context.WithoutCancel(j.ctx)
	j.tx = &Tx{Engine: SQLite, Now: w.d.Clock.Now(), on: w.conn}
	if !first {
		if err := w.exec(ctx, "savepoint job"); err != nil {
			return err
		}
	}
	j.panic = safe.Try(func() error {
		j.err = j.fn(ctx, j.tx)
		return nil
	})
	failed := j.err != nil || j.panic != nil
	switch {
	case spoilsGroup(j.err):
		return j.err
	case failed && first:
		return w.exec(ctx, "rollback", "begin immediate")
	case failed:
		return w.exec(ctx, "rollback to savepoint job", "release savepoint job")
	case first:
		return nil
	}
	return w.exec(ctx, "release savepoint job")
}

func (w *writer) exec(ctx context.Context, statements ...string) error {
	for _, statement := range statements {
		if _, err := w.conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// spoilsGroup tells whether SQLite may have rolled back the whole transaction by itself.
func spoilsGroup(err error) bool {
	lite, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	switch lite.Code() & 0xff {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_INTERRUPT,
		sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return true
	}
	return false
}

// stopOnBrokenDisk ends the process after a failed fsync: what the kernel then holds is unknown, and only a
// fresh start, which reads the log again, tells what is durable.
func stopOnBrokenDisk(err error) {
	lite, ok := errors.AsType[*sqlite.Error](err)
	if ok && (lite.Code() == sqlite3.SQLITE_IOERR_FSYNC || lite.Code() == sqlite3.SQLITE_IOERR_DIR_FSYNC) {
		fmt.Fprintln(os.Stderr, "greenroom: the disk refused to store a write (fsync failed); stopping so that a restart reads what is durable")
		os.Exit(1)
	}
}
