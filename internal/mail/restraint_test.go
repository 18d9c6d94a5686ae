package mail

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/limit"
)

// eachRestrained runs fn on each engine with an outbox that counts, and a clock for the counts.
func eachRestrained(t *testing.T, fn func(t *testing.T, o *Outbox, now *clock.Manual)) {
	t.Helper()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			now := clock.NewManual(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
			o := newOutbox(t, dbtest.Open(t, engine, now), newBox(t), &journal{})
			o.limits = limit.New(limit.Options{DB: o.db, Secret: []byte("test")})
			fn(t, o, now)
		})
	}
}

// lettersTo tells how many letters to an address there are.
func (o *Outbox) lettersTo(t *testing.T, address string) (n int) {
	t.Helper()
	err := o.db.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		return tx.QueryRow(ctx, "select count(*) from outbox where recipient = $1", address).Scan(&n)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// leaving are the letters that leave now.
func leaving(t *testing.T, o *Outbox) (rows []stored) {
	t.Helper()
	for {
		row, found, err := nextOf(t, o)
		if err != nil {
			t.Fatal(err)
		}
		if !found {
			return rows
		}
		rows = append(rows, row)
		if err := reported(t, o, row, nil); err != nil {
			t.Fatal(err)
		}
	}
}

func TestThirtyNoticesInABurstAreOne(t *testing.T) {
	t.Parallel()
	eachRestrained(t, func(t *testing.T, o *Outbox, now *clock.Manual) {
		var burst sync.WaitGroup
		for range 30 {
			burst.Go(func() {
				err := o.db.Write(context.Background(), func(ctx context.Context, tx *db.Tx) error {
					return o.Enqueue(ctx, tx, PasswordChanged{To: "ada@example.com"})
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		burst.Wait()
		if n := o.lettersTo(t, "ada@example.com"); n != 1 {
			t.Fatalf("%d letters wait, while the first has not left", n)
		}
		if rows := leaving(t, o); len(rows) != 1 {
			t.Fatalf("%d letters leave at once", len(rows))
		}
		// A change right after is told as well, in a while; another kind and another reader are told at once.
		for range 5 {
			enqueue(t, o, PasswordChanged{To: "ada@example.com"})
		}
		enqueue(t, o, FactorRemoved{To: "ada@example.com"}, PasswordChanged{To: "grace@example.com"})
		if rows := leaving(t, o); len(rows) != 2 || rows[0].Kind == rows[1].Kind {
			t.Fatalf("left at once: %+v", rows)
		}
		if n := o.lettersTo(t, "ada@example.com"); n != 3 {
			t.Fatalf("%d letters to Ada", n)
		}
		leaseEnds(t, o) // what waits is due
		if rows := leaving(t, o); len(rows) != 1 || rows[0].Kind != "password-changed" {
			t.Fatalf("left in the end: %+v", rows)
		}
		now.Advance(5 * time.Minute)
		enqueue(t, o, PasswordChanged{To: "ada@example.com"})
		if rows := leaving(t, o); len(rows) != 1 {
			t.Fatalf("%d letters leave after a while", len(rows))
		}
	})
}

func TestMergedNoticeSaysWhatIsTrueInTheEnd(t *testing.T) {
	t.Parallel()
	eachRestrained(t, func(t *testing.T, o *Outbox, _ *clock.Manual) {
		o.proven = func(_ *db.Batch, _ string, found func(string)) { found("Ada") } // or no word of theirs is told
		enqueue(t, o, FactorAdded{To: "ada@example.com", Factor: "first phone"})
		leaving(t, o)
		for _, name := range []string{"second phone", "third phone", "last phone"} {
			enqueue(t, o, FactorAdded{To: "ada@example.com", Factor: name})
		}
		leaseEnds(t, o)
		rows := leaving(t, o)
		if len(rows) != 1 {
			t.Fatalf("%d letters", len(rows))
		}
		m, err := o.compose(rows[0])
		if err != nil {
			t.Fatal(err)
		}
		var content strings.Builder
		if _, err := m.WriteTo(&content); err != nil || !strings.Contains(content.String(), "last phone") {
			t.Fatalf("the letter says %s, %v", content.String(), err)
		}
	})
}

func TestAddressThatHasProvenNothingGetsFewLetters(t *testing.T) {
	t.Parallel()
	eachRestrained(t, func(t *testing.T, o *Outbox, now *clock.Manual) {
		o.proven = func(_ *db.Batch, address string, found func(string)) {
			if address == "grace@example.com" {
				found("")
			}
		}
		receipts := func(to string, n int) {
			for i := range n {
				enqueue(t, o, []Letter{
					WaitlistJoined{To: to, Course: "C"},
					WorkshopWaiting{To: to, Workshop: "W"},
					WorkshopConfirmed{To: to, Workshop: "W"},
					QuestionAnswered{To: to, Course: "C", Question: "Q", Link: sampleLink, Many: 1},
					LessonsOpened{To: to, Link: sampleLink, Count: 1, Lessons: []OpenedLesson{{"L", "C"}}},
				}[i%5])
			}
		}
		want := func(when string, n int) {
			t.Helper()
			if got := o.lettersTo(t, "ada@example.com"); got != n {
				t.Fatalf("%d letters %s, not %d", got, when, n)
			}
		}
		receipts("ada@example.com", 9)
		want("in an hour", 5)
		// The mark after a plus sign leads to the same box; the reader next door has a box of their own.
		receipts("ada+offers@example.com", 3)
		receipts("bob@example.com", 1)
		if marked, next := o.lettersTo(t, "ada+offers@example.com"), o.lettersTo(t, "bob@example.com"); marked != 0 || next != 1 {
			t.Fatalf("%d to the marked address, %d to the neighbor", marked, next)
		}
		// Receipts do not silence what concerns the account, nor what we have to say, nor what somebody asks for.
		enqueue(t, o, PasswordChanged{To: "ada@example.com"}, WorkshopConfirmed{To: "ada@example.com", Promoted: true},
			CourseLaunched{To: "ada@example.com"}, Reset{To: "ada@example.com", Link: sampleLink})
		want("and the ones that are not receipts", 9)
		for range 5 {
			now.Advance(time.Hour)
			receipts("ada@example.com", 9)
		}
		want("in a day", 14)
		for range 20 {
			now.Advance(5 * time.Minute)
			enqueue(t, o, PasswordChanged{To: "ada@example.com"})
		}
		want("with all of a day's notices", 23) // ten receipts and ten notices, and three that do not count
		receipts("grace@example.com", 30)
		if n := o.lettersTo(t, "grace@example.com"); n != 30 {
			t.Fatalf("%d letters to an address that is proven", n)
		}
	})
}

func TestLetterThatIsLeftOutFailsNothing(t *testing.T) {
	t.Parallel()
	eachRestrained(t, func(t *testing.T, o *Outbox, _ *clock.Manual) {
		err := o.db.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			for i := range 12 {
				if err := o.Enqueue(ctx, tx, WaitlistJoined{To: "ada@example.com", Course: fmt.Sprint(i)}); err != nil {
					return err
				}
			}
			_, err := tx.Exec(ctx, "insert into versions (name, number) values ('stored', 1)")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if n := o.lettersTo(t, "ada@example.com"); n != 5 {
			t.Fatalf("%d letters", n)
		}
	})
}
