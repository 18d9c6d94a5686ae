package auth

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/crypto/bcrypt"

	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

func TestSecurity1And2PasswordsOfEveryLengthAndAlphabet(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		const random = "q8Zr!vL2kP0w"
		for n := 1; n <= 12; n++ {
			got := h.post("/signup", m{"email": fmt.Sprintf("%d@length.example", n), "password": random[:n]})
			if n < 10 {
				want(t, got, 422, "weak_password")
			} else {
				want(t, got, 200, "")
			}
		}
		for i, long := range []string{
			strings.Repeat("aB3 ", 16), strings.Repeat("xyZ 4567", 16), strings.Repeat("\U0001f3ad\U0001f3ac", 32), "with spaces  and\ttabs ",
		} {
			email := fmt.Sprintf("%d@alphabet.example", i)
			want(t, h.post("/signup", m{"email": email, "password": long}), 200, "")
			want(t, h.signIn(email, long), 200, "")
			runes := []rune(long)
			want(t, h.signIn(email, string(runes[:len(runes)-1])), 400, "invalid_credentials")
			if swapped := strings.ToUpper(long); swapped != long {
				want(t, h.signIn(email, swapped), 400, "invalid_credentials")
			}
		}
	})
}

func TestSignInRefusals(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		h.signedUp("ada@example.com")
		for _, c := range []struct {
			path   string
			body   any
			status int
			code   string
		}{
			{"/token?grant_type=password", m{"email": "ada@example.com", "password": "wrong one here"}, 400, "invalid_credentials"},
			{"/token?grant_type=password", m{"email": "ada@example.com"}, 400, "invalid_credentials"},
			{"/token?grant_type=password", m{"email": "nobody@example.com", "password": password}, 400, "invalid_credentials"},
			{"/token?grant_type=password", m{"email": "no address", "password": password}, 400, "invalid_credentials"},
			{"/token?grant_type=password", m{"email": "ada@example.com\x00", "password": password}, 400, "invalid_credentials"},
			{"/token?grant_type=password", m{"email": "ada@example.com", "password": strings.Repeat("x", 5000)}, 400, "invalid_credentials"},
			{"/token?grant_type=password", m{"password": password}, 400, "validation_failed"},
			{"/token?grant_type=password", m{"phone": "+1", "password": password}, 422, "phone_provider_disabled"},
			{"/token?grant_type=password", `{`, 400, "bad_json"},
			{"/token?grant_type=id_token", m{"provider": "google", "id_token": "x"}, 400, "validation_failed"},
			{"/token?grant_type=web3", m{"chain": "solana"}, 422, "web3_provider_disabled"},
			{"/token", m{}, 400, "invalid_credentials"},
		} {
			want(t, h.post(c.path, c.body), c.status, c.code)
		}
		h.exec("update users set banned_until = $1", db.At(start.Add(time.Hour)))
		want(t, h.signIn("ada@example.com", password), 400, "user_banned")
		want(t, h.signIn("ada@example.com", "wrong one here"), 400, "invalid_credentials")
		h.clock.Advance(time.Hour)
		want(t, h.signIn(" ADA@example.com", password), 200, "")
	})
}

func TestImportedUserSignsInAndTheHashIsUpgraded(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		h.signedUp("ada@example.com")
		old, err := bcrypt.GenerateFromPassword([]byte("short1"), bcrypt.MinCost)
		if err != nil {
			t.Fatal(err)
		}
		h.exec("update users set password_hash = $1", string(old))
		got := want(t, h.signIn("ada@example.com", "short1"), 200, "")
		if reasons := got.json["weak_password"].(m)["reasons"].([]any); reasons[0] != "length" {
			t.Fatal(got.text)
		}
		if h.count("select count(*) from users where password_hash like '$argon2id$%'") != 1 {
			t.Fatal("the hash was not upgraded")
		}
		want(t, h.signIn("ada@example.com", "short1"), 200, "")
	})
}

func TestSecurity9And10And17GuessingOneAccountIsSlowedDownAndNoted(t *testing.T) {
	t.Parallel()
	each(t, limited, func(t *testing.T, h *house) {
		session := h.signedUp("ada@example.com")
		for i := range 50 {
			got := h.signIn("ada@example.com", "wrong one here")
			if i < 30 {
				want(t, got, 400, "invalid_credentials")
			} else if want(t, got, 429, "over_request_rate_limit").header.Get("Retry-After") == "" {
				t.Fatal("no Retry-After")
			}
		}
		try := func(i int) reply {
			return h.send(request{method: "POST", path: "/token?grant_type=password", body: m{"email": "ada@example.com", "password": "wrong one here"}, address: fmt.Sprintf("198.51.100.%d", i)})
		}
		for i := range 70 {
			want(t, try(i), 400, "invalid_credentials")
		}
		want(t, try(200), 429, "over_request_rate_limit") // the hundred-and-first of this account in the hour
		// Security 10: the lock does not shut out whoever is signed in.
		session = want(t, h.refresh(session.str("refresh_token")), 200, "")
		want(t, h.get("/user", session.str("access_token")), 200, "")
		change := request{method: "PUT", path: "/user", token: session.str("access_token"), body: m{"password": "another fine secret"}, address: "203.0.113.9"}
		want(t, h.send(change), 200, "")
		h.settle() // as every second
		h.clock.Advance(time.Hour)
		want(t, h.signIn("ada@example.com", "another fine secret"), 200, "")
		if tries := h.count("select sum(times) from audit_entries where action = 'session.try'"); tries != 50+71+1 {
			t.Fatalf("%d tries in the trail", tries) // security 17
		}
		if rows := h.count("select count(*) from audit_entries where action = 'session.try'"); rows > 13 {
			t.Fatalf("%d rows for them", rows)
		}
	})
}

func TestSecurity16LimitsHoldOverInstances(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			at := dbtest.Location(t, engine)
			here := openHouse(t, at, limited, nil)
			there := openHouse(t, at, limited, here)
			allowed := 0
			for i := range 40 {
				if []*house{here, there}[i%2].signIn("ada@example.com", "wrong one here").status == 400 {
					allowed++
				}
			}
			if allowed != 30 {
				t.Fatalf("%d allowed", allowed)
			}
		})
	}
}

func TestSecurity11UnknownAndKnownAddressesAreAnsweredAlike(t *testing.T) {
	t.Parallel()
	each(t, limited, func(t *testing.T, h *house) {
		h.signedUp("ada@example.com")
		for _, c := range []struct {
			path string
			body func(email string) m
		}{
			{"/token?grant_type=password", func(e string) m { return m{"email": e, "password": "wrong one here"} }},
			{"/recover", func(e string) m { return m{"email": e} }},
			{"/recover", func(e string) m { return m{"email": e} }}, // and again at once: the limit answers alike too
			{"/resend", func(e string) m { return m{"email": e, "type": "signup"} }},
			{"/resend", func(e string) m { return m{"email": e, "type": "email_change"} }},
			{"/otp", func(e string) m { return m{"email": e, "create_user": false} }},
			{"/otp", func(e string) m { return m{"email": e} }},
			{"/magiclink", func(e string) m { return m{"email": e, "create_user": false} }},
			{"/verify", func(e string) m { return m{"email": e, "type": "recovery", "token": "000000"} }},
		} {
			known, unknown := h.post(c.path, c.body("ada@example.com")), h.post(c.path, c.body("nobody@example.org"))
			if known.status != unknown.status || known.text != unknown.text || fmt.Sprint(known.header) != fmt.Sprint(unknown.header) {
				t.Errorf("%s:\n%d %s %v\n%d %s %v", c.path, known.status, known.text, known.header, unknown.status, unknown.text, unknown.header)
			}
		}
	})
}

// TestSecurity12UnknownAddressCostsAHashToo runs while no other test of the package does, and counts what was allocated:
// the hash takes far more than the rest. How long the answers take is compared in `make faults`.
func TestSecurity12UnknownAddressCostsAHashToo(t *testing.T) {
	const memory = 32 << 20
	h := openHouse(t, dbtest.Location(t, db.SQLite), func(o *Options) { o.Hashing = Cost{MemoryKiB: memory >> 10, Passes: 1} }, nil)
	h.signedUp("ada@example.com")
	for _, email := range []string{"ada@example.com", "nobody@example.com"} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		want(t, h.signIn(email, "wrong one here"), 400, "invalid_credentials")
		runtime.ReadMemStats(&after)
		if hashes := float64(after.TotalAlloc-before.TotalAlloc) / memory; hashes < 1 || hashes >= 2 {
			t.Errorf("%s: %.1f hashes", email, hashes)
		}
	}
}

func TestSecurity12AnswersLeaveOnTheBeat(t *testing.T) {
	t.Parallel()
	for took, want := range map[time.Duration]time.Duration{0: 50, 49: 50, 51: 100, 149: 150} {
		synctest.Test(t, func(t *testing.T) {
			s := &Service{beat: 50 * time.Millisecond}
			begun := time.Now() // the bubble's own clock, which moves only when all wait
			answer := s.onBeat(func(w http.ResponseWriter, _ *http.Request) error {
				time.Sleep(took * time.Millisecond)
				w.WriteHeader(http.StatusOK)
				return nil
			})
			err := answer(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/recover", nil))
			if left := time.Since(begun); err != nil || left != want*time.Millisecond {
				t.Errorf("work of %d ms leaves after %v, %v", took, left, err)
			}
		})
	}
}

// TestSecurity12WhatMailsLeavesOnTheBeat makes the beat endless: an answer then leaves only when its client has gone.
func TestSecurity12WhatMailsLeavesOnTheBeat(t *testing.T) {
	t.Parallel()
	h := openHouse(t, dbtest.Location(t, db.SQLite), nil, nil)
	h.signedUp("ada@example.com")
	h.beat = time.Hour
	for _, path := range []string{"/signup", "/recover", "/resend", "/otp", "/magiclink"} {
		for _, email := range []string{"ada@example.com", "nobody@example.com"} {
			ctx, gone := context.WithTimeout(t.Context(), 100*time.Millisecond)
			body := fmt.Sprintf(`{"email": %q, "password": "a long enough one", "type": "signup"}`, email)
			r := httptest.NewRequestWithContext(ctx, http.MethodPost, Prefix+path, strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			h.handler.ServeHTTP(afterwards{httptest.NewRecorder(), ctx, t, path}, r)
			gone()
		}
	}
}

// afterwards is a client that must get nothing before it has gone.
type afterwards struct {
	http.ResponseWriter
	ctx  context.Context //nolint:containedctx // the request's own
	t    *testing.T
	path string
}

func (a afterwards) WriteHeader(status int) {
	if a.ctx.Err() == nil {
		a.t.Errorf("%s answers %d before the beat", a.path, status)
	}
	a.ResponseWriter.WriteHeader(status)
}

func TestSecurity14LettersAreLimited(t *testing.T) {
	t.Parallel()
	each(t, limited, func(t *testing.T, h *house) {
		h.signedUp("ada@example.com")
		want(t, h.post("/recover", m{"email": "ada@example.com"}), 200, "")
		again := want(t, h.post("/recover", m{"email": "ada@example.com"}), 429, "over_email_send_rate_limit")
		if again.header.Get("Retry-After") != "60" || again.str("message") != "For security purposes, you can only request this after 60 seconds." {
			t.Fatal(again.text, again.header)
		}
		allowed := 1
		for i := range 59 {
			h.clock.Advance(time.Second)
			if h.post("/recover", m{"email": fmt.Sprintf("%d@example.com", i)}).status == 200 {
				allowed++
			}
		}
		if allowed != 30 {
			t.Fatalf("%d letters from one client", allowed)
		}
		h.clock.Advance(time.Minute)
		other := h.send(request{method: "POST", path: "/recover", body: m{"email": "ada@example.com"}, address: "198.51.100.7"})
		want(t, other, 200, "")
		if n := h.letters.count(); n != 2 || last[mail.Reset](h).To != "ada@example.com" {
			t.Fatalf("%d letters", n)
		}
	})
}

func TestRefreshIsLimited(t *testing.T) {
	t.Parallel()
	each(t, limited, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("refresh_token")
		for range 150 {
			token = want(t, h.refresh(token), 200, "").str("refresh_token")
		}
		want(t, h.refresh(token), 429, "over_request_rate_limit")
	})
}

func TestSecurity6EveryRouteAnswersWithoutHintsOrRotation(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		for _, c := range []struct {
			method, path, token string
			status              int
			code                string
		}{
			{"GET", "/settings", "", 200, ""},
			{"GET", "/health", "", 200, ""},
			{"GET", "/.well-known/jwks.json", "", 200, ""},
			{"GET", "/authorize?provider=google", "", 400, "validation_failed"},
			{"GET", "/callback", "", 303, ""},
			{"GET", "/user/identities/authorize?provider=google", token, 400, "validation_failed"},
			{"DELETE", "/user/identities/x", token, 404, "validation_failed"},
			{"POST", "/factors", "", 401, "no_authorization"},
			{"POST", "/factors/x/challenge", token, 404, "validation_failed"},
			{"POST", "/factors/x/verify", token, 404, "validation_failed"},
			{"DELETE", "/factors/x", token, 404, "validation_failed"},
			{"POST", "/sso", "", 404, "saml_provider_disabled"},
			{"POST", "/passkeys/registration/options", "", 401, "no_authorization"},
			{"POST", "/passkeys/authentication/verify", "", 400, "bad_json"},
			{"GET", "/passkeys", "", 401, "no_authorization"},
			{"DELETE", "/passkeys/x", token, 404, "validation_failed"},
			{"GET", "/admin/users", "", 401, "no_authorization"},
			{"GET", "/admin/users", "garbage", 403, "bad_jwt"},
			{"DELETE", "/admin/users/x", token, 403, "not_admin"},
			{"POST", "/invite", token, 403, "not_admin"},
			{"GET", "/nothing", "", 404, ""},
			{"PATCH", "/user", token, 405, ""},
			{"DELETE", "/signup", "", 405, ""},
		} {
			got := want(t, h.send(request{method: c.method, path: c.path, token: c.token}), c.status, c.code)
			if c.status == http.StatusMethodNotAllowed && got.text != "" || c.status == 404 && c.code == "" && got.text != "404 page not found\n" {
				t.Errorf("%s %s: %q", c.method, c.path, got.text)
			}
		}
		settings := h.get("/settings", "")
		if settings.json["mailer_autoconfirm"] != true || settings.json["external"].(m)["email"] != true || settings.json["external"].(m)["google"] != false {
			t.Error(settings.text)
		}
		keys := h.get("/.well-known/jwks.json", "")
		if strings.Contains(keys.text, `"d"`) || keys.header.Get("Cache-Control") != "public, max-age=600" || len(keys.json["keys"].([]any)) != 1 {
			t.Error(keys.text)
		}
		for _, word := range []string{"hint", "question", "rotation", "expires"} { // security 6
			if strings.Contains(settings.text+h.get("/user", token).text, word) {
				t.Errorf("%s is among settings or user", word)
			}
		}
	})
}

func TestSecurity8ThereIsNoDefaultAccount(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		if n := h.count("select count(*) from users"); n != 0 {
			t.Fatalf("%d users", n)
		}
	})
}
