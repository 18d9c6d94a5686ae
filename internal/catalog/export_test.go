package catalog

import (
	"context"
	"iter"
	"time"

	"github.com/google/uuid"

	"greenroom/internal/platform/db"
)

var generated func(n int) iter.Seq[Course]

// UseGenerated hands the generated catalogue to the tests inside the package, which cannot import it themselves.
func UseGenerated(fn func(n int) iter.Seq[Course]) { generated = fn }

// Touch is touch, for tests that write courses by themselves.
func (c *Catalog) Touch(ctx context.Context, tx *db.Tx, courses ...string) error {
	return c.touch(ctx, tx, courses...)
}

// Find searches the index once it is current; ok is false while there is no index.
func (c *Catalog) Find(ctx context.Context, text string, limit, offset int) (ids []string, total int, ok bool) {
	index := c.current(ctx)
	if index == nil {
		return nil, 0, false
	}
	keys, total := index.search(wanted{text: []byte(folded(text))}, byRating, limit, offset)
	for _, key := range keys {
		ids = append(ids, uuid.UUID(key).String())
	}
	return ids, total, true
}

// HoldTurn takes the one turn to look at every course until the returned function is called.
func (c *Catalog) HoldTurn() (release func()) {
	c.scanning <- struct{}{}
	return func() { <-c.scanning }
}

// TurnWithin sets how long a read waits for its turn.
func (c *Catalog) TurnWithin(d time.Duration) { c.turnWithin = d }

// OnTop is how many courses lie on top of the index.
func (c *Catalog) OnTop() int {
	if held := c.index.Load(); held != nil {
		return len(held.fresh)
	}
	return 0
}
