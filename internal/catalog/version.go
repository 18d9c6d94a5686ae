package catalog

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// pollEvery bounds how late another instance's change is noticed.
const pollEvery = 500 * time.Millisecond

// keptChanges is how many numbers of the version are remembered with their courses.
const keptChanges = 5000

// Versions tells the catalogue's version from memory. A write on this instance is seen at its commit, one on another
// instance within half a second.
type Versions struct {
	d   *db.DB
	log *slog.Logger

	number  atomic.Int64 // raised under mu, read by every request
	watched atomic.Bool  // whether run notices what others change
	mu      sync.Mutex
	changed chan struct{}
}

func newVersions(d *db.DB, log *slog.Logger) *Versions {
	return &Versions{d: d, log: log, changed: make(chan struct{})}
}

// Current is the newest version that this instance knows of; 0 before the first look.
func (v *Versions) Current() int64 { return v.number.Load() }

// Watched is Current where somebody watches what other instances change, and 0 where nobody does: what is kept by it
// could not become untrue.
func (v *Versions) Watched() int64 {
	if !v.watched.Load() {
		return 0
	}
	return v.Current()
}

// Watch gives the version, and a channel that is closed when it rises.
func (v *Versions) Watch() (number int64, changed <-chan struct{}) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.number.Load(), v.changed
}

// Look reads the version from the database.
func (v *Versions) Look(ctx context.Context) error {
	var number int64
	err := v.d.Read(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		number, err = Shown(ctx, tx)
		return err
	})
	if err != nil {
		return fmt.Errorf("look at the catalogue's version: %w", err)
	}
	v.rise(number)
	return nil
}

// Shown is the version that a database shows, be it ours or one that follows it.
func Shown(ctx context.Context, tx *db.Tx) (number int64, err error) {
	err = tx.QueryRow(ctx, "select number from versions where name = 'catalog'").Scan(&number)
	return number, err
}

func (v *Versions) rise(number int64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if number > v.number.Load() {
		v.number.Store(number)
		close(v.changed)
		v.changed = make(chan struct{})
	}
}

func (v *Versions) run(ctx context.Context) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	failing := false
	defer v.watched.Store(false)
	for {
		err := v.Look(ctx)
		v.watched.Store(v.watched.Load() || err == nil)
		if err != nil && !failing && ctx.Err() == nil {
			v.log.WarnContext(ctx, "the catalogue's version cannot be read", "error", err)
		}
		failing = err != nil
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Raise raises the version in this transaction, for a change that pages show and that is no course's.
func (c *Catalog) Raise(ctx context.Context, tx *db.Tx) error {
	_, err := c.raise(ctx, tx)
	return err
}

// Changed notes, in this transaction, courses that something else than the catalogue changed.
func (c *Catalog) Changed(ctx context.Context, tx *db.Tx, courses ...string) error {
	return c.touch(ctx, tx, courses...)
}

// raise locks the version's row until the commit, so numbers become visible in their order.
func (c *Catalog) raise(ctx context.Context, tx *db.Tx) (number int64, err error) {
	err = tx.QueryRow(ctx, "update versions set number = number + 1 where name = 'catalog' returning number").Scan(&number)
	if err != nil {
		return 0, fmt.Errorf("raise the catalogue's version: %w", err)
	}
	tx.AfterCommit(func() { c.Versions.rise(number) })
	return number, nil
}

// touch raises the version and notes the courses that this transaction changed.
func (c *Catalog) touch(ctx context.Context, tx *db.Tx, courses ...string) error {
	number, err := c.raise(ctx, tx)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(courses, mostParameters/2) {
		args := make([]any, 0, 2*len(some))
		for _, course := range some {
			args = append(args, number, course)
		}
		if _, err := tx.Exec(ctx, "insert into course_changes (number, course_id) values "+marks(len(some), 2)+" on conflict do nothing", args...); err != nil {
			return fmt.Errorf("note the changed courses: %w", err)
		}
	}
	return nil
}

// Over names the changes that every index has caught up with long ago.
func (c *Catalog) Over() []db.Old {
	return []db.Old{{
		Table: "course_changes", Key: []string{"number", "course_id"}, Order: "number", Final: true,
		Where: "number <= (select number from versions where name = 'catalog') - $1", Args: []any{keptChanges},
	}}
}

// everything stands in course_changes for all courses.
const everything = id.Nil
