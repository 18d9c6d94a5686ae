package db

import (
	"context"
	"time"

	"greenroom/internal/platform/fault"
)

// besideTries is how often a long job asks a busy database before it gives up; each time it waits as long as anybody, and
// besideAgain longer before it asks again, since it may be turned away at once.
const (
	besideTries = 15
	besideAgain = 100 * time.Millisecond
)

// besidePause is how long a long job leaves the file to others between two writes. Whoever waits for it looks again at
// least every 100 ms (SQLite's busy handler), so one pause lets all of them in.
const besidePause = 120 * time.Millisecond

// WriteBeside is Write for a long job of many writes, such as an import, that runs beside a server. On SQLite the file
// has one writer, and whoever always has the next write ready leaves others no gap: so while a server serves the file, it
// pauses after each write, for as long as that one held it or until everybody had a look. A database that is busy is asked
// again for a while, so fn may run more than once.
func (d *DB) WriteBeside(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	return d.writeBeside(ctx, new(Stride), fn)
}

// Stride is how many rows of a long job go into its next transaction: as many as took about strideTime the last time, so
// that nobody waits longer for them on a slow machine, and a fast one does not spend its time on commits.
type Stride struct{ rows int }

const (
	strideTime               = 200 * time.Millisecond
	fewestRows, mostRows     = 50, 5000
	strideGrowth, strideFall = 1.4, 0.5
)

// Rows is the number.
func (s *Stride) Rows() int { return max(s.rows, fewestRows) }

// took goes by the last transaction. It grows slowly, for the first that is too long is somebody's wait.
func (s *Stride) took(held time.Duration) {
	by := strideTime.Seconds() / max(held.Seconds(), 0.001)
	s.rows = min(max(int(float64(s.Rows())*min(max(by, strideFall), strideGrowth)), fewestRows), mostRows)
}

// WriteStride is WriteBeside for a transaction of as many rows as the stride says.
func (d *DB) WriteStride(ctx context.Context, s *Stride, fn func(ctx context.Context, tx *Tx) error) error {
	return d.writeBeside(ctx, s, fn)
}

func (d *DB) writeBeside(ctx context.Context, s *Stride, fn func(ctx context.Context, tx *Tx) error) error {
	for try := 1; ; try++ {
		var begun time.Time
		err := d.Write(ctx, func(ctx context.Context, tx *Tx) error {
			begun = time.Now() //nolint:forbidigo // how long the file was held is no business time
			return fn(ctx, tx)
		})
		if !begun.IsZero() {
			held := time.Since(begun)
			s.took(held)
			if d.Engine == SQLite && served(d.path+".lock") {
				sleep(ctx, min(held, besidePause))
			}
		}
		if !fault.Is(err, fault.Unavailable) || try == besideTries || ctx.Err() != nil {
			return err
		}
		sleep(ctx, time.Duration(try)*besideAgain)
	}
}

// ReadBeside is Read for one of the many pages of a long answer: where visitors are turned away, what has begun goes on. fn may
// run more than once.
func (d *DB) ReadBeside(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	for try := 1; ; try++ {
		err := d.Read(ctx, fn)
		if !fault.Is(err, fault.Unavailable) || try == besideTries || ctx.Err() != nil {
			return err
		}
		sleep(ctx, time.Duration(try)*besideAgain)
	}
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
