package mail

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/fault"
)

func launches(n int) (letters []Letter) {
	for i := range n {
		letters = append(letters, CourseLaunched{To: fmt.Sprintf("fan%d@example.com", i), Course: "Documentary Filmmaking"})
	}
	return letters
}

// sendNext takes a letter and reports it sent, and tells its kind.
func sendNext(t *testing.T, o *Outbox) string {
	t.Helper()
	row := take(t, o)
	if err := reported(t, o, row, nil); err != nil {
		t.Fatal(err)
	}
	return row.Kind
}

func TestResetLinkDoesNotWaitBehindALaunch(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOutbox(t, d, newBox(t), &journal{})
		enqueue(t, o, launches(1000)...)
		for range 13 { // in the middle of the launch, whatever the turn
			sendNext(t, o)
			enqueue(t, o, WorkshopWaiting{To: "grace@example.com", Workshop: "W"})
			enqueue(t, o, reset)
			var kinds []string
			for range 4 {
				kinds = append(kinds, sendNext(t, o))
			}
			if !slices.Contains(kinds, "reset") || !slices.Contains(kinds, "workshop-waiting") {
				t.Fatalf("left first: %v", kinds)
			}
		}
	})
}

func TestEveryClassHasItsShare(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOutbox(t, d, newBox(t), &journal{})
		enqueue(t, o, launches(30)...)
		for i := range 30 {
			to := fmt.Sprintf("%d@example.com", i)
			enqueue(t, o, PasswordChanged{To: to}, Reset{To: to, Link: sampleLink})
		}
		left := map[string]int{}
		for range 30 {
			left[sendNext(t, o)]++
		}
		if left["reset"] != 18 || left["password-changed"] != 9 || left["course-launched"] != 3 {
			t.Fatalf("of the first thirty: %v", left)
		}
		for range 60 {
			left[sendNext(t, o)]++
		}
		if left["reset"] != 30 || left["password-changed"] != 30 || left["course-launched"] != 30 {
			t.Fatalf("in all: %v", left)
		}
	})
}

func TestFirstInIsFirstOutWithinAClass(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOutbox(t, d, newBox(t), &journal{})
		for i := range 20 {
			enqueue(t, o, PasswordChanged{To: fmt.Sprintf("%02d@example.com", i)})
		}
		for i := range 20 {
			if row := take(t, o); row.Recipient != fmt.Sprintf("%02d@example.com", i) {
				t.Fatalf("%s is number %d", row.Recipient, i)
			}
		}
	})
}

// ages makes every link and code in the outbox older.
func ages(t *testing.T, o *Outbox, by time.Duration) {
	t.Helper()
	err := o.db.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		ends := map[string]db.Time{}
		err := db.Each(ctx, tx, "select id, expires_at from outbox where expires_at is not null", nil, func(scan func(...any) error) error {
			var id string
			var end db.Time
			err := scan(&id, &end)
			ends[id] = db.At(end.Add(-by))
			return err
		})
		for id, end := range ends {
			if err == nil {
				_, err = tx.Exec(ctx, "update outbox set expires_at = $2 where id = $1", id, end)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestLetterWhoseLinkHasExpiredIsPutAside(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOutbox(t, d, newBox(t), &journal{})
		enqueue(t, o, Reauthenticate{To: "ada@example.com", Code: "482913"}, reset, PasswordChanged{To: "ada@example.com"})
		ages(t, o, 10*time.Minute)
		if kinds := []string{sendNext(t, o), sendNext(t, o)}; !slices.Contains(kinds, "reset") || !slices.Contains(kinds, "password-changed") {
			t.Fatalf("left after ten minutes: %v", kinds)
		}
		enqueue(t, o, reset)
		ages(t, o, time.Hour)
		if row, found, err := nextOf(t, o); found || err != nil {
			t.Fatalf("an expired link left: %+v, %v", row, err)
		}
		aside, _, err := o.List(t.Context(), Filter{State: Failed})
		if err != nil || len(aside) != 2 {
			t.Fatalf("%d letters put aside, %v", len(aside), err)
		}
		for _, e := range aside {
			if e.LastError != tooLate {
				t.Errorf("the reason of %s is %q", e.Kind, e.LastError)
			}
			if err := tryResend(t, o, e.ID); !fault.Is(err, fault.Conflict) {
				t.Errorf("an expired %s was sent again: %v", e.Kind, err)
			}
		}
	})
}
