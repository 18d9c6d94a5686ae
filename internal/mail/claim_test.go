package mail

import (
	"context"
	"fmt"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// Letters that are taken together leave in the order in which they were written, whatever order the database gives them in.
func TestLettersThatAreTakenTogetherLeaveInTheirOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOutbox(t, d, newBox(t), &journal{})
		enqueue(t, o, launches(5)...)
		var got []stored
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) (err error) {
			for i := range 5 { // the last one in the table was written first
				_, err := tx.Exec(ctx, "update outbox set created_at = $2 where recipient = $1", fmt.Sprintf("fan%d@example.com", i), db.At(tx.Now.Add(-time.Duration(i)*time.Minute)))
				if err != nil {
					return err
				}
			}
			got, err = claim(ctx, tx, listed, 5, time.Minute)
			return err
		})
		if err != nil || len(got) != 5 {
			t.Fatalf("%d letters, %v", len(got), err)
		}
		for i, l := range got {
			if want := fmt.Sprintf("fan%d@example.com", 4-i); l.Recipient != want {
				t.Errorf("at %d the letter to %s, not %s", i, l.Recipient, want)
			}
		}
	})
}

// Why letters wait is said by the foremost for all: the others have met no trouble of their own.
func TestTroubleIsNotedAtTheForemostLetterAlone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOutbox(t, d, newBox(t), &journal{})
		enqueue(t, o, launches(3)...)
		noted := 0
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			if err := noteTrouble(ctx, tx, "the server does not answer"); err != nil {
				return err
			}
			return tx.QueryRow(ctx, "select count(*) from outbox where last_error <> ''").Scan(&noted)
		})
		if err != nil || noted != 1 {
			t.Errorf("%d of 3 letters tell of it, %v", noted, err)
		}
	})
}

// A letter that is on its way says what it said.
func TestALetterOnItsWayIsNotReplaced(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOutbox(t, d, newBox(t), &journal{})
		enqueue(t, o, launches(1)...)
		waits := only(t, o).ID
		replace := func() (done bool) {
			t.Helper()
			err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) (err error) {
				done, err = replaceLetter(ctx, tx, waits, "Another", nil)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return done
		}
		if !replace() {
			t.Error("a letter that waits is not replaced")
		}
		take(t, o)
		if replace() {
			t.Error("a letter that is being sent is replaced")
		}
	})
}
