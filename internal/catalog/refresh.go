package catalog

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"greenroom/internal/platform/db"
)

// mostFresh bounds the part of the index that is searched without postings; beyond it the index is built anew.
const mostFresh = 4000

// keepIndex brings the index up to each new version, and tries again after a failure.
func (c *Catalog) keepIndex(ctx context.Context) {
	for ctx.Err() == nil {
		version, changed := c.Versions.Watch()
		pause := (<-chan time.Time)(nil)
		if held := c.index.Load(); version > 0 && (held == nil || held.version < version) {
			if err := c.refresh(ctx, version); err != nil && ctx.Err() == nil {
				c.log.WarnContext(ctx, "the search index is behind; searches go to the database", "error", err)
				pause = time.After(time.Second)
			}
		}
		select {
		case <-ctx.Done():
		case <-changed:
		case <-pause:
		}
	}
}

// refresh makes the index show at least this version.
func (c *Catalog) refresh(ctx context.Context, version int64) error {
	next, err := c.catchUp(ctx, version)
	if err != nil {
		return err
	}
	if next == nil {
		if next, err = c.loadInTurn(ctx); err != nil {
			return err
		}
	}
	c.index.Store(next)
	close(*c.caught.Swap(new(make(chan struct{}))))
	return nil
}

// loadInTurn builds the index anew, but spends no more than half of the time on it: an import that goes on for minutes
// would otherwise keep a core busy with indexes that are out of date when they are done.
func (c *Catalog) loadInTurn(ctx context.Context) (*snapshot, error) {
	if c.pause > 0 {
		select {
		case <-time.After(c.pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	begun := c.d.Clock.Now()
	built, err := c.load(ctx)
	c.pause = c.d.Clock.Now().Sub(begun)
	return built, err
}

// catchUp applies the noted changes to the index; nil means that it must be built anew.
func (c *Catalog) catchUp(ctx context.Context, version int64) (next *snapshot, err error) {
	held := c.index.Load()
	if held == nil || version-held.version > keptChanges {
		return nil, nil //nolint:nilnil // building anew is no failure
	}
	err = c.d.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		ids, err := changedSince(ctx, tx, held.version, version)
		if err != nil || len(ids)+len(held.fresh) > mostFresh {
			return err
		}
		changed := make(map[[16]byte]bool, len(ids))
		for _, text := range ids {
			key, err := uuid.Parse(text)
			if err != nil {
				return fmt.Errorf("a changed course: %w", err)
			}
			if text == everything {
				return nil
			}
			changed[key] = true
		}
		now, err := entriesOf(ctx, tx, ids)
		if err == nil {
			next = held.with(version, changed, now)
		}
		return err
	})
	return next, err
}

// changedSince names the courses of the versions after one up to another.
func changedSince(ctx context.Context, tx *db.Tx, after, upTo int64) ([]string, error) {
	var ids []string
	err := db.Each(ctx, tx, "select distinct course_id from course_changes where number > $1 and number <= $2", []any{after, upTo},
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
			list = append(list, entry{place: placeOf(&course), text: searchable(&course)})
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
// what changes in between is applied again, which does no harm.
func (c *Catalog) load(ctx context.Context) (*snapshot, error) {
	var built *snapshot
	err := c.d.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		var version int64
		if err := tx.QueryRow(ctx, "select number from versions where name = 'catalog'").Scan(&version); err != nil {
			return err
		}
		var b builder
		err := db.Each(ctx, tx, "select "+searchColumns+" from courses order by rating desc, created_at desc, id", nil,
			func(scan func(into ...any) error) error {
				course, err := scanSearched(scan)
				if err == nil {
					b.add(&course)
				}
				return err
			})
		built = b.snapshot(version)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("load the catalogue for searching: %w", err)
	}
	return built, nil
}
