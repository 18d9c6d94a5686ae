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
		var order []int    // in which they came; the writer alone adds to it
		began := make(chan struct{})
		write := func(n int, first func()) {
			fail := false
			err := d.Write(t.Context(), func(ctx context.Context, tx *Tx) error {
				first()
				if !slices.Contains(order, n) {
					fail = slices.Contains(fails, len(order))
					order = append(order, n)
				}
				if err := exec("insert into things (n) values ($1)", n)(ctx, tx); err != nil {
					return err
				}
				if fail {
					return failed
				}
				tx.AfterCommit(func() { committed.Add(1) })
				return nil
			})
			if fail != errors.Is(err, failed) {
				t.Errorf("of those that fail, %v, job %d says %v", fails, n, err)
			}
		}
		wait.Go(func() {
			write(0, func() {
				once.Do(func() { close(began) })
				for d.writing.Length() < jobs { // until all the others wait behind it
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
		var stood []int
		for at, n := range order {
			if !slices.Contains(fails, at) {
				stood = append(stood, n)
			}
		}
		var rows []int
		err = errors.Join(err, d.Read(t.Context(), func(ctx context.Context, tx *Tx) error {
			return Each(ctx, tx, "select n from things order by rowid", nil, func(scan func(...any) error) error {
				rows = append(rows, 0)
				return scan(&rows[len(rows)-1])
			})
		}))
		if !slices.Equal(rows, stood) {
			t.Errorf("they came as %v and stand as %v", stood, rows)
		}
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

// TestNobodyIsToldOfACommitThatFailed: what a deferred rule refuses is undone with all that shared its transaction.
func TestNobodyIsToldOfACommitThatFailed(t *testing.T) {
	t.Parallel()
	d, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "test.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	err = d.Write(t.Context(), func(ctx context.Context, tx *Tx) error {
		_, err := tx.Exec(ctx, "create table things (n integer primary key, of integer references things (n) deferrable initially deferred)")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	told := false
	err = d.Write(t.Context(), func(ctx context.Context, tx *Tx) error {
		tx.AfterCommit(func() { told = true })
		_, err := tx.Exec(ctx, "insert into things (n, of) values (1, 2)")
		return err
	})
	if err == nil || told {
		t.Errorf("the commit failed: %v, and was told of: %v", err, told)
	}
}
