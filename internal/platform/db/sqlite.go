package db

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

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
	writes, err := openKeeping(sqliteDSN(o.Path, "rwc", cacheOf(o)), o.Asked)
	if err != nil {
		return nil, err
	}
	writes.SetMaxOpenConns(1)
	if err := writes.PingContext(ctx); err != nil {
		return nil, fmt.Errorf("the database file %s cannot be opened: %w", o.Path, err)
	}
	if err := os.Chmod(o.Path, 0o600); err != nil {
		return nil, fmt.Errorf("the database file cannot be made private: %w", err)
	}
	readers, err := openKeeping(sqliteDSN(o.Path, "ro", readerKilobytes), o.Asked)
	if err != nil {
		return nil, err
	}
	readers.SetMaxOpenConns(2 * runtime.GOMAXPROCS(0))
	readers.SetMaxIdleConns(2 * runtime.GOMAXPROCS(0))
	d := &DB{
		Engine: SQLite, Clock: o.Clock, read: readers, write: writes, lock: lock,
		path: o.Path, wait: o.Wait, bulk: o.Bulk, reading: newLine(), writing: newLine(),
		jobs: make(chan *job), quit: make(chan struct{}), done: make(chan struct{}),
	}
	conn, err := writes.Conn(ctx)
	if err != nil {
		return nil, err
	}
	safe.Go(slog.Default(), (&writer{d: d, conn: conn, disk: room{free: o.Free}}).run)
	return d, nil
}

// How many kilobytes of the file a connection keeps: a reader the upper pages of the indexes, for the kernel holds the rest
// for all of them; the writer what it changes. A command that stores much touches the same pages again and again, and is
// gone when that is done.
const readerKilobytes, cacheKilobytes, bulkKilobytes = 4_000, 16_000, 128_000

func cacheOf(o Options) int {
	if o.Bulk {
		return bulkKilobytes
	}
	return cacheKilobytes
}

// sqliteDSN fixes what must hold on every connection: WAL with a full sync, foreign keys, times as integers, and
// no double-quoted strings, so that a misspelt column is an error.
func sqliteDSN(path, mode string, cache int) string {
	q := url.Values{}
	q.Set("mode", mode)
	q.Set("_dqs", "0")
	q.Set("_time_integer_format", "unix_micro")
	for _, pragma := range []string{
		"busy_timeout(" + strconv.FormatInt(busyWait.Milliseconds(), 10) + ")", "journal_mode(wal)", "synchronous(full)", "foreign_keys(1)",
		"cache_size(-" + strconv.Itoa(cache) + ")", "temp_store(memory)", "trusted_schema(0)",
		"secure_delete(1)", // what is deleted leaves the file
		// The writer moves the log into the file by itself (checkpoint.go): SQLite would hide a disk's error in it.
		"wal_autocheckpoint(0)", "journal_size_limit(" + strconv.Itoa(logBytes) + ")",
	} {
		if mode == "ro" && pragma == "journal_mode(wal)" {
			continue
		}
		q.Add("_pragma", pragma)
	}
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: q.Encode()}).String()
}
