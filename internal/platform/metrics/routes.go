package metrics

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// mostRoutes bounds the series. Patterns come out of the program and never from a client, so it is never met.
const mostRoutes = 1000

// Routes counts requests by the pattern that they met, their method, and the class of the answer's status.
type Routes struct {
	mu  sync.RWMutex
	all map[answered]*Histogram
}

type answered struct {
	pattern, method string
	class           int
}

var methods = map[string]bool{"GET": true, "HEAD": true, "POST": true, "PUT": true, "PATCH": true, "DELETE": true, "OPTIONS": true}

// Observe counts a request. The pattern must be one of the program's own texts: it becomes a label.
func (r *Routes) Observe(pattern, method string, status int, took time.Duration) {
	if !methods[method] {
		method = "other"
	}
	key := answered{pattern, method, status / 100}
	r.mu.RLock()
	found := r.all[key]
	r.mu.RUnlock()
	if found == nil {
		found = r.enter(key)
	}
	found.Observe(took)
}

func (r *Routes) enter(key answered) *Histogram {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil {
		r.all = map[answered]*Histogram{}
	}
	if len(r.all) >= mostRoutes {
		key = answered{"other", "other", key.class}
	}
	if r.all[key] == nil {
		key.pattern, key.method = strings.Clone(key.pattern), strings.Clone(key.method) // not a request's memory
		r.all[key] = &Histogram{}
	}
	return r.all[key]
}

var classes = [...]string{"none", "1xx", "2xx", "3xx", "4xx", "5xx"}

func (r *Routes) write(name string, to *page) {
	r.mu.RLock()
	all := maps.Clone(r.all)
	r.mu.RUnlock()
	order := slices.SortedFunc(maps.Keys(all), func(a, b answered) int {
		return cmp.Or(cmp.Compare(a.pattern, b.pattern), cmp.Compare(a.method, b.method), cmp.Compare(a.class, b.class))
	})
	for _, key := range order {
		path := key.pattern
		if _, after, found := strings.Cut(path, " "); found {
			path = after // the mux has the method in front of it
		}
		class := classes[0]
		if key.class > 0 && key.class < len(classes) {
			class = classes[key.class]
		}
		to.histogram(name, all[key], []string{"route", cmp.Or(path, "other"), "method", key.method, "status", class})
	}
}
