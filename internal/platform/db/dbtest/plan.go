package dbtest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
)

// Searches fails the test unless the engine answers a statement by indexes alone. It judges the plan, not the time:
// an empty table is planned like a full one on SQLite, and on PostgreSQL once reading whole tables is forbidden.
func Searches(t *testing.T, d *db.DB, query string, args ...any) {
	t.Helper()
	explain, whole := "explain query plan ", "SCAN "
	undone := errors.New("undone")
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		if d.Engine == db.Postgres {
			explain, whole = "explain ", "Seq Scan"
			if _, err := tx.Exec(ctx, "set local enable_seqscan = off"); err != nil {
				return err
			}
		}
		plan, err := db.Maps(ctx, tx, explain+query, args...)
		if err != nil {
			return err
		}
		for _, step := range plan {
			for _, text := range step {
				if said, ok := text.(string); ok && strings.Contains(said, whole) {
					t.Errorf("%s\nreads a whole table: %v", query, plan)
				}
			}
		}
		return undone
	})
	if !errors.Is(err, undone) {
		t.Fatalf("%s: %v", query, err)
	}
}

// Sweeps fails the test unless old rows are found by an index, in its order, and deleted by their keys. keys are the values
// of two keys, of any rows.
func Sweeps(t *testing.T, d *db.DB, old db.Old, keys ...any) {
	t.Helper()
	Searches(t, d, old.Find(), old.Args...)
	args := keys
	if !old.Final {
		args = append(slices.Clone(old.Args), keys...)
	}
	Searches(t, d, old.Delete(2), args...)
}
