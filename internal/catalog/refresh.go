package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/memory"
	"greenroom/internal/platform/safe"
)

const (
	// mostFresh is how many courses may lie on top of the index, where each search looks at them one by one; beyond it
	// the index is built anew.
	mostFresh = 4000
	// fullFresh is how many may while that build is under way. Beyond it the index stays as it is until then.
	fullFresh = 16_000
	// largeIndex is how many bytes are worth a collection of the whole process.
	largeIndex = 8 << 20
)

// errTooOld says that an index cannot be brought up to a version by the noted changes alone.
var errTooOld = errors.New("the search index must be built anew")

// keeper keeps the index fresh. It never waits for a build: what changes meanwhile still goes on top of the last index.
type keeper struct {
	*Catalog

	built  chan build       // what the build under way will come to; nil when there is none
	rested <-chan time.Time // when the next one may begin; nil when it may
	stuck  bool             // only a build brings the index any further
}

type build struct {
	index *snapshot
	took  time.Duration
	err   error
}

// keepIndex brings the index up to each new version, and tries again after a failure.
func (c *Catalog) keepIndex(ctx context.Context) {
	k := keeper{Catalog: c}
	for ctx.Err() == nil {
		version, changed := c.Versions.Watch()
		again := k.follow(ctx, version)
		select {
		case <-ctx.Done():
		case <-changed:
		case <-again:
		case <-k.rested:
			k.rested = nil
		case b := <-k.built:
			k.take(ctx, b)
		}
	}
	if k.built != nil {
		<-k.built
	}
}

// follow puts what changed on top of the index, and has it built anew where that is due. After a failure it is to be
// called again when the channel says so.
func (k *keeper) follow(ctx context.Context, version int64) (again <-chan time.Time) {
	if version == 0 {
		return nil
	}
	held := k.index.Load()
	due := held == nil || k.stuck || len(held.fresh) > mostFresh
	if held != nil && held.version < version && !k.stuck {
		begun := k.d.Clock.Now()
		next, err := k.catchUp(ctx, held, version)
		switch {
		case err == nil:
			k.show(next)
			// An import writes all the time; half of it is spent on following.
			pause(ctx, min(k.d.Clock.Now().Sub(begun), patience/4))
			due = len(next.fresh) > mostFresh
		case errors.Is(err, errTooOld):
			k.behind.Store(true)
			k.stuck, due = true, true
		case ctx.Err() == nil:
			k.behind.Store(true)
			k.log.WarnContext(ctx, "the search index is behind; searches show what was before", "error", err)
			again = time.After(time.Second)
		}
	}
	if due && k.built == nil && k.rested == nil {
		k.begin(ctx)
	}
	return again
}

// show makes an index the one that searches are answered from.
func (k *keeper) show(next *snapshot) {
	k.shown.Store(k.d.Clock.Now().UnixMicro())
	k.index.Store(next)
	k.behind.Store(false)
	k.stuck = false
	close(*k.caught.Swap(new(make(chan struct{}))))
}

// begin starts a build.
func (k *keeper) begin(ctx context.Context) {
	k.built = make(chan build, 1)
	to := k.built
	safe.Go(k.log, func() {
		var b build
		begun := k.d.Clock.Now()
		b.err = safe.Try(func() (err error) {
			b.index, err = k.load(ctx)
			return err
		})
		b.took = k.d.Clock.Now().Sub(begun)
		to <- b
	})
}

// take puts a new index in the place of the last one, unless too much has changed again: then the newer of the two
// stays until the next one. Builds take no more than half of the time, for an import that goes on for minutes would
// otherwise keep a core busy with indexes that are out of date when they are done.
func (k *keeper) take(ctx context.Context, b build) {
	k.built = nil
	if b.err != nil {
		if ctx.Err() == nil {
			k.log.WarnContext(ctx, "the search index could not be built", "error", b.err)
		}
		k.rested = time.After(max(b.took, time.Second))
		return
	}
	if b.took > 0 {
		k.rested = time.After(b.took)
	}
	held := k.index.Load()
	if held == nil || held.version <= b.index.version {
		k.show(b.index)
	} else if next, err := k.catchUp(ctx, b.index, held.version); err == nil {
		k.show(next)
	}
	memory.Hold(b.index.size())
	if b.index.size() > largeIndex {
		memory.Release() // the build took three times as much, and the last index is gone
	}
}

func pause(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// catchUp puts the noted changes up to a version on top of an index.
func (c *Catalog) catchUp(ctx context.Context, on *snapshot, version int64) (next *snapshot, err error) {
	if version-on.version > keptChanges {
		return nil, errTooOld
	}
	err = c.d.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		ids, err := changedSince(ctx, tx, on.version, version)
		if err != nil {
			return err
		}
		if slices.Contains(ids, everything) || len(ids)+len(on.fresh) > fullFresh {
			return errTooOld
		}
		changed := make(map[[16]byte]bool, len(ids))
		for _, text := range ids {
			key, err := uuid.Parse(text)
			if err != nil {
				return fmt.Errorf("a changed course: %w", err)
			}
			changed[key] = true
		}
		now, err := entriesOf(ctx, tx, ids)
		if err == nil {
			next = on.with(version, changed, now)
		}
		return err
	})
	return next, err
}

// changedSince names the courses of the versions after one up to another, or some of them that are too many.
func changedSince(ctx context.Context, tx *db.Tx, after, upTo int64) ([]string, error) {
	var ids []string
	err := db.Each(ctx, tx, "select distinct course_id from course_changes where number > $1 and number <= $2 limit $3", []any{after, upTo, fullFresh + 1},
		func(scan func(into ...any) error) error {
			var course string
			err := scan(&course)
			ids = append(ids, course)
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("read the changed courses: %w", err)
	}
	return ids, nil
}

const searchColumns = "id, title, instructor, category, description, rating, created_at"

// entriesOf reads those of the courses that are there.
func entriesOf(ctx context.Context, tx *db.Tx, ids []string) ([]entry, error) {
	var list []entry
	for some := range slices.Chunk(ids, mostParameters) {
		args := make([]any, len(some))
		for i, course := range some {
			args[i] = course
		}
		query := "select " + searchColumns + " from courses where id in " + marks(1, len(some))
		err := db.Each(ctx, tx, query, args, func(scan func(into ...any) error) error {
			course, err := scanSearched(scan)
			list = append(list, entryOf(&course))
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("read changed courses: %w", err)
		}
	}
	return list, nil
}

func scanSearched(scan func(into ...any) error) (course Course, err error) {
	var created db.Time
	err = scan(&course.ID, &course.Title, &course.Instructor, &course.Category, &course.Description, &course.Rating, &created)
	course.CreatedAt = created.Time
	return course, err
}

// load builds the index from the whole table, in one statement and so from one moment. The version is read before it:
// what changes in between is applied again, which does no harm. It waits for its turn like every other look at all
// courses, and gives the connection back before the longer half of the work.
func (c *Catalog) load(ctx context.Context) (*snapshot, error) {
	var b builder
	var version int64
	if err := c.readAll(ctx, &b, &version); err != nil {
		return nil, fmt.Errorf("load the catalogue for searching: %w", err)
	}
	return b.snapshot(version), nil
}

func (c *Catalog) readAll(ctx context.Context, b *builder, version *int64) error {
	select {
	case c.scanning <- struct{}{}:
		defer func() { <-c.scanning }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return c.d.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		if err := tx.QueryRow(ctx, "select number from versions where name = 'catalog'").Scan(version); err != nil {
			return err
		}
		return db.Each(ctx, tx, "select "+searchColumns+" from courses order by rating desc, created_at desc, id", nil,
			func(scan func(into ...any) error) error {
				course, err := scanSearched(scan)
				if err == nil {
					b.add(&course)
				}
				return err
			})
	})
}
