package limit

import (
	"maps"
	"sync"
	"time"
)

// maxRefusals bounds the memory that a flood from many addresses can take.
const maxRefusals = 20_000

// refusals remembers who was turned away and until when, so that a flood costs no writes.
type refusals struct {
	mu    sync.Mutex
	until map[string]time.Time
}

func (r *refusals) remember(subject string, until, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.until) >= maxRefusals {
		maps.DeleteFunc(r.until, func(_ string, end time.Time) bool { return !end.After(now) })
	}
	if len(r.until) >= maxRefusals {
		clear(r.until)
	}
	r.until[subject] = until
}

// none says that nobody was turned away.
func (r *refusals) none() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.until) == 0
}

// wait is how long the subject is still turned away.
func (r *refusals) wait(subject string, now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	until, ok := r.until[subject]
	if !ok {
		return 0
	}
	if !until.After(now) {
		delete(r.until, subject)
		return 0
	}
	return until.Sub(now)
}
