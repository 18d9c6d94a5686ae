package db_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

func TestWhatGoesAheadComesWithTheNextBatch(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var trips []string
	at := dbtest.Location(t, db.Postgres)
	at.Asked = func(statement string) {
		mu.Lock()
		defer mu.Unlock()
		trips = append(trips, statement)
	}
	d := dbtest.Reopen(t, at, clock.System{})
	for range 2 { // the first time each statement is prepared
		trips = nil
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			var before, b db.Batch
			before.Exec("delete from limits where rule = $1", []any{"r"}, fine)
			b.Exec(addLimit, []any{"r", "a", db.At(tx.Now)}, fine)
			return errors.Join(tx.Ahead(ctx, &before), tx.Send(ctx, &b))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(trips) != 2 || !strings.HasPrefix(trips[0], "batch; begin; delete") {
		t.Errorf("the trips are %q", trips)
	}
}

// TestWhatGoesAheadIsJudgedWhateverComesNext tries all that may come: a batch, a statement, the commit.
func TestWhatGoesAheadIsJudgedWhateverComesNext(t *testing.T) {
	t.Parallel()
	next := map[string]func(ctx context.Context, tx *db.Tx) error{
		"a batch": func(ctx context.Context, tx *db.Tx) error {
			var b db.Batch
			b.Exec(addLimit, []any{"r", "b", db.At(tx.Now)}, fine)
			return tx.Send(ctx, &b)
		},
		"a batch that fails": func(ctx context.Context, tx *db.Tx) error {
			var b db.Batch
			b.Exec(addLimit, []any{"r", "a", db.At(tx.Now)}, fine)
			return tx.Send(ctx, &b)
		},
		"a statement": func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.Exec(ctx, addLimit, "r", "b", db.At(tx.Now))
			return err
		},
		"a query": func(ctx context.Context, tx *db.Tx) error {
			var n int
			return tx.QueryRow(ctx, "select count(*) from limits").Scan(&n)
		},
		"a last statement": func(ctx context.Context, tx *db.Tx) error { return tx.Last(ctx, addLimit, "r", "b", db.At(tx.Now)) },
		"the commit":       func(context.Context, *db.Tx) error { return nil },
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		refused := errors.New("refused")
		for name, then := range next {
			for _, judgment := range []error{refused, nil} {
				err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
					var b db.Batch
					b.Exec(addLimit, []any{"r", "a", db.At(tx.Now)}, func(int64) error { return judgment })
					if err := tx.Ahead(ctx, &b); err != nil {
						return err
					}
					return then(ctx, tx)
				})
				all := subjects(t, d)
				switch {
				case judgment != nil && (!errors.Is(err, refused) || len(all) > 0):
					t.Errorf("refused, then %s: %v, and %q is stored", name, err, all)
				case judgment == nil && name == "a batch that fails" && (!db.Violates(err, db.Unique) || len(all) > 0):
					t.Errorf("%s: %v, and %q is stored", name, err, all)
				case judgment == nil && name != "a batch that fails" && (err != nil || !slices.Contains(all, "a")):
					t.Errorf("%s: %v, and %q is stored", name, err, all)
				case d.Engine == db.Postgres && db.Aborted(err) != (judgment != nil && name == "a batch that fails"):
					t.Errorf("%s: aborted is %t of %v", name, db.Aborted(err), err)
				}
				mustWrite(t, d, "delete from limits where rule = 'r'")
			}
		}
	})
}

func mustWrite(t *testing.T, d *db.DB, text string) {
	t.Helper()
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error { _, err := tx.Exec(ctx, text); return err })
	if err != nil {
		t.Fatal(err)
	}
}
