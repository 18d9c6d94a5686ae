// Package clock is where time comes from, so that a test can move it.
package clock

import (
	"sync"
	"time"
)

// Clock tells the time. Everything that judges a date asks one.
type Clock interface {
	Now() time.Time
	// Passed is how long the clock has run. It never goes back, also when somebody sets the date: what is remembered
	// for a while is measured by it.
	Passed() time.Duration
}

// System is the clock of the machine.
type System struct{}

// Now is the present moment in UTC, to the microsecond that both databases keep.
func (System) Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

var started = time.Now()

// Passed is measured by the clock that no one can set.
func (System) Passed() time.Duration { return time.Since(started) }

// Manual is a clock that stands until it is moved.
type Manual struct {
	mu     sync.Mutex
	now    time.Time
	passed time.Duration
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

// Passed is by how much the clock was moved ahead.
func (m *Manual) Passed() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.passed
}

// Advance moves the clock. Back, it moves as one whose date is set: no time passes.
func (m *Manual) Advance(by time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = m.now.Add(by)
	m.passed += max(0, by)
}
