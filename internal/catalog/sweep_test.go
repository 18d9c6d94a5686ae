package catalog_test

import (
	"context"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
)

func TestOldChangesAreSweptInBatches(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := installed(t, d)
		const old = 450 // more than two batches, under one number
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			if _, err := tx.Exec(ctx, "delete from course_changes"); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "update versions set number = 10000 where name = 'catalog'"); err != nil {
				return err
			}
			for i := range old + 2 {
				number := 5000
				if i >= old {
					number = 5001 + i - old
				}
				if _, err := tx.Exec(ctx, "insert into course_changes (number, course_id) values ($1, $2)", number, id.New()); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if swept, err := d.Sweep(t.Context(), c.Over()...); err != nil || swept != old {
			t.Fatalf("%d changes were swept: %v", swept, err)
		}
		for _, over := range c.Over() {
			dbtest.Sweeps(t, d, over, 1, id.New(), 2, id.New())
		}
	})
}
