package db_test

import (
	"context"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/fault"
)

func TestLongJobAsksABusyDatabaseAgainForAWhile(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		store := func(busy int) (tries int, err error) {
			err = d.WriteBeside(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				if tries++; tries <= busy {
					return fault.New(fault.Unavailable, "Busy.")
				}
				return addVersion(ctx, tx, "job")
			})
			return tries, err
		}
		if tries, err := store(2); err != nil || tries != 3 || countVersions(t, d, "job") != 1 {
			t.Errorf("busy twice: %d tries, %v", tries, err)
		}
		if tries, err := store(1000); !fault.Is(err, fault.Unavailable) || tries > 20 {
			t.Errorf("always busy: %d tries, %v", tries, err)
		}
		reads := 0
		err := d.ReadBeside(t.Context(), func(context.Context, *db.Tx) error {
			if reads++; reads < 3 {
				return fault.New(fault.Unavailable, "Busy.")
			}
			return nil
		})
		if err != nil || reads != 3 {
			t.Errorf("a page that is busy twice: %d reads, %v", reads, err)
		}
		if tries, err := store(0); !db.Violates(err, db.Unique) || tries != 1 {
			t.Errorf("refused: %d tries, %v", tries, err)
		}
	})
}
