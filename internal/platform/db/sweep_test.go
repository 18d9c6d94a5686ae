package db_test

import (
	"context"
	"fmt"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

func TestSweepTakesWhatIsOverAndNothingElse(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const over, kept = 450, 30 // more than two batches
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			for i := range over + kept {
				if _, err := tx.Exec(ctx, "insert into limits (rule, subject, taken, expires_at) values ('r', $1, '', $2)", fmt.Sprint(i), db.At(tx.Now.AddDate(0, 0, i-over+1))); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, final := range []bool{true, false} {
			old := db.Old{Table: "limits", Key: []string{"rule", "subject"}, Where: "expires_at <= $1", Args: []any{db.At(d.Clock.Now())}, Order: "expires_at", Final: final}
			want := int64(over)
			if !final {
				want = 0
			}
			if swept, err := d.Sweep(t.Context(), old); err != nil || swept != want {
				t.Fatalf("swept %d of %d: %v", swept, want, err)
			}
		}
		var left int
		err = d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			return tx.QueryRow(ctx, "select count(*) from limits").Scan(&left)
		})
		if err != nil || left != kept {
			t.Fatalf("%d rows are left: %v", left, err)
		}
	})
}
