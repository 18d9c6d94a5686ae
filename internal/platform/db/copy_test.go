package db_test

import (
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

func TestCountingRowsKeepsNoConnection(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for range 3 {
			if _, err := d.Rows(t.Context(), "users"); err != nil {
				t.Fatal(err)
			}
		}
		for name, pool := range d.Stats().Pools {
			if pool.InUse != 0 && name != "write" { // the one writer keeps its own
				t.Errorf("%d connections of %s are held", pool.InUse, name)
			}
		}
	})
}
