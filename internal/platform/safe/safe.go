// Package safe starts goroutines. A panic in a goroutine that nobody guards ends the whole process, so this is the one
// place that starts them: here a panic is caught, told with its stack, and either stays where it happened (Go, Keep)
// or comes out again where somebody waits for the work (Group, Try).
package safe

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

// Panic is what a piece of work panicked with, and where.
type Panic struct {
	Value any
	Stack string
}

func (p *Panic) Error() string { return fmt.Sprintf("panic: %v\n%s", p.Value, p.Stack) }

// Try runs fn and gives a panic in it as its error.
func Try(fn func() error) (err error) {
	defer func() {
		switch found := recover().(type) {
		case nil:
		case *Panic: // it has the stack of the place where it began
			err = found
		default:
			err = &Panic{Value: found, Stack: string(debug.Stack())}
		}
	}()
	return fn()
}

// Func gives fn in a form that never panics: the log is told instead. It is for callbacks that others run in a
// goroutine of their own.
func Func(log *slog.Logger, fn func()) func() {
	return func() {
		if err := Try(func() error { fn(); return nil }); err != nil {
			log.Error("panic", "error", err)
		}
	}
}

// Go runs fn in a goroutine of its own. A panic ends that goroutine only.
func Go(log *slog.Logger, fn func()) { go Func(log, fn)() }

// A worker that keeps panicking is started again ever more slowly.
const (
	firstPause = 100 * time.Millisecond
	mostPause  = time.Minute
)

// Keep runs a worker until it returns or the context ends. One that panics is started again.
func Keep(ctx context.Context, log *slog.Logger, worker func(ctx context.Context)) {
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		begun := time.Now() //nolint:forbidigo // how long a worker held out is no business time
		err := Try(func() error { worker(ctx); return nil })
		if err == nil {
			return
		}
		if time.Since(begun) > mostPause {
			pause = firstPause
		}
		log.ErrorContext(ctx, "a worker panicked and starts again", "error", err, "again_in", pause)
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// Group runs pieces of one work side by side. A panic in one of them comes out of Wait.
type Group struct {
	all   sync.WaitGroup
	mu    sync.Mutex
	first error
}

// Go runs fn beside the others.
func (g *Group) Go(fn func()) {
	g.all.Go(func() {
		if err := Try(func() error { fn(); return nil }); err != nil {
			g.mu.Lock()
			defer g.mu.Unlock()
			if g.first == nil {
				g.first = err
			}
		}
	})
}

// Wait waits for all pieces, and panics if one of them did.
func (g *Group) Wait() {
	g.all.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.first != nil {
		panic(g.first)
	}
}
