package mail

import (
	"context"
	"errors"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// leaseEnds makes every letter due, as if so much time had passed.
func leaseEnds(t *testing.T, o *Outbox) {
	t.Helper()
	err := o.db.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		now, err := tx.DatabaseNow(ctx)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "update outbox set next_at = $1 where state in ('waiting', 'sending')", db.At(now))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// nextOf claims a letter, if there is one.
func nextOf(t *testing.T, o *Outbox) (row stored, found bool, err error) {
	t.Helper()
	rows, err := o.next(t.Context(), nil, 1)
	if len(rows) > 0 {
		row = rows[0]
	}
	return row, len(rows) > 0, err
}

// reported writes down what became of a letter.
func reported(t *testing.T, o *Outbox, row stored, came error) error {
	t.Helper()
	_, err := o.next(t.Context(), []outcome{o.report(row, message{}, came)}, 0)
	return err
}

// take claims a letter that must be there.
func take(t *testing.T, o *Outbox) stored {
	t.Helper()
	row, found, err := nextOf(t, o)
	if err != nil || !found {
		t.Fatalf("no letter to take: %v", err)
	}
	return row
}

// TestClocksApartNeverTakeALetterTwice runs instances whose clocks are further apart than a lease is long.
func TestClocksApartNeverTakeALetterTwice(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			at, box, now := dbtest.Location(t, engine), newBox(t), clock.System{}.Now()
			var instances []*Outbox
			for _, skew := range []time.Duration{0, 4 * time.Minute, -4 * time.Minute, time.Hour} {
				o := newOutbox(t, dbtest.Reopen(t, at, clock.NewManual(now.Add(skew))), box, &journal{})
				o.pace.lease = steady.lease
				instances = append(instances, o)
			}
			for i, from := range instances {
				enqueue(t, from, reset)
				// The letter is due for everybody at once, whatever the writer's clock says.
				row := take(t, instances[(i+1)%len(instances)])
				for j, other := range instances {
					if _, found, err := nextOf(t, other); found || err != nil {
						t.Fatalf("instance %d took a letter that is being sent: %v", j, err)
					}
				}
				if err := reported(t, from, row, nil); err != nil {
					t.Fatal(err)
				}
				waitFor(t, from, Sent, i+1)
			}
		})
	}
}

func TestLetterOfADeadWorkerIsSentAfterTheLease(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOutbox(t, d, newBox(t), &journal{})
		enqueue(t, o, reset)
		dead := take(t, o)
		if _, found, err := nextOf(t, o); found || err != nil {
			t.Fatal("a living worker's letter was taken", err)
		}
		leaseEnds(t, o)
		heir := take(t, o)
		if heir.MessageID != dead.MessageID || heir.Attempts != 2 {
			t.Fatalf("after the lease: %+v", heir)
		}
		if err := reported(t, o, heir, nil); err != nil {
			t.Fatal(err)
		}
		if e := only(t, o); e.State != Sent || e.SentAt == nil {
			t.Fatalf("got %+v", e)
		}
	})
}

// late is what a worker may say of a letter that is no longer its own.
var late = map[string]error{
	"sent": nil, "put off": errors.New("421 later"), "refused": &refusal{"550 no"},
}

func TestLateReportChangesNothingOfTheNextAttempt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for outcome, said := range late {
			o := newOutbox(t, d, newBox(t), &journal{})
			enqueue(t, o, reset)
			dead := take(t, o)
			leaseEnds(t, o)
			heir := take(t, o)
			same := func(when string) {
				t.Helper()
				before := only(t, o)
				if err := reported(t, o, dead, said); err != nil {
					t.Fatal(err)
				}
				if after := only(t, o); after.State != before.State || after.LastError != before.LastError || after.Attempts != before.Attempts {
					t.Fatalf("a late %q %s made %+v of %+v", outcome, when, after, before)
				}
			}
			same("while the next one sends")
			if err := reported(t, o, heir, errors.New("451 not now")); err != nil {
				t.Fatal(err)
			}
			same("while the letter waits again")
			// An admin starts the attempts anew: the first of them is not the dead one's first.
			resend(t, o, dead.ID)
			again := take(t, o)
			if again.Attempts != dead.Attempts {
				t.Fatalf("attempt %d, not %d", again.Attempts, dead.Attempts)
			}
			same("after an admin sent it again")
			if err := reported(t, o, again, nil); err != nil {
				t.Fatal(err)
			}
			same("after it was sent")
			err := o.db.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error { return o.Forget(ctx, tx, "", "ada@example.com") })
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestLetterIsNotGivenBackByWhoLostIt: of two letters the first breaks the connection so late that another worker has
// taken both, and sent one.
func TestLetterIsNotGivenBackByWhoLostIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOutbox(t, d, newBox(t), &journal{})
		enqueue(t, o, reset)
		enqueue(t, o, reset)
		late, err := o.next(t.Context(), nil, 2)
		if err != nil || len(late) != 2 {
			t.Fatalf("%d letters, %v", len(late), err)
		}
		leaseEnds(t, o)
		heirs, err := o.next(t.Context(), nil, 2)
		if err != nil || len(heirs) != 2 || reported(t, o, heirs[0], nil) != nil {
			t.Fatalf("%d letters, %v", len(heirs), err)
		}
		err = d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			return errors.Join(giveBack(ctx, tx, late[0]), giveBack(ctx, tx, late[1]))
		})
		if counts, failed := o.Count(t.Context()); err != nil || failed != nil || counts[Sent] != 1 || counts[Sending] != 1 {
			t.Errorf("the letters are %v, %v, %v", counts, failed, err)
		}
	})
}
