package db

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// TestFailureWithinAGroupUndoesOnlyItself: a job has no savepoint of its own until one fails that needed it.
func TestFailureWithinAGroupUndoesOnlyItself(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var asked []string
	d, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "test.db"), Asked: func(statement string) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, statement)
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	exec := func(text string, args ...any) func(ctx context.Context, tx *Tx) error {
		return func(ctx context.Context, tx *Tx) error { _, err := tx.Exec(ctx, text, args...); return err }
	}
	if err := d.Write(t.Context(), exec("create table things (n integer)")); err != nil {
		t.Fatal(err)
	}
	const jobs = 6
	failed := errors.New("no")
	savepoints := func() (n int) {
		mu.Lock()
		defer mu.Unlock()
		for _, statement := range asked {
			if statement == "savepoint job" {
				n++
			}
		}
		return n
	}
	for round, fails := range [][]int{{}, {0}, {2, 5}, {0, 1, 3}, {}} {
		if n := savepoints(); round < 3 && n != 0 || round >= 3 && n == 0 {
			t.Errorf("before round %d there were %d savepoints", round, n)
		}
		var committed atomic.Int32
		if err := d.Write(t.Context(), exec("delete from things")); err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		var once sync.Once // a job may run again
		began := make(chan struct{})
		write := func(n int, first func()) {
			err := d.Write(t.Context(), func(ctx context.Context, tx *Tx) error {
				first()
				if err := exec("insert into things (n) values ($1)", n)(ctx, tx); err != nil {
					return err
				}
				if slices.Contains(fails, n) {
					return failed
				}
				tx.AfterCommit(func() { committed.Add(1) })
				return nil
			})
			if slices.Contains(fails, n) != errors.Is(err, failed) {
				t.Errorf("of those that fail, %v, job %d says %v", fails, n, err)
			}
		}
		wait.Go(func() {
			write(0, func() {
				once.Do(func() { close(began) })
				for d.writing.length.Load() < jobs { // until all the others wait behind it
					runtime.Gosched()
				}
			})
		})
		<-began
		for n := range jobs - 1 {
			wait.Go(func() { write(n+1, func() {}) })
		}
		wait.Wait()
		var left int
		err := d.Read(t.Context(), func(ctx context.Context, tx *Tx) error {
			return tx.QueryRow(ctx, "select count(*) from things").Scan(&left)
		})
		if n := int(committed.Load()); n != jobs-len(fails) {
			t.Errorf("of %d writes, of which %v fail, %d were told of their commit", jobs, fails, n)
		}
		if err != nil || left != jobs-len(fails) {
			t.Errorf("of %d writes, of which %v fail, %d are there, %v", jobs, fails, left, err)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if first := slices.Index(asked, "create table things (n integer)"); first < 1 || asked[first-1] != "begin immediate" {
		t.Errorf("a write alone takes a savepoint: %q", asked[:first+1])
	}
}
