package learn

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"greenroom/internal/platform/clock"
)

const (
	// waysFor is how long what was counted is shown, to all who ask: it takes seconds in a large course.
	waysFor  = time.Minute
	mostWays = 1000
)

// ways holds what was counted of courses or lessons, and what is being counted.
type ways[T any] struct {
	mu sync.Mutex
	by map[string]*counted[T]
}

// counted is what came of counting, once it is done.
type counted[T any] struct {
	since time.Time
	done  chan struct{}
	way   T
	err   error
}

var errUncounted = errors.New("the counting came to no end")

// of gives what is known of a course. Who asks while it is counted waits for that; where it failed, the next one tries.
func (w *ways[T]) of(ctx context.Context, course string, c clock.Clock, count func(ctx context.Context, course string) (T, error)) (none T, err error) {
	for {
		one, first := w.join(course, c.Now())
		if first {
			defer w.end(course, one)
			one.way, one.err = count(ctx, course)
			return one.way, one.err
		}
		select {
		case <-one.done:
		case <-ctx.Done():
			return none, ctx.Err()
		}
		if one.err == nil {
			return one.way, nil
		}
	}
}

// join gives what is there of a course, or begins it.
func (w *ways[T]) join(course string, now time.Time) (one *counted[T], first bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if one, ok := w.by[course]; ok && (one.counting() || now.Sub(one.since) < waysFor) {
		return one, false
	}
	if w.by == nil {
		w.by = map[string]*counted[T]{}
	}
	if len(w.by) >= mostWays {
		maps.DeleteFunc(w.by, func(_ string, old *counted[T]) bool { return !old.counting() })
	}
	one = &counted[T]{since: now, done: make(chan struct{}), err: errUncounted}
	w.by[course] = one
	return one, true
}

// end lets those who wait go on. What failed is not kept.
func (w *ways[T]) end(course string, one *counted[T]) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if one.err != nil {
		delete(w.by, course)
	}
	close(one.done)
}

func (c *counted[T]) counting() bool {
	select {
	case <-c.done:
		return false
	default:
		return true
	}
}
