package mail

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/safe"
)

// pace is how often and how long the worker does things.
type pace struct {
	poll     time.Duration // look for letters that other instances wrote, or that are due again
	lease    time.Duration // a sender that has not reported by then is dead
	grace    time.Duration // how long a letter under way may take after the stop was asked for
	retry    time.Duration // the first wait of a letter that the server put off; it doubles
	maxRetry time.Duration
	pause    time.Duration // the first wait after a server that does not answer; it doubles
	maxPause time.Duration
	attempts int           // after that many a letter is given up
	keep     time.Duration // how long the outbox remembers what is done
	sweep    time.Duration
}

// steady is the pace of the product. A letter that the server puts off is tried for about four days.
var steady = pace{
	poll: 2 * time.Second, lease: 3 * time.Minute, grace: 5 * time.Second,
	retry: 15 * time.Second, maxRetry: time.Hour, pause: time.Second, maxPause: 30 * time.Second,
	attempts: 100, keep: 30 * 24 * time.Hour, sweep: time.Hour,
}

// Where says where letters go, for the start-up log.
func (o *Outbox) Where() string { return o.sender.describe() }

// Run sends letters until the context ends, and then finishes the one under way. Any number of workers may run on
// one database.
func (o *Outbox) Run(ctx context.Context) {
	defer o.tidyLast(ctx)
	var sweeping safe.Group
	sweeping.Go(func() { safe.Keep(ctx, o.log, o.sweepUntil) })
	defer sweeping.Wait()
	poll := time.NewTicker(o.pace.poll)
	defer poll.Stop()
	failures := 0
	for {
		err := o.drain(ctx)
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			failures = 0
			select {
			case <-ctx.Done():
				return
			case <-poll.C:
			case <-o.kicked:
			}
			continue
		}
		wait := backoff(o.pace.pause, o.pace.maxPause, failures)
		failures++
		o.log.Warn("letters wait", "reason", err.Error(), "again_in", wait.Round(time.Millisecond))
		if !sleep(ctx, wait) {
			return
		}
	}
}

// drain sends every letter that is due over one connection. Its error is one that concerns all letters.
func (o *Outbox) drain(ctx context.Context) error {
	waiting := false
	err := o.db.Read(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		waiting, err = due(ctx, tx)
		return err
	})
	if err != nil || !waiting {
		return err
	}
	// A letter under way is finished even when the stop has been asked for.
	working, cancel := afterwards(ctx, o.pace.grace)
	defer cancel()
	out, err := o.sender.open(working)
	if err != nil {
		return errors.Join(err, o.db.Write(working, func(ctx context.Context, tx *db.Tx) error {
			return noteTrouble(ctx, tx, reasonOf(err))
		}))
	}
	defer func() { out.close() }()
	var done []outcome
	for {
		rows, err := o.next(working, done, out.many())
		if err != nil || len(rows) == 0 {
			return err
		}
		var intact bool
		if done, intact = o.deliverAll(ctx, working, out, rows); intact && ctx.Err() == nil {
			continue
		}
		o.Kick() // the rest goes over a fresh connection
		_, err = o.next(working, done, 0)
		return err
	}
}

// deliverAll sends letters until one fails or the stop is asked for; what is left then waits again.
func (o *Outbox) deliverAll(ctx, working context.Context, out session, rows []stored) (done []outcome, intact bool) {
	intact = true
	for i, row := range rows {
		if !intact || i > 0 && ctx.Err() != nil {
			done = append(done, func(ctx context.Context, tx *db.Tx, _ *db.Batch) error { return giveBack(ctx, tx, row) })
			continue
		}
		var said outcome
		said, intact = o.deliver(working, out, row)
		done = append(done, said)
	}
	return done, intact
}

// deliver sends one letter and says what is to be written down of it; intact says whether the connection is still good.
func (o *Outbox) deliver(ctx context.Context, out session, row stored) (said outcome, intact bool) {
	var m message
	err := safe.Try(func() (err error) {
		if m, err = o.compose(row); err == nil {
			err = out.send(ctx, m)
		}
		return err
	})
	if burst, ok := errors.AsType[*safe.Panic](err); ok {
		// It would do so again at every try, and the letters behind it would wait.
		o.log.Error("a letter panicked", "letter", row.ID, "kind", row.Kind, "stack", burst.Stack,
			"panic", reasonOf(fmt.Errorf("%v", burst.Value), m.secrets...))
		err = &refusal{"greenroom crashed while sending this email; the log says where"}
	}
	return o.report(row, m, err), err == nil
}

// outcome writes down what became of an attempt, in the batch where nothing has to be known before.
type outcome func(ctx context.Context, tx *db.Tx, b *db.Batch) error

func (o *Outbox) report(row stored, m message, came error) outcome {
	about := []any{"letter", row.ID, "kind", row.Kind, "attempt", row.Attempts}
	if came == nil {
		o.log.Info("letter sent", about...)
		return func(_ context.Context, tx *db.Tx, b *db.Batch) error { markSent(b, tx, row); return nil }
	}
	reason := reasonOf(came, m.secrets...)
	_, final := errors.AsType[*refusal](came)
	if !final && row.Attempts >= o.pace.attempts {
		final, reason = true, fmt.Sprintf("given up after %d tries; the last one: %s", row.Attempts, reason)
	}
	about = append(about, "reason", reason)
	if final {
		o.log.Error("letter failed", about...)
		return func(ctx context.Context, tx *db.Tx, _ *db.Batch) error { return o.markFailed(ctx, tx, row, reason) }
	}
	wait := backoff(o.pace.retry, o.pace.maxRetry, row.Attempts-1)
	o.log.Warn("letter put off", append(about, "again_in", wait.Round(time.Second))...)
	return func(ctx context.Context, tx *db.Tx, _ *db.Batch) error {
		return markWaiting(ctx, tx, row, wait, reason)
	}
}

func (o *Outbox) sweepUntil(ctx context.Context) {
	tick := time.NewTicker(o.pace.sweep)
	defer tick.Stop()
	for {
		_, err := o.Sweep(ctx)
		if err = errors.Join(err, o.tidy(ctx)); err != nil && ctx.Err() == nil {
			o.log.Warn("old letters were not swept", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-o.erased:
		}
	}
}

// tidyLast looks once more after the last letter: it may have been written while its person was erased.
func (o *Outbox) tidyLast(ctx context.Context) {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.pace.grace)
	defer cancel()
	if err := o.tidy(last); err != nil {
		o.log.Warn("the folder for letters was not tidied", "error", err)
	}
}

// Sweep forgets letters that were sent or given up a month ago.
func (o *Outbox) Sweep(ctx context.Context) (int64, error) {
	return o.db.Sweep(ctx, old(o.db.Clock.Now().Add(-o.pace.keep)))
}

// backoff doubles with every failure, up to a limit, and spreads by a fifth so that instances do not march in step.
func backoff(first, most time.Duration, failures int) time.Duration {
	wait := first
	for range min(failures, 30) {
		if wait *= 2; wait >= most {
			wait = most
			break
		}
	}
	return time.Duration(float64(wait) * (0.8 + 0.4*rand.Float64())) //nolint:gosec // jitter is no secret
}

func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// afterwards is a context that outlives its parent by a while.
func afterwards(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, safe.Func(slog.Default(), func() { time.AfterFunc(d, cancel) }))
	return longer, func() { stop(); cancel() }
}
