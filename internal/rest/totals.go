package rest

import (
	"fmt"
	"sync"
)

// mostTotals is how many are kept; a name of one is a short statement.
const mostTotals = 1000

// totals keeps how many rows conditions find in tables that have a Version, for as long as that stays.
type totals struct {
	mu      sync.Mutex
	version int64
	known   map[string]int
}

// totalName tells one count from any other: its text, and its parameters with their types.
func totalName(s *statement) string { return fmt.Sprintf("%s %#v", s.text, s.args) }

func (t *totals) find(version int64, name string) (total int, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if version != t.version {
		return 0, false
	}
	total, known = t.known[name]
	return total, known
}

// keep notes a total that was counted after its version was known.
func (t *totals) keep(version int64, name string, total int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if version < t.version || len(name) > keptQuestion {
		return
	}
	if version > t.version || len(t.known) >= mostTotals {
		t.version, t.known = version, map[string]int{}
	}
	t.known[name] = total
}
