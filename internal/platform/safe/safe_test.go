package safe_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"

	"greenroom/internal/platform/safe"
)

func burst() { panic("a pipe burst") }

func TestPanicIsAnErrorWithItsPlace(t *testing.T) {
	t.Parallel()
	err := safe.Try(func() error { burst(); return nil })
	found, ok := errors.AsType[*safe.Panic](err)
	if !ok || found.Value != "a pipe burst" || !strings.Contains(found.Stack, "safe_test.burst") {
		t.Fatalf("got %v", err)
	}
	if again := safe.Try(func() error { panic(found) }); !errors.Is(again, found) {
		t.Errorf("passed on, it became %v", again)
	}
	if err := safe.Try(func() error { return context.Canceled }); !errors.Is(err, context.Canceled) {
		t.Errorf("an error became %v", err)
	}
}

func TestPanicOfOnePieceComesOutWhereTheGroupIsAwaited(t *testing.T) {
	t.Parallel()
	var others atomic.Int64
	err := safe.Try(func() error {
		var all safe.Group
		for i := range 8 {
			all.Go(func() {
				if i == 3 {
					burst()
				}
				others.Add(1)
			})
		}
		all.Wait()
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "a pipe burst") || others.Load() != 7 {
		t.Errorf("%d went on; the group said %v", others.Load(), err)
	}
}

func TestWorkerThatPanicsIsStartedAgain(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	tries := 0
	safe.Keep(t.Context(), slog.New(slog.NewTextHandler(&said, nil)), func(context.Context) {
		if tries++; tries < 3 {
			burst()
		}
	})
	if tries != 3 || strings.Count(said.String(), "safe_test.burst") != 2 {
		t.Errorf("%d tries; the log says %s", tries, said.String())
	}
}

func TestWorkerIsNotStartedAgainAfterTheStop(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	tries := 0
	safe.Keep(ctx, slog.New(slog.DiscardHandler), func(context.Context) {
		tries++
		stop()
		burst()
	})
	if tries != 1 {
		t.Errorf("%d tries", tries)
	}
}

func TestGoroutineThatPanicsEndsAlone(t *testing.T) {
	t.Parallel()
	done := make(chan struct{})
	safe.Go(slog.New(slog.DiscardHandler), func() {
		defer close(done)
		burst()
	})
	<-done
}
