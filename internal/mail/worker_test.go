package mail

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"greenroom/internal/mail/eml"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

func TestTwoInstancesSendEachLetterOnce(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			trusted := newAuthority(t)
			office := openPostOffice(t, trusted.good(t), false)
			at, box := dbtest.Location(t, engine), newBox(t)
			var instances []*Outbox
			for range 3 {
				o := newOutbox(t, dbtest.Reopen(t, at, clock.System{}), box, &journal{})
				trusted.towards(t, o, "smtp", func() string { return office.address })
				work(t, o)
				instances = append(instances, o)
			}
			for i := range 60 {
				enqueue(t, instances[i%2], PasswordChanged{To: fmt.Sprintf("%d@example.com", i)})
			}
			waitFor(t, instances[0], Sent, 60)
			once(t, office.letters(), 60)
		})
	}
}

func TestStopFinishesTheLetterUnderWay(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		trusted := newAuthority(t)
		office := openPostOffice(t, trusted.good(t), false)
		ctx, cancel := context.WithCancel(t.Context())
		office.follow(script{data: func(net.Conn) error {
			cancel()
			return nil
		}})
		o := newOutbox(t, d, newBox(t), &journal{})
		o.pace.grace = time.Minute
		trusted.towards(t, o, "smtp", func() string { return office.address })
		enqueue(t, o, reset, PasswordChanged{To: "grace@example.com"})
		o.Run(ctx) // until the stop, which is asked for while the first letter is under way
		counts, err := o.Count(t.Context())
		if err != nil || counts[Sent] != 1 || counts[Waiting] != 1 || counts[Sending] != 0 {
			t.Fatalf("after the stop: %v, %v", counts, err)
		}
	})
}

func TestStopDoesNotWaitForAServerThatHangs(t *testing.T) {
	t.Parallel()
	trusted := newAuthority(t)
	office := openPostOffice(t, trusted.good(t), false)
	begun, released := make(chan struct{}, 1), make(chan struct{})
	t.Cleanup(func() { close(released) })
	office.follow(script{data: func(net.Conn) error {
		begun <- struct{}{}
		<-released
		return errTaken
	}})
	o := newOutbox(t, dbtest.Open(t, db.SQLite, clock.System{}), newBox(t), &journal{})
	trusted.towards(t, o, "smtp", func() string { return office.address })
	o.sender.(*server).timeout = time.Hour
	o.pace.grace = 100 * time.Millisecond
	stop := work(t, o)
	enqueue(t, o, reset)
	<-begun
	stop() // would return only after the hour, or never
	if e := only(t, o); e.State != Sending && e.State != Waiting {
		t.Fatalf("the letter is lost: %+v", e)
	}
}

// TestDatabaseThatFailsAfterTheSendingCostsNoDouble holds the database's write lock, from another process's place,
// for longer than a statement waits, just when a letter has been handed over.
func TestDatabaseThatFailsAfterTheSendingCostsNoDouble(t *testing.T) {
	t.Parallel()
	at, box := dbtest.Location(t, db.SQLite), newBox(t)
	d, other := dbtest.Reopen(t, at, clock.System{}), dbtest.Reopen(t, at, clock.System{})
	office := openPostOffice(t, nil, false)
	held, released := make(chan struct{}), make(chan struct{})
	var begun atomic.Bool
	office.follow(script{data: func(net.Conn) error {
		if !begun.CompareAndSwap(false, true) {
			return nil
		}
		go func() {
			_ = other.Write(context.Background(), func(context.Context, *db.Tx) error {
				close(held)
				time.Sleep(6 * time.Second)
				return nil
			})
			close(released)
		}()
		<-held
		return nil
	}})
	o := newOutbox(t, d, box, &journal{})
	var err error
	if o.sender, err = newSMTP("smtp://" + office.address); err != nil {
		t.Fatal(err)
	}
	o.pace.lease = 7 * time.Second
	work(t, o)
	enqueue(t, o, reset)
	<-released
	waitFor(t, o, Sent, 1)
	if n := len(office.letters()); n != 1 {
		t.Fatalf("%d letters arrived", n)
	}
}

func TestLetterIsGivenUpAfterManyTries(t *testing.T) {
	t.Parallel()
	trusted := newAuthority(t)
	office := openPostOffice(t, trusted.good(t), false)
	office.follow(script{data: func(conn net.Conn) error { return conn.Close() }})
	o := newOutbox(t, dbtest.Open(t, db.SQLite, clock.System{}), newBox(t), &journal{})
	o.pace.attempts = 3
	trusted.towards(t, o, "smtp", func() string { return office.address })
	work(t, o)
	enqueue(t, o, reset)
	waitFor(t, o, Failed, 1)
	if e := only(t, o); e.Attempts != 3 || !strings.Contains(e.LastError, "given up after 3 tries") {
		t.Fatalf("got %+v", e)
	}
}

// TestSecurity69TheOutboxHidesWhatLettersSay looks for a link in every column, before and after sending.
func TestSecurity69TheOutboxHidesWhatLettersSay(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		log := &journal{}
		o := newOutbox(t, d, newBox(t), log)
		enqueue(t, o, reset, Inquiry{Form: "help", Name: "marked-secret", Email: "grace@example.com", Subject: "marked-secret", Message: "marked-secret"})
		look := func(want int) {
			t.Helper()
			bodies := 0
			err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				query := "select subject || kind || recipient || message_id || last_error, body from outbox"
				return db.Each(ctx, tx, query, nil, func(scan func(...any) error) error {
					var text string
					var body []byte
					if err := scan(&text, &body); err != nil {
						return err
					}
					if body != nil {
						bodies++
					}
					if row := text + string(body); strings.Contains(row, "marked-secret") || strings.Contains(row, "482913") {
						t.Errorf("readable in the database: %q", row)
					}
					return nil
				})
			})
			if err != nil || bodies != want {
				t.Fatalf("%d bodies, want %d, %v", bodies, want, err)
			}
		}
		look(2)
		work(t, o)
		waitFor(t, o, Sent, 2)
		look(0)
		if strings.Contains(log.String(), "marked-secret") || strings.Contains(log.String(), "@example.com") {
			t.Errorf("the log tells too much: %s", log)
		}
	})
}

func TestSecretFileThatDoesNotFitSendsNothing(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite, clock.System{})
	o := newOutbox(t, d, newBox(t), &journal{})
	enqueue(t, o, reset)
	o.box = newBox(t)
	work(t, o)
	eventually(t, "the reason is shown", func() bool { return strings.Contains(only(t, o).LastError, "secret file does not fit") })
	if only(t, o).State == Failed {
		t.Fatal("the letter was given up")
	}
}

func TestRepeatedAttemptReplacesTheFile(t *testing.T) {
	t.Parallel()
	o := newOutbox(t, dbtest.Open(t, db.SQLite, clock.System{}), newBox(t), &journal{})
	enqueue(t, o, reset)
	for range 2 { // the worker dies after writing and before saying so
		row, found, err := nextOf(t, o)
		if err != nil || !found {
			t.Fatal(found, err)
		}
		m, err := o.compose(row)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.sender.(folder).send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		leaseEnds(t, o)
	}
	got, err := eml.ReadFolder(o.sender.(folder).path, "ada@example.com")
	if err != nil || len(got) != 1 {
		t.Fatalf("%d letters, %v", len(got), err)
	}
}

func TestWaitsDoubleUpToALimitAndDiffer(t *testing.T) {
	t.Parallel()
	for failures, want := range []time.Duration{15, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600} {
		want *= time.Second
		for range 50 {
			got := backoff(steady.retry, steady.maxRetry, failures)
			if got < want*8/10 || got > want*12/10 {
				t.Fatalf("after %d failures: %v, want about %v", failures, got, want)
			}
		}
	}
	one, other := backoff(time.Second, time.Hour, 3), backoff(time.Second, time.Hour, 3)
	if one == other {
		t.Error("two waits are the same to the nanosecond")
	}
}

func TestCheckTellsThatAFolderCannotBeUsed(t *testing.T) {
	t.Parallel()
	o := newOutbox(t, dbtest.Open(t, db.SQLite, clock.System{}), newBox(t), &journal{})
	if err := o.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	o.sender = folder{path: "/dev/null/mail"}
	if o.Check(t.Context()) == nil {
		t.Fatal("a folder below a file was accepted")
	}
}
