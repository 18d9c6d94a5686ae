package db_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/fault"
)

// TestDeadlockedWritesAreTriedAgain lets two transactions take two rows in opposite order.
func TestDeadlockedWritesAreTriedAgain(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.Postgres, clock.System{})
	run(t, d, "insert into versions (name, number) values ('a', 0), ('b', 0)")
	var both, wait sync.WaitGroup
	both.Add(2)
	var hooks, tries atomic.Int64
	for _, order := range [][2]string{{"a", "b"}, {"b", "a"}} {
		wait.Go(func() {
			first := true
			err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				tries.Add(1)
				tx.AfterCommit(func() { hooks.Add(1) })
				for _, name := range order {
					if _, err := tx.Exec(ctx, "update versions set number = number + 1 where name = $1", name); err != nil {
						return fmt.Errorf("count up: %w", err)
					}
					if first {
						first = false
						both.Done()
						both.Wait()
					}
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	counted := asks(t, d, "select count(*) = 2 from versions where name in ('a', 'b') and number = 2")
	if !counted || tries.Load() < 3 || hooks.Load() != 2 {
		t.Errorf("%d tries, %d hooks", tries.Load(), hooks.Load())
	}
}

func TestWritesThatMeetAnothersChangeAreTriedAgain(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.Postgres, clock.System{})
	run(t, d, "insert into versions (name, number) values ('a', 0)")
	tries := 0
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		var seen int
		if _, err := tx.Exec(ctx, "set transaction isolation level repeatable read"); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, "select number from versions where name = 'a'").Scan(&seen); err != nil {
			return err
		}
		if tries++; tries == 1 {
			run(t, d, "update versions set number = 10 where name = 'a'")
		}
		_, err := tx.Exec(ctx, "update versions set number = $1 where name = 'a'", seen+1)
		return err
	})
	if err != nil || tries != 2 || !asks(t, d, "select number = 11 from versions where name = 'a'") {
		t.Errorf("%d tries, %v", tries, err)
	}
}

// A conflict that never ends is answered, not tried for ever.
func TestTriesAreCounted(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.Postgres, clock.System{})
	tries := 0
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		tries++
		_, err := tx.Exec(ctx, "do $$ begin raise exception 'met another' using errcode = '40001'; end $$")
		return err
	})
	if !fault.Is(err, fault.Unavailable) || tries != 5 {
		t.Errorf("%d tries, %v", tries, err)
	}
}

// TestTheServerEndsWhatNobodyWaitsFor looks at the bounds that every connection sets, unless the operator did.
func TestTheServerEndsWhatNobodyWaitsFor(t *testing.T) {
	t.Parallel()
	at := strings.TrimSuffix(dbtest.Location(t, db.Postgres).URL, dbtest.Patient)
	for url, want := range map[string]string{
		at:                                     "1min 5s 1min",
		at + "&statement_timeout=7000":         "7s 5s 1min",
		at + "&options=-c%20lock_timeout%3D2s": "1min 2s 1min",
		at + "&idle_in_transaction_session_timeout=90000": "1min 5s 90s",
	} {
		d := dbtest.Reopen(t, db.Options{URL: url}, clock.System{})
		if !asks(t, d, `select current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') || ' ' ||
				current_setting('idle_in_transaction_session_timeout') = $1`, want) {
			t.Errorf("%s: not %s", url, want)
		}
	}
}
