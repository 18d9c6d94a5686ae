package auth

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"testing"

	"greenroom/internal/auth/authtest"
	"greenroom/internal/platform/db"
)

// tries gives the subjects and results of the refused sign-ins in the trail, oldest first.
func (h *house) tries() (all []string) {
	h.t.Helper()
	h.settle()
	err := h.DB.Read(context.Background(), func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, "select subject, result from audit_entries where action = 'session.try' and result <> 'ok' order by created_at, id", nil,
			func(scan func(...any) error) error {
				var subject, result string
				err := scan(&subject, &result)
				all = append(all, subject+": "+result)
				return err
			})
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return all
}

func (h *house) noted(try string) {
	h.t.Helper()
	if all := h.tries(); !slices.Contains(all, try) {
		h.t.Errorf("%q is not in the trail: %q", try, all)
	}
}

func TestATextThatIsNoAddressIsNotStored(t *testing.T) {
	t.Parallel()
	each(t, limited, func(t *testing.T, h *house) {
		for range 31 {
			h.signIn("my secret passphrase", "x")
		}
		for _, try := range h.tries() {
			if strings.Contains(try, "secret") {
				t.Fatalf("the trail holds what may be a password: %q", try)
			}
		}
		if n := h.count("select sum(times) from audit_entries where subject = 'no address'"); n != 31 {
			t.Fatalf("%d tries are noted", n)
		}
	})
}

func TestFailedProviderTriesAreNoted(t *testing.T) {
	t.Parallel()
	withProvider(t, func(_ *testing.T, h *house, o *authtest.Provider) {
		h.arrive(trip{state: "made up", code: "x", cookie: travelCookie + "=x"})
		h.noted("provider: bad oauth state")
		b := h.depart(o, "")
		b.code = "not the provider's"
		h.arrive(b)
		h.noted("acme: unexpected failure")
		b = h.depart(o, "")
		h.send(request{method: "GET", path: "/callback?" + url.Values{"state": {b.state}, "error": {"access_denied"}}.Encode(), header: map[string]string{"Cookie": b.cookie}})
		h.noted("acme: bad oauth callback")
		h.post("/token?grant_type=id_token", m{"provider": "acme", "id_token": "x.y.z"})
		h.noted("acme: bad id token")
		h.post("/token?grant_type=id_token", m{"provider": "acme", "id_token": o.Token("x"), "nonce": "y"})
		h.noted("acme: bad nonce")
		h.post("/token?grant_type=pkce", m{"auth_code": "x", "code_verifier": strings.Repeat("a", 43)})
		h.noted("pkce: flow state not found")
	})
}

func TestAWrongVerifierIsNotedForItsAccount(t *testing.T) {
	t.Parallel()
	withProvider(t, func(t *testing.T, h *house, o *authtest.Provider) {
		landed, _ := h.arrive(h.depart(o, "&code_challenge="+strings.Repeat("a", 43)+"&code_challenge_method=s256"))
		h.exchangeCode(landed.Query().Get("code"), strings.Repeat("b", 43))
		h.noted("pkce: bad code verifier")
		if n := h.count("select count(*) from audit_entries where subject = 'pkce' and actor_id is null"); n != 0 {
			t.Error("the trail does not say whose account it was")
		}
	})
}

func TestLimitedTriesAreNoted(t *testing.T) {
	t.Parallel()
	each(t, limited, func(t *testing.T, h *house) {
		app, session := h.guarded()
		token := session.str("access_token")
		question := app.challenge(token)
		for range 16 {
			app.answer(token, question, wrong(app.code(0)))
		}
		if n := h.count("select count(*) from audit_entries where action = 'factor.verify' and result = 'limited' and actor_id = $1", session.str("user", "id")); n == 0 {
			t.Error("no limited second step is noted")
		}
		for range 31 {
			h.verify("recovery", "ada@example.com", "000000")
			h.exchangeCode("x", strings.Repeat("b", 43))
		}
		for _, action := range []string{"letter.open", "session.try"} {
			if n := h.count("select count(*) from audit_entries where action = $1 and result like '%limited'", action); n == 0 {
				t.Errorf("no limited %s is noted", action)
			}
		}
	})
}

func TestAFloodOfLimitedTriesIsAFewWrites(t *testing.T) {
	t.Parallel()
	each(t, limited, func(t *testing.T, h *house) {
		user := h.signedUp("ada@example.com").str("user", "id")
		stored := func() int {
			var n int
			if err := h.DB.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				return tx.QueryRow(ctx, "select coalesce(sum(times), 0) from audit_entries where action = 'session.try'").Scan(&n)
			}); err != nil {
				t.Fatal(err)
			}
			return n
		}
		const tries = 400
		turned := 0
		for range tries {
			if h.signIn("ada@example.com", "wrong wrong wrong").status == 429 {
				turned++
			}
		}
		if n := stored(); turned < tries/2 || n != tries-turned {
			t.Errorf("%d of %d were limited, and %d are stored before they are written together", turned, tries, n)
		}
		ctx, stop := context.WithCancel(t.Context())
		stop()
		h.Run(ctx) // writes at the end what is left
		if n := stored(); n != tries {
			t.Errorf("the trail tells of %d tries", n)
		}
		if n := h.count("select count(*) from audit_entries where action = 'session.try'"); n > 12 {
			t.Errorf("%d entries", n)
		}
		if n := h.count("select count(*) from audit_entries where action = 'session.try' and (actor_id is null or actor_id <> $1)", user); n != 0 {
			t.Errorf("%d entries are not under the account", n)
		}
	})
}
