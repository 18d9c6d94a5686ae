package db_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// TestNoMoreThanThePoolAreConnected holds connections until no more is to be had; the next callers are turned away.
func TestNoMoreThanThePoolAreConnected(t *testing.T) {
	t.Parallel()
	for engine, most := range map[db.Engine]int{db.SQLite: 2 * runtime.NumCPU(), db.Postgres: max(8, 4*runtime.NumCPU())} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			at := dbtest.Location(t, engine)
			at.Wait = 3 * time.Second // time enough to connect, if it were allowed
			d := dbtest.Reopen(t, at, clock.System{})
			over, wait := make(chan struct{}), sync.WaitGroup{}
			in := make(chan struct{}, most)
			for range most {
				wait.Go(func() {
					for entered := false; !entered; { // a machine under load may take longer than Wait to connect
						err := d.Read(t.Context(), func(context.Context, *db.Tx) error {
							entered = true
							in <- struct{}{}
							<-over
							return nil
						})
						if err != nil && !turnedAway(err) {
							t.Error(err)
							return
						}
					}
				})
			}
			for range most {
				<-in
			}
			var late sync.WaitGroup
			for range 5 {
				late.Go(func() {
					err := d.Read(t.Context(), func(context.Context, *db.Tx) error {
						t.Errorf("more than %d are connected", most)
						return nil
					})
					if !turnedAway(err) {
						t.Errorf("one too many: %v", err)
					}
				})
			}
			if err := d.Ping(t.Context()); !turnedAway(err) {
				t.Errorf("a ping beside a full pool: %v", err)
			}
			late.Wait()
			close(over)
			wait.Wait()
		})
	}
}

// TestTheLineIsNotEndless fills the line of those who wait for a connection; whoever comes then is turned away at once.
func TestTheLineIsNotEndless(t *testing.T) {
	t.Parallel()
	at := dbtest.Location(t, db.SQLite)
	at.Wait = time.Hour
	d := dbtest.Reopen(t, at, clock.System{})
	over, answers := make(chan struct{}), make(chan error)
	const callers, most = 2100, 2000
	in := make(chan struct{}, callers)
	read := func() {
		answers <- d.Read(t.Context(), func(context.Context, *db.Tx) error {
			in <- struct{}{}
			<-over
			return nil
		})
	}
	for range 2 * runtime.NumCPU() { // the pool is full before anybody stands in the line
		go read()
	}
	for range 2 * runtime.NumCPU() {
		<-in
	}
	for range callers - 2*runtime.NumCPU() {
		go read()
	}
	for range callers - most - 2*runtime.NumCPU() {
		if err := <-answers; !turnedAway(err) {
			t.Errorf("one too many in the line: %v", err)
		}
	}
	close(over)
	for range most + 2*runtime.NumCPU() {
		if err := <-answers; err != nil {
			t.Errorf("one who waited: %v", err)
		}
	}
}
