//go:build faults

package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/fault/faulttest"
)

// clients write without a pause until the context ends. Each answer is told to took, if that is not nil.
func (h *history) clients(ctx context.Context, n int, url, name string, took func(o outcome, after time.Duration)) *sync.WaitGroup {
	var all sync.WaitGroup
	for client := range n {
		all.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				begun := time.Now()
				o := h.register(ctx, url, fmt.Sprintf("%s-c%d-%d", name, client, i))
				if took != nil && ctx.Err() == nil {
					took(o, time.Since(begun))
				}
				if o != acknowledged {
					time.Sleep(10 * time.Millisecond) // as somebody who was told to come back
				}
			}
		})
	}
	return &all
}

// acknowledgedMore waits until so many more writes are acknowledged than there were.
func (h *history) acknowledgedMore(t *testing.T, n int) (after time.Duration) {
	t.Helper()
	begun, before := time.Now(), h.count(acknowledged)
	for h.count(acknowledged) < before+n {
		if time.Since(begun) > 2*time.Minute {
			t.Fatalf("only %d writes in two minutes", h.count(acknowledged)-before)
		}
		time.Sleep(5 * time.Millisecond)
	}
	return time.Since(begun)
}

// TestAPromotedStandbyHasWhatWasAcknowledged kills every process of the primary under writes and promotes its standby. The
// server follows by itself, and the standby has what was acknowledged.
func TestAPromotedStandbyHasWhatWasAcknowledged(t *testing.T) {
	rounds, survived, slowest := faultTimes(10), 0, time.Duration(0)
	for round := range rounds {
		ok := t.Run(fmt.Sprint(round), func(t *testing.T) {
			pair := dbtest.StartPair(t)
			p := newPlace(t, db.SQLite, "GREENROOM_RATE_LIMITS=off", "GREENROOM_DATABASE_URL="+pair.URL("postgres"))
			s := p.serve(t)
			h := newHistory()
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			all := h.clients(ctx, writers, s.url, fmt.Sprintf("f%d", round), nil)
			h.acknowledgedMore(t, 50+17*round)
			cut := time.Now()
			if err := pair.FailOver(); err != nil {
				t.Fatal(err)
			}
			promoted := time.Since(cut)
			back := h.acknowledgedMore(t, writers) // from the moment at which the standby takes writes
			slowest = max(slowest, back)
			h.acknowledgedMore(t, 50)
			stop()
			all.Wait()
			s.stop(t)
			h.judge(t, db.Options{URL: pair.Standby.URL("postgres")})
			t.Logf("promoted after %v, writes again %v later", promoted.Round(time.Millisecond), back.Round(time.Millisecond))
		})
		if ok {
			survived++
		}
	}
	faulttest.Survived(t, "PostgreSQL: primary killed, synchronous standby promoted", rounds, survived, "writes again at the latest after ", slowest.Round(time.Millisecond), " from the promotion")
}

const publicRead = "/rest/v1/courses?select=id&limit=3"

// TestAStoppedDatabaseIsSurvived stops every process of PostgreSQL where it is, for half a minute under load. Everybody is
// answered in bounded time, nothing piles up, and the server comes back by itself.
func TestAStoppedDatabaseIsSurvived(t *testing.T) {
	const longest, back = 20 * time.Second, 5 * time.Second
	cluster, url := dbtest.Own(t)
	port := ports(t, 1)[0]
	p := newPlace(t, db.SQLite, "GREENROOM_RATE_LIMITS=off", fmt.Sprintf("GREENROOM_METRICS_LISTEN=127.0.0.1:%d", port), "GREENROOM_DATABASE_URL="+url)
	s := p.serve(t)
	h := newHistory()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var slowest, refusals atomic.Int64
	note := func(o outcome, after time.Duration) {
		for seen := slowest.Load(); int64(after) > seen && !slowest.CompareAndSwap(seen, int64(after)); seen = slowest.Load() {
		}
		if o != acknowledged {
			refusals.Add(1)
		}
	}
	all := h.clients(ctx, 64, s.url, "s", note)
	h.acknowledgedMore(t, 500)
	inside := fmt.Sprintf("http://127.0.0.1:%d/metrics", port)
	if got := status(ctx, s.url+publicRead); got != http.StatusOK { // from here on it is kept
		t.Fatal(got)
	}
	before := figure(t, inside, "go_goroutines")
	if err := cluster.Pause(); err != nil {
		t.Fatal(err)
	}
	most, reads := 0.0, 0
	for until := time.Now().Add(faultTime(30 * time.Second)); time.Now().Before(until); time.Sleep(100 * time.Millisecond) {
		most = max(most, figure(t, inside, "go_goroutines"))
		if status(ctx, s.url+publicRead) == http.StatusOK {
			reads++
		}
	}
	if err := cluster.Resume(); err != nil {
		t.Fatal(err)
	}
	returned := h.acknowledgedMore(t, 1)
	h.acknowledgedMore(t, 200)
	stop()
	all.Wait()
	after := figure(t, inside, "go_goroutines")
	s.stop(t)
	h.judge(t, db.Options{URL: url})
	survived := 1
	if time.Duration(slowest.Load()) > longest || most > before+200 || returned > back || reads == 0 {
		survived = 0
	}
	faulttest.Survived(t, "PostgreSQL: stopped for half a minute (SIGSTOP)", 1, survived,
		fmt.Sprintf("slowest answer %v, %d refused, goroutines %.0f, at most %.0f, after %.0f, %d public reads went on, writes again after %v",
			time.Duration(slowest.Load()).Round(time.Millisecond), refusals.Load(), before, most, after, reads, returned.Round(time.Millisecond)))
}

// figure reads one of the server's own.
func figure(t *testing.T, inside, name string) (value float64) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, inside, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	for line := range strings.Lines(readAll(t, answer)) {
		if n, _ := fmt.Sscanf(line, name+" %g", &value); n == 1 {
			return value
		}
	}
	t.Fatalf("there is no %s", name)
	return 0
}
