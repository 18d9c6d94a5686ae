package crowd_test

import (
	"runtime"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/crowd"
	"greenroom/internal/platform/fault"
)

// line is the cores' own, moved by hand.
type line struct {
	*crowd.Cores
	t     *testing.T
	hands *clock.Manual
	joins chan struct{} // a probe stands in line
	turns chan struct{} // and gets a core
}

func newCores(t *testing.T) *line {
	t.Helper()
	l := &line{t: t, hands: clock.NewManual(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)), joins: make(chan struct{}), turns: make(chan struct{})}
	over := make(chan struct{})
	t.Cleanup(func() { close(over) }) // who still stands in line then goes home
	l.Cores = &crowd.Cores{Clock: l.hands, Turn: func() {
		select {
		case l.joins <- struct{}{}:
		case <-over:
			return
		}
		select {
		case <-l.turns:
		case <-over:
		}
	}}
	l.hands.Advance(time.Second)
	return l
}

// come is one who comes and stays, or is turned away.
func (l *line) come() (refused bool) {
	l.t.Helper()
	_, err := l.Enter()
	if err != nil && (!fault.Is(err, fault.Unavailable) || fault.Of(err).RetryAfter == 0) {
		l.t.Errorf("the refusal: %v", err)
	}
	return err != nil
}

// wait lets a probe stand in line for so long, which begins when somebody comes.
func (l *line) wait(long time.Duration) (refused bool) {
	l.t.Helper()
	l.hands.Advance(10 * time.Millisecond)
	if refused = l.come(); !refused {
		l.Leave(crowd.Pass{})
	}
	<-l.joins
	l.hands.Advance(long)
	l.turns <- struct{}{}
	for l.Waits() {
		runtime.Gosched()
	}
	return refused
}

func (l *line) fill() {
	l.t.Helper()
	for range 32*runtime.GOMAXPROCS(0) + 1 {
		if l.come() {
			l.t.Fatal("a rush was turned away")
		}
	}
}

func TestWhoGetsACoreLateIsTurnedAwayWhereTheRushDoesNotEnd(t *testing.T) {
	t.Parallel()
	l := newCores(t)
	l.wait(0)
	l.fill()
	for range 19 {
		if l.wait(100 * time.Millisecond) {
			t.Fatal("a rush was turned away")
		}
	}
	l.come() // one is let in all the same
	if !l.come() {
		t.Error("the cores stay behind, and whoever comes late is let in")
	}
	if !l.Late() {
		t.Error("the next one is as late, and is let in")
	}
	if n := l.Refused(); n != 1 {
		t.Errorf("%d were turned away", n)
	}
	l.wait(10 * time.Millisecond)
	if l.come() {
		t.Error("they keep up, and one is turned away")
	}
	l.wait(100 * time.Millisecond)
	l.come()
	if !l.come() {
		t.Error("behind again at once is no rush")
	}
	for range 20 {
		l.hands.Advance(100 * time.Millisecond)
		l.wait(0)
	}
	l.wait(100 * time.Millisecond)
	if l.come() {
		t.Error("long after the crowd a rush is turned away")
	}
}

// All who come before the next delay is seen are let in, and those behind them wait for their work: so in a crowd that does not
// end a short delay counts, which says nothing before.
func TestInACrowdThatDoesNotEndAShortDelayIsLate(t *testing.T) {
	t.Parallel()
	l := newCores(t)
	l.wait(0)
	l.fill()
	for range 2 {
		if l.wait(20 * time.Millisecond) {
			t.Fatal("nobody was late so far, and one is turned away")
		}
	}
	for range 30 {
		l.wait(100 * time.Millisecond)
	}
	l.wait(20 * time.Millisecond)
	l.come() // one is let in all the same
	if !l.come() {
		t.Error("a core comes late in a crowd, and one more is let in")
	}
}

func TestACoreThatIsWaitedForSpeaksBeforeItComes(t *testing.T) {
	t.Parallel()
	l := newCores(t)
	l.fill()
	<-l.joins // the probe that the first of them began, which gets no core for longer than a rush takes
	l.hands.Advance(3 * time.Second)
	l.come()
	if !l.come() {
		t.Error("nobody gets a core, and one more is let in")
	}
	l.turns <- struct{}{}
}

func TestAFewAreNoReasonForLateCores(t *testing.T) {
	t.Parallel()
	l := newCores(t)
	for range 100 {
		if l.wait(100 * time.Millisecond) {
			t.Fatal("others take the cores, and a visitor is turned away for it")
		}
	}
}

func TestAnOldDelaySaysNothing(t *testing.T) {
	t.Parallel()
	l := newCores(t)
	l.wait(0)
	l.fill()
	for range 25 {
		l.wait(100 * time.Millisecond)
	}
	for range 32*runtime.GOMAXPROCS(0) + 1 {
		l.Leave(crowd.Pass{})
	}
	l.hands.Advance(time.Minute)
	if l.come() {
		t.Error("the first after a minute is turned away")
	}
	<-l.joins
	l.turns <- struct{}{}
}

func TestTheMachineGivesTheProbeItsTurn(t *testing.T) {
	t.Parallel()
	c := &crowd.Cores{}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	for range 3 {
		pass, err := c.Enter()
		if err != nil {
			t.Fatal(err)
		}
		c.Leave(pass)
		for c.Waits() {
			runtime.Gosched()
		}
	}
	if err := new(crowd.Cores).Close(); err != nil {
		t.Error(err)
	}
}

// However many are turned away, work goes on: for as long as that took, others are turned away, and then one is let in.
func TestALateServerStillServes(t *testing.T) {
	t.Parallel()
	l := newCores(t)
	l.fill()
	<-l.joins
	l.hands.Advance(3 * time.Second)
	if l.Late() {
		t.Fatal("the first is not let in")
	}
	pass, err := l.Enter() // as it was told
	if err != nil {
		t.Fatal(err)
	}
	if !l.Late() || !l.come() {
		t.Error("a second one is let in beside it")
	}
	l.hands.Advance(5 * time.Millisecond)
	l.Leave(pass)
	if !l.Late() {
		t.Error("another one is let in at once")
	}
	l.hands.Advance(5 * time.Millisecond)
	if l.come() {
		t.Error("nobody is let in")
	}
	l.turns <- struct{}{}
}
