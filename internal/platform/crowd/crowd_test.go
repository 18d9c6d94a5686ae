package crowd_test

import (
	"errors"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/crowd"
	"greenroom/internal/platform/fault"
)

const (
	rush   = 2 * time.Second
	moment = 500 * time.Millisecond
)

func newLine() (*crowd.Line, *clock.Manual) {
	hands := clock.NewManual(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	return &crowd.Line{Busy: "Busy.", Most: 1000, Moment: moment, Clock: hands}, hands
}

// join fails the test unless there is a place.
func join(t *testing.T, l *crowd.Line) crowd.Place {
	t.Helper()
	p, err := l.Join(rush)
	if err != nil {
		t.Fatalf("turned away with %d in the line", l.Length())
	}
	return p
}

// refused tells whether somebody who comes now is turned away, and told when to come back.
func refused(t *testing.T, l *crowd.Line) bool {
	t.Helper()
	told := l.Refuses(rush)
	p, err := l.Join(rush)
	if (told == nil) != (err == nil) {
		t.Errorf("who asks is told %v, and who joins %v", told, err)
	}
	if err == nil {
		p.Left()
		return false
	}
	if f, ok := errors.AsType[*fault.Error](err); !ok || f.Kind != fault.Unavailable || f.RetryAfter <= 0 {
		t.Errorf("the refusal: %v", err)
	}
	return true
}

// many lets many in, and then serves so many every tenth of a second for a while, each followed by another who comes.
func many(t *testing.T, l *crowd.Line, hands *clock.Manual, people, perTenth, tenths int) []crowd.Place {
	t.Helper()
	var all []crowd.Place
	for range people {
		all = append(all, join(t, l))
	}
	for range tenths {
		hands.Advance(100 * time.Millisecond)
		for range perTenth {
			all[0].Served()
			all = all[1:]
			if p, err := l.Join(rush); err == nil {
				all = append(all, p)
			}
		}
	}
	return all
}

func TestARushIsLetIn(t *testing.T) {
	t.Parallel()
	l, _ := newLine()
	for range 1000 {
		if p := join(t, l); p.Patience != rush {
			t.Fatalf("somebody may wait for %v only", p.Patience)
		}
	}
	if !refused(t, l) || l.Length() != 1000 {
		t.Errorf("%d are in a line for 1000", l.Length())
	}
	if l.Refused() != 2 { // it asked, and it came
		t.Errorf("%d were turned away", l.Refused())
	}
}

func TestALineThatStandsTurnsAwayAtOnceWhoWouldWaitLong(t *testing.T) {
	t.Parallel()
	l, hands := newLine()
	all := many(t, l, hands, 500, 10, 21) // a hundred in a second, for longer than a rush
	if !refused(t, l) {
		t.Fatal("the 501st would wait five seconds, and was let in")
	}
	for len(all) > 40 {
		all[0].Served()
		all = all[1:]
	}
	p := join(t, l) // forty before it are served within a moment
	if p.Patience != 2*moment {
		t.Errorf("it may wait for %v", p.Patience)
	}
	p.Left()
	for range 15 {
		if p, err := l.Join(rush); err == nil {
			all = append(all, p)
		}
	}
	if n := len(all); n < 45 || n > 51 {
		t.Errorf("%d are let in where some fifty are served in a moment", n)
	}
	for _, one := range all {
		one.Served()
	}
	first, second := join(t, l), join(t, l) // those who went may come back together: that is no rush
	if second.Patience != 2*moment {
		t.Errorf("right after the crowd: %v", second.Patience)
	}
	first.Served()
	second.Served()
	hands.Advance(rush + time.Second)
	first, second = join(t, l), join(t, l) // the crowd is gone: the next one is a rush again
	if first.Patience != rush || second.Patience != rush {
		t.Errorf("after the crowd: %v, %v", first.Patience, second.Patience)
	}
}

func TestAManyThatAreServedQuicklyAreNoCrowd(t *testing.T) {
	t.Parallel()
	l, hands := newLine()
	many(t, l, hands, 32, 100, 600) // a minute of a line that never ends, and moves
	if refused(t, l) {
		t.Error("thirty before one, a thousand served in a second: there was no reason")
	}
}

func TestWhereNobodyIsServedOneAtATimeTries(t *testing.T) {
	t.Parallel()
	l, hands := newLine()
	all := []crowd.Place{join(t, l), join(t, l), join(t, l)}
	hands.Advance(rush)
	for _, one := range all {
		if err := one.GaveUp(); !fault.Is(err, fault.Unavailable) {
			t.Errorf("given up: %v", err)
		}
	}
	try := join(t, l)
	for range 10 {
		if !refused(t, l) {
			t.Error("a second one waits for what answers nobody")
		}
	}
	try.Served()
	for range 10 {
		join(t, l)
	}
}

func TestWhoLeavesIsNoSignOfAnything(t *testing.T) {
	t.Parallel()
	l, _ := newLine()
	first, second := join(t, l), join(t, l)
	first.Left()
	second.Left()
	join(t, l)
	join(t, l)
}
