package audit

import (
	"context"
	"fmt"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
)

// trail opens a trail on each engine, at the beginning of an hour.
func trail(t *testing.T, fn func(t *testing.T, d *db.DB, hands *clock.Manual)) {
	t.Helper()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			hands := clock.NewManual(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
			fn(t, dbtest.Open(t, engine, hands), hands)
		})
	}
}

func record(t *testing.T, d *db.DB, entries ...Entry) {
	t.Helper()
	for _, e := range entries {
		if err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error { return Record(ctx, tx, e) }); err != nil {
			t.Fatal(err)
		}
	}
}

// listed gives the whole trail, newest first, and how many acts it tells of.
func listed(t *testing.T, d *db.DB) (lines []Line, acts int) {
	t.Helper()
	err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) (err error) {
		lines, _, err = List(ctx, tx, Filter{Limit: mostList})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		acts += l.Times
	}
	return lines, acts
}

// countedOf is the newest entry that stands for many.
func countedOf(lines []Line) Line {
	for _, l := range lines {
		if l.LastAt != nil {
			return l
		}
	}
	return Line{}
}

func try(account, address, result string) Entry {
	return Entry{Action: "session.try", Subject: account, Address: address, UserAgent: "curl", Result: result}
}

func TestRefusalsBeyondTheTenthAreOneEntry(t *testing.T) {
	t.Parallel()
	trail(t, func(t *testing.T, d *db.DB, hands *clock.Manual) {
		for range 25 {
			record(t, d, try("ada@example.com", "192.0.2.1", "wrong password"))
			hands.Advance(time.Minute)
		}
		lines, acts := listed(t, d)
		if len(lines) != mostRefusals+1 || acts != 25 {
			t.Fatalf("%d entries tell of %d tries", len(lines), acts)
		}
		counted := countedOf(lines)
		last := time.Date(2026, 3, 1, 12, 24, 0, 0, time.UTC)
		if counted.Times != 15 || counted.LastAt == nil || !counted.LastAt.Equal(last) || counted.Subject != "ada@example.com" || counted.Address != "192.0.2.1" {
			t.Fatalf("the counted entry: %+v", counted)
		}
		if lines[1].LastAt != nil || lines[1].Times != 1 {
			t.Fatalf("an entry of its own: %+v", lines[1])
		}
		hands.Advance(time.Hour) // a new hour begins with entries of its own again
		record(t, d, try("ada@example.com", "192.0.2.1", "wrong password"))
		if lines, acts := listed(t, d); len(lines) != mostRefusals+2 || acts != 26 {
			t.Fatalf("%d entries tell of %d tries", len(lines), acts)
		}
	})
}

func TestRefusalsAreCountedByClientAndByAccount(t *testing.T) {
	t.Parallel()
	trail(t, func(t *testing.T, d *db.DB, hands *clock.Manual) {
		for i := range 30 {
			record(t, d, try(fmt.Sprintf("%d@example.com", i), fmt.Sprintf("2001:db8::%x", i+1), "wrong password")) // one network
		}
		lines, acts := listed(t, d)
		if len(lines) != mostRefusals+1 || acts != 30 || countedOf(lines).Subject != Several {
			t.Fatalf("one client: %d entries tell of %d tries", len(lines), acts)
		}
		hands.Advance(time.Hour)
		user := id.New()
		for i := range 30 {
			e := try("ada@example.com", fmt.Sprintf("198.51.100.%d", i), "wrong password")
			e.ActorID = user
			record(t, d, e)
		}
		lines, acts = listed(t, d)
		if len(lines) != 2*(mostRefusals+1) || acts != 60 {
			t.Fatalf("one account: %d entries tell of %d tries", len(lines), acts)
		}
		if l := countedOf(lines); l.Times != 20 || l.ActorID != user || l.Address != Several {
			t.Fatalf("the account's counted entry: %+v", l)
		}
		// What was done is never counted together, and does not count.
		for range 30 {
			record(t, d, try("ada@example.com", "203.0.113.1", OK))
		}
		if lines, acts = listed(t, d); len(lines) != 2*(mostRefusals+1)+30 || acts != 90 {
			t.Fatalf("%d entries tell of %d acts", len(lines), acts)
		}
	})
}

func TestACountedEntryOfSeveralNamesNobody(t *testing.T) {
	t.Parallel()
	trail(t, func(t *testing.T, d *db.DB, _ *clock.Manual) {
		ada, bob := id.New(), id.New()
		for range mostRefusals - 2 { // each account by itself has too few to be counted together
			for _, actor := range []string{ada, bob} {
				e := try("", "192.0.2.1", "wrong password")
				e.ActorID = actor
				record(t, d, e)
			}
		}
		lines, _ := listed(t, d)
		if l := countedOf(lines); l.Times != mostRefusals-4 || l.ActorID != "" || l.Address != "192.0.2.1" {
			t.Fatalf("the counted entry: %+v", l)
		}
	})
}

func TestRefusalsAtTheSameMomentAreAllCounted(t *testing.T) {
	t.Parallel()
	trail(t, func(t *testing.T, d *db.DB, _ *clock.Manual) {
		const all = 60
		errs := make(chan error, all)
		for i := range all {
			go func() {
				errs <- d.Write(context.Background(), func(ctx context.Context, tx *db.Tx) error {
					return Record(ctx, tx, try(fmt.Sprintf("%d@example.com", i%3), fmt.Sprintf("192.0.2.%d", i%5), "wrong password"))
				})
			}()
		}
		for range all {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		if lines, acts := listed(t, d); acts != all || len(lines) > 3*mostRefusals+8 {
			t.Fatalf("%d entries tell of %d tries", len(lines), acts)
		}
	})
}

func TestOldEntriesAreSwept(t *testing.T) {
	t.Parallel()
	trail(t, func(t *testing.T, d *db.DB, hands *clock.Manual) {
		const keep = 90 * 24 * time.Hour
		for range 25 {
			record(t, d, try("ada@example.com", "192.0.2.1", "wrong password"))
		}
		sweep := func() int64 {
			t.Helper()
			swept, err := d.Sweep(t.Context(), Over(hands.Now(), keep)...)
			if err != nil {
				t.Fatal(err)
			}
			return swept
		}
		hands.Advance(3 * time.Hour)
		if n := sweep(); n != 2 {
			t.Fatalf("%d counts of a past hour went", n)
		}
		hands.Advance(keep - 3*time.Hour - time.Second)
		if n := sweep(); n != 0 {
			t.Fatalf("%d entries went too early", n)
		}
		hands.Advance(time.Second)
		if n := sweep(); n != mostRefusals+1 {
			t.Fatalf("%d entries went", n)
		}
	})
}

func TestForgettingAndSweepingReadNoWholeTable(t *testing.T) {
	t.Parallel()
	trail(t, func(t *testing.T, d *db.DB, hands *clock.Manual) {
		user := id.New()
		dbtest.Searches(t, d, forgetActor, user, user)
		dbtest.Searches(t, d, forgetAddress, "ada@example.com", user, user, true)
		dbtest.Searches(t, d, forgetTallies, accountBucket(user))
		keys := map[string][]any{
			"audit_entries": {id.New(), id.New()},
			"audit_tallies": {"a", db.At(hands.Now()), "b", db.At(hands.Now())},
		}
		for _, old := range Over(hands.Now(), time.Hour) {
			dbtest.Sweeps(t, d, old, keys[old.Table]...)
		}
	})
}

func TestForgottenPeopleLeaveEntriesWithoutThem(t *testing.T) {
	t.Parallel()
	trail(t, func(t *testing.T, d *db.DB, _ *clock.Manual) {
		ada, bob := id.New(), id.New()
		for range 15 {
			record(t, d, try("ada@example.com", "192.0.2.1", "limited"))
		}
		record(t, d,
			Entry{ActorID: ada, Action: "address.change", Subject: "not.mine@example.com", Address: "192.0.2.1", UserAgent: "curl", Result: OK},
			Entry{ActorID: ada, Action: "admin.course.add", Subject: "Talks @ Work", Address: "192.0.2.1", Result: OK},
			Entry{Action: "user.invite", Subject: "former@example.com", Result: OK},
			Entry{ActorID: bob, Action: "user.sign_up", Subject: "former@example.com", Address: "198.51.100.1", Result: OK},
			Entry{ActorID: bob, Action: "session.try", Subject: "not.mine@example.com", Address: "198.51.100.1", Result: OK},
		)
		before, acts := listed(t, d)
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			return Forget(ctx, tx, ada, "ada@example.com", "former@example.com")
		})
		if err != nil {
			t.Fatal(err)
		}
		after, stillActs := listed(t, d)
		if len(after) != len(before) || stillActs != acts {
			t.Fatalf("%d of %d entries are left", len(after), len(before))
		}
		for _, l := range after {
			whole := fmt.Sprint(l)
			switch {
			case l.ActorID == bob:
				if l.Address == "" || l.Subject == ada {
					t.Errorf("somebody else's entry was changed: %+v", l)
				}
			case l.Action == "admin.course.add":
				if l.Subject != "Talks @ Work" || l.Address != "" {
					t.Errorf("an admin's act: %+v", l)
				}
			case l.Subject != ada || l.Address != "" || l.UserAgent != "":
				t.Errorf("an entry still tells of the person: %s", whole)
			}
		}
		var left int
		err = d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			return tx.QueryRow(ctx, "select count(*) from (select bucket from audit_tallies union all select bucket from audit_entries) b where bucket like '%ada@%'").Scan(&left)
		})
		if err != nil || left != 0 {
			t.Errorf("%d counts still name the person: %v", left, err)
		}
	})
}

func TestRefusalsWrittenTogetherAreAsIfEachCameAlone(t *testing.T) {
	t.Parallel()
	trail(t, func(t *testing.T, d *db.DB, _ *clock.Manual) {
		together := func(all ...Refusals) {
			if err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error { return RecordRefusals(ctx, tx, all...) }); err != nil {
				t.Fatal(err)
			}
		}
		ada, bob := try("ada@example.com", "192.0.2.1", "limited"), try("bob@example.com", "192.0.2.1", "limited")
		together(Refusals{ada, 4}, Refusals{bob, 3})
		together(Refusals{bob, 5}, Refusals{ada, 1000})
		// Ten of the client are entries of their own. Bob has eight: those beyond count for the client, as do Ada's until she has ten.
		lines, acts := listed(t, d)
		if acts != 1012 || len(lines) != mostRefusals+2 {
			t.Fatalf("%d entries tell of %d tries: %+v", len(lines), acts, lines)
		}
		times := map[int]bool{}
		for _, l := range lines {
			times[l.Times] = true
		}
		if !times[994] || !times[8] {
			t.Errorf("the counts are %v", times)
		}
	})
}

func TestAPileIsBoundedAndLosesNoCount(t *testing.T) {
	t.Parallel()
	var pile Pile
	const all = 5000
	for i := range all {
		e := try(fmt.Sprintf("%d@example.com", i), fmt.Sprintf("192.0.%d.%d", i/250, i%250), "limited")
		e.UserAgent = fmt.Sprint("agent ", i)
		pile.Add(Refusals{e, 1})
	}
	sum := 0
	taken := pile.Take()
	for _, r := range taken {
		sum += r.Times
	}
	if sum != all || len(taken) > 2*mostPiled+1 {
		t.Errorf("%d entries tell of %d", len(taken), sum)
	}
	if left := pile.Take(); len(left) != 0 {
		t.Errorf("%d are left", len(left))
	}
}
