package db_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/fault"
)

// turnedAway tells whether an error is a 503 that says when to come back.
func turnedAway(err error) bool {
	f, ok := errors.AsType[*fault.Error](err)
	return ok && f.Kind == fault.Unavailable && f.RetryAfter > 0
}

func TestWhoWaitsTooLongForTheWriterIsTurnedAwayWithAllOthers(t *testing.T) {
	t.Parallel()
	at := dbtest.Location(t, db.SQLite)
	at.Wait = 500 * time.Millisecond
	d := dbtest.Reopen(t, at, clock.System{})
	release := dbtest.Hold(t, at)
	defer release()
	var wait sync.WaitGroup
	for i := range 40 {
		wait.Go(func() {
			err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error { return addVersion(ctx, tx, fmt.Sprintf("late%d", i)) })
			if !turnedAway(err) {
				t.Errorf("write %d: %v", i, err)
			}
		})
	}
	wait.Wait() // the lock is held all the while
	if countVersions(t, d, "late%") != 0 {
		t.Error("reads do not go on")
	}
	release()
	// Who was turned away wrote nothing, not even afterwards; whoever comes now does.
	for {
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error { return addVersion(ctx, tx, "now") })
		if err == nil {
			break
		}
		if !turnedAway(err) {
			t.Fatal(err)
		}
	}
	if n := countVersions(t, d, "late%"); n != 0 {
		t.Errorf("%d of those who were turned away wrote after all", n)
	}
}

func TestAClientThatGoesAwayBeforeItsTurnWritesNothing(t *testing.T) {
	t.Parallel()
	at := dbtest.Location(t, db.SQLite)
	at.Wait = time.Hour
	d := dbtest.Reopen(t, at, clock.System{})
	release := dbtest.Hold(t, at)
	defer release()
	ctx, leave := context.WithCancel(t.Context())
	answered := make(chan error, 1)
	go func() {
		answered <- d.Write(ctx, func(ctx context.Context, tx *db.Tx) error { return addVersion(ctx, tx, "gone") })
	}()
	leave()
	if err := <-answered; !errors.Is(err, context.Canceled) {
		t.Errorf("a client that left: %v", err)
	}
	release()
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error { return addVersion(ctx, tx, "next") })
	if err != nil || countVersions(t, d, "gone") != 0 || countVersions(t, d, "next") != 1 {
		t.Errorf("gone %d, next %d, %v", countVersions(t, d, "gone"), countVersions(t, d, "next"), err)
	}
}

// A statement that is interrupted makes SQLite roll back the transaction, which others share.
func TestAClientThatGoesAwayInItsTurnHarmsNobody(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite, clock.System{})
	var wait sync.WaitGroup
	for i := range 60 {
		wait.Go(func() {
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			err := d.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
				if i%3 == 0 {
					leave()
				}
				return addVersion(ctx, tx, fmt.Sprintf("c%d", i))
			})
			if err != nil {
				t.Errorf("write %d: %v", i, err)
			}
		})
	}
	wait.Wait()
	if n := countVersions(t, d, "c%"); n != 61 { // and "catalog", which is always there
		t.Errorf("%d rows, want 61", n)
	}
}

func TestEveryConnectionToTheFileSyncsInFull(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite, clock.System{})
	look := func(ctx context.Context, tx *db.Tx) error {
		var sync, keys int
		var journal string
		err := errors.Join(tx.QueryRow(ctx, "pragma synchronous").Scan(&sync), tx.QueryRow(ctx, "pragma foreign_keys").Scan(&keys),
			tx.QueryRow(ctx, "pragma journal_mode").Scan(&journal))
		if sync != 2 || keys != 1 || journal != "wal" {
			err = errors.Join(err, fmt.Errorf("synchronous %d, foreign keys %d, journal %s", sync, keys, journal))
		}
		return err
	}
	if err := d.Write(t.Context(), look); err != nil {
		t.Error("the writer:", err)
	}
	// All readers at once, each on a connection of its own.
	var together, wait sync.WaitGroup
	readers := 2 * runtime.NumCPU()
	together.Add(readers)
	for range readers {
		wait.Go(func() {
			err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				together.Done()
				together.Wait()
				return look(ctx, tx)
			})
			if err != nil {
				t.Error("a reader:", err)
			}
		})
	}
	wait.Wait()
}
