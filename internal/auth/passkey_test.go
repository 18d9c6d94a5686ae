package auth

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"greenroom/internal/account"
	"greenroom/internal/key"
	"greenroom/internal/mail"
	"greenroom/internal/platform/limit"
)

const chromeOnWindows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"

func TestAPasskeySignsInWithTwoStepsAtOnce(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		first := h.signedUp("ada@example.com")
		token := first.str("access_token")
		question := want(t, h.beginPasskeyOf(token), 200, "")
		options := question.json["options"].(m)
		selection := options["authenticatorSelection"].(m)
		if selection["residentKey"] != "required" || selection["requireResidentKey"] != true || selection["userVerification"] != "required" ||
			options["attestation"] != "none" || options["rp"].(m)["id"] != testHost || options["user"].(m)["name"] != "ada@example.com" {
			t.Fatalf("question: %s", question.text)
		}
		p := softPasskey{softKey: newSoftKey(t), h: h}
		p.aaguid = [16]byte{0xfb, 0xfc, 0x30, 0x07, 0x15, 0x4e, 0x4e, 0xcc, 0x8c, 0x0b, 0x6e, 0x02, 0x05, 0x57, 0xd7, 0xbd}
		made := want(t, p.make(token, question, nil), 200, "")
		if made.str("friendly_name") != "iCloud Keychain" || made.str("id") == "" || made.str("created_at") == "" {
			t.Errorf("made: %s", made.text)
		}
		if letter := last[mail.PasskeyAdded](h); letter.To != "ada@example.com" || letter.Passkey != "iCloud Keychain" {
			t.Errorf("letter: %+v", letter)
		}
		if claims := claimsOf(t, h, want(t, h.refresh(first.str("refresh_token")), 200, "")); claims.AAL != "aal1" {
			t.Errorf("adding a passkey made the session %s", claims.AAL)
		}

		asked := want(t, h.askForPasskey(), 200, "")
		options = asked.json["options"].(m)
		if options["rpId"] != testHost || options["userVerification"] != "required" || options["allowCredentials"] != nil || asked.json["expires_at"] == nil {
			t.Errorf("question: %s", asked.text)
		}
		got := want(t, h.signInWith(asked, p.signed(p.told("webauthn.get", asked))), 200, "")
		claims := claimsOf(t, h, got)
		if claims.AAL != "aal2" || !strings.HasPrefix(string(claims.AMR), `[{"method":"passkey","timestamp":`) || claims.Subject != first.str("user", "id") {
			t.Errorf("claims: %s %s of %s", claims.AAL, claims.AMR, claims.Subject)
		}
		if again := claimsOf(t, h, want(t, h.refresh(got.str("refresh_token")), 200, "")); again.AAL != "aal2" {
			t.Errorf("a refresh made it %s", again.AAL)
		}
		list := want(t, h.get("/passkeys", got.str("access_token")), 200, "")
		if !strings.Contains(list.text, `"last_used_at":"`) || !slices.Equal(passkeyNames(list), []string{"iCloud Keychain"}) {
			t.Errorf("list: %s", list.text)
		}
		for _, action := range []string{"passkey.add", "session.open"} {
			if n := h.count("select count(*) from audit_entries where action = $1 and actor_id = $2 and subject in ('passkey', $3) and result = 'ok'",
				action, first.str("user", "id"), made.str("id")); n != 1 {
				t.Errorf("%s is %d times in the trail", action, n)
			}
		}
	})
}

func TestPasskeysAreRenamedAndTakenAway(t *testing.T) {
	t.Parallel()
	each(t, operated, func(t *testing.T, h *house) {
		first := h.signedUp("ada@example.com")
		token := first.str("access_token")
		p := softPasskey{softKey: newSoftKey(t), h: h}
		question := want(t, h.beginPasskeyOf(token), 200, "")
		p.handle = passkeyHandle(first.str("user", "id"))
		made := want(t, h.send(request{
			method: "POST", path: "/passkeys/registration/verify", token: token, header: map[string]string{"User-Agent": chromeOnWindows},
			body: m{"challenge_id": question.str("challenge_id"), "credential": p.made(p.told("webauthn.create", question))},
		}), 200, "")
		if made.str("friendly_name") != "Chrome on Windows" || made.str("device") != "Chrome on Windows" {
			t.Errorf("made: %s", made.text)
		}
		p.id = made.str("id")
		bob := h.signedUp("bob@example.com").str("access_token")
		rename := func(token, which string, name any) reply {
			return h.withToken("PATCH", "/passkeys/"+which, token, m{"friendly_name": name})
		}
		if got := want(t, rename(token, p.id, " My laptop "), 200, ""); got.str("friendly_name") != "My laptop" || got.str("device") != "Chrome on Windows" {
			t.Errorf("renamed: %s", got.text)
		}
		for _, bad := range []any{"", "  ", nil, strings.Repeat("x", 121), "a\nb"} {
			want(t, rename(token, p.id, bad), 400, "validation_failed")
		}
		want(t, rename(token, p.id, strings.Repeat("é", 120)), 200, "")
		want(t, rename(bob, p.id, "mine"), 404, "validation_failed")
		want(t, rename(token, "x", "mine"), 404, "validation_failed")
		want(t, h.withToken("DELETE", "/passkeys/"+p.id, bob, nil), 404, "validation_failed")

		lost, here := want(t, p.signIn(nil), 200, ""), want(t, p.signIn(nil), 200, "")
		want(t, h.withToken("DELETE", "/passkeys/"+p.id, here.str("access_token"), nil), 204, "")
		want(t, p.signIn(nil), 400, "webauthn_verification_failed")
		want(t, h.get("/user", lost.str("access_token")), 403, "session_not_found")
		if claims := claimsOf(t, h, want(t, h.refresh(here.str("refresh_token")), 200, "")); claims.AAL != "aal1" || string(claims.AMR) != "[]" {
			t.Errorf("without its passkey the session is %s by %s", claims.AAL, claims.AMR)
		}
		if letter := last[mail.PasskeyRemoved](h); letter.To != "ada@example.com" {
			t.Errorf("letter: %+v", letter)
		}

		// The operator helps who has lost one.
		p = h.newPasskey(token)
		in := want(t, p.signIn(nil), 200, "")
		path := "/admin/users/" + first.str("user", "id") + "/passkeys"
		if list := want(t, h.operate("GET", path, nil), 200, ""); len(passkeyNames(list)) != 1 {
			t.Errorf("list: %s", list.text)
		}
		want(t, h.withToken("GET", path, token, nil), 403, "not_admin")
		want(t, h.operate("DELETE", path+"/x", nil), 404, "validation_failed")
		want(t, h.operate("DELETE", path+"/"+p.id, nil), 204, "")
		want(t, h.get("/user", in.str("access_token")), 403, "session_not_found")
		if list := want(t, h.operate("GET", path, nil), 200, ""); list.text != "[]" {
			t.Errorf("list: %s", list.text)
		}
		for _, one := range []string{made.str("id"), p.id} {
			if n := h.count("select count(*) from audit_entries where action = 'passkey.remove' and subject = $1", one); n != 1 {
				t.Errorf("the removal of a passkey is %d times in the trail", n)
			}
		}
	})
}

func TestAPasskeyIsAWayInAndIsGuardedAsOne(t *testing.T) {
	t.Parallel()
	each(t, guests, func(t *testing.T, h *house) {
		want(t, h.beginPasskeyOf(h.guest().str("access_token")), 403, "no_authorization")
		token := h.signedUp("ada@example.com").str("access_token")
		p := h.newPasskey(token)
		begun := want(t, h.beginPasskeyOf(token), 200, "")
		h.clock.Advance(sureFor)
		want(t, h.beginPasskeyOf(token), 400, "reauthentication_needed")
		want(t, softPasskey{softKey: newSoftKey(t), h: h}.make(token, begun, nil), 400, "webauthn_challenge_expired")
		want(t, h.withToken("DELETE", "/passkeys/"+p.id, token, nil), 400, "reauthentication_needed")
		want(t, h.withToken("PATCH", "/passkeys/"+p.id, token, m{"friendly_name": "mine"}), 200, "")
		// Who signs in with it has shown who they are.
		strong := want(t, p.signIn(nil), 200, "").str("access_token")
		phone := h.enrol(strong, "phone")
		want(t, phone.verify(strong, 0), 200, "")
		weak := want(t, h.signIn("ada@example.com", password), 200, "").str("access_token")
		want(t, h.beginPasskeyOf(weak), 403, "insufficient_aal")
		want(t, h.withToken("DELETE", "/passkeys/"+p.id, weak, nil), 403, "insufficient_aal")
		// A passkey passes the second step, whatever else guards the account, and stays strong when that goes.
		in := want(t, p.signIn(nil), 200, "")
		want(t, h.put(in.str("access_token"), m{"password": "another fine secret"}), 200, "")
		again := want(t, p.signIn(nil), 200, "")
		h.clock.Advance(time.Minute)
		again = want(t, phone.verify(again.str("access_token"), 0), 200, "")
		want(t, h.withToken("DELETE", "/factors/"+phone.id, again.str("access_token"), nil), 200, "")
		if claims := claimsOf(t, h, want(t, h.refresh(again.str("refresh_token")), 200, "")); claims.AAL != "aal2" || strings.Contains(string(claims.AMR), "totp") {
			t.Errorf("claims: %s %s", claims.AAL, claims.AMR)
		}
		for range mostPasskeys - 1 {
			h.newPasskey(again.str("access_token"))
		}
		want(t, h.beginPasskeyOf(again.str("access_token")), 422, "too_many_passkeys")
	})
}

func TestWhomAPasskeyDoesNotLetIn(t *testing.T) {
	t.Parallel()
	each(t, operated, func(t *testing.T, h *house) {
		first := h.signedUp("ada@example.com")
		p := h.newPasskey(first.str("access_token"))
		user := "/admin/users/" + first.str("user", "id")
		want(t, h.operate("PUT", user, m{"ban_duration": "1h"}), 200, "")
		want(t, p.signIn(nil), 403, "user_banned")
		want(t, p.signIn(lies["another challenge"]), 400, "webauthn_verification_failed")
		want(t, h.operate("PUT", user, m{"ban_duration": "none"}), 200, "")
		want(t, p.signIn(nil), 200, "")
		h.exec("update users set email_confirmed_at = null")
		want(t, p.signIn(nil), 403, "email_not_confirmed")
		h.noted("passkey: user banned")
		h.noted("passkey: email not confirmed")
		want(t, h.operate("DELETE", user, nil), 200, "")
		want(t, p.signIn(nil), 400, "webauthn_verification_failed")
		if n := h.count("select count(*) from passkeys"); n != 0 {
			t.Errorf("%d passkeys outlive their owner", n)
		}
	})
}

func TestAnAdminWithAPasskeyIsAnAdmin(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		h.Accounts = account.New(h.DB, true) // every admin needs two steps
		first := h.signedUp("ada@example.com")
		h.proven("ada@example.com")
		if err := h.Accounts.Grant(t.Context(), "ada@example.com"); err != nil {
			t.Fatal(err)
		}
		admin := func(session reply) bool {
			t.Helper()
			claims := claimsOf(t, h, session)
			actor, err := h.Accounts.Caller(context.Background(), key.Claims{Subject: claims.Subject, SessionID: claims.SessionID})
			if err != nil {
				t.Fatal(err)
			}
			return actor.Admin
		}
		p := h.newPasskey(first.str("access_token"))
		if admin(first) {
			t.Error("an admin by the password alone")
		}
		in := want(t, p.signIn(nil), 200, "")
		if !admin(in) {
			t.Error("no admin by a passkey")
		}
		want(t, h.withToken("DELETE", "/passkeys/"+p.id, in.str("access_token"), nil), 204, "")
		if admin(in) {
			t.Error("still an admin when the passkey is gone")
		}
	})
}

func TestPasskeysAreLimitedAndTheirQuestionsBounded(t *testing.T) {
	t.Parallel()
	each(t, limited, func(t *testing.T, h *house) {
		p := h.newPasskey(h.signedUp("ada@example.com").str("access_token"))
		for range limit.SignInPerAddress.Times {
			p.signIn(lies["another challenge"])
		}
		question := want(t, h.askForPasskey(), 200, "")
		signed := p.signed(p.told("webauthn.get", question))
		want(t, h.signInWith(question, signed), 429, "over_request_rate_limit")
		h.noted("passkey: limited")
		want(t, h.send(request{
			method: "POST", path: "/passkeys/authentication/verify", address: "192.0.2.9", body: m{"challenge_id": question.str("challenge_id"), "credential": signed},
		}), 200, "")
		for range limit.PasskeyPerAddress.Times - limit.SignInPerAddress.Times - 1 {
			want(t, h.askForPasskey(), 200, "")
		}
		want(t, h.askForPasskey(), 429, "over_request_rate_limit")
		h.clock.Advance(questionLife)
		if _, err := h.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := h.count("select count(*) from passkey_challenges"); n != 0 {
			t.Errorf("%d questions outlive their time", n)
		}
	})
}

func TestPasskeysAreOffWhereBrowsersHaveNone(t *testing.T) {
	t.Parallel()
	each(t, func(o *Options) { o.SiteURL = "http://192.0.2.7:8080" }, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		want(t, h.askForPasskey(), 404, "passkey_disabled")
		want(t, h.post("/passkeys/authentication/verify", m{}), 404, "passkey_disabled")
		want(t, h.beginPasskeyOf(token), 404, "passkey_disabled")
		want(t, h.withToken("POST", "/passkeys/registration/verify", token, m{}), 404, "passkey_disabled")
		if got := want(t, h.get("/passkeys", token), 200, ""); got.text != "[]" {
			t.Errorf("list: %s", got.text)
		}
		if settings := want(t, h.get("/settings", ""), 200, ""); settings.json["passkeys_enabled"] != false {
			t.Errorf("settings: %s", settings.text)
		}
	})
	each(t, nil, func(t *testing.T, h *house) {
		if settings := want(t, h.get("/settings", ""), 200, ""); settings.json["passkeys_enabled"] != true {
			t.Errorf("settings: %s", settings.text)
		}
	})
}

// TestAStrangersPasskeyDoesNotSurviveTheFirstProof is about accounts that somebody made with another's address.
func TestAStrangersPasskeyDoesNotSurviveTheFirstProof(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		p := h.newPasskey(h.signedUp("ada@example.com").str("access_token"))
		in := want(t, p.signIn(nil), 200, "")
		h.post("/recover", m{"email": "ada@example.com"})
		want(t, h.verify("recovery", "ada@example.com", last[mail.Reset](h).Code), 200, "")
		want(t, p.signIn(nil), 400, "webauthn_verification_failed")
		want(t, h.get("/user", in.str("access_token")), 403, "session_not_found")
		if letter := last[mail.AddressProven](h); letter.Passkeys != 1 {
			t.Errorf("letter: %+v", letter)
		}

		// In a session that somebody may have handed over: a mailed code and a new password are no proof of who made it.
		token := h.signedUp("bob@example.com").str("access_token")
		p = h.newPasskey(token)
		in = want(t, p.signIn(nil), 200, "")
		token = in.str("access_token")
		want(t, h.get("/reauthenticate", token), 200, "")
		want(t, h.put(token, m{"password": "another fine secret", "nonce": last[mail.Reauthenticate](h).Code}), 200, "")
		want(t, p.signIn(nil), 400, "webauthn_verification_failed")
		if claims := claimsOf(t, h, want(t, h.refresh(in.str("refresh_token")), 200, "")); claims.AAL != "aal1" {
			t.Errorf("the session is %s without its passkey", claims.AAL)
		}

		// Who knows the password and reads the mailbox made the account.
		token = h.signedUp("eve@example.com").str("access_token")
		p = h.newPasskey(token)
		want(t, h.get("/reauthenticate", token), 200, "")
		want(t, h.proveAddress(token, m{"code": last[mail.Reauthenticate](h).Code, "password": password}), 200, "")
		want(t, p.signIn(nil), 200, "")
	})
}
