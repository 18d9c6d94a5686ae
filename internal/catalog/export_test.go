package catalog

import (
	"context"
	"iter"

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

// Find searches the index once it is current; ok is false when the database would have to answer.
func (c *Catalog) Find(ctx context.Context, text string, limit, offset int) (ids []string, total int, ok bool) {
	index, ok := c.current(ctx)
	if !ok {
		return nil, 0, false
	}
	keys, total := index.search([]byte(text), byRating, limit, offset)
	for _, key := range keys {
		ids = append(ids, uuid.UUID(key).String())
	}
	return ids, total, true
}
