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
	// clears says that it gives room back.
	clears bool
	// taken is set once, by the writer that begins the job or by the caller who gives up before that.
	taken atomic.Bool
}

// take tells whether the job is still to be had: nobody runs it and nobody gave it up.
func (j *job) take() bool { return j.taken.CompareAndSwap(false, true) }

// submit has the writer run fn. Whoever waits too long for it gives up: while another process holds the file's lock,
// all who wait are turned away at their own time, not one after the other.
func (d *DB) submit(ctx context.Context, wait time.Duration, clears bool, fn func(ctx context.Context, tx *Tx) error) error {
	place, err := d.writing.Join(wait)
	if err != nil {
		return err
	}
	j := &job{ctx: ctx, fn: fn, done: make(chan struct{}), clears: clears}
	late := time.NewTimer(place.Patience)
	defer late.Stop()
	select {
	case d.jobs <- j:
	case <-late.C:
		return place.GaveUp()
	case <-ctx.Done():
		place.Left()
		return ctx.Err()
	case <-d.quit:
		place.Left()
		return fault.New(fault.Unavailable, "The server is stopping. Please try again.")
	}
	select {
	case <-j.done:
	case <-late.C:
		if j.take() {
			return place.GaveUp()
		}
	case <-ctx.Done():
		if j.take() {
			place.Left()
			return ctx.Err()
		}
	}
	<-j.done // it has begun, and what is begun is finished
	place.Served()
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
	disk room
	// wary is for how many groups yet every job has a savepoint.
	wary int
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
