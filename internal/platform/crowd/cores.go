package crowd

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/fault"
)

// How the cores are watched.
const (
	lookEvery = 100 * time.Millisecond
	// lateAfter is when a goroutine that could run counts as late, and lateShare how many of them must be.
	lateAfter = 50 * time.Millisecond
	lateShare = 0.25
	// leastSeen is of how many at least anything is concluded.
	leastSeen = 20
	// coreRush is how long the cores may be behind before anybody is turned away, and how long they must keep up before that
	// is over.
	coreRush = 2 * time.Second
	// perCore is how many requests of a core are let in however it goes.
	perCore = 32
)

// Cores is the line that nobody sees: of what could run and waits for a core. The runtime tells how long that takes. The rules
// are those of a Line: a rush is let in, and where it does not end, whoever comes while the cores are behind is turned away
// before any work is done.
type Cores struct {
	Clock clock.Clock // the machine's when nil
	// Seen tells how many have got a core so far, and how many of them late; the runtime's own when nil.
	Seen func() (all, late uint64)

	inside  atomic.Int64
	refused atomic.Int64
	looked  atomic.Int64 // when, in nanoseconds of the clock
	refuse  atomic.Bool

	mu        sync.Mutex
	samples   []metrics.Sample
	all, late uint64
	since     time.Duration // when they fell behind; 0 while they are not
	strict    time.Duration // until when no rush is let in
}

// Enter lets a request in, which then leaves by Leave, or refuses it.
func (c *Cores) Enter() error {
	inside := c.inside.Add(1)
	c.look()
	if c.refuse.Load() && inside > int64(perCore*runtime.GOMAXPROCS(0)) {
		c.inside.Add(-1)
		c.refused.Add(1)
		e := fault.New(fault.Unavailable, "The server is busy. Please try again in a moment.")
		e.RetryAfter = time.Second
		return e
	}
	return nil
}

// Refused is how many were turned away so far.
func (c *Cores) Refused() int64 { return c.refused.Load() }

// Leave ends what Enter began.
func (c *Cores) Leave() { c.inside.Add(-1) }

func (c *Cores) look() {
	now := c.passed()
	before := c.looked.Load()
	if now-time.Duration(before) < lookEvery || !c.looked.CompareAndSwap(before, int64(now)) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	seen := c.Seen
	if seen == nil {
		seen = c.scheduled
	}
	all, late := seen()
	n, behind := all-c.all, float64(late-c.late)
	c.all, c.late = all, late
	if n < leastSeen || behind < lateShare*float64(n) {
		c.since = 0
		c.refuse.Store(false)
		return
	}
	if c.since == 0 {
		c.since = now
	}
	if now-c.since >= coreRush || now < c.strict {
		c.strict = now + coreRush
		c.refuse.Store(true)
	}
}

func (c *Cores) passed() time.Duration {
	if c.Clock == nil {
		return clock.System{}.Passed()
	}
	return c.Clock.Passed()
}

// scheduled reads what the runtime has counted.
func (c *Cores) scheduled() (all, late uint64) {
	if c.samples == nil {
		c.samples = []metrics.Sample{{Name: "/sched/latencies:seconds"}}
	}
	metrics.Read(c.samples)
	times := c.samples[0].Value.Float64Histogram()
	for i, n := range times.Counts {
		all += n
		if times.Buckets[i] >= lateAfter.Seconds() {
			late += n
		}
	}
	return all, late
}
