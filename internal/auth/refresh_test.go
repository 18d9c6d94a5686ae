package auth

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
)

func TestRefreshRotates(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		first := h.signedUp("ada@example.com")
		h.clock.Advance(time.Minute)
		second := want(t, h.refresh(first.str("refresh_token")), 200, "")
		if second.str("refresh_token") == first.str("refresh_token") || second.str("access_token") == first.str("access_token") || second.str("user", "id") != first.str("user", "id") {
			t.Fatal(second.text)
		}
		before, _ := h.Keys.Verify(first.str("access_token"), h.issuer, h.clock.Now())
		after, err := h.Keys.Verify(second.str("access_token"), h.issuer, h.clock.Now())
		if err != nil || before.SessionID != after.SessionID || string(before.AMR) != string(after.AMR) {
			t.Fatalf("%+v %+v %v", before, after, err)
		}
		for token, code := range map[string]string{
			"": "validation_failed", "short": "validation_failed", strings.Repeat("x", 300): "validation_failed", id.Secret(): "refresh_token_not_found",
		} {
			want(t, h.refresh(token), 400, code)
		}
	})
}

func TestSecurity34ReuseOfAnOldTokenEndsTheFamily(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		first := h.signedUp("ada@example.com")
		other := want(t, h.signIn("ada@example.com", password), 200, "")
		second := want(t, h.refresh(first.str("refresh_token")), 200, "")
		h.clock.Advance(72 * time.Hour)
		// The answer may have been lost: the parent of a child that was never used is good at any age.
		if again := want(t, h.refresh(first.str("refresh_token")), 200, ""); again.str("refresh_token") != second.str("refresh_token") {
			t.Fatal("the parent got another child")
		}
		third := want(t, h.refresh(second.str("refresh_token")), 200, "")
		h.clock.Advance(11 * time.Second)
		want(t, h.refresh(first.str("refresh_token")), 400, "refresh_token_already_used")
		if got := h.refresh(third.str("refresh_token")); got.status != 400 {
			t.Fatal("the newest child lives:", got.text)
		}
		want(t, h.get("/user", third.str("access_token")), 403, "session_not_found")
		want(t, h.refresh(other.str("refresh_token")), 200, "")
	})
}

func TestOldTokenInsideTheWindowGetsTheNewest(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		first := h.signedUp("ada@example.com").str("refresh_token")
		newest := first
		for range 5 {
			newest = want(t, h.refresh(newest), 200, "").str("refresh_token")
		}
		h.clock.Advance(9 * time.Second)
		if got := want(t, h.refresh(first), 200, ""); got.str("refresh_token") != newest {
			t.Fatal("not the newest")
		}
		want(t, h.refresh(newest), 200, "")
	})
}

func TestSecurity35ParallelRefreshesMeetInOneChild(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			at := dbtest.Location(t, engine)
			here := openHouse(t, at, nil, nil)
			there := openHouse(t, at, nil, here)
			token := here.signedUp("ada@example.com").str("refresh_token")
			for round := range 5 {
				children := make([]string, 20)
				var wait sync.WaitGroup
				for i := range children {
					wait.Go(func() {
						got := []*house{here, there}[i%2].refresh(token)
						if got.status != 200 {
							t.Errorf("round %d: %d %s", round, got.status, got.text)
						}
						children[i] = got.str("refresh_token")
					})
				}
				wait.Wait()
				for _, child := range children {
					if child != children[0] || child == token {
						t.Fatalf("round %d: %v", round, children)
					}
				}
				token = children[0]
			}
			if n := here.count("select count(*) from refresh_tokens"); n != 6 {
				t.Fatalf("%d tokens, want 6", n)
			}
		})
	}
}

func TestSecurity36SessionsEndWhenIdleOrOld(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		idle := h.signedUp("ada@example.com").str("refresh_token")
		busy := want(t, h.signIn("ada@example.com", password), 200, "").str("refresh_token")
		for range 29 {
			h.clock.Advance(24 * time.Hour)
		}
		busy = want(t, h.refresh(busy), 200, "").str("refresh_token")
		h.clock.Advance(24*time.Hour - time.Microsecond)
		idle = want(t, h.refresh(idle), 200, "").str("refresh_token") // a microsecond before
		h.clock.Advance(29 * 24 * time.Hour)
		busy = want(t, h.refresh(busy), 200, "").str("refresh_token")
		h.clock.Advance(24 * time.Hour)
		want(t, h.refresh(idle), 400, "session_expired")
		busy = want(t, h.refresh(busy), 200, "").str("refresh_token") // day 60
		h.clock.Advance(29 * 24 * time.Hour)
		busy = want(t, h.refresh(busy), 200, "").str("refresh_token")
		h.clock.Advance(24*time.Hour - time.Microsecond)
		busy = want(t, h.refresh(busy), 200, "").str("refresh_token")
		h.clock.Advance(time.Second)
		want(t, h.refresh(busy), 400, "session_expired")
		want(t, h.refresh(busy), 400, "refresh_token_not_found")
	})
}

func TestSecurity28TokensAreLongAndNeverRepeat(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	starts := map[string]int{}
	token := id.Secret()
	for range 100_000 {
		token = childOf(token, id.Secret())
		if len(token) < 22 || seen[token] {
			t.Fatal(token)
		}
		seen[token] = true
		starts[token[:2]]++
	}
	if len(starts) < 4000 {
		t.Fatalf("only %d beginnings", len(starts))
	}
}

func TestSecurity28OnlyHashesAreStored(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("refresh_token")
		child := want(t, h.refresh(token), 200, "").str("refresh_token")
		for _, secret := range []string{token, child} {
			if n := h.count("select count(*) from refresh_tokens where token_hash = $1 or child_salt = $1", secret); n != 0 {
				t.Fatal("a token is stored as it is")
			}
		}
	})
}

func TestSweepDeletesWhatIsOver(t *testing.T) {
	t.Parallel()
	each(t, confirmed, func(t *testing.T, h *house) {
		for i := range 3 {
			h.post("/signup", m{"email": fmt.Sprintf("%d@example.com", i), "password": password, "code_challenge": strings.Repeat("a", 43), "code_challenge_method": "s256"})
		}
		h.clock.Advance(time.Hour - time.Second)
		if n, err := h.Sweep(t.Context()); n != 0 || err != nil {
			t.Fatal(n, err)
		}
		h.clock.Advance(time.Second)
		if n, err := h.Sweep(t.Context()); n != 6 || err != nil {
			t.Fatal(n, err)
		}
	})
}

// TestSweepEndsOldSessions has one session that idles, one that is used until it is too old, and one that lives.
func TestSweepEndsOldSessions(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		sweep := func() {
			t.Helper()
			if _, err := h.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		live := func(user string) (sessions, tokens int) {
			return h.count("select count(*) from sessions where user_id = $1", user),
				h.count("select count(*) from refresh_tokens t join sessions s on s.id = t.session_id where s.user_id = $1", user)
		}
		idle := h.signedUp("idle@example.com")
		used := h.signedUp("used@example.com")
		idler, user, token := idle.str("user", "id"), used.str("user", "id"), used.str("refresh_token")
		const step = 10 * 24 * time.Hour
		for range 8 { // eighty days
			h.clock.Advance(step)
			sweep()
			token = want(t, h.refresh(token), 200, "").str("refresh_token")
		}
		if sessions, tokens := live(idler); sessions != 0 || tokens != 0 {
			t.Errorf("an idle session: %d, with %d tokens", sessions, tokens)
		}
		// Tokens that were used within the last thirty days are kept to tell a thief by, and the one that is good.
		if sessions, tokens := live(user); sessions != 1 || tokens != 4 {
			t.Errorf("a session in use: %d, with %d tokens", sessions, tokens)
		}
		young := h.signedUp("young@example.com").str("user", "id")
		h.clock.Advance(step)
		sweep()
		if sessions, tokens := live(user); sessions != 0 || tokens != 0 {
			t.Errorf("a session of ninety days: %d, with %d tokens", sessions, tokens)
		}
		if sessions, tokens := live(young); sessions != 1 || tokens != 1 {
			t.Errorf("a young session: %d, with %d tokens", sessions, tokens)
		}
		if n := h.count("select count(*) from refresh_tokens"); n != 1 {
			t.Errorf("%d tokens are left", n)
		}
	})
}

func TestSweepingReadsNoWholeTable(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		for _, old := range h.Over(h.clock.Now()) {
			dbtest.Sweeps(t, h.DB, old, id.New(), id.New())
		}
	})
}

func TestRefreshAndGetUserReadNoWholeTable(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		now := db.At(h.clock.Now())
		dbtest.Searches(t, h.DB, userByID, id.New())
		dbtest.Searches(t, h.DB, userByEmail, "ada@example.com")
		dbtest.Searches(t, h.DB, userByToken, "hash")
		dbtest.Searches(t, h.DB, holdByHash, "hash", now)
		dbtest.Searches(t, h.DB, useToken, "hash", now, "salt")
		dbtest.Searches(t, h.DB, standing, id.New(), id.New())
	})
}
