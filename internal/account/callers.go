package account

import (
	"maps"
	"sync"
	"time"

	"greenroom/internal/platform/who"
)

// rememberFor bounds how long a session that another instance ended still counts here.
const rememberFor = time.Second

// mostCallers bounds the memory; past it the expired ones go, and if that is not enough, all of them.
const mostCallers = 10_000

// callers remembers who was seen a moment ago, so that a page's ten requests cost one look-up.
type callers struct {
	mu    sync.Mutex
	known map[string]caller
	// changed counts Forget calls: an answer read before one must not be remembered after it.
	changed uint64
}

// caller is good until the clock has run so long. The time of day would not do: a clock that is set back would keep
// an ended session alive.
type caller struct {
	actor who.Actor
	until time.Duration
}

func (c *callers) get(session, user string, now time.Duration) (who.Actor, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, ok := c.known[session]
	if !ok || found.actor.UserID != user || now >= found.until {
		return who.Actor{}, false
	}
	return found.actor, true
}

func (c *callers) generation() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changed
}

func (c *callers) put(a who.Actor, now time.Duration, generation uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if generation != c.changed {
		return
	}
	if len(c.known) >= mostCallers {
		maps.DeleteFunc(c.known, func(_ string, old caller) bool { return now >= old.until })
	}
	if len(c.known) >= mostCallers {
		clear(c.known)
	}
	c.known[a.SessionID] = caller{a, now + rememberFor}
}

func (c *callers) forget(user string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changed++
	maps.DeleteFunc(c.known, func(_ string, old caller) bool { return old.actor.UserID == user })
}
