package db_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

const (
	addLimit  = "insert into limits (rule, subject, taken, expires_at) values ($1, $2, '', $3)"
	seeLimits = "select subject from limits where rule = $1 order by subject"
)

func fine(int64) error { return nil }

// subjects gives what is stored, after the fact.
func subjects(t *testing.T, d *db.DB) (all []string) {
	t.Helper()
	err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, seeLimits, []any{"r"}, func(scan func(...any) error) error {
			var one string
			err := scan(&one)
			all = append(all, one)
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestBatchRunsInOrderInOneTrip(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var asked []string
			at := dbtest.Location(t, engine)
			at.Asked = func(statement string) {
				mu.Lock()
				defer mu.Unlock()
				asked = append(asked, statement)
			}
			d := dbtest.Reopen(t, at, clock.System{})
			var seen []string
			var touched int64
			write := func(subject string) {
				err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
					var b db.Batch
					b.Exec(addLimit, []any{"r", subject, db.At(tx.Now)}, func(n int64) error { touched += n; return nil })
					b.Exec("update limits set taken = 'x' where rule = $1", []any{"r"}, func(n int64) error { touched += n; return nil })
					b.Each(seeLimits, []any{"r"}, func(scan func(...any) error) error {
						var one string
						err := scan(&one)
						seen = append(seen, one)
						return err
					})
					return tx.Send(ctx, &b)
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			write("a")
			mu.Lock()
			asked = nil
			mu.Unlock()
			write("b")
			mu.Lock()
			defer mu.Unlock()
			if !slices.Equal(seen, []string{"a", "a", "b"}) || touched != 5 {
				t.Errorf("it saw %v and touched %d rows", seen, touched)
			}
			if engine == db.Postgres && len(asked) != 2 {
				t.Errorf("%d trips, want one and the commit: %q", len(asked), asked)
			}
		})
	}
}

func TestRefusalWithinABatchUndoesIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		refused := errors.New("refused")
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			var b db.Batch
			b.Exec(addLimit, []any{"r", "a", db.At(tx.Now)}, func(int64) error { return refused })
			b.Exec(addLimit, []any{"r", "a", db.At(tx.Now)}, fine) // which fails: but it was refused before
			return tx.Send(ctx, &b)
		})
		if all := subjects(t, d); !errors.Is(err, refused) || len(all) != 0 {
			t.Errorf("%v, and %q is stored", err, all)
		}
	})
}

func TestFailureWithinABatchIsAsAnyOther(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			var b db.Batch
			b.Exec(addLimit, []any{"r", "a", db.At(tx.Now)}, fine)
			b.Exec(addLimit, []any{"r", "a", db.At(tx.Now)}, fine)
			b.Each(seeLimits, []any{"r"}, func(func(...any) error) error { return errors.New("nobody asks any more") })
			return tx.Send(ctx, &b)
		})
		if all := subjects(t, d); !db.Violates(err, db.Unique) || len(all) != 0 {
			t.Errorf("%v, and %q is stored", err, all)
		}
	})
}

// TestSwallowedFailureIsNoSuccess: after a failed statement PostgreSQL answers a commit by undoing all.
func TestSwallowedFailureIsNoSuccess(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.Postgres, clock.System{})
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		for range 2 {
			_, _ = tx.Exec(ctx, addLimit, "r", "a", db.At(tx.Now))
		}
		return nil
	})
	if all := subjects(t, d); err == nil || len(all) != 0 {
		t.Errorf("%v, and %q is stored", err, all)
	}
	if err := d.Write(t.Context(), func(context.Context, *db.Tx) error { return nil }); err != nil {
		t.Errorf("a write that asks nothing: %v", err)
	}
}

func TestLastStatementGoesWithTheCommitOrWithTheNextOne(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			if err := tx.Last(ctx, addLimit, "r", "a", db.At(tx.Now)); err != nil {
				return err
			}
			var n int
			if err := tx.QueryRow(ctx, "select count(*) from limits where rule = $1", "r").Scan(&n); err != nil || n != 1 {
				t.Errorf("the next statement sees %d rows, %v", n, err)
			}
			return tx.Last(ctx, addLimit, "r", "b", db.At(tx.Now))
		})
		if all := subjects(t, d); err != nil || !slices.Equal(all, []string{"a", "b"}) {
			t.Errorf("%v, and %q is stored", err, all)
		}
		committed := false
		err = d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			tx.AfterCommit(func() { committed = true })
			return errors.Join(tx.Last(ctx, addLimit, "r", "c", db.At(tx.Now)), tx.Last(ctx, addLimit, "r", "a", db.At(tx.Now)))
		})
		if all := subjects(t, d); !db.Violates(err, db.Unique) || committed || len(all) != 2 {
			t.Errorf("%v, committed: %t, and %q is stored", err, committed, all)
		}
	})
}
