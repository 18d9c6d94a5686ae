package video

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/safe"
)

// Run prepares videos, one at a time, and sweeps, until the context ends. Any number of instances may run on one database.
func (s *Service) Run(ctx context.Context) {
	poll, sweep := time.NewTicker(s.pace.poll), time.NewTicker(s.pace.sweep)
	defer poll.Stop()
	defer sweep.Stop()
	s.tidy(ctx)
	for ctx.Err() == nil {
		worked, err := s.next(ctx)
		if err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "videos wait", "error", err)
		}
		if worked && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
		case <-poll.C:
		case <-s.kicked:
		case <-sweep.C:
			s.tidy(ctx)
		}
	}
}

func (s *Service) tidy(ctx context.Context) {
	if err := s.Sweep(ctx); err != nil && ctx.Err() == nil {
		s.Log.WarnContext(ctx, "videos were not swept", "error", err)
	}
}

// next takes a job and does it, if there is one and this instance may.
func (s *Service) next(ctx context.Context) (worked bool, err error) {
	if s.Off || !s.Tools.There() {
		return false, nil
	}
	var j job
	err = s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error { // a look is cheaper than a write, and there is mostly nothing
		now, err := tx.DatabaseNow(ctx)
		if err != nil {
			return err
		}
		return db.Each(ctx, tx, foremost, []any{db.At(now)}, func(func(...any) error) error { worked = true; return nil })
	})
	if err != nil || !worked {
		return false, err
	}
	err = s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		j, worked, err = claim(ctx, tx, s.pace.lease)
		return err
	})
	if err != nil || !worked {
		return false, err
	}
	return true, s.report(ctx, j, s.work(ctx, j))
}

// work does a job while its lease is ours. What it was stopped by is its error.
func (s *Service) work(ctx context.Context, j job) error {
	if j.Attempts > len(s.pace.again)+1 { // those who had it before did not live to tell
		return fault.New(fault.Invalid, "This video could not be prepared: whoever tried did not come to an end.")
	}
	doing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var percent atomic.Int64
	var beside safe.Group
	beside.Go(func() { s.keep(doing, j, &percent, stop) })
	err := safe.Try(func() error { return s.steps(doing, j, func(n float64) { percent.Store(int64(n)) }) })
	if cause := context.Cause(doing); cause != nil && ctx.Err() == nil {
		err = errors.Join(cause, err)
	}
	stop(nil)
	beside.Wait()
	return err
}

// keep renews the lease until the work is done. A lease that is lost, or may be, ends the work.
func (s *Service) keep(ctx context.Context, j job, percent *atomic.Int64, stop context.CancelCauseFunc) {
	tick := time.NewTicker(s.pace.renew)
	defer tick.Stop()
	silent := time.Duration(0)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		bounded, cancel := context.WithTimeout(ctx, s.pace.renew)
		err := s.DB.Write(bounded, func(ctx context.Context, tx *db.Tx) error {
			return j.renew(ctx, tx, s.pace.lease, int(percent.Load()))
		})
		cancel()
		if err == nil {
			silent = 0
			continue
		}
		// A try takes as long as the wait before it, at most.
		if silent += 2 * s.pace.renew; errors.Is(err, errLost) || silent+2*s.pace.renew > s.pace.lease {
			stop(errLost)
			return
		}
	}
}

// reportTime bounds what is written down after the work, though the stop was asked for.
const reportTime = 10 * time.Second

// report writes down what became of a job.
func (s *Service) report(ctx context.Context, j job, came error) error {
	stopped := ctx.Err() != nil
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reportTime)
	defer cancel()
	about := []any{"video", j.Video, "job", j.ID, "attempt", j.Attempts}
	sentence, detail := words(came)
	var outcome func(ctx context.Context, tx *db.Tx) error
	switch {
	case came == nil:
		s.Log.InfoContext(ctx, "video prepared", about...)
		return nil // the last step has said so
	case errors.Is(came, errPatient):
		s.Log.InfoContext(ctx, "a long film lets others go first", about...)
		return nil
	case errors.Is(came, errLost):
		s.Log.WarnContext(ctx, "a video was taken from this worker", about...)
		return nil
	case stopped:
		outcome = j.giveBack
	case fault.Is(came, fault.NotFound):
		outcome = func(ctx context.Context, tx *db.Tx) error { return j.end(ctx, tx, Cancelled, sentence, "") }
	case fault.Is(came, fault.Invalid), j.Attempts > len(s.pace.again):
		s.Log.ErrorContext(ctx, "video failed", append(about, "reason", sentence, "error", came)...)
		outcome = func(ctx context.Context, tx *db.Tx) error {
			if err := j.end(ctx, tx, Failed, sentence, detail); err != nil {
				return err
			}
			if !fault.Is(came, fault.Invalid) {
				return nil // our own trouble: what plays goes on playing
			}
			_, err := tx.Exec(ctx, "update videos set state = 'refused', problem = $2 where id = $1 and state = 'waiting'", j.Video, sentence)
			return err
		}
	default:
		wait := s.pace.again[j.Attempts-1]
		s.Log.WarnContext(ctx, "video put off", append(about, "error", came, "again_in", wait)...)
		outcome = func(ctx context.Context, tx *db.Tx) error { return j.putOff(ctx, tx, wait, sentence, detail) }
	}
	err := s.DB.Write(ctx, outcome)
	if errors.Is(err, errLost) {
		return nil
	}
	return err
}

// words are what people read of a failure, and what admins can look into.
func words(err error) (sentence, detail string) {
	if err == nil {
		return "", ""
	}
	sentence = "Something went wrong while this video was prepared. We’ll try again automatically."
	if fault.Of(err).Kind != fault.Internal {
		sentence = fault.Of(err).Message
	}
	detail = err.Error()
	if f, ok := errors.AsType[*failure](err); ok {
		detail = fmt.Sprintf("%s\n%s", detail, f.said)
	}
	detail = detail[:min(len(detail), toldBytes)]
	return sentence, strings.ToValidUTF8(strings.ReplaceAll(detail, "\x00", ""), "")
}
