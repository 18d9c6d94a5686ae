package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/safe"
)

func openSQLite(ctx context.Context, o Options) (*DB, error) {
	if err := os.MkdirAll(filepath.Dir(o.Path), 0o700); err != nil {
		return nil, fmt.Errorf("the data folder cannot be made: %w", err)
	}
	var lock *fileLock
	if o.Exclusive {
		claimed, err := claim(o.Path + ".lock")
		if err != nil {
			return nil, err
		}
		lock = claimed
	}
	writer, err := sql.Open("sqlite", sqliteDSN(o.Path, "rwc"))
	if err != nil {
		return nil, err
	}
	writer.SetMaxOpenConns(1)
	if err := writer.PingContext(ctx); err != nil {
		return nil, fmt.Errorf("the database file %s cannot be opened: %w", o.Path, err)
	}
	if err := os.Chmod(o.Path, 0o600); err != nil {
		return nil, fmt.Errorf("the database file cannot be made private: %w", err)
	}
	readers, err := sql.Open("sqlite", sqliteDSN(o.Path, "ro"))
	if err != nil {
		return nil, err
	}
	readers.SetMaxOpenConns(2 * runtime.NumCPU())
	readers.SetMaxIdleConns(2 * runtime.NumCPU())
	d := &DB{
		Engine: SQLite, Clock: o.Clock, read: readers, write: writer, lock: lock,
		jobs: make(chan *job), quit: make(chan struct{}), done: make(chan struct{}),
	}
	conn, err := writer.Conn(ctx)
	if err != nil {
		return nil, err
	}
	safe.Go(slog.Default(), func() { d.writeLoop(conn) }) //nolint:contextcheck // the writer outlives the call that opened the database
	return d, nil
}

// sqliteDSN fixes what must hold on every connection: WAL with a full sync, foreign keys, times as integers, and
// no double-quoted strings, so that a misspelt column is an error.
func sqliteDSN(path, mode string) string {
	q := url.Values{}
	q.Set("mode", mode)
	q.Set("_dqs", "0")
	q.Set("_time_integer_format", "unix_micro")
	for _, pragma := range []string{
		"busy_timeout(5000)", "journal_mode(wal)", "synchronous(full)", "foreign_keys(1)",
		"cache_size(-16000)", "temp_store(memory)", "trusted_schema(0)",
	} {
		if mode == "ro" && pragma == "journal_mode(wal)" {
			continue
		}
		q.Add("_pragma", pragma)
	}
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: q.Encode()}).String()
}

// job is one request's write on its way through the writer.
type job struct {
	ctx   context.Context
	fn    func(ctx context.Context, tx *Tx) error
	tx    *Tx
	err   error
	panic error // what fn panicked with, for its caller to go on with
	done  chan struct{}
}

// Bounds of one group: long enough to share the fsync, short enough that nobody waits for strangers.
const (
	groupJobs = 256
	groupTime = 20 * time.Millisecond
)

func (d *DB) submit(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	j := &job{ctx: ctx, fn: fn, done: make(chan struct{})}
	select {
	case d.jobs <- j:
	case <-ctx.Done():
		return ctx.Err()
	case <-d.quit:
		return fault.New(fault.Unavailable, "The server is stopping. Please try again.")
	}
	<-j.done
	if j.panic != nil {
		panic(j.panic)
	}
	return j.err
}

func (d *DB) writeLoop(conn *sql.Conn) {
	defer close(d.done)
	defer conn.Close()
	for {
		select {
		case first := <-d.jobs:
			d.writeGroup(conn, first)
		case <-d.quit:
			return
		}
	}
}

// writeGroup runs the first job and all that wait behind it in one transaction and answers them after its commit.
func (d *DB) writeGroup(conn *sql.Conn, first *job) {
	ctx := context.Background()
	begun := time.Now() //nolint:forbidigo // how long a group may run is no business time
	group := []*job{first}
	// A panic in here that is no job's own is the driver's: it fails the group, and the writer goes on.
	err := safe.Try(func() error {
		_, err := conn.ExecContext(ctx, "begin immediate")
		for next := first; err == nil; {
			if err = d.runJob(conn, next); err != nil {
				break
			}
			next = nil
			if len(group) < groupJobs && time.Since(begun) < groupTime {
				select {
				case next = <-d.jobs:
					group = append(group, next)
				default:
				}
			}
			if next == nil {
				_, err = conn.ExecContext(ctx, "commit")
				break
			}
		}
		return err
	})
	if err != nil {
		_, _ = conn.ExecContext(ctx, "rollback")
		stopOnBrokenDisk(err)
	}
	for _, j := range group {
		if err != nil {
			j.err = err
		} else if j.err == nil && j.panic == nil {
			j.panic = j.tx.committed()
		}
		close(j.done)
	}
}

// runJob runs one job in its savepoint. The error it returns is one that spoils the whole group.
func (d *DB) runJob(conn *sql.Conn, j *job) error {
	// A client that goes away must not interrupt a statement: SQLite would roll the others' work back with it.
	ctx := context.WithoutCancel(j.ctx)
	j.tx = &Tx{Engine: SQLite, Now: d.Clock.Now(), on: conn}
	if _, err := conn.ExecContext(ctx, "savepoint job"); err != nil {
		return err
	}
	j.panic = safe.Try(func() error {
		j.err = j.fn(ctx, j.tx)
		return nil
	})
	if spoilsGroup(j.err) {
		return j.err
	}
	if j.err != nil || j.panic != nil {
		if _, err := conn.ExecContext(ctx, "rollback to savepoint job"); err != nil {
			return err
		}
	}
	_, err := conn.ExecContext(ctx, "release savepoint job")
	return err
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
