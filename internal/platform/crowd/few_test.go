package crowd_test

import (
	"runtime"
	"testing"
	"time"

	"greenroom/internal/platform/crowd"
)

// A crowd whose delays are short is no reason, however long it stays.
func TestShortDelaysAreNoneBeforeACrowdWasLate(t *testing.T) {
	t.Parallel()
	l := newCores(t)
	l.wait(0)
	l.fill()
	for range 150 {
		if l.wait(20 * time.Millisecond) {
			t.Fatal("nobody was late so far, and one is turned away")
		}
	}
	l.come()
	if l.come() {
		t.Error("nobody was late so far, and the second is turned away")
	}
}

// As many as the cores can have are no crowd.
func TestAsManyAsTheCoresTakeAreNoReasonForLateCores(t *testing.T) {
	t.Parallel()
	l := newCores(t)
	for range 32*runtime.GOMAXPROCS(0) - 4 {
		l.come()
	}
	for range 60 {
		if l.wait(100 * time.Millisecond) {
			t.Fatal("others take the cores, and a visitor is turned away for it")
		}
	}
	l.come()
	if l.come() {
		t.Error("others take the cores, and the second is turned away for it")
	}
}

// A delay speaks for those who come within a tenth of a second, though the crowd be still inside.
func TestADelayIsForgotten(t *testing.T) {
	t.Parallel()
	l := newCores(t)
	l.wait(0)
	l.fill()
	for range 25 {
		l.wait(100 * time.Millisecond)
	}
	l.hands.Advance(101 * time.Millisecond)
	for range 3 {
		if l.come() {
			t.Error("an old delay turns one away")
		}
	}
	<-l.joins
	l.turns <- struct{}{}
}

// Whoever is turned away before they are looked at came all the same: they are the crowd.
func TestWhoIsTurnedAwayIsOfTheCrowd(t *testing.T) {
	t.Parallel()
	l := newCores(t)
	l.come()
	l.Leave(crowd.Pass{})
	<-l.joins
	for range 32*runtime.GOMAXPROCS(0) + 1 {
		l.TurnedAway()
	}
	l.hands.Advance(3 * time.Second)
	l.come() // one is let in all the same
	if !l.come() {
		t.Error("nobody gets a core, and one more is let in")
	}
	l.turns <- struct{}{}
}
