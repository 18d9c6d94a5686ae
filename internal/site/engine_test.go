package site

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"
)

// script is a render script for tests that look at the engine itself; the pages are tested with the real one.
const script = `
let renders = 0;
globalThis.greenroom = {
  plan: (path, answers) => JSON.stringify([path, answers === undefined ? 'first' : JSON.parse(answers)]),
  render(path, input) {
    renders++;
    if (path === '/loop') for (;;) {}
    if (path === '/memory') { const held = []; for (;;) held.push('x'.repeat(1 << 20) + held.length); }
    if (path === '/deep') { const down = () => down() + 1; return String(down()); }
    if (path === '/throw') throw new TypeError('no such page');
    if (path === '/number') return 7;
    if (path === '/say') console.error('careful', { a: 1 }, new Error('inner'));
    if (path === '/url') {
      const u = new URL('/rest/v1/courses?select=id', 'http://Host:81');
      u.searchParams.append('title', 'a b&c(é)');
      return [u.href, u.port, new URL('../x?y#z', 'http://h/a/b/c').href, new URLSearchParams('a=1&b=%20+').get('b')].join(' ');
    }
    return path + ' ' + input + ' ' + renders;
  },
};`

func testLimits() limits {
	return limits{time: 300 * time.Millisecond, memory: 32 << 20, queue: 64, idle: time.Minute}
}

func startEngine(t *testing.T, l limits) *engine {
	t.Helper()
	e := newEngine(func() (string, error) { return script, nil }, l, slog.New(slog.DiscardHandler))
	t.Cleanup(e.Close)
	return e
}

func TestEngineRunsTheScript(t *testing.T) {
	t.Parallel()
	e := startEngine(t, testLimits())
	got, err := e.render(t.Context(), "/a\"\u2028é", `{"x":1}`)
	if err != nil || got != "/a\"\u2028é {\"x\":1} 1" {
		t.Fatalf("got %q, %v", got, err)
	}
	if got, err := e.plan(t.Context(), "/p", ""); err != nil || got != `["/p","first"]` {
		t.Fatalf("got %q, %v", got, err)
	}
	if got, err := e.plan(t.Context(), "/p", `{"k":2}`); err != nil || got != `["/p",{"k":2}]` {
		t.Fatalf("got %q, %v", got, err)
	}
}

func TestEngineHasTheAddressesOfTheWeb(t *testing.T) {
	t.Parallel()
	e := startEngine(t, testLimits())
	got, err := e.render(t.Context(), "/url", "")
	want := "http://host:81/rest/v1/courses?select=id&title=a+b%26c%28%C3%A9%29 81 http://h/a/x?y#z   "
	if err != nil || got != want {
		t.Fatalf("got  %q, %v\nwant %q", got, err, want)
	}
}

// Whatever a page does, it ends in time with an error, and the next page gets a fresh engine.
func TestEngineSurvivesBadPages(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/loop":   "interrupted",
		"/memory": "out of memory",
		"/deep":   "stack overflow",
		"/throw":  "no such page",
		"/number": "not a string",
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			e := startEngine(t, testLimits())
			if _, err := e.render(t.Context(), "/before", ""); err != nil {
				t.Fatal(err)
			}
			_, err := e.render(t.Context(), path, "")
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Fatalf("got error %v, want one with %q", err, want)
			}
			if got, err := e.render(t.Context(), "/after", ""); err != nil || got != "/after  1" {
				t.Fatalf("after it: %q, %v", got, err)
			}
		})
	}
}

func TestEngineServesManyAtOnce(t *testing.T) {
	t.Parallel()
	e := startEngine(t, testLimits())
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if got, err := e.render(t.Context(), "/x", "y"); err != nil || !strings.HasPrefix(got, "/x y ") {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
	all.Wait()
}

func TestEngineRefusesWhenItsLineIsFull(t *testing.T) {
	t.Parallel()
	l := testLimits()
	l.queue = 1
	e := startEngine(t, l)
	var all sync.WaitGroup
	busy := make(chan error, 10)
	for range 10 {
		all.Go(func() {
			if _, err := e.render(t.Context(), "/loop", ""); errors.Is(err, errBusy) {
				busy <- err
			}
		})
	}
	all.Wait()
	if len(busy) < 7 {
		t.Fatalf("%d of 10 were refused, want at least 7: one runs, one waits, one may have followed", len(busy))
	}
}

func TestEngineGivesItsMemoryBackWhenIdle(t *testing.T) {
	t.Parallel()
	l := testLimits()
	l.idle = 20 * time.Millisecond
	e := startEngine(t, l)
	for range 3 {
		if got, err := e.render(t.Context(), "/x", ""); err != nil || got != "/x  1" {
			t.Fatalf("want a new engine each time, got %q, %v", got, err)
		}
		e.mu.Lock()
		done := e.done
		e.mu.Unlock()
		select {
		case <-done:
		case <-time.After(time.Minute):
			t.Fatal("the engine did not end")
		}
	}
}

func TestClosingTheEngineEndsWhatRuns(t *testing.T) {
	t.Parallel()
	l := testLimits()
	l.time = time.Minute
	e := newEngine(func() (string, error) { return script, nil }, l, slog.New(slog.DiscardHandler))
	if _, err := e.render(t.Context(), "/warm", ""); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 2)
	for range 2 {
		go func() { _, err := e.render(context.Background(), "/loop", ""); ended <- err }()
	}
	for {
		e.mu.Lock()
		waiting := len(e.renders)
		e.mu.Unlock()
		if waiting == 1 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	e.Close()
	for range 2 {
		if err := <-ended; err == nil {
			t.Fatal("a page that never ends ended well")
		}
	}
	if _, err := e.render(t.Context(), "/x", ""); !errors.Is(err, errClosed) {
		t.Fatalf("after Close: %v", err)
	}
}

func TestEngineGivesUpWithItsCaller(t *testing.T) {
	t.Parallel()
	e := startEngine(t, testLimits())
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := e.render(ctx, "/loop", ""); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v", err)
	}
}

func TestScriptConsoleReachesTheLog(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	e := newEngine(func() (string, error) { return script, nil }, testLimits(), slog.New(slog.NewTextHandler(&out, nil)))
	if _, err := e.render(t.Context(), "/say", ""); err != nil {
		t.Fatal(err)
	}
	e.Close()
	if got := out.String(); !strings.Contains(got, "level=ERROR") || !strings.Contains(got, `careful {\"a\":1} Error: inner`) {
		t.Fatalf("log: %s", got)
	}
}
