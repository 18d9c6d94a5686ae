package waitlist_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest/resttest"
	"greenroom/internal/waitlist"
)

func TestTwelveAreConfirmedAndTheRestWait(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		for i := range 15 {
			s.register(t, fmt.Sprint("Guest ", i), fmt.Sprintf("guest%d@example.org", i)).Want(t, http.StatusCreated, "")
		}
		s.spots(t, 12, 3, 0)
		first, last := s.box.To(t, "guest0@example.org", 1)[0], s.box.To(t, "guest14@example.org", 1)[0]
		if first.Subject != "Your spot is confirmed: "+title || !strings.Contains(first.Text, "1 of 12") {
			t.Errorf("the first letter is %q: %s", first.Subject, first.Text)
		}
		if last.Subject != "You’re on the waitlist: "+title {
			t.Errorf("the last letter is %q", last.Subject)
		}
	})
}

func TestRepeatedRegistrationChangesNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		first := s.register(t, " Cleo ", " Cleo@Example.org ")
		second := s.register(t, "Another name", "cleo@EXAMPLE.org")
		if first.Status != http.StatusCreated || second.Status != first.Status || second.Body != first.Body {
			t.Errorf("answered %d %q, then %d %q", first.Status, first.Body, second.Status, second.Body)
		}
		s.spots(t, 1, 0, 11)
		rows := resttest.Call(t, s.api, s.admin, "GET", "/course_waitlist", "").Rows(t)
		if len(rows) != 1 || rows[0]["name"] != "Cleo" || rows[0]["email"] != "Cleo@Example.org" || rows[0]["user_id"] != nil || rows[0]["spot"] != 1.0 {
			t.Errorf("stored %v", rows)
		}
		if n := s.letters(t, "workshop-confirmed"); n != 1 {
			t.Errorf("%d letters", n)
		}
	})
}

func TestFiftyRegistrationsOfOneAddressAtOnceAreOne(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		var wait sync.WaitGroup
		for range 50 {
			wait.Go(func() {
				if answer := s.register(t, "Cleo", "cleo@example.org"); answer.Status != http.StatusCreated {
					t.Errorf("answered %d %s", answer.Status, answer.Body)
				}
			})
		}
		wait.Wait()
		s.spots(t, 1, 0, 11)
		if n := s.letters(t, "workshop-confirmed"); n != 1 {
			t.Errorf("%d letters", n)
		}
	})
}

// atOnce does n things, as many of them at once as a slow machine can answer in time, and waits for all.
func atOnce(n int, do func(i int)) {
	const most = 40
	var wait sync.WaitGroup
	places := make(chan struct{}, most)
	for i := range n {
		places <- struct{}{}
		wait.Go(func() {
			do(i)
			<-places
		})
	}
	wait.Wait()
}

// registerAll registers n people at once, spread over the stages, and checks that nobody was turned away, lost or is
// there twice.
func registerAll(t *testing.T, n int, stages ...*stage) {
	t.Helper()
	atOnce(n, func(i int) {
		answer := stages[i%len(stages)].register(t, fmt.Sprint("Guest ", i), fmt.Sprintf("guest%d@example.org", i))
		if answer.Status != http.StatusCreated {
			t.Errorf("answered %d %s", answer.Status, answer.Body)
		}
	})
	s := stages[0]
	s.spots(t, 12, n-12, 0)
	if rows := s.count(t, "select count(distinct email) from course_waitlist"); rows != n {
		t.Errorf("%d of %d people are there", rows, n)
	}
	if confirmed, waiting := s.letters(t, "workshop-confirmed"), s.letters(t, "workshop-waiting"); confirmed != 12 || waiting != n-12 {
		t.Errorf("%d letters confirm, %d say wait", confirmed, waiting)
	}
}

func TestSecurity51FiveHundredOverTwoInstancesGetTwelveSpots(t *testing.T) {
	t.Parallel()
	at := dbtest.Location(t, db.Postgres)
	registerAll(t, 500, open(t, dbtest.Reopen(t, at, clock.System{})), open(t, dbtest.Reopen(t, at, clock.System{})))
}

func TestSecurity51FiveHundredOnSQLiteGetTwelveSpots(t *testing.T) {
	t.Parallel()
	registerAll(t, 500, open(t, dbtest.Open(t, db.SQLite, clock.System{})))
}

func TestRegistrationMustNameAWorkshopAndAPerson(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		ada := s.person(t, "ada@example.org")
		body := func(name, email, course string) string {
			return fmt.Sprintf(`{"name":%q,"email":%q,"course_title":%q}`, name, email, course)
		}
		for _, c := range []struct {
			who    who.Actor
			body   string
			status int
			code   string
		}{
			{resttest.Stranger, body("Cleo", "cleo@example.org", "Documentary Filmmaking"), http.StatusUnauthorized, "42501"},
			{ada, body("Cleo", "cleo@example.org", "Documentary Filmmaking"), http.StatusForbidden, "42501"},
			{resttest.Stranger, body(" ", "cleo@example.org", title), http.StatusBadRequest, "23514"},
			{resttest.Stranger, body("Cleo", " ", title), http.StatusBadRequest, "23514"},
			{resttest.Stranger, `{"email":"cleo@example.org","course_title":"` + title + `"}`, http.StatusBadRequest, "23514"},
			{resttest.Stranger, `{"name":"Cleo","course_title":"` + title + `"}`, http.StatusBadRequest, "23502"},
			{resttest.Stranger, body(strings.Repeat("n", 101), "cleo@example.org", title), http.StatusBadRequest, "23514"},
			{resttest.Stranger, body("Cleo", "cleo", title), http.StatusBadRequest, "23514"},
			{resttest.Stranger, body("Cleo", "cleo@example", title), http.StatusBadRequest, "23514"},
			{resttest.Stranger, body("Cleo", "a@example.org, b@example.org", title), http.StatusBadRequest, "23514"},
			{resttest.Stranger, `{"name":"C","email":"c@example.org","course_title":"` + title + `","spot":1}`, http.StatusForbidden, ""},
		} {
			answer := resttest.Call(t, s.api, c.who, "POST", "/course_waitlist", c.body)
			if c.code != "" && (answer.Status != c.status || answer.Code() != c.code) || answer.Status < 400 || answer.Status >= 500 {
				t.Errorf("%s: answered %d %s", c.body, answer.Status, answer.Body)
			}
		}
		s.spots(t, 0, 0, 12)
		// Somebody with an account may register anybody, the guest's address being the guest's own affair.
		resttest.Call(t, s.api, ada, "POST", "/course_waitlist", body("Cleo", "cleo@example.org", title)).Want(t, http.StatusCreated, "")
		s.spots(t, 1, 0, 11)
	})
}

func TestRegistrationsOfOneAddressAreLimited(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := openWith(t, d, limit.New(limit.Options{DB: d, Secret: []byte("test")}))
		for i := range 10 {
			s.register(t, "Guest", fmt.Sprintf("guest%d@example.org", i)).Want(t, http.StatusCreated, "")
		}
		refused := s.register(t, "Guest", "guest10@example.org").Want(t, http.StatusTooManyRequests, "")
		if refused.Header.Get("Retry-After") == "" {
			t.Error("nothing says when to try again")
		}
		s.spots(t, 10, 0, 2)
	})
}

func TestOneClientsRegistrationsAreStoredButNotAllConfirmedByMail(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			now := clock.NewManual(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
			d := dbtest.Open(t, engine, now)
			s := openWith(t, d, limit.New(limit.Options{DB: d, Secret: []byte("test")}))
			for i := range 40 {
				s.register(t, "Guest", fmt.Sprintf("guest%d@example.org", i)).Want(t, http.StatusCreated, "")
				now.Advance(10 * time.Second)
			}
			s.spots(t, 12, 28, 0)
			if n := s.letters(t, "workshop-confirmed") + s.letters(t, "workshop-waiting"); n != 30 {
				t.Errorf("%d letters", n)
			}
			now.Advance(time.Hour)
			s.register(t, "Late", "late@example.org").Want(t, http.StatusCreated, "")
			if n := s.letters(t, "workshop-waiting"); n != 19 {
				t.Errorf("%d say wait an hour later", n)
			}
		})
	}
}

func TestFreedSpotGoesToTheEarliestWaiting(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		for i := range 14 {
			s.register(t, "Guest", fmt.Sprintf("guest%d@example.org", i)).Want(t, http.StatusCreated, "")
		}
		resttest.Call(t, s.api, s.admin, "DELETE", "/course_waitlist?email=eq.guest4@example.org", "").Want(t, http.StatusNoContent, "")
		s.spots(t, 12, 1, 0)
		rows := resttest.Call(t, s.api, s.admin, "GET", "/course_waitlist?spot=eq.5", "").Rows(t)
		if len(rows) != 1 || rows[0]["email"] != "guest12@example.org" {
			t.Errorf("the fifth spot has %v", rows)
		}
		if letters := s.box.To(t, "guest12@example.org", 2); !strings.Contains(letters[1].Text, "opened up") {
			t.Errorf("the second letter says %s", letters[1].Text)
		}
		// Somebody who waits and leaves frees nothing.
		resttest.Call(t, s.api, s.admin, "DELETE", "/course_waitlist?email=eq.guest13@example.org", "").Want(t, http.StatusNoContent, "")
		s.spots(t, 12, 0, 0)
		// Without anybody waiting the spot is free for the next to come.
		resttest.Call(t, s.api, s.admin, "DELETE", "/course_waitlist?spot=in.(2,7)", "").Want(t, http.StatusNoContent, "")
		if n := s.count(t, "select spots_left from workshops"); n != 2 {
			t.Errorf("%d spots are left", n)
		}
		s.register(t, "Late", "late@example.org").Want(t, http.StatusCreated, "")
		if n := s.count(t, "select spot from course_waitlist where email = 'late@example.org'"); n != 2 {
			t.Errorf("the next to come got spot %d", n)
		}
	})
}

func TestDeletesAndRegistrationsAtOnceLeaveNoSpotEmpty(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		for i := range 12 {
			s.register(t, "Guest", fmt.Sprintf("guest%d@example.org", i)).Want(t, http.StatusCreated, "")
		}
		s.run(t)
		atOnce(48, func(i int) {
			if i%6 == 0 {
				answer := resttest.Call(t, s.api, s.admin, "DELETE", fmt.Sprintf("/course_waitlist?email=eq.guest%d@example.org", i/6), "")
				if answer.Status != http.StatusNoContent {
					t.Errorf("a delete answered %d %s", answer.Status, answer.Body)
				}
				return
			}
			if answer := s.register(t, "New", fmt.Sprintf("new%d@example.org", i)); answer.Status != http.StatusCreated {
				t.Errorf("a registration answered %d %s", answer.Status, answer.Body)
			}
		})
		for range 500 {
			if s.count(t, "select spots_left from workshops") == 0 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		s.spots(t, 12, 32, 0)
	})
}

func TestFreeSpotThatFoundNobodyIsGivenLater(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := open(t, d)
		for i := range 14 {
			s.register(t, "Guest", fmt.Sprintf("guest%d@example.org", i)).Want(t, http.StatusCreated, "")
		}
		// As if the delete had been made while the last two were about to commit.
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			if _, err := tx.Exec(ctx, "delete from course_waitlist where spot = 3"); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, "update workshops set spots_left = 1")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		s.run(t)
		s.box.To(t, "guest12@example.org", 2)
		s.spots(t, 12, 1, 0)
	})
}

// TestWhoeverLeavesWhileASpotIsFreedTakesNothing lets the first in line leave in a transaction that ends only when the
// spot is about to be theirs.
func TestWhoeverLeavesWhileASpotIsFreedTakesNothing(t *testing.T) {
	t.Parallel()
	s := open(t, dbtest.Open(t, db.Postgres, clock.System{}))
	for i := range 14 {
		s.register(t, "Guest", fmt.Sprintf("guest%d@example.org", i)).Want(t, http.StatusCreated, "")
	}
	freed := make(chan resttest.Answer, 1)
	err := s.d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, "delete from course_waitlist where email = 'guest12@example.org'")
		go func() {
			freed <- resttest.Call(t, s.api, s.admin, "DELETE", "/course_waitlist?email=eq.guest4@example.org", "")
		}()
		waitlist.Blocked(t, s.d)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	(<-freed).Want(t, http.StatusNoContent, "")
	s.spots(t, 12, 0, 0)
	if n := s.count(t, "select count(*) from course_waitlist where email = 'guest13@example.org' and spot = 5"); n != 1 {
		t.Error("the next in line has no spot")
	}
	if n := s.count(t, "select count(*) from outbox where kind = 'workshop-confirmed' and recipient = 'guest12@example.org'"); n != 0 {
		t.Error("whoever left was told of a spot")
	}
}
