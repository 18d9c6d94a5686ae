package crowd_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"greenroom/internal/platform/fault"
)

// A turn is given back once, however often its end is said; and whoever does not get one is in the line no more.
func TestATurnIsGivenBackOnce(t *testing.T) {
	t.Parallel()
	l, _ := newLine()
	turns := make(chan struct{}, 1)
	first, err := l.Turn(t.Context(), turns, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := l.Turn(gone, turns, time.Minute); !errors.Is(err, context.Canceled) || l.Length() != 0 {
		t.Errorf("who is gone: %v, %d in the line", err, l.Length())
	}
	if _, err := l.Turn(t.Context(), turns, time.Nanosecond); !fault.Is(err, fault.Unavailable) || l.Length() != 0 {
		t.Errorf("who gave up: %v, %d in the line", err, l.Length())
	}
	first()
	second, err := l.Turn(t.Context(), turns, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	first() // says it again, and must not end the second one's
	if len(turns) != 1 {
		t.Fatal("another's turn was ended")
	}
	second()
	if len(turns) != 0 || l.Length() != 0 {
		t.Errorf("%d have a turn, %d wait", len(turns), l.Length())
	}
}
