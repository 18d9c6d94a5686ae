package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"
	"time"

	"greenroom/internal/platform/db"
)

// balancer is what stands before several instances: it asks each whether it is ready, and passes every request to one that
// is. It tries nothing twice: a request that fails, fails.
type balancer struct {
	mu    sync.Mutex
	ready []*httputil.ReverseProxy
	next  int
}

func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	if len(b.ready) == 0 {
		b.mu.Unlock()
		http.Error(w, "no instance is ready", http.StatusBadGateway)
		return
	}
	b.next++
	to := b.ready[b.next%len(b.ready)]
	b.mu.Unlock()
	to.ServeHTTP(w, r)
}

// look asks instances whether they are ready, and goes by what they say from then on.
func (b *balancer) look(t *testing.T, instances ...*running) {
	t.Helper()
	var ready []*httputil.ReverseProxy
	for _, one := range instances {
		if status, _ := one.get(t, "/readyz"); status == http.StatusOK {
			at, err := url.Parse(one.url)
			if err != nil {
				t.Fatal(err)
			}
			ready = append(ready, httputil.NewSingleHostReverseProxy(at))
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ready = ready
}

// TestRollingRestartsFailNoRequest replaces two instances on one database, one after the other and twice, under writes
// and reads.
func TestRollingRestartsFailNoRequest(t *testing.T) {
	t.Parallel()
	first := newPlace(t, db.Postgres, "GREENROOM_RATE_LIMITS=off", "GREENROOM_DRAIN=1s")
	second := sharing(t, first, db.Postgres)
	second.env = append(second.env, "GREENROOM_RATE_LIMITS=off", "GREENROOM_DRAIN=1s", "GREENROOM_DATABASE_URL="+first.value("GREENROOM_DATABASE_URL"))
	places := []place{first, second}
	instances := []*running{first.serve(t), second.serve(t)}
	b := &balancer{}
	b.look(t, instances...)
	front := httptest.NewServer(b)
	defer front.Close()

	h, ctx, stop := newHistory(), t.Context(), make(chan struct{})
	var clients sync.WaitGroup
	for client := range writers / 2 {
		clients.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				if o := h.register(ctx, front.URL, fmt.Sprintf("c%d-%d", client, i)); o != acknowledged {
					t.Errorf("write %d of client %d failed (%d)", i, client, o)
				}
				if status := status(ctx, front.URL+"/rest/v1/courses?select=id&limit=3"); status != http.StatusOK {
					t.Errorf("read %d of client %d: %d", i, client, status)
				}
			}
		})
	}
	for range 2 {
		for i := range instances {
			leaving := instances[i]
			leaving.terminate(t)
			leaving.await(t, "stopping") // from now on it says that it is not ready, and still answers
			b.look(t, instances...)
			if err := leaving.wait(); err != nil {
				t.Errorf("the end: %v", err)
			}
			instances[i] = places[i].serve(t)
			b.look(t, instances...)
		}
	}
	close(stop)
	clients.Wait()
	for _, one := range instances {
		one.stop(t)
	}
	h.judge(t, first.location())
	if h.count(acknowledged) < 20 {
		t.Errorf("only %d writes", h.count(acknowledged))
	}
}

func status(ctx context.Context, address string) int {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0
	}
	request.Header.Set("apikey", "sb_publishable_of_the_tests")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}
