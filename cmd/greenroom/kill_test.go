package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

const writers = 8

// TestKillsLoseNothing kills a server in the middle of many writes, again and again.
func TestKillsLoseNothing(t *testing.T) {
	t.Parallel()
	eachPlace(t, func(t *testing.T, p place) {
		p.env = append(p.env, "GREENROOM_RATE_LIMITS=off")
		h := newHistory()
		for round := range killRounds {
			s := p.serve(t)
			if status, body := s.get(t, "/readyz"); status != http.StatusOK {
				t.Fatalf("after a kill: %d %s", status, body)
			}
			ctx, stop := context.WithCancel(t.Context())
			var all sync.WaitGroup
			enough := make(chan struct{}, writers<<10)
			for writer := range writers {
				all.Go(func() {
					for i := 0; ctx.Err() == nil; i++ {
						if h.register(ctx, s.url, fmt.Sprintf("r%d-w%d-%d", round, writer, i)) == acknowledged {
							enough <- struct{}{}
						}
					}
				})
			}
			for range 10 + rand.IntN(60) {
				<-enough
			}
			time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond) // anywhere between two answers
			if err := s.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			stop()
			all.Wait()
			_ = s.wait()
		}
		h.judge(t, p.location())
		if h.count(acknowledged) < 10*killRounds {
			t.Errorf("only %d were acknowledged", h.count(acknowledged))
		}
	})
}

func TestTheJudgeSeesWhatIsLostAndWhatIsInvented(t *testing.T) {
	t.Parallel()
	eachPlace(t, func(t *testing.T, p place) {
		p.env = append(p.env, "GREENROOM_RATE_LIMITS=off")
		s := p.serve(t)
		h := newHistory()
		for _, name := range []string{"kept", "invented", "denied"} {
			if h.register(t.Context(), s.url, name) != acknowledged {
				t.Fatal("not registered")
			}
		}
		s.stop(t)
		h.note("lost", acknowledged)
		h.note("denied", refused)
		delete(h.outcomes, "invented")
		said := strings.Join(h.faults(t, p.location()), "\n")
		for _, want := range []string{"lost was acknowledged and is lost", "invented is there", "denied is there"} {
			if !strings.Contains(said, want) {
				t.Errorf("nobody says that %s:\n%s", want, said)
			}
		}
		if strings.Contains(said, "kept") {
			t.Error(said)
		}
	})
}
