package mail

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// A server that puts every letter off moves its next try again and again. Whoever waits for it waits all the same.
func TestLettersThatArePutOffAreLate(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOutbox(t, d, newBox(t), &journal{})
		o.pace.retry, o.pace.maxRetry = time.Hour, time.Hour
		enqueue(t, o, reset)
		written := db.At(d.Clock.Now().Add(-10 * time.Minute))
		if err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.Exec(ctx, "update outbox set created_at = $1", written)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		row := take(t, o)
		if waited, err := o.Delay(t.Context()); err != nil || waited["urgent"] < 10*time.Minute {
			t.Errorf("while it is being sent: %v, %v", waited, err)
		}
		if err := reported(t, o, row, errors.New("451 try again later")); err != nil {
			t.Fatal(err)
		}
		if waited, err := o.Delay(t.Context()); err != nil || waited["urgent"] < 10*time.Minute || len(waited) != 3 || waited["personal"]+waited["listed"] != 0 {
			t.Errorf("after it was put off: %v, %v", waited, err)
		}
	})
}

// The oldest letter of a class is found however many of the others wait.
func TestTheOldestLetterIsFoundByItsIndex(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		dbtest.Searches(t, d, oldest(urgent))
		explain := "explain query plan "
		if d.Engine == db.Postgres {
			explain = "explain "
		}
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			plan, err := db.Maps(ctx, tx, explain+oldestOfAll)
			if used := strings.Count(fmt.Sprint(plan), "outbox_oldest_idx"); err == nil && used != 3 {
				t.Errorf("the index is used %d times: %v", used, plan)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestLettersThatFailAreCountedOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOutbox(t, d, newBox(t), &journal{})
		enqueue(t, o, reset, PasswordChanged{To: "ada@example.com"}, Reauthenticate{To: "ada@example.com", Code: "482913"})
		ages(t, o, 10*time.Minute) // the code expires
		first, second := take(t, o), take(t, o)
		for range 2 { // the second report finds that it is written down
			if err := reported(t, o, first, &refusal{"550 no such mailbox"}); err != nil {
				t.Fatal(err)
			}
		}
		if err := reported(t, o, second, errors.New("451 try again later")); err != nil {
			t.Fatal(err)
		}
		if n := o.Failures(); n != 2 {
			t.Errorf("%d letters failed, of one refused, one too late and one put off", n)
		}
		if _, err := d.Sweep(t.Context(), old(d.Clock.Now().Add(time.Hour))); err != nil {
			t.Fatal(err)
		}
		if n := o.Failures(); n != 2 {
			t.Errorf("%d after they were swept", n)
		}
	})
}
