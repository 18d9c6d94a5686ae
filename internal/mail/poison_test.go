package mail

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// bursting is a way out on which letters to one address make the program panic.
type bursting struct {
	sender

	over string
}

func (b bursting) open(ctx context.Context) (session, error) {
	out, err := b.sender.open(ctx)
	return burstingSession{out, b.over}, err
}

type burstingSession struct {
	session

	over string
}

func (b burstingSession) send(ctx context.Context, m message) error {
	if to := m.GetTo(); len(to) == 1 && to[0].Address == b.over {
		panic("cannot write to " + b.over)
	}
	return b.session.send(ctx, m)
}

func TestLetterThatPanicsIsParkedAndTheOthersGo(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		log := &journal{}
		o := newOutbox(t, d, newBox(t), log)
		o.sender = bursting{o.sender, "poison@example.com"}
		enqueue(t, o, PasswordChanged{To: "poison@example.com"}, PasswordChanged{To: "ada@example.com"}, PasswordChanged{To: "grace@example.com"})
		work(t, o)
		waitFor(t, o, Sent, 2)
		waitFor(t, o, Failed, 1)
		if said := log.String(); !strings.Contains(said, "burstingSession.send") {
			t.Errorf("the log does not say where: %s", said)
		}
	})
}

// TestLettersBehindAFailureWaitAgain: files are written some at a time, and one that cannot be written holds up no other.
func TestLettersBehindAFailureWaitAgain(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOutbox(t, d, newBox(t), &journal{})
		for i := range 5 {
			enqueue(t, o, PasswordChanged{To: fmt.Sprintf("%d@example.com", i)})
		}
		rows, err := o.next(t.Context(), nil, folder{}.many())
		if err != nil || len(rows) != 5 {
			t.Fatalf("%d letters were claimed at once, %v", len(rows), err)
		}
		out, err := o.sender.open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		done, intact := o.deliverAll(t.Context(), t.Context(), failingSession{out, rows[1].Recipient}, rows)
		if intact {
			t.Error("a failure counts as none")
		}
		again, err := o.next(t.Context(), done, folder{}.many())
		if err != nil || len(again) != 3 {
			t.Fatalf("%d letters go at once, %v", len(again), err)
		}
		for _, row := range again {
			if row.Attempts != 1 || row.ID == rows[0].ID || row.ID == rows[1].ID {
				t.Errorf("the letter to %s goes with attempt %d", row.Recipient, row.Attempts)
			}
		}
		counts, err := o.Count(t.Context())
		if err != nil || counts[Sent] != 1 || counts[Waiting] != 1 || counts[Sending] != 3 {
			t.Errorf("the letters are %v, %v", counts, err)
		}
	})
}

type failingSession struct {
	session

	over string
}

func (f failingSession) send(ctx context.Context, m message) error {
	if to := m.GetTo(); len(to) == 1 && to[0].Address == f.over {
		return errors.New("not now")
	}
	return f.session.send(ctx, m)
}

// TestStopSendsNoMoreOfWhatWasClaimedAtOnce: the letter under way goes, those behind it wait for the next start.
func TestStopSendsNoMoreOfWhatWasClaimedAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOutbox(t, d, newBox(t), &journal{})
		for i := range 3 {
			enqueue(t, o, PasswordChanged{To: fmt.Sprintf("%d@example.com", i)})
		}
		rows, err := o.next(t.Context(), nil, folder{}.many())
		if err != nil || len(rows) != 3 {
			t.Fatalf("%d letters were claimed at once, %v", len(rows), err)
		}
		out, err := o.sender.open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		stopped, stop := context.WithCancel(t.Context())
		stop()
		done, _ := o.deliverAll(stopped, t.Context(), out, rows)
		_, err = o.next(t.Context(), done, 0)
		if counts, failed := o.Count(t.Context()); err != nil || failed != nil || counts[Sent] != 1 || counts[Waiting] != 2 {
			t.Errorf("the letters are %v, %v, %v", counts, failed, err)
		}
	})
}
