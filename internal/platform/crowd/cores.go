package crowd

import (
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/safe"
)

// How the cores are watched.
const (
	// probeEvery is how often somebody stands in line for a core just to see how long that takes.
	probeEvery = 10 * time.Millisecond
	// lateAfter is when whoever gets a core gets it late, and forgottenAfter for how long that says something of those who come.
	// Where a crowd has been found to be no rush it is late sooner: all who come until then are let in at once, and whoever
	// comes behind them waits for all their work.
	lateAfter      = 25 * time.Millisecond
	lateInACrowd   = 10 * time.Millisecond
	forgottenAfter = 100 * time.Millisecond
	// spareWithin is after how long at the latest another one is let in although it is late.
	spareWithin = 20 * time.Millisecond
	// coreRush is how long the cores may be behind before anybody is turned away, and how long they must keep up before that
	// is over.
	coreRush = 2 * time.Second
	// perCore is how many requests of a core make a crowd. Where there are fewer, it is others' work that takes the cores, and
	// to turn anybody away would free none.
	perCore = 32
)

// Cores is the line that nobody sees: of what could run and waits for a core. A request that gets its turn has stood in it for
// as long as a probe that stands there too; so its age is known before any work is done for it. The rules are those of a Line:
// a rush is let in, and where it does not end, whoever is late already is turned away.
type Cores struct {
	Clock clock.Clock // the machine's when nil
	// Turn waits once in the line, behind all that could run; the machine's own when nil.
	Turn func()

	opened sync.Once
	wire   *wire

	inside, came, refused atomic.Int64
	probed                atomic.Int64 // when a probe last began, in nanoseconds of the clock
	waiting               atomic.Int64 // the same while it waits; 0 while none does
	cameBefore            atomic.Int64 // how many had come when it began
	spareAt, promised     atomic.Int64 // when the next one is let in although it is late; who was told so and has not entered
	lateUntil             atomic.Int64 // until when a late one speaks for those who come

	strict atomic.Int64 // until when no rush is let in

	mu    sync.Mutex
	since time.Duration // when they fell behind; 0 while they are not
}

// Pass is of a request that was let in.
type Pass struct {
	since time.Duration
	late  bool
}

// Enter lets a request in, which then leaves by Leave, or refuses it.
func (c *Cores) Enter() (Pass, error) {
	c.inside.Add(1)
	c.came.Add(1)
	now := c.passed()
	c.probe(now)
	if !c.behind(now) {
		return Pass{since: now}, nil
	}
	if c.redeem() || c.spare(now) {
		return Pass{since: now, late: true}, nil
	}
	c.inside.Add(-1)
	c.refused.Add(1)
	return Pass{}, busyCores
}

// spare lets one in although it is late, where the cores did nothing but turn away for as long as the last such one took. Else a
// crowd that is larger than what can even be turned away would keep the server from all work: half of it stays for that.
func (c *Cores) spare(now time.Duration) bool {
	next := c.spareAt.Load()
	return int64(now) >= next && c.spareAt.CompareAndSwap(next, int64(now+spareWithin))
}

// redeem takes up what Late promised.
func (c *Cores) redeem() bool {
	for n := c.promised.Load(); n > 0; n = c.promised.Load() {
		if c.promised.CompareAndSwap(n, n-1) {
			return true
		}
	}
	return false
}

// Busy is what those who are turned away are told.
func (c *Cores) Busy() error { return busyCores }

var busyCores = func() error {
	e := fault.New(fault.Unavailable, "The server is busy. Please try again in a moment.")
	e.RetryAfter = time.Second
	return e
}()

// Late tells, before a request is even looked at, whether it comes too late. Whoever is let on comes by Enter.
func (c *Cores) Late() bool {
	now := c.passed()
	c.probe(now)
	if !c.behind(now) {
		return false
	}
	if c.spare(now) {
		c.promised.Store(1) // one that never came by Enter is forgotten
		return false
	}
	return true
}

// TurnedAway counts one that was turned away because Late said so.
func (c *Cores) TurnedAway() {
	c.came.Add(1)
	c.refused.Add(1)
}

// Refused is how many were turned away so far.
func (c *Cores) Refused() int64 { return c.refused.Load() }

// Leave ends what Enter began.
func (c *Cores) Leave(p Pass) {
	c.inside.Add(-1)
	if p.late {
		now := c.passed()
		c.spareAt.Store(int64(now + min(now-p.since, spareWithin)))
	}
}

// Return counts one again who was let in and left for a while, to wait for something else than a core. Nobody is refused here.
func (c *Cores) Return() { c.inside.Add(1) }

// probe has somebody stand in line, now and then and one at a time.
func (c *Cores) probe(now time.Duration) {
	before := c.probed.Load()
	if now-time.Duration(before) < probeEvery || c.waiting.Load() != 0 || !c.probed.CompareAndSwap(before, int64(now)) {
		return
	}
	c.cameBefore.Store(c.came.Load())
	c.waiting.Store(max(1, int64(now)))
	safe.Go(slog.Default(), func() {
		c.turn()
		end := c.passed()
		if late := end-now > c.patience(now) && c.crowded(); late {
			c.lateUntil.Store(int64(end + forgottenAfter))
			c.fellBehind(now)
		} else {
			c.lateUntil.Store(0)
			c.fellBehind(0)
		}
		c.waiting.Store(0)
	})
}

func (c *Cores) turn() {
	if c.Turn != nil {
		c.Turn()
		return
	}
	c.opened.Do(func() { c.wire = newWire() })
	c.wire.turn()
}

// Close ends the probing.
func (c *Cores) Close() error {
	c.opened.Do(func() { c.wire = &wire{} })
	return c.wire.close()
}

// crowded tells whether those who are inside, or have come since the probe began, are enough to be the reason.
func (c *Cores) crowded() bool {
	return c.inside.Load()+c.came.Load()-c.cameBefore.Load() > int64(perCore*runtime.GOMAXPROCS(0))
}

// fellBehind notes since when the cores are behind, unless that is known already; 0 says that they keep up.
func (c *Cores) fellBehind(since time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if since == 0 || c.since == 0 {
		c.since = since
	}
}

// behind tells whether whoever gets a core now gets it late, and that is no rush.
func (c *Cores) behind(now time.Duration) bool {
	began := time.Duration(c.waiting.Load())
	still := began != 0 && now-began > c.patience(now) && c.crowded()
	if !still && int64(now) > c.lateUntil.Load() {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if still && c.since == 0 {
		c.since = began
	}
	if c.since == 0 || now-c.since < coreRush && int64(now) >= c.strict.Load() {
		return false
	}
	c.strict.Store(int64(now + coreRush))
	return true
}

// patience is how long a core may be waited for before it comes late.
func (c *Cores) patience(now time.Duration) time.Duration {
	if int64(now) < c.strict.Load() {
		return lateInACrowd
	}
	return lateAfter
}

func (c *Cores) passed() time.Duration {
	if c.Clock == nil {
		return clock.System{}.Passed()
	}
	return c.Clock.Passed()
}
