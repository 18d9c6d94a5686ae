package auth

import (
	"testing"
	"time"

	"greenroom/internal/auth/authtest"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
)

// TestWhatChangesTheWaysInAsksForWhoeverIsThere tries each of them from a browser that was left open.
func TestWhatChangesTheWaysInAsksForWhoeverIsThere(t *testing.T) {
	t.Parallel()
	withProvider(t, func(t *testing.T, h *house, o *authtest.Provider) {
		token := h.signedUp("ada@example.com").str("access_token")
		connect := func() reply {
			return h.get("/user/identities/authorize?provider=acme&skip_http_redirect=true", token)
		}
		enrol := func() reply { return h.withToken("POST", "/factors", token, m{"factor_type": "totp"}) }
		h.clock.Advance(sureFor - time.Second)
		on := want(t, connect(), 200, "")
		h.arrive(h.tripOf(o, on.str("url"), on.header.Get("Set-Cookie")))
		if letter := last[mail.IdentityConnected](h); letter.To != "ada@example.com" || letter.Provider != "acme" {
			t.Fatalf("%+v", letter)
		}
		identity := h.identityOf(token, "acme")
		disconnect := func() reply { return h.withToken("DELETE", "/user/identities/"+identity, token, nil) }

		h.clock.Advance(time.Second)
		for _, try := range []func() reply{connect, disconnect, enrol} {
			want(t, try(), 400, "reauthentication_needed")
		}
		want(t, h.put(token, m{"current_password": "not the password"}), 400, "current_password_invalid")
		want(t, h.put(token, m{"nonce": "123456"}), 422, "reauthentication_not_valid")
		want(t, connect(), 400, "reauthentication_needed")

		want(t, h.put(token, m{"current_password": password}), 200, "")
		want(t, connect(), 200, "")
		want(t, enrol(), 200, "")
		h.clock.Advance(sureFor)
		want(t, disconnect(), 400, "reauthentication_needed")
		want(t, h.get("/reauthenticate", token), 200, "")
		code := last[mail.Reauthenticate](h).Code
		want(t, h.put(token, m{"nonce": code}), 200, "")
		want(t, h.put(token, m{"nonce": code}), 422, "reauthentication_not_valid")
		want(t, disconnect(), 200, "")
		if letter := last[mail.IdentityDisconnected](h); letter.To != "ada@example.com" || letter.Provider != "acme" {
			t.Fatalf("%+v", letter)
		}
	})
}

// identityOf is the row of one of the caller's ways in.
func (h *house) identityOf(token, provider string) string {
	h.t.Helper()
	for _, one := range want(h.t, h.get("/user", token), 200, "").json["identities"].([]any) {
		if one := one.(m); one["provider"] == provider {
			return one["identity_id"].(string)
		}
	}
	h.t.Fatalf("no way in by %s", provider)
	return ""
}

// TestConfirmingChangesNothingElse looks at what the two ways of confirming leave behind.
func TestConfirmingChangesNothingElse(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		session := h.signedUp("ada@example.com")
		other := h.signedUp("bob@example.com").str("access_token")
		want(t, h.get("/reauthenticate", other), 200, "")
		want(t, h.put(session.str("access_token"), m{"nonce": last[mail.Reauthenticate](h).Code}), 422, "reauthentication_not_valid") // bob's
		h.clock.Advance(time.Hour)
		want(t, h.put(session.str("access_token"), m{"current_password": password, "data": m{"name": "Ada"}}), 200, "")
		again := want(t, h.refresh(session.str("refresh_token")), 200, "")
		claims, err := h.Keys.Verify(again.str("access_token"), h.issuer, h.clock.Now())
		if err != nil || string(claims.AMR) != `[{"method":"password","timestamp":1772370000}]` || claims.AAL != "aal1" {
			t.Fatalf("%s %s %v", claims.AMR, claims.AAL, err)
		}
		want(t, h.signIn("ada@example.com", password), 200, "")
	})
}

func TestABannedAccountIsToldSo(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		session := h.signedUp("ada@example.com")
		h.exec("update users set banned_until = $1", db.At(start.Add(time.Hour)))
		want(t, h.get("/user", session.str("access_token")), 403, "user_banned")
		want(t, h.refresh(session.str("refresh_token")), 400, "user_banned")
		want(t, h.get("/user", session.str("access_token")), 403, "user_banned") // the session is over by now
	})
}

// TestAVisitToAProviderEndsWithItsSession is about a thief who is at a provider while the owner signs everybody out.
func TestAVisitToAProviderEndsWithItsSession(t *testing.T) {
	t.Parallel()
	withProvider(t, func(t *testing.T, h *house, o *authtest.Provider) {
		h.signedUp("ada@example.com")
		h.proven("ada@example.com")
		leave := func(query string) trip {
			thief := want(t, h.signIn("ada@example.com", password), 200, "").str("access_token")
			on := want(t, h.get("/user/identities/authorize?provider=acme&skip_http_redirect=true"+query, thief), 200, "")
			return h.tripOf(o, on.str("url"), on.header.Get("Set-Cookie"))
		}
		signOutEverywhere := func() {
			owner := want(t, h.signIn("ada@example.com", password), 200, "").str("access_token")
			want(t, h.logout(owner, "?scope=global"), 204, "")
		}
		visit := leave("")
		signOutEverywhere()
		landed, _ := h.arrive(visit)
		if got := landed.Query().Get("error_code"); got != "bad_oauth_state" {
			t.Errorf("landed at %s", landed)
		}
		if n := h.count("select count(*) from identities where provider = 'acme'"); n != 0 {
			t.Error("the thief has a way in")
		}

		// Who came back in time has a code, which is worth no more than the session that asked for it.
		asked := pkce(m{})
		landed, _ = h.arrive(leave("&code_challenge_method=s256&code_challenge=" + asked["code_challenge"].(string)))
		signOutEverywhere()
		want(t, h.post("/token?grant_type=pkce", m{"auth_code": landed.Query().Get("code"), "code_verifier": verifier}), 404, "flow_state_not_found")
	})
}

// TestWhoComesBackFromAProviderIsAskedAgain is about a visit that took longer than anybody is sure to be who they were.
func TestWhoComesBackFromAProviderIsAskedAgain(t *testing.T) {
	t.Parallel()
	withProvider(t, func(t *testing.T, h *house, o *authtest.Provider) {
		token := h.signedUp("ada@example.com").str("access_token")
		h.clock.Advance(sureFor - time.Minute)
		on := want(t, h.get("/user/identities/authorize?provider=acme&skip_http_redirect=true", token), 200, "")
		visit := h.tripOf(o, on.str("url"), on.header.Get("Set-Cookie"))
		h.clock.Advance(2 * time.Minute)
		landed, _ := h.arrive(visit)
		if got := landed.Query().Get("error_code"); got != "reauthentication_needed" {
			t.Errorf("landed at %s", landed)
		}
		if n := h.count("select count(*) from identities where provider = 'acme'"); n != 0 {
			t.Error("it is connected all the same")
		}
	})
}

// TestAStrongSessionThatWasLeftOpenChangesNoSecondStep is about whoever finds a browser that passed the second step
// weeks ago: a factor of their own, in place of the owner's, would be theirs for good.
func TestAStrongSessionThatWasLeftOpenChangesNoSecondStep(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		phone, session := h.guarded()
		h.clock.Advance(20 * 24 * time.Hour)
		token := want(t, h.refresh(session.str("refresh_token")), 200, "").str("access_token")
		enrol := func() reply {
			return h.withToken("POST", "/factors", token, m{"factor_type": "totp", "friendly_name": "second"})
		}
		remove := func(factor string) reply { return h.withToken("DELETE", "/factors/"+factor, token, nil) }
		want(t, enrol(), 400, "reauthentication_needed")
		want(t, remove(phone.id), 400, "reauthentication_needed")

		// The password is enough, and so is the code of the phone: nobody is asked twice.
		want(t, h.put(token, m{"current_password": password}), 200, "")
		second := want(t, enrol(), 200, "").str("id")
		h.clock.Advance(sureFor)
		want(t, remove(second), 200, "") // it was only begun, and guards nothing
		want(t, enrol(), 400, "reauthentication_needed")
		token = want(t, phone.verify(token, 0), 200, "").str("access_token")
		want(t, enrol(), 200, "")
		want(t, remove(phone.id), 200, "")
	})
}
