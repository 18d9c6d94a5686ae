// Package crowd decides who may wait for something that is scarce: the writer, a connection, a core to hash on. All of them
// have the same rules, so that an overload is met in one place:
//
//   - A rush is let in. Whoever comes waits as long as the owner of the line allows, since it will be over soon.
//   - A line that has not ended for that long is no rush. Whoever would not be served within a moment is turned away at
//     once, with the time after which to come back; so those who are let in do not wait, and as much is done as before.
//   - Where nobody at all was served, one at a time may try whether that has changed.
//
// This is the controlled delay of queues in routers: a line that empties now and then absorbs, one that stands only delays.
// The cores themselves are watched by the same rules.
package crowd

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/fault"
)

// Line is those who wait for one thing. The zero value is of use once it is named.
type Line struct {
	// Busy is the sentence for those who are turned away.
	Busy string
	// Most is how many may wait at once.
	Most int64
	// Moment is how long one is expected to wait, at most, who is let into a line that stands. Things may go slower than they
	// went: whoever is in waits up to twice as long before giving up, since they have no use for a late refusal.
	Moment time.Duration
	// Clock is the machine's when nil.
	Clock clock.Clock

	length, served, refused atomic.Int64
	// stands is since when somebody waits behind another, in nanoseconds of the clock; 0 while nobody does.
	stands atomic.Int64
	// stood is when it was last found to be no rush: for as long as a rush may take, what follows is none either. Else those who
	// give up together would make room for the next crowd, to wait as long in vain.
	stood atomic.Int64
	// stuck is set while nobody is served.
	stuck atomic.Bool

	// pace is how many are served in a second, as last measured; it is measured from the mark on.
	mu           sync.Mutex
	pace         float64
	marked       time.Duration
	servedAtMark int64
}

// Place is one caller's in the line.
type Place struct {
	in *Line
	// Patience is how long to wait; then call GaveUp.
	Patience time.Duration
	before   int64 // how many had been served when it came
}

// Length is how many wait.
func (l *Line) Length() int64 { return l.length.Load() }

// Refused is how many were turned away so far, at once or after they had waited.
func (l *Line) Refused() int64 { return l.refused.Load() }

// Join enters the line, unless that is in vain. A caller that waits at most for the given time leaves the line by one of
// Served, GaveUp and Left.
func (l *Line) Join(most time.Duration) (Place, error) {
	length := l.length.Add(1)
	p := Place{in: l, Patience: most, before: l.served.Load()}
	if length == 1 {
		return p, nil // most find nobody before them, and need no clock
	}
	switch {
	case length > l.Most, l.stuck.Load():
		l.leave()
		return Place{}, l.refusal()
	case !l.standing(most):
		return p, nil
	case !l.soon(length - 1):
		l.leave()
		return Place{}, l.refusal()
	}
	p.Patience = min(most, 2*l.Moment)
	return p, nil
}

// Refuses tells whether Join would turn somebody away now, for those who have more to do before they wait: they are told at once.
func (l *Line) Refuses(most time.Duration) error {
	length := l.length.Load()
	inVain := length > 0 && (length >= l.Most || l.stuck.Load())
	if inVain || length > 1 && l.standing(most) && !l.soon(length) {
		return l.refusal()
	}
	return nil
}

// Turn waits for one of the turns, at most for the given time, and gives what ends it.
func (l *Line) Turn(ctx context.Context, turns chan struct{}, most time.Duration) (end func(), err error) {
	place, err := l.Join(most)
	if err != nil {
		return nil, err
	}
	late := time.NewTimer(place.Patience)
	defer late.Stop()
	select {
	case turns <- struct{}{}:
		place.Served()
		return sync.OnceFunc(func() { <-turns }), nil
	case <-ctx.Done():
		place.Left()
		return nil, ctx.Err()
	case <-late.C:
		return nil, place.GaveUp()
	}
}

// Served leaves the line with what was waited for.
func (p Place) Served() {
	p.in.served.Add(1)
	if p.in.stuck.Load() {
		p.in.stuck.Store(false)
	}
	p.in.leave()
}

// GaveUp leaves the line because the wait was too long, and gives the refusal.
func (p Place) GaveUp() error {
	if p.in.served.Load() == p.before {
		p.in.stuck.Store(true)
	}
	p.in.leave()
	return p.in.refusal()
}

// Left leaves the line for another reason, say because the client is gone.
func (p Place) Left() { p.in.leave() }

func (l *Line) leave() {
	if l.length.Add(-1) <= 1 {
		l.stands.Store(0)
	}
}

func (l *Line) refusal() error {
	l.refused.Add(1)
	e := fault.New(fault.Unavailable, l.Busy)
	e.RetryAfter = time.Second
	return e
}

func (l *Line) passed() time.Duration {
	if l.Clock == nil {
		return clock.System{}.Passed()
	}
	return l.Clock.Passed()
}

// standing tells whether the line has not ended for as long as a rush may take.
func (l *Line) standing(rush time.Duration) bool {
	now := l.passed() + 1 // 0 says that nobody waits behind another
	if l.stands.CompareAndSwap(0, int64(now)) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.marked, l.servedAtMark = now, l.served.Load()
	}
	stood := time.Duration(l.stood.Load())
	if now-time.Duration(l.stands.Load()) <= rush && (stood == 0 || now-stood > rush) {
		return false
	}
	l.stood.Store(int64(now))
	return true
}

// soon tells whether somebody with so many before them is served within a moment, as things go.
func (l *Line) soon(before int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now, served := l.passed(), l.served.Load()
	if span := now - l.marked; span >= l.Moment {
		l.pace = float64(served-l.servedAtMark) / span.Seconds()
		l.marked, l.servedAtMark = now, served
	}
	return float64(before) <= max(1, l.pace*l.Moment.Seconds()) // with one before it, nobody knows better
}
