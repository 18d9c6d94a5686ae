package db

import (
	"context"
	"sync/atomic"
	"time"

	"greenroom/internal/platform/fault"
)

// How long anything here may take. A request has a deadline of its own (platform/web); these hold for whoever comes
// without one, and for what a deadline does not reach.
const (
	// connectionWait is how long a caller waits for a connection or for the writer, unless Options say otherwise.
	connectionWait = 2 * time.Second
	// callTime is how long a read or a write may take for a caller without a deadline, such as a worker.
	callTime = time.Minute
	// busyWait is how long SQLite tries for another process's lock. Callers give up before.
	busyWait = 5 * time.Second
	// mostWaiting is how many may wait at once for a connection or for the writer.
	mostWaiting = 2000
)

// line is those who wait for a connection or for the writer.
type line struct{ length atomic.Int64 }

// join enters the line, unless it is too long already.
func (l *line) join() (leave func(), err error) {
	if l.length.Add(1) > mostWaiting {
		l.length.Add(-1)
		return nil, crowded()
	}
	return func() { l.length.Add(-1) }, nil
}

func crowded() error {
	e := fault.New(fault.Unavailable, "The server is busy. Please try again in a moment.")
	e.RetryAfter = time.Second
	return e
}

// bounded gives a caller without a deadline one.
func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, has := ctx.Deadline(); has {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, callTime)
}
