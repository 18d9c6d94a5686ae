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
