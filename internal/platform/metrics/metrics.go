// Package metrics counts what happens and tells it in the text form that Prometheus reads. What is counted on the way of
// a request (Counter, Histogram, Routes) is a few atomic additions and allocates nothing; everything else is asked for
// when somebody reads it (Read). The owner of a thing knows its figures; internal/app names them, on one page.
package metrics

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Kind is what a reader may do with a family's values.
type Kind string

// The kinds. A counter only grows; a gauge is how things stand.
const (
	Counting  Kind = "counter"
	Standing  Kind = "gauge"
	histogram Kind = "histogram"
)

// Emit tells one value, with its labels as names and values in turn.
type Emit func(value float64, labels ...string)

// Set is all that an installation tells.
type Set struct {
	mu       sync.Mutex
	families []family
	failures atomic.Int64
}

type family struct {
	name, help string
	kind       Kind
	write      func(ctx context.Context, to *page) error
}

// New is a set that tells how its own reading goes.
func New() *Set {
	s := &Set{}
	s.Value("greenroom_scrape_failures_total", "Figures that could not be read, by all readings.", Counting, func() float64 { return float64(s.failures.Load()) })
	return s
}

func (s *Set) add(f family) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.families = append(s.families, f)
}

// Read adds a family that is asked for at each reading. An error leaves it out of that one.
func (s *Set) Read(name, help string, kind Kind, read func(ctx context.Context, emit Emit) error) {
	s.add(family{name, help, kind, func(ctx context.Context, to *page) error {
		return read(ctx, func(value float64, labels ...string) { to.sample(name, value, labels) })
	}})
}

// Value adds a figure that is always at hand.
func (s *Set) Value(name, help string, kind Kind, value func() float64) {
	s.Read(name, help, kind, func(_ context.Context, emit Emit) error { emit(value()); return nil })
}

// Histogram adds one of durations.
func (s *Set) Histogram(name, help string, of *Histogram) {
	s.add(family{name, help, histogram, func(_ context.Context, to *page) error { to.histogram(name, of, nil); return nil }})
}

// Routes adds the durations of requests.
func (s *Set) Routes(name, help string, of *Routes) {
	s.add(family{name, help, histogram, func(_ context.Context, to *page) error { of.write(name, to); return nil }})
}

// limits are the upper bounds of a histogram's buckets: from an answer out of memory to one that met its deadline.
var limits = [...]time.Duration{
	100 * time.Microsecond, 250 * time.Microsecond, 500 * time.Microsecond, time.Millisecond, 2500 * time.Microsecond,
	5 * time.Millisecond, 10 * time.Millisecond, 25 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond,
	250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2500 * time.Millisecond, 5 * time.Second, 15 * time.Second,
}

// Histogram counts durations by how long they are. The zero value is ready.
type Histogram struct {
	counts [len(limits) + 1]atomic.Uint64
	sum    atomic.Int64
}

// Observe counts one.
func (h *Histogram) Observe(took time.Duration) {
	at := 0
	for at < len(limits) && took > limits[at] {
		at++
	}
	h.counts[at].Add(1)
	h.sum.Add(int64(took))
}
