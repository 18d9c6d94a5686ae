package db

import (
	"context"
	"time"

	"greenroom/internal/platform/fault"
)

// besideTries is how often a long job asks for the writer before it gives up; each time it waits as long as anybody.
const besideTries = 15

// WriteBeside is Write for a long job of many writes, such as an import, that runs beside a server. On SQLite the file
// has one writer, and whoever always has the next write ready leaves others no gap: so while a server serves the file, it
// pauses after each write for as long as that one held it. A database that is busy is asked again for a while, so fn may run more than once.
func (d *DB) WriteBeside(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	for try := 1; ; try++ {
		var begun time.Time
		err := d.Write(ctx, func(ctx context.Context, tx *Tx) error {
			begun = time.Now() //nolint:forbidigo // how long the file was held is no business time
			return fn(ctx, tx)
		})
		if d.Engine == SQLite && !begun.IsZero() && served(d.path+".lock") {
			sleep(ctx, time.Since(begun))
		}
		if !fault.Is(err, fault.Unavailable) || try == besideTries || ctx.Err() != nil {
			return err
		}
		sleep(ctx, time.Duration(try)*10*time.Millisecond)
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
