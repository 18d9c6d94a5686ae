package db_test

import (
	"context"
	"os"
	"sync"
	"testing"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// TestTheLogStaysShortWhileReadersOverlap has a reader at every moment, so SQLite by itself could never begin the log anew.
func TestTheLogStaysShortWhileReadersOverlap(t *testing.T) {
	t.Parallel()
	at := dbtest.Location(t, db.SQLite)
	d := dbtest.Reopen(t, at, clock.System{})
	stop, wait := make(chan struct{}), sync.WaitGroup{}
	over := [2]chan struct{}{make(chan struct{}, 1), make(chan struct{}, 1)}
	for i := range 2 { // each ends only after the other has begun
		wait.Go(func() {
			silent := i == 0 // nobody is to end when the first one begins for the first time
			for stopped := false; !stopped; silent = false {
				err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
					return db.Each(ctx, tx, "select name from versions limit 1", nil, func(func(...any) error) error {
						if !silent {
							over[1-i] <- struct{}{}
						}
						select {
						case <-over[i]:
						case <-stop:
							stopped = true
						}
						return nil
					})
				})
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	var longest int64
	for range 200 {
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.Exec(ctx, "insert into signing_keys (id, sealed, created_at) values (hex(randomblob(16)), zeroblob(500000), 0)")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(at.Path + "-wal"); err == nil {
			longest = max(longest, info.Size())
		}
	}
	close(stop)
	wait.Wait()
	if longest > 32<<20 {
		t.Errorf("the log grew to %d MB while 100 MB were written", longest>>20)
	}
}
