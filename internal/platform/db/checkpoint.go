package db

import (
	"context"
	"fmt"
	"os"
	"time"
)

// Bounds of the write-ahead log. Beyond logBytes a checkpoint waits for the readers of older data instead of working
// around them, for as long as restartWait: while readers overlap, no other way lets the log begin anew.
const (
	logPages    = 1000 // moved into the file when that many are not in it yet
	logBytes    = 16 << 20
	bulkLog     = 8 // times that for a command that stores much: pages that it writes again and again are moved once
	restartWait = 250 * time.Millisecond
	retryAfter  = 2 * time.Second
)

// lookAtLog tells how long the log is, and moves nothing.
const lookAtLog = "pragma wal_checkpoint(noop)"

// walState is what the writer knows of the log.
type walState struct {
	// tried is the log's size at the last checkpoint that could not begin the log anew; the next try is a quarter later.
	tried int64
	// again comes when a try is due though nobody writes.
	again <-chan time.Time
}

// checkpoint moves the log into the file, and begins the log anew when it has become too long. It runs between two
// groups, so nobody but those who read old data holds it up.
func (w *writer) checkpoint() {
	ctx := context.Background()
	var busy, inLog, moved int64
	err := w.conn.QueryRowContext(ctx, lookAtLog).Scan(&busy, &inLog, &moved)
	mostPages, mostBytes := int64(logPages), int64(logBytes)
	if w.d.bulk {
		mostPages, mostBytes = bulkLog*mostPages, bulkLog*mostBytes
	}
	if err == nil && inLog-moved >= mostPages {
		err = w.conn.QueryRowContext(ctx, "pragma wal_checkpoint(passive)").Scan(&busy, &inLog, &moved)
	}
	if size := w.logSize(); err == nil && size > mostBytes && size > w.log.tried+mostBytes/4 {
		w.log.tried = size
		if err = w.restart(ctx); err == nil && w.logSize() <= mostBytes {
			w.log = walState{}
		} else {
			w.log.again = time.After(retryAfter)
		}
	}
	stopOnBrokenDisk(err) // anything else is met again by the next write, which answers for it
}

func (w *writer) restart(ctx context.Context) error {
	var busy, inLog, moved int64
	wait := fmt.Sprintf("pragma busy_timeout = %d", restartWait.Milliseconds())
	if err := w.conn.QueryRowContext(ctx, wait).Scan(&busy); err != nil {
		return err
	}
	err := w.conn.QueryRowContext(ctx, "pragma wal_checkpoint(truncate)").Scan(&busy, &inLog, &moved)
	wait = fmt.Sprintf("pragma busy_timeout = %d", busyWait.Milliseconds())
	if again := w.conn.QueryRowContext(ctx, wait).Scan(&busy); err == nil {
		err = again
	}
	return err
}

func (w *writer) logSize() int64 {
	info, err := os.Stat(w.d.path + "-wal")
	if err != nil {
		return 0
	}
	return info.Size()
}
