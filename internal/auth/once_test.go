package auth

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/auth/authtest"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// fifty does one thing fifty times at once, on two instances by turns, and counts the answers that fit.
func fifty(pair [2]*house, try func(h *house, i int) reply, fits func(reply) bool) (good int, others map[string]int) {
	var wait sync.WaitGroup
	replies := make(chan reply, 50)
	for i := range 50 {
		wait.Go(func() { replies <- try(pair[i%2], i) })
	}
	wait.Wait()
	close(replies)
	others = map[string]int{}
	for got := range replies {
		if fits(got) {
			good++
		} else {
			others[fmt.Sprint(got.status, " ", got.code())]++
		}
	}
	return good, others
}

func accepted(got reply) bool { return got.status == http.StatusOK }

// eachPair opens two instances on each engine's database.
func eachPair(t *testing.T, change func(*Options), fn func(t *testing.T, pair [2]*house)) {
	t.Helper()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			at := dbtest.Location(t, engine)
			h := openHouse(t, at, change, nil)
			fn(t, [2]*house{h, openHouse(t, at, change, h)})
		})
	}
}

// TestSecurity18FiftyUsesAtOnceAreOne takes every kind of letter, by its link and by its code.
func TestSecurity18FiftyUsesAtOnceAreOne(t *testing.T) {
	t.Parallel()
	eachPair(t, func(o *Options) { confirmed(o); operated(o) }, func(t *testing.T, pair [2]*house) {
		h := pair[0]
		for i, way := range []string{"link", "form", "code"} {
			one := func(kind, typ, email, link, code string) {
				t.Helper()
				token := tokenIn(t, link)
				good, others := fifty(pair, func(h *house, _ int) reply {
					switch way {
					case "link":
						return h.post("/verify", m{"type": typ, "token_hash": token})
					case "form":
						got := h.post("/verify", url.Values{"type": {typ}, "token": {token}, "redirect_to": {testSite}})
						if said := got.header.Get("Location"); got.status == http.StatusSeeOther && !strings.Contains(said, "error") {
							got.status = http.StatusOK
						}
						return got
					}
					return h.verify(typ, email, code)
				}, accepted)
				if good != 1 || len(others) != 1 {
					t.Errorf("%s by %s: %d went through, the others got %v", kind, way, good, others)
				}
			}
			ada := fmt.Sprintf("ada%d@example.com", i)
			want(t, h.post("/signup", m{"email": ada, "password": password}), 200, "")
			confirm := last[mail.Confirm](h)
			one("signup", "signup", ada, confirm.Link, confirm.Code)
			want(t, h.post("/recover", m{"email": ada}), 200, "")
			reset := last[mail.Reset](h)
			one("recovery", "recovery", ada, reset.Link, reset.Code)
			want(t, h.post("/otp", m{"email": ada}), 200, "")
			magic := last[mail.MagicLink](h)
			one("magiclink", "magiclink", ada, magic.Link, magic.Code)

			bob := fmt.Sprintf("bob%d@example.com", i)
			want(t, h.operate("POST", "/invite", m{"email": bob}), 200, "")
			invite := last[mail.Invite](h)
			one("invite", "invite", bob, invite.Link, invite.Code)

			token := want(t, h.signIn(ada, password), 200, "").str("access_token")
			next := "new-" + ada
			want(t, h.put(token, m{"email": next}), 200, "")
			from, to := last[mail.EmailChangeOld](h), last[mail.EmailChangeNew](h)
			one("the old address", "email_change", ada, from.Link, from.Code)
			if n := h.count("select count(*) from users where email = $1", next); n != 0 {
				t.Errorf("by %s: one of the two addresses was enough", way)
			}
			one("the new address", "email_change", next, to.Link, to.Code)
			if n := h.count("select count(*) from users where email = $1", next); n != 1 {
				t.Errorf("by %s: the address was not changed", way)
			}
		}
	})
}

func TestSecurity18ACodeForAPasswordWorksOnce(t *testing.T) {
	t.Parallel()
	eachPair(t, nil, func(t *testing.T, pair [2]*house) {
		token := pair[0].signedUp("ada@example.com").str("access_token")
		want(t, pair[0].get("/reauthenticate", token), 200, "")
		nonce := last[mail.Reauthenticate](pair[0]).Code
		good, others := fifty(pair, func(h *house, i int) reply {
			return h.put(token, m{"password": fmt.Sprintf("fine secret number %d", i), "nonce": nonce})
		}, accepted)
		if good != 1 || len(others) != 1 || others["422 reauthentication_not_valid"] != 49 {
			t.Errorf("%d went through, the others got %v", good, others)
		}
	})
}

// TestSecurity43PKCEIsS256AndOnce fails each check of the code flow in turn.
func TestSecurity43PKCEIsS256AndOnce(t *testing.T) {
	t.Parallel()
	eachPair(t, nil, func(t *testing.T, pair [2]*house) {
		h := pair[0]
		h.signedUp("ada@example.com")
		code := func() string {
			t.Helper()
			want(t, h.post("/otp", pkce(m{"email": "ada@example.com"})), 200, "")
			return h.follow(last[mail.MagicLink](h).Link).Query().Get("code")
		}
		for _, path := range []string{"/signup", "/otp", "/recover", "/magiclink"} {
			body := m{"email": "ada@example.com", "password": password, "code_challenge": verifier, "code_challenge_method": "plain"}
			want(t, h.post(path, body), 400, "validation_failed")
			body["code_challenge_method"] = nil
			want(t, h.post(path, body), 400, "validation_failed")
		}
		mine := code()
		want(t, h.exchangeCode(mine, ""), 400, "validation_failed")
		want(t, h.exchangeCode(mine, verifier+"x"), 400, "bad_code_verifier")
		want(t, h.exchangeCode(mine, pkce(m{})["code_challenge"].(string)), 400, "bad_code_verifier") // as a plain one would be
		want(t, h.exchangeCode("", verifier), 400, "validation_failed")
		want(t, h.exchangeCode("nonsense", verifier), 404, "flow_state_not_found")
		want(t, h.exchangeCode(mine, verifier), 200, "")
		want(t, h.exchangeCode(mine, verifier), 404, "flow_state_not_found")

		late := code()
		h.clock.Advance(exchangeLife - time.Microsecond)
		want(t, h.exchangeCode(late, verifier), 200, "")
		late = code()
		h.clock.Advance(exchangeLife)
		want(t, h.exchangeCode(late, verifier), 422, "flow_state_expired")
		if exchangeLife > 10*time.Minute {
			t.Errorf("a code lives %s", exchangeLife)
		}

		many := code()
		good, others := fifty(pair, func(h *house, _ int) reply { return h.exchangeCode(many, verifier) }, accepted)
		if good != 1 || others["404 flow_state_not_found"] != 49 {
			t.Errorf("of fifty uses of one code %d went through, the others got %v", good, others)
		}
	})
}

// TestSecurity43ProvidersCodeFlowIsS256Too: the code behind a provider's callback obeys the same rules.
func TestSecurity43ProvidersCodeFlowIsS256Too(t *testing.T) {
	t.Parallel()
	withProvider(t, func(t *testing.T, h *house, o *authtest.Provider) {
		want(t, h.get("/authorize?provider=acme&code_challenge_method=plain&code_challenge="+verifier, ""), 400, "validation_failed")
		asked := pkce(m{})
		code := func() string {
			t.Helper()
			landed, _ := h.arrive(h.depart(o, "&code_challenge_method=s256&code_challenge="+asked["code_challenge"].(string)))
			return landed.Query().Get("code")
		}
		mine := code()
		want(t, h.exchangeCode(mine, verifier+"x"), 400, "bad_code_verifier")
		want(t, h.exchangeCode(mine, ""), 400, "validation_failed")
		h.clock.Advance(10 * time.Minute)
		want(t, h.exchangeCode(mine, verifier), 422, "flow_state_expired")
		mine = code()
		want(t, h.exchangeCode(mine, verifier), 200, "")
		want(t, h.exchangeCode(mine, verifier), 404, "flow_state_not_found")
	})
}

func TestTwoWhoAskAtOnceForALinkToANewAddressBothGetOne(t *testing.T) {
	t.Parallel()
	eachPair(t, nil, func(t *testing.T, pair [2]*house) {
		good, others := fifty(pair, func(h *house, i int) reply {
			return h.post("/otp", m{"email": fmt.Sprintf("new-%d@example.com", i/2)})
		}, accepted)
		if good != 50 {
			t.Errorf("%d of 50 were answered, the others: %v", good, others)
		}
	})
}
