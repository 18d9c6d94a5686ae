// Package db is the one way to the database. The same SQL text, with $1 parameters, runs on SQLite and on
// PostgreSQL; what differs between the two (opening, locking, error codes) ends in this package.
//
// Reads go through Read, writes through Write. On SQLite one goroutine writes: whatever waits is put into
// one transaction, and everybody is answered after the one commit.
// So a write is durable when it is answered, and a hundred of them cost one fsync. The function given to
// Write must therefore be short and must not wait for anything but the database.
package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/crowd"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/safe"
)

// Engine tells which database is open, for the few places where that matters.
type Engine string

// The two engines.
const (
	SQLite   Engine = "sqlite"
	Postgres Engine = "postgres"
)

// DB is an open database.
type DB struct {
	Engine Engine
	Clock  clock.Clock

	read  *sql.DB
	write *sql.DB
	wait  time.Duration
	// Who waits for a connection, and who for the writer.
	reading, writing *crowd.Line
	// answered is when a read last was, by the clock's count of time that has passed.
	answered  atomic.Int64
	committed commits

	// Of SQLite alone.
	path    string
	bulk    bool
	damaged atomic.Pointer[Damage]
	// unscrubbed says that somebody was erased since the last scrub.
	unscrubbed atomic.Bool
	jobs       chan *job
	quit       chan struct{}
	done       chan struct{}
	lock       *fileLock
}

// Options say what to open.
type Options struct {
	// URL is postgres://… ; empty means the SQLite file at Path.
	URL   string
	Path  string
	Clock clock.Clock
	// Exclusive claims the SQLite file for a server; the other commands work beside it.
	Exclusive bool
	// Bulk is for a command that may store much: it takes more memory, and lets SQLite's log grow longer before it is moved.
	Bulk bool
	// Name is what PostgreSQL's list of connections says of this process; "greenroom" when empty.
	Name string
	// Wait is how long a caller waits for a connection or for the writer before it is turned away; 2 s when zero.
	Wait time.Duration
	// Free tells how many bytes the disk of a folder still takes; FreeBytes when nil.
	Free func(path string) (int64, error)
	// Asked hears of every trip to the database, for tests that count them.
	Asked func(statement string)
}

// Open opens the database and checks that it answers.
func Open(ctx context.Context, o Options) (*DB, error) {
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
	if o.Free == nil {
		o.Free = FreeBytes
	}
	if o.Wait == 0 {
		o.Wait = connectionWait
	}
	if o.URL != "" {
		return openPostgres(ctx, o)
	}
	return openSQLite(ctx, o)
}

// Close waits for the writes under way and closes the database.
func (d *DB) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), scrubTime)
	defer cancel()
	err := d.scrubOnce(ctx)
	if d.jobs != nil {
		close(d.quit)
		<-d.done
	}
	err = errors.Join(err, d.read.Close(), d.write.Close())
	if d.lock != nil {
		err = errors.Join(err, d.lock.release())
	}
	return err
}

// answersFor is how long a database is believed to answer that did so.
const answersFor = time.Second

// Ping tells whether the database answers. Where so many ask that one more is turned away, it does as long as others are
// answered: a balancer that took this instance for dead would send the crowd to the next.
func (d *DB) Ping(ctx context.Context) error {
	query := "select 1"
	if d.Engine == SQLite {
		query = "select count(*) from sqlite_schema" // which reads the file
	}
	err := d.Read(ctx, func(ctx context.Context, tx *Tx) error {
		var n int
		return tx.QueryRow(ctx, query).Scan(&n)
	})
	if err != nil && fault.Of(err).Expected() && d.Clock.Passed()-time.Duration(d.answered.Load()) <= answersFor {
		return nil
	}
	return err
}

// Read runs fn on a connection that only reads. Each statement sees the newest committed data.
func (d *DB) Read(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	ctx, cancel := bounded(ctx)
	defer cancel()
	conn, err := d.connect(ctx, d.read, d.reading)
	if err != nil {
		return d.translate(err)
	}
	defer conn.Close()
	if err = fn(ctx, &Tx{Engine: d.Engine, Now: d.Clock.Now(), on: conn}); err == nil {
		d.answered.Store(int64(d.Clock.Passed()))
	}
	return d.translate(err)
}

// Look is Read for look-ups by key, which are over before anybody could interrupt them. On SQLite that spares each
// statement the two goroutines that would wait for the end of its context.
func (d *DB) Look(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	return d.Read(ctx, func(ctx context.Context, tx *Tx) error {
		if d.Engine == SQLite {
			ctx = context.WithoutCancel(ctx)
		}
		return fn(ctx, tx)
	})
}

// Write runs fn in a transaction and returns after the commit. An error of fn rolls all of it back. Where a transaction
// is undone for another's sake, fn runs again: it must not add to what it found outside of itself.
func (d *DB) Write(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	ctx, cancel := bounded(ctx)
	defer cancel()
	if d.Engine == SQLite {
		return d.translate(d.submit(ctx, d.wait, false, fn))
	}
	return d.translate(d.writePostgres(ctx, fn))
}

// Clear is Write for what gives room back: it is let through where the disk has too little for others.
func (d *DB) Clear(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	if d.Engine != SQLite {
		return d.Write(ctx, fn)
	}
	ctx, cancel := bounded(ctx)
	defer cancel()
	return d.translate(d.submit(ctx, d.wait, true, fn))
}

// writeSlowly is Write for what takes as long as it takes: a migration.
func (d *DB) writeSlowly(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	if d.Engine == SQLite {
		return d.translate(d.submit(ctx, busyWait, false, fn))
	}
	return d.translate(d.tryPostgres(ctx, fn))
}

// connect takes a connection out of the pool. Whoever waits too long for one is turned away.
func (d *DB) connect(ctx context.Context, pool *sql.DB, in *crowd.Line) (*sql.Conn, error) {
	place, err := in.Join(d.wait)
	if err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, place.Patience)
	defer cancel()
	conn, err := pool.Conn(waiting)
	switch {
	case err == nil:
		place.Served()
		return conn, nil
	case ctx.Err() == nil && waiting.Err() != nil:
		return nil, place.GaveUp()
	}
	place.Left()
	return nil, fmt.Errorf("connect: %w", err)
}

// Tx is what a statement runs on.
type Tx struct {
	Engine Engine
	// Now is the moment of this transaction, the same in all its statements.
	Now time.Time

	on interface {
		ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
		QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	}
	pg     *transaction // of PostgreSQL's writes alone
	after  []func()
	depth  int
	moment time.Time // see DatabaseNow
}

// Exec runs a statement and tells how many rows it touched.
func (t *Tx) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	if err := t.ready(ctx); err != nil {
		return 0, translate(err)
	}
	result, err := t.on.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, translate(err)
	}
	return result.RowsAffected()
}

// Query runs a query; the caller closes the rows.
func (t *Tx) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := t.ready(ctx); err != nil {
		return nil, translate(err)
	}
	rows, err := t.on.QueryContext(ctx, query, args...)
	return rows, translate(err)
}

// QueryRow runs a query of one row. Scan gives sql.ErrNoRows when there is none.
func (t *Tx) QueryRow(ctx context.Context, query string, args ...any) *Row {
	if err := t.ready(ctx); err != nil {
		return &Row{err: err}
	}
	return &Row{row: t.on.QueryRowContext(ctx, query, args...)}
}

// Row is a row whose errors are translated.
type Row struct {
	row *sql.Row
	err error
}

// Scan reads the row's columns.
func (r *Row) Scan(into ...any) error {
	if r.err != nil {
		return translate(r.err)
	}
	return translate(r.row.Scan(into...))
}

// AfterCommit runs fn once the transaction is durable, and never if it is rolled back.
func (t *Tx) AfterCommit(fn func()) { t.after = append(t.after, fn) }

// committed runs what waited for the commit. The work is done, so a panic in one of them stops none of the others.
func (t *Tx) committed() (failed error) {
	for _, after := range t.after {
		failed = errors.Join(failed, safe.Try(func() error { after(); return nil }))
	}
	return failed
}

// Savepoint runs fn so that its error undoes fn's statements and leaves the transaction usable.
func (t *Tx) Savepoint(ctx context.Context, fn func() error) error {
	t.depth++
	defer func() { t.depth-- }()
	name := "s" + strings.Repeat("i", t.depth)
	if _, err := t.Exec(ctx, "savepoint "+name); err != nil {
		return err
	}
	kept := len(t.after)
	if err := fn(); err != nil {
		t.after = t.after[:kept]
		if _, undo := t.Exec(ctx, "rollback to savepoint "+name); undo != nil {
			return errors.Join(err, undo)
		}
		_, release := t.Exec(ctx, "release savepoint "+name)
		return errors.Join(err, release)
	}
	_, err := t.Exec(ctx, "release savepoint "+name)
	return err
}

// Each calls fn for every row of a query.
func Each(ctx context.Context, tx *Tx, query string, args []any, fn func(scan func(into ...any) error) error) error {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	scan := rows.Scan // bound once, not for every row
	for rows.Next() {
		if err := fn(scan); err != nil {
			return err
		}
	}
	return translate(rows.Err())
}
