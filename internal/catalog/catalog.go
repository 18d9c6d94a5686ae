// Package catalog holds the courses on offer. The courses table is the only source: the 28 built-in courses are put
// into an empty database once, admins write it through the data API, and `catalog import` writes many at a time.
//
// Every write raises the catalogue's version in its own transaction and notes which courses it touched. Each
// instance watches that number: pages are cached by it, and the search, which answers from memory, catches up with
// the noted courses. So a change is seen everywhere within a second.
package catalog

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"greenroom/internal/platform/crowd"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/safe"
)

// Catalog is the courses on offer.
type Catalog struct {
	// Versions tells the catalogue's version, for what is cached by it.
	Versions *Versions
	// Launched is told, inside the transaction, of a coming-soon course that now is out. It may be nil.
	Launched func(ctx context.Context, tx *db.Tx, course Course) error
	// Written is told, inside the transaction, that courses were written, before anybody is shown them: the lessons of a course
	// that has a curriculum are counted. Gone is told of those that were deleted. Both may be nil.
	Written func(ctx context.Context, tx *db.Tx) error
	Gone    func(ctx context.Context, tx *db.Tx, courses ...string) error
	// Rated is told, inside the transaction, which ratings were written, by the ids of the courses: where learners have rated a
	// course, what editors say is not what is shown. Somebody meant them, or they may be what was there once. It may be nil.
	Rated func(ctx context.Context, tx *db.Tx, written map[string]float64, meant bool) error
	// Held refuses, inside the transaction, that courses are deleted which must stay. It may be nil.
	Held func(ctx context.Context, tx *db.Tx, courses []string) error

	d     *db.DB
	log   *slog.Logger
	index atomic.Pointer[snapshot]
	// caught is closed, and replaced, each time the index has caught up with a version.
	caught atomic.Pointer[chan struct{}]
	// behind tells that the index cannot catch up with the newest version before it has been built anew.
	behind atomic.Bool
	// shown is when the index last changed, in microseconds.
	shown atomic.Int64
	// scanning holds whoever has the database look at every course: a search before there is an index, a read that no
	// index of the table serves, or a build of the index.
	scanning   chan struct{}
	line       crowd.Line
	turnWithin time.Duration
}

// New makes a catalogue. It answers searches from the database, one at a time, until Run has filled its index.
func New(d *db.DB, log *slog.Logger) *Catalog {
	c := &Catalog{
		d: d, log: log, Versions: newVersions(d, log), scanning: make(chan struct{}, 1), turnWithin: turnWithin,
		line: crowd.Line{Busy: "Too many searches at once. Please try again in a moment.", Most: mostInLine, Moment: turnSoon},
	}
	c.caught.Store(new(make(chan struct{})))
	return c
}

// Indexed tells which version of the catalogue is searched in, and since when; 0 before there is an index.
func (c *Catalog) Indexed() (version int64, since time.Time) {
	held := c.index.Load()
	if held == nil {
		return 0, time.Time{}
	}
	return held.version, time.UnixMicro(c.shown.Load())
}

// Run watches the version and keeps the search index fresh until ctx ends.
func (c *Catalog) Run(ctx context.Context) {
	var both safe.Group
	for _, work := range []func(context.Context){c.Versions.run, c.keepIndex} {
		both.Go(func() { safe.Keep(ctx, c.log, work) })
	}
	both.Wait()
}
