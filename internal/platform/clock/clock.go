// Package clock is where time comes from, so that a test can move it.
package clock

import (
	"sync"
	"time"
)

// Clock tells the time. Everything that judges a date asks one.
type Clock interface{ Now() time.Time }

// System is the clock of the machine.
type System struct{}

// Now is the present moment in UTC, to the microsecond that both databases keep.
func (System) Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// Manual is a clock that stands until it is moved.
type Manual struct {
	mu  sync.Mutex
	now time.Time
}

// NewManual starts a manual clock.
func NewManual(start time.Time) *Manual {
	return &Manual{now: start.UTC().Truncate(time.Microsecond)}
}

// Now is the moment that the clock shows.
func (m *Manual) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

// Advance moves the clock.
func (m *Manual) Advance(by time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = m.now.Add(by)
}
