package db

import (
	"context"
	"time"

	"greenroom/internal/platform/crowd"
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
	// standingWait is how long one may have to wait where the line does not end; who would wait longer is turned away at once.
	standingWait = 150 * time.Millisecond
	// mostWaiting is how many may wait at once for a connection or for the writer.
	mostWaiting = 2000
)

// newLine is those who wait for a connection or for the writer.
func newLine() *crowd.Line {
	return &crowd.Line{Busy: "The server is busy. Please try again in a moment.", Most: mostWaiting, Moment: standingWait}
}

// bounded gives a caller without a deadline one.
func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, has := ctx.Deadline(); has {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, callTime)
}
