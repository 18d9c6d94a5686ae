package limit_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func eachEngine(t *testing.T, fn func(t *testing.T, engine db.Engine)) {
	t.Helper()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			fn(t, engine)
		})
	}
}

func newLimits(d *db.DB) *limit.Limits {
	return limit.New(limit.Options{DB: d, Secret: []byte("test")})
}

// waitOf is how long a refusal asks to wait; zero for no refusal.
func waitOf(t *testing.T, err error) time.Duration {
	t.Helper()
	if err == nil {
		return 0
	}
	if !fault.Is(err, fault.TooMany) {
		t.Fatalf("neither allowed nor refused: %v", err)
	}
	return fault.Of(err).RetryAfter
}

// TestSecurity16NoSpanHoldsMoreThanTheLimit lets two instances count at once while the clock moves, and then lays the
// rule's span over every allowed use.
func TestSecurity16NoSpanHoldsMoreThanTheLimit(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, engine db.Engine) {
		at, now := dbtest.Location(t, engine), clock.NewManual(start)
		instances := []*limit.Limits{newLimits(dbtest.Reopen(t, at, now)), newLimits(dbtest.Reopen(t, at, now))}
		rule := limit.InsertPerAddress
		var allowed []time.Time
		for range 14 {
			var granted atomic.Int32
			var wait sync.WaitGroup
			for i := range 16 {
				wait.Go(func() {
					if waitOf(t, instances[i%2].Allow(t.Context(), rule.By("192.0.2.1"))) == 0 {
						granted.Add(1)
					}
				})
			}
			wait.Wait()
			for range granted.Load() {
				allowed = append(allowed, now.Now())
			}
			now.Advance(11 * time.Second)
		}
		for i, first := range allowed {
			inside := 0
			for _, other := range allowed[i:] {
				if other.Sub(first) < rule.Per {
					inside++
				}
			}
			if inside > rule.Times {
				t.Fatalf("%d uses within %v of %v", inside, rule.Per, first)
			}
		}
		if len(allowed) != 3*rule.Times {
			t.Fatalf("%d uses allowed in 143 s, want %d: room that was free was refused", len(allowed), 3*rule.Times)
		}
	})
}

func TestSecurity9RetryAfterIsWhenTheNextUseIsAllowed(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, engine db.Engine) {
		at, now := dbtest.Location(t, engine), clock.NewManual(start)
		here, there := newLimits(dbtest.Reopen(t, at, now)), newLimits(dbtest.Reopen(t, at, now))
		for range limit.SignInPerAddress.Times {
			if err := here.Allow(t.Context(), limit.SignInPerAddress.By("192.0.2.1")); err != nil {
				t.Fatal(err)
			}
			now.Advance(time.Second)
		}
		want := limit.SignInPerAddress.Per - 30*time.Second
		for range 2 { // the second refusal comes from memory and must say the same
			for _, l := range []*limit.Limits{here, there} {
				if got := waitOf(t, l.Allow(t.Context(), limit.SignInPerAddress.By("192.0.2.1"))); got != want {
					t.Fatalf("retry after %v, want %v", got, want)
				}
			}
		}
		now.Advance(want - time.Microsecond)
		if got := waitOf(t, here.Allow(t.Context(), limit.SignInPerAddress.By("192.0.2.1"))); got != time.Second {
			t.Fatalf("a microsecond too early: retry after %v", got)
		}
		now.Advance(time.Microsecond)
		if err := here.Allow(t.Context(), limit.SignInPerAddress.By("192.0.2.1")); err != nil {
			t.Fatalf("at the promised moment: %v", err)
		}
		if got := waitOf(t, there.Allow(t.Context(), limit.SignInPerAddress.By("192.0.2.1"))); got != time.Second {
			t.Fatalf("one place was free, so the next is a second away, not %v", got)
		}
	})
}

func TestAllUsesAreCountedOrNone(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, engine db.Engine) {
		d := dbtest.Open(t, engine, clock.NewManual(start))
		l := newLimits(d)
		both := func(to string) []limit.Use {
			return []limit.Use{limit.MailPerRecipient.By(to), limit.MailPerAddress.By("192.0.2.1")}
		}
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			for range 40 { // the same recipient: refused after the first, and not counted for the address
				_ = l.Take(ctx, tx, both("Ada@example.com ")...)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if waitOf(t, l.Allow(t.Context(), both("ada@example.com")...)) != time.Minute {
			t.Fatal("the same recipient in other letters was not the same")
		}
		for i := range limit.MailPerAddress.Times - 1 {
			if err := l.Allow(t.Context(), both(fmt.Sprintf("%d@example.com", i))...); err != nil {
				t.Fatalf("letter %d: %v", i, err)
			}
		}
		if waitOf(t, l.Allow(t.Context(), both("last@example.com")...)) != time.Hour {
			t.Fatal("the address was not limited")
		}
	})
}

// The rows are locked in one order, whatever order the uses are named in: the first of that order is the one that refuses.
func TestUsesAreJudgedInOneOrder(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, engine db.Engine) {
		d := dbtest.Open(t, engine, clock.NewManual(start))
		l := newLimits(d)
		client, reader := limit.MailPerAddress.By("192.0.2.1"), limit.MailPerRecipient.By("ada@example.com")
		if err := l.Allow(t.Context(), client.Times(limit.MailPerAddress.Times), reader); err != nil {
			t.Fatal(err)
		}
		for _, uses := range [][]limit.Use{{client, reader}, {reader, client}} {
			err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error { return l.Take(ctx, tx, uses...) })
			if got := waitOf(t, err); got != limit.MailPerAddress.Per {
				t.Errorf("refused for %v", got)
			}
		}
	})
}

// A clock that is set back leaves moments that are yet to come. Nobody waits for them longer than a rule takes, neither
// at the instance that remembers its refusal nor at one that was started since.
func TestAClockThatIsSetBackLocksNobodyOut(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, engine db.Engine) {
		at, now := dbtest.Location(t, engine), clock.NewManual(start)
		here, there := newLimits(dbtest.Reopen(t, at, now)), newLimits(dbtest.Reopen(t, at, now))
		rules := []limit.Rule{limit.MailPerRecipient, limit.MailPerAddress, limit.SignInPerAddress, limit.SignInPerAccount}
		fill := func(rule limit.Rule, subject string) {
			t.Helper()
			for range rule.Times {
				if err := here.Allow(t.Context(), rule.By(subject)); err != nil {
					t.Fatalf("%s: %v", rule.Name, err)
				}
			}
			if got := waitOf(t, here.Allow(t.Context(), rule.By(subject))); got != rule.Per {
				t.Fatalf("%s: full, and the wait %v", rule.Name, got)
			}
		}
		for _, rule := range rules {
			fill(rule, "here")
			fill(rule, "there")
		}
		now.Advance(-time.Hour)
		for _, rule := range rules {
			for subject, l := range map[string]*limit.Limits{"here": here, "there": there} {
				if got := waitOf(t, l.Allow(t.Context(), rule.By(subject))); got > rule.Per || (got > 0 && rule.Per < time.Hour) {
					t.Errorf("%s, %s: wait %v", rule.Name, subject, got)
				}
			}
		}
		now.Advance(-time.Second)
		for _, rule := range rules { // the rules hold from here on
			for _, subject := range []string{"here", "there"} {
				left := rule.Times
				if rule.Per < time.Hour {
					left-- // of the use above
				}
				for range left {
					if err := there.Allow(t.Context(), rule.By(subject)); err != nil {
						t.Fatalf("%s, %s: %v", rule.Name, subject, err)
					}
				}
				if waitOf(t, there.Allow(t.Context(), rule.By(subject))) == 0 {
					t.Errorf("%s, %s: one too many", rule.Name, subject)
				}
			}
		}
	})
}

func TestTakeCountsOnlyWhatCommits(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, engine db.Engine) {
		d := dbtest.Open(t, engine, clock.NewManual(start))
		l := newLimits(d)
		use := limit.MailPerRecipient.By("ada@example.com")
		undone := errors.New("undone")
		for range 3 {
			err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				if err := l.Take(ctx, tx, use); err != nil {
					t.Errorf("a use that was undone was counted: %v", err)
				}
				if !fault.Is(l.Take(ctx, tx, use), fault.TooMany) {
					t.Error("the second use of one transaction was not refused")
				}
				return undone
			})
			if !errors.Is(err, undone) {
				t.Fatal(err)
			}
		}
		if err := l.Allow(t.Context(), use); err != nil {
			t.Fatal(err)
		}
	})
}

func TestSubjectsAreNotReadableAndOldOnesGo(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, engine db.Engine) {
		now := clock.NewManual(start)
		d := dbtest.Open(t, engine, now)
		l := newLimits(d)
		for i := range 700 {
			if err := l.Allow(t.Context(), limit.SignInPerAddress.By(fmt.Sprintf("192.0.%d.%d", i/256, i%256))); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Allow(t.Context(), limit.SignInPerAccount.By("ada@example.com")); err != nil {
			t.Fatal(err)
		}
		err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			return db.Each(ctx, tx, "select rule || subject || taken from limits", nil, func(scan func(...any) error) error {
				var row string
				if err := scan(&row); err != nil {
					return err
				}
				if strings.Contains(row, "ada") || strings.Contains(row, "192.0") {
					t.Errorf("readable: %s", row)
				}
				return nil
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		now.Advance(20 * time.Minute) // five until they do not count any more, and a quarter of an hour at most
		if swept, err := l.Sweep(t.Context()); swept != 700 || err != nil {
			t.Fatalf("swept %d, %v", swept, err)
		}
		now.Advance(time.Hour)
		if swept, err := l.Sweep(t.Context()); swept != 1 || err != nil {
			t.Fatalf("swept %d, %v", swept, err)
		}
	})
}

func TestAddressesCountByTheirOwner(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"192.0.2.1":              "192.0.2.1",
		"192.0.2.1:4711":         "192.0.2.1",
		"::ffff:192.0.2.1":       "192.0.2.1",
		"2001:db8:1:2:3:4:5:6":   "2001:db8:1:2::/64",
		"2001:db8:1:2:ffff::9":   "2001:db8:1:2::/64",
		"[2001:db8:1:3::1]:443":  "2001:db8:1:3::/64",
		"fe80::1%eth0":           "fe80::/64",
		"[2001:db8:1:2:3:4:5:6]": "2001:db8:1:2::/64",
		"not an address":         "not an address",
		"":                       "",
	} {
		if got := limit.Address(text); got != want {
			t.Errorf("%q counts as %q, want %q", text, got, want)
		}
	}
}

func TestOffAllowsEverything(t *testing.T) {
	t.Parallel()
	l := limit.New(limit.Options{Off: true})
	for range 3 {
		if err := l.Allow(t.Context(), limit.MailPerRecipient.By("x")); err != nil {
			t.Fatal(err)
		}
	}
}

// Several uses at once count as that many: all of them are allowed or none, in any mixture with single ones.
func TestManyAtOnceCountAsMany(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, engine db.Engine) {
		now := clock.NewManual(start)
		d := dbtest.Open(t, engine, now)
		l := newLimits(d)
		quota := l.Quota(limit.MessagePerAccount, limit.MessagePerAccountDay)
		take := func(rows int) error {
			return d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				var b db.Batch
				if err := quota(&b, tx, "ada", rows); err != nil {
					return err
				}
				return l.Judge(ctx, tx, tx.Send(ctx, &b))
			})
		}
		for _, step := range []struct {
			after time.Duration
			rows  int
			wait  time.Duration
		}{
			{0, 20, 0},
			{10 * time.Second, 1, 0},
			{10 * time.Second, 10, 40 * time.Second},
			{0, 9, 0},
			{0, 1, 40 * time.Second},
			{40 * time.Second, 21, 10 * time.Second},
			{0, 20, 0},
			{0, 2, 20 * time.Second},
			{10 * time.Second, 2, 10 * time.Second},
			{0, 1, 0},
			{time.Minute, 30, 0},
			{time.Minute - time.Microsecond, 30, time.Second},
			{time.Microsecond, 30, 0},
		} {
			now.Advance(step.after)
			if got := waitOf(t, take(step.rows)); got != step.wait {
				t.Fatalf("%d at %v: wait %v, not %v", step.rows, now.Now().Sub(start), got, step.wait)
			}
		}
		if err := take(31); !fault.Is(err, fault.TooLarge) {
			t.Errorf("more than ever fit: %v", err)
		}
		for left := 300 - (20 + 1 + 9 + 20 + 1 + 30 + 30); left > 0; left -= min(left, 30) {
			now.Advance(time.Minute)
			if err := take(min(left, 30)); err != nil {
				t.Fatal(err)
			}
		}
		now.Advance(time.Minute)
		if wait := waitOf(t, take(1)); wait != start.Add(24*time.Hour).Sub(now.Now()) {
			t.Errorf("the day is full, and the wait %v", wait)
		}
	})
}

func TestUseThatComesFirstIsRefusedFromMemory(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := limit.New(limit.Options{DB: d, Secret: []byte("test")})
		use := limit.MailPerRecipient.By("ada@example.com")
		take := func() error {
			return d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				var b db.Batch
				if err := l.AddFirst(&b, tx, use); err != nil {
					return err
				}
				return l.Judge(ctx, tx, tx.Send(ctx, &b))
			})
		}
		if err := errors.Join(l.Known(use), take(), l.Known(use)); err != nil {
			t.Fatal(err)
		}
		for name, err := range map[string]error{"in its transaction": take(), "from memory": l.Known(use)} {
			if !fault.Is(err, fault.TooMany) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestSweepingCountsReadsNoWholeTable(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, old := range limit.New(limit.Options{DB: d}).Over(d.Clock.Now()) {
			dbtest.Sweeps(t, d, old, "rule", "one", "rule", "another")
		}
	})
}

// TestRefusedQuotaIsOneWhateverFailsAfterIt: on PostgreSQL the rows have been tried by the time the quota is judged.
func TestRefusedQuotaIsOneWhateverFailsAfterIt(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, engine db.Engine) {
		d := dbtest.Open(t, engine, clock.NewManual(start))
		l := newLimits(d)
		quota := l.Quota(limit.MessagePerAccount)
		take := func(rows int, text string) error {
			return d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				var ahead, b db.Batch
				if err := quota(&ahead, tx, "ada", rows); err != nil {
					return err
				}
				b.Exec(text, nil, func(int64) error { return nil })
				err := tx.Ahead(ctx, &ahead)
				if err == nil {
					err = tx.Send(ctx, &b)
				}
				return l.Judge(ctx, tx, err)
			})
		}
		const fails = "insert into limits (rule, subject, taken, expires_at) select rule, subject, taken, expires_at from limits"
		if err := take(limit.MessagePerAccount.Times, "delete from limits where rule = 'none'"); err != nil {
			t.Fatal(err)
		}
		if wait := waitOf(t, take(1, fails)); wait != limit.MessagePerAccount.Per {
			t.Errorf("it asks to wait %v", wait)
		}
	})
}
