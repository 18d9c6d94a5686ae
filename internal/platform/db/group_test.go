package db

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// TestFailureWithinAGroupUndoesOnlyItself: the first of a group has no savepoint of its own.
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
	for _, fails := range [][]int{{0}, {0, 1, 3}, {2, 5}, {}} {
		if err := d.Write(t.Context(), exec("delete from things")); err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
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
				return nil
			})
			if slices.Contains(fails, n) != errors.Is(err, failed) {
				t.Errorf("of those that fail, %v, job %d says %v", fails, n, err)
			}
		}
		wait.Go(func() {
			write(0, func() {
				close(began)
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
