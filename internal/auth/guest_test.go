package auth

import (
	"strings"
	"testing"
	"time"

	"greenroom/internal/auth/authtest"
	"greenroom/internal/mail"
	"greenroom/internal/platform/limit"
)

func guests(o *Options) { o.Guests = true }

func (h *house) guest() reply {
	h.t.Helper()
	return want(h.t, h.post("/signup", m{"data": m{"theme": "dark"}, "gotrue_meta_security": m{}}), 200, "")
}

func TestAGuestIsSomebodyWithoutAName(t *testing.T) {
	t.Parallel()
	each(t, guests, func(t *testing.T, h *house) {
		got := h.guest()
		token := got.str("access_token")
		user := want(t, h.get("/user", token), 200, "")
		if user.json["is_anonymous"] != true || user.str("email") != "" || user.str("user_metadata", "theme") != "dark" ||
			len(user.json["app_metadata"].(map[string]any)) != 0 || len(user.json["identities"].([]any)) != 0 {
			t.Errorf("user: %s", user.text)
		}
		claims := claimsOf(t, h, got)
		if !claims.IsAnonymous || claims.Role != "authenticated" || claims.AAL != "aal1" || !strings.Contains(string(claims.AMR), `"anonymous"`) {
			t.Errorf("claims: %+v", claims)
		}
		if !claimsOf(t, h, want(t, h.refresh(got.str("refresh_token")), 200, "")).IsAnonymous {
			t.Error("a refresh made them somebody")
		}
		if another := h.guest(); another.str("user", "id") == got.str("user", "id") {
			t.Error("two guests are one")
		}
		want(t, h.withToken("POST", "/factors", token, m{"factor_type": "totp"}), 403, "no_authorization")
		want(t, h.put(token, m{"password": "another fine secret"}), 422, "validation_failed")
		want(t, h.get("/reauthenticate", token), 422, "email_not_confirmed")
		want(t, h.put(token, m{"data": m{"theme": "light"}}), 200, "")
		if settings := want(t, h.get("/settings", ""), 200, ""); settings.json["external"].(m)["anonymous_users"] != true {
			t.Errorf("settings: %s", settings.text)
		}
		want(t, h.post("/signup", m{"data": m{"long": strings.Repeat("x", mostMetadata)}}), 400, "validation_failed")
	})
}

func TestGuestsAreOffUnlessTheOperatorSaysSo(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		want(t, h.post("/signup", m{}), 422, "anonymous_provider_disabled")
		if settings := want(t, h.get("/settings", ""), 200, ""); settings.json["external"].(m)["anonymous_users"] != false {
			t.Errorf("settings: %s", settings.text)
		}
		if n := h.count("select count(*) from users"); n != 0 {
			t.Errorf("%d guests came in", n)
		}
	})
}

func TestGuestsAreLimited(t *testing.T) {
	t.Parallel()
	each(t, func(o *Options) { guests(o); limited(o) }, func(t *testing.T, h *house) {
		for range limit.GuestPerAddress.Times {
			h.guest()
		}
		want(t, h.post("/signup", m{}), 429, "over_request_rate_limit")
		want(t, h.send(request{method: "POST", path: "/signup", body: m{}, address: "192.0.2.9"}), 200, "")
	})
}

func TestAGuestTakesAnAddressAtOnceWhereNothingIsConfirmed(t *testing.T) {
	t.Parallel()
	each(t, guests, func(t *testing.T, h *house) {
		h.signedUp("bob@example.com")
		got := h.guest()
		h.clock.Advance(25 * time.Hour) // a guest has nothing to show again
		token := want(t, h.refresh(got.str("refresh_token")), 200, "").str("access_token")
		want(t, h.put(token, m{"email": "bob@example.com", "password": password}), 422, "email_exists")
		want(t, h.put(token, m{"email": "ada@example.com", "password": "short"}), 422, "weak_password")
		user := want(t, h.put(token, m{"email": "Ada@example.com", "password": password}), 200, "")
		if user.str("id") != got.str("user", "id") || user.json["is_anonymous"] != false || user.str("email") != "ada@example.com" ||
			user.str("email_confirmed_at") == "" || user.str("app_metadata", "provider") != "email" || user.str("user_metadata", "theme") != "dark" ||
			user.str("user_metadata", "email") != "ada@example.com" || len(user.json["identities"].([]any)) != 1 {
			t.Errorf("user: %s", user.text)
		}
		session := want(t, h.signIn("ada@example.com", password), 200, "")
		if claimsOf(t, h, session).IsAnonymous || session.str("user", "id") != got.str("user", "id") {
			t.Errorf("signed in: %s", session.text)
		}
		// From now on they are like everybody: another address asks both mailboxes.
		changing := want(t, h.put(session.str("access_token"), m{"email": "ada@example.org"}), 200, "")
		if changing.str("email") != "ada@example.com" || changing.str("new_email") != "ada@example.org" {
			t.Errorf("changing: %s", changing.text)
		}
	})
}

func TestAGuestConfirmsTheirAddressWhereEverybodyDoes(t *testing.T) {
	t.Parallel()
	each(t, func(o *Options) { guests(o); confirmed(o) }, func(t *testing.T, h *house) {
		got := h.guest()
		token := got.str("access_token")
		sent := h.letters.count()
		user := want(t, h.put(token, m{"email": "ada@example.com", "password": password}), 200, "")
		if user.json["is_anonymous"] != true || user.str("new_email") != "ada@example.com" || user.str("email") != "" {
			t.Errorf("user: %s", user.text)
		}
		want(t, h.signIn("ada@example.com", password), 400, "invalid_credentials")
		letter := last[mail.Confirm](h)
		if letter.To != "ada@example.com" || h.letters.count() != sent+1 {
			t.Errorf("%d letters, the last %+v", h.letters.count()-sent, letter)
		}
		known := want(t, h.verify("email_change", "ada@example.com", letter.Code), 200, "")
		if known.str("user", "id") != got.str("user", "id") || claimsOf(t, h, known).IsAnonymous || known.str("user", "email") != "ada@example.com" {
			t.Errorf("known: %s", known.text)
		}
		want(t, h.signIn("ada@example.com", password), 200, "")
	})
}

func TestAGuestConnectsAProvider(t *testing.T) {
	t.Parallel()
	withProvider(t, func(t *testing.T, h *house, o *authtest.Provider) {
		h.Guests = true
		connect := func(token string) reply {
			t.Helper()
			got := want(t, h.get("/user/identities/authorize?provider=acme&skip_http_redirect=true", token), 200, "")
			h.arrive(h.tripOf(o, got.str("url"), got.header.Get("Set-Cookie")))
			return want(t, h.get("/user", token), 200, "")
		}
		got := h.guest()
		user := connect(got.str("access_token"))
		if user.str("id") != got.str("user", "id") || user.json["is_anonymous"] != false || user.str("email") != "ada@example.com" || user.str("app_metadata", "provider") != "acme" {
			t.Errorf("user: %s", user.text)
		}
		// Somebody else has the address of the next one; nothing is connected then.
		h.signedUp("bob@example.com")
		o.Person = m{"sub": "43", "email": "bob@example.com", "email_verified": true}
		if user := connect(h.guest().str("access_token")); user.json["is_anonymous"] != true || len(user.json["identities"].([]any)) != 0 {
			t.Errorf("a taken address: %s", user.text)
		}
		// An address that the provider has not verified is not theirs, but the way in is.
		o.Person = m{"sub": "44", "email": "bob@example.com", "email_verified": false}
		if user := connect(h.guest().str("access_token")); user.json["is_anonymous"] != false || user.str("email") != "" || len(user.json["identities"].([]any)) != 1 {
			t.Errorf("an unverified address: %s", user.text)
		}
	})
}

func TestGuestsGoWithTheirLastSession(t *testing.T) {
	t.Parallel()
	each(t, guests, func(t *testing.T, h *house) {
		gone, stays := h.guest(), h.guest()
		h.signedUp("ada@example.com")
		want(t, h.send(request{method: "POST", path: "/logout", token: gone.str("access_token")}), 204, "")
		want(t, h.send(request{method: "POST", path: "/logout", token: want(t, h.signIn("ada@example.com", password), 200, "").str("access_token")}), 204, "")
		h.clock.Advance(2 * time.Hour)
		if _, err := h.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := h.count("select count(*) from users where id = $1", gone.str("user", "id")); n != 0 {
			t.Error("a guest stays whom nobody can be again")
		}
		if n := h.count("select count(*) from users"); n != 2 {
			t.Errorf("%d users are left", n)
		}
		want(t, h.refresh(stays.str("refresh_token")), 200, "")
	})
}

// TestAnAccountOfAProviderAloneGetsAnAddress is for a guest who connected a provider that verified no address: nobody
// else is to be asked.
func TestAnAccountOfAProviderAloneGetsAnAddress(t *testing.T) {
	t.Parallel()
	withProvider(t, func(t *testing.T, h *house, o *authtest.Provider) {
		h.Guests = true
		o.Person = m{"sub": "44", "email": "bob@example.com", "email_verified": false}
		token := h.guest().str("access_token")
		got := want(t, h.get("/user/identities/authorize?provider=acme&skip_http_redirect=true", token), 200, "")
		h.arrive(h.tripOf(o, got.str("url"), got.header.Get("Set-Cookie")))
		want(t, h.put(token, m{"email": "carl@example.com"}), 200, "")
		want(t, h.verify("email_change", "carl@example.com", last[mail.Confirm](h).Code), 200, "")
		user := want(t, h.get("/user", token), 200, "")
		if user.str("email") != "carl@example.com" || user.str("new_email") != "" || user.str("email_confirmed_at") == "" {
			t.Errorf("%s", user.text)
		}
		if n := h.count("select count(*) from identities where provider in ('email', 'acme')"); n != 2 || !h.isProven(token) {
			t.Errorf("%d ways in", n)
		}
	})
}
