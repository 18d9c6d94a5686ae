//go:build faults

package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// labor is one sort of request.
type labor struct {
	name                string
	method, path, token string
	body                func(i int64) string // nil: none
	rush                time.Duration        // how long a crowd may count as one
	text                string               // instead, with nine digits for a number that no other request has
}

func (w labor) request(ctx context.Context, url string, i int64) (*http.Request, error) {
	body := io.Reader(http.NoBody)
	if w.body != nil {
		body = strings.NewReader(w.body(i))
	}
	r, err := http.NewRequestWithContext(ctx, cmp.Or(w.method, http.MethodGet), url+w.path, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("apikey", "sb_publishable_of_the_tests")
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept-Encoding", "br, gzip") // as browsers do
	if w.token != "" {
		r.Header.Set("Authorization", "Bearer "+w.token)
	}
	return r, nil
}

// order is what a generator of its own is asked for.
func (w labor) order(url string, first int64) order {
	address := strings.TrimPrefix(url, "http://")
	head := func(w labor) string {
		text := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\napikey: sb_publishable_of_the_tests\r\nContent-Type: application/json\r\nAccept-Encoding: br, gzip\r\n",
			cmp.Or(w.method, http.MethodGet), w.path, address)
		if w.token != "" {
			text += "Authorization: Bearer " + w.token + "\r\n"
		}
		if w.text != "" {
			text += fmt.Sprintf("Content-Length: %d\r\n", len(fmt.Sprintf(w.text, 0)))
		}
		return text + "\r\n"
	}
	return order{Address: address, Head: head(w), Body: w.text, Beside: head(besides), First: first}
}

// result is how requests ended.
type result struct {
	mu                sync.Mutex
	accepted, refused []time.Duration
	rude, failed      int // refused without a time to come back; neither answered nor refused
	example           string
}

func (r *result) note(code int, retry string, took time.Duration, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err != nil:
		r.failed, r.example = r.failed+1, err.Error()
	case code == http.StatusServiceUnavailable || code == http.StatusTooManyRequests:
		r.refused = append(r.refused, took)
		if retry == "" {
			r.rude++
		}
	case code >= 500:
		r.failed, r.example = r.failed+1, fmt.Sprint(code)
	default:
		r.accepted = append(r.accepted, took)
	}
}

func centile(of []time.Duration, share float64) time.Duration {
	if len(of) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(of))
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}

func (r *result) String() string {
	text := fmt.Sprintf("%d answered, p50 %v, p99 %v", len(r.accepted), round(centile(r.accepted, 0.5)), round(centile(r.accepted, 0.99)))
	if len(r.refused) > 0 {
		text += fmt.Sprintf("; %d turned away, p50 %v, p99 %v", len(r.refused), round(centile(r.refused, 0.5)), round(centile(r.refused, 0.99)))
	}
	if r.rude+r.failed > 0 {
		text += fmt.Sprintf("; %d without Retry-After, %d failed (%s)", r.rude, r.failed, r.example)
	}
	return text
}

func round(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }

// generator sends requests to one server.
type generator struct {
	url    string
	client *http.Client
	next   atomic.Int64
}

func newGenerator(t *testing.T, url string) *generator {
	t.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: 4000, DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &generator{url: url, client: &http.Client{Transport: transport, Timeout: time.Minute}}
}

func (g *generator) once(ctx context.Context, w labor, into *result) {
	r, err := w.request(ctx, g.url, g.next.Add(1))
	if err != nil {
		into.note(0, "", 0, err)
		return
	}
	begun := time.Now()
	answer, err := g.client.Do(r)
	if err != nil {
		if ctx.Err() == nil {
			into.note(0, "", 0, err)
		}
		return
	}
	_, err = io.Copy(io.Discard, answer.Body)
	_ = answer.Body.Close()
	into.note(answer.StatusCode, answer.Header.Get("Retry-After"), time.Since(begun), err)
}

// probe asks one small thing fifty times a second, as somebody else does meanwhile.
func (g *generator) probe(ctx context.Context, w labor) (stop func() *result) {
	ctx, cancel := context.WithCancel(ctx)
	into, done := &result{}, make(chan struct{})
	go func() {
		defer close(done)
		for again := time.NewTicker(20 * time.Millisecond); ; {
			select {
			case <-ctx.Done():
				again.Stop()
				return
			case <-again.C:
				g.once(ctx, w, into)
			}
		}
	}()
	return func() *result { cancel(); <-done; return into }
}
