package crowd_test

import (
	"runtime"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/crowd"
	"greenroom/internal/platform/fault"
)

func TestCoresThatStayBehindTurnAwayWhoComes(t *testing.T) {
	t.Parallel()
	hands := clock.NewManual(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	var all, late uint64
	c := &crowd.Cores{Clock: hands, Seen: func() (uint64, uint64) { return all, late }}
	// pass lets a tenth of a second go by, in which half of a hundred were late, or none.
	pass := func(behind bool) (refused bool) {
		hands.Advance(100 * time.Millisecond)
		if all += 100; behind {
			late += 50
		}
		err := c.Enter()
		if err == nil {
			c.Leave()
		} else if !fault.Is(err, fault.Unavailable) || fault.Of(err).RetryAfter == 0 {
			t.Errorf("the refusal: %v", err)
		}
		return err != nil
	}
	for range 20 {
		if pass(true) {
			t.Fatal("a rush was turned away")
		}
	}
	if pass(true) {
		t.Error("hardly anybody is inside, and one more is turned away")
	}
	for range 32 * runtime.NumCPU() { // what the cores are full of
		if err := c.Enter(); err != nil {
			t.Fatal(err)
		}
	}
	if !pass(true) {
		t.Error("the cores stay behind, and one more is let in")
	}
	for range 10 {
		if c.Enter() == nil {
			t.Fatal("between two looks one more is let in")
		}
	}
	if c.Refused() != 11 {
		t.Errorf("%d were turned away", c.Refused())
	}
	c.Leave()
	if err := c.Enter(); err != nil { // those who were turned away hold no place
		t.Error("one has left, and the next is turned away")
	}
	if pass(false) {
		t.Error("they keep up, and one is turned away")
	}
	if !pass(true) {
		t.Error("behind again at once is no rush")
	}
	for range 25 {
		pass(false)
	}
	if pass(true) {
		t.Error("long after the crowd a rush is turned away")
	}
}

func TestTheRuntimeTellsHowLongCoresAreWaitedFor(t *testing.T) {
	t.Parallel()
	before, _ := crowd.Scheduled()
	for range 100 {
		done := make(chan struct{})
		go close(done)
		<-done
	}
	// Few at a time are counted, so it is enough that it is read and goes on.
	if after, late := crowd.Scheduled(); after == 0 || after < before || late > after {
		t.Errorf("%d, then %d, of them %d late", before, after, late)
	}
}
