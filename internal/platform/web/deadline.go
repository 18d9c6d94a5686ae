package web

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

type clientKey struct{}

// hurried is a client's context with the request's id and deadline: whatever the answer waits for, it ends then. What
// streams asks for more time with Unhurried. The timer runs only once somebody waits: most answers come from memory.
type hurried struct {
	context.Context
	name   string
	until  time.Time
	once   sync.Once
	timed  atomic.Pointer[context.Context]
	cancel context.CancelFunc
}

var over = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

func (h *hurried) start() context.Context {
	h.once.Do(func() {
		timed, cancel := context.WithDeadline(h.Context, h.until)
		h.cancel = cancel
		h.timed.Store(&timed)
	})
	return *h.timed.Load()
}

// end makes the context over for whoever still holds it.
func (h *hurried) end() {
	h.once.Do(func() { h.timed.Store(&over) })
	if h.cancel != nil {
		h.cancel()
	}
}

func (h *hurried) Deadline() (time.Time, bool) {
	if sooner, has := h.Context.Deadline(); has && sooner.Before(h.until) {
		return sooner, true
	}
	return h.until, true
}

func (h *hurried) Done() <-chan struct{} { return h.start().Done() }

func (h *hurried) Err() error { return h.start().Err() }

// Value asks what runs, once it does: a context that is made of this one finds its canceller by a value.
func (h *hurried) Value(name any) any {
	switch name {
	case requestKey{}:
		return h.name
	case clientKey{}:
		return h.Context
	}
	if timed := h.timed.Load(); timed != nil && *timed != over {
		return (*timed).Value(name)
	}
	return h.Context.Value(name)
}

// Unhurried is a request's context without its deadline, for an answer that is sent in pieces, each of which is bounded
// by itself. It still ends with the client.
func Unhurried(ctx context.Context) (context.Context, context.CancelFunc) {
	client, ok := ctx.Value(clientKey{}).(context.Context)
	if !ok {
		return context.WithCancel(ctx)
	}
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(client, cancel)
	return longer, func() { stop(); cancel() }
}
