package auth

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"greenroom/internal/mail"
)

func TestASecurityKeyMakesTheSessionStrong(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		first := h.signedUp("ada@example.com")
		token := first.str("access_token")
		weak := want(t, h.signIn("ada@example.com", password), 200, "")
		key := h.enrolKey(token, "yellow key")
		question := key.challenge(token)
		options := question.json["webauthn"].(map[string]any)["credential_options"].(map[string]any)["publicKey"].(map[string]any)
		if question.str("webauthn", "type") != "create" || question.str("type") != "webauthn" || options["attestation"] != "none" ||
			options["rp"].(map[string]any)["id"] != testHost || options["user"].(map[string]any)["name"] != "ada@example.com" {
			t.Fatalf("question: %s", question.text)
		}
		strong := want(t, key.respond(token, question, nil), 200, "")
		claims := claimsOf(t, h, strong)
		if claims.AAL != "aal2" || !strings.HasPrefix(string(claims.AMR), `[{"method":"mfa/webauthn"`) {
			t.Errorf("claims: %s %s", claims.AAL, claims.AMR)
		}
		factors, _ := strong.json["user"].(map[string]any)["factors"].([]any)
		if len(factors) != 1 || factors[0].(map[string]any)["status"] != "verified" || factors[0].(map[string]any)["factor_type"] != "webauthn" {
			t.Errorf("factors: %v", factors)
		}
		want(t, h.refresh(first.str("refresh_token")), 400, "refresh_token_not_found")
		want(t, h.get("/user", weak.str("access_token")), 403, "session_not_found")
		if letter := last[mail.FactorAdded](h); letter.To != "ada@example.com" || letter.Factor != "yellow key" {
			t.Errorf("letter: %+v", letter)
		}

		again := want(t, h.signIn("ada@example.com", password), 200, "").str("access_token")
		want(t, h.put(again, m{"password": "another fine secret"}), 401, "insufficient_aal")
		want(t, h.withToken("POST", "/factors", again, m{"factor_type": "webauthn", "friendly_name": "mine"}), 403, "insufficient_aal")
		want(t, h.withToken("DELETE", "/factors/"+key.id, again, nil), 422, "insufficient_aal")
		second := key.challenge(again)
		allowed := second.json["webauthn"].(map[string]any)["credential_options"].(map[string]any)["publicKey"].(map[string]any)["allowCredentials"].([]any)
		if len(allowed) != 1 || allowed[0].(map[string]any)["id"] != base64url(key.key.id) {
			t.Errorf("allowed: %v", allowed)
		}
		stronger := want(t, key.respond(again, second, nil), 200, "")
		if n := h.count("select sign_count from mfa_credentials"); n != 2 {
			t.Errorf("the counter stands at %d", n)
		}
		want(t, h.withToken("DELETE", "/factors/"+key.id, stronger.str("access_token"), nil), 200, "")
		if claims := claimsOf(t, h, want(t, h.refresh(stronger.str("refresh_token")), 200, "")); claims.AAL != "aal1" || strings.Contains(string(claims.AMR), "webauthn") {
			t.Errorf("after the removal: %s %s", claims.AAL, claims.AMR)
		}
		if n := h.count("select count(*) from mfa_credentials"); n != 0 {
			t.Errorf("%d keys are left", n)
		}
	})
}

// lies are what a security key's answer can get wrong, one at a time.
var lies = map[string]func(*ceremony){
	"origin of another host":    func(c *ceremony) { c.origin = "https://evil.example" },
	"origin on another port":    func(c *ceremony) { c.origin = testSite + ":8443" },
	"origin without TLS":        func(c *ceremony) { c.origin = strings.Replace(testSite, "https", "http", 1) },
	"origin of a subdomain":     func(c *ceremony) { c.origin = "https://evil.courses.example.com" },
	"inside a foreign page":     func(c *ceremony) { c.crossOrigin = true },
	"made for another site":     func(c *ceremony) { c.site = "evil.example" },
	"another challenge":         func(c *ceremony) { c.challenge = base64url(make([]byte, 32)) },
	"no challenge":              func(c *ceremony) { c.challenge = "" },
	"nobody present":            func(c *ceremony) { c.flags &^= userPresent },
	"backed up without a right": func(c *ceremony) { c.flags |= backedUp },
}

func TestSecurity27EachCheckOfAnAssertion(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		key, strong := h.keyed()
		token := strong.str("access_token")
		want(t, key.verify(token), 200, "")
		tries := map[string]func(*ceremony){
			"meant for a registration": func(c *ceremony) { c.kind = "webauthn.create" },
			"became backupable":        func(c *ceremony) { c.flags |= backupable },
			"counter standing still":   func(c *ceremony) { c.counter = 2 },
			"counter going back":       func(c *ceremony) { c.counter = 1 },
			"counter begun again":      func(c *ceremony) { c.counter = 0 },
			"one bit of the signature": func(c *ceremony) { c.signed = func(s []byte) []byte { s[len(s)-1] ^= 1; return s } },
			"no signature":             func(c *ceremony) { c.signed = func([]byte) []byte { return nil } },
		}
		maps.Copy(tries, lies)
		for name, lie := range tries {
			if got := key.respond(token, key.challenge(token), lie); got.status != 422 || got.code() != "mfa_verification_failed" {
				t.Errorf("%s: %d %s", name, got.status, got.text)
			}
		}
		// Another key under this one's name, and this one's signature under another name.
		impostor := keyFactor{h, key.id, newSoftKey(t)}
		impostor.key.id, impostor.key.counter = key.key.id, 100
		want(t, impostor.verify(token), 422, "mfa_verification_failed")
		unknown := keyFactor{h, key.id, newSoftKey(t)}
		unknown.key.private, unknown.key.counter = key.key.private, 100
		want(t, unknown.verify(token), 422, "mfa_verification_failed")

		// An answer that was good once, at its own question again and at another one.
		question := key.challenge(token)
		good := key.key.signed(key.key.honest(question))
		want(t, key.answer(token, question.str("id"), "request", good), 200, "")
		want(t, key.answer(token, question.str("id"), "request", good), 422, "mfa_ip_address_mismatch")
		want(t, key.answer(token, key.challenge(token).str("id"), "request", good), 422, "mfa_verification_failed")
		refused := h.count("select sum(times) from audit_entries where action = 'factor.verify' and result = 'refused'")
		if expected := len(tries) + 4; refused != expected {
			t.Errorf("%d tries are in the trail, not %d", refused, expected)
		}
		want(t, key.verify(token), 200, "")
	})
}

func TestSecurity27EachCheckOfANewKey(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		key := h.enrolKey(token, "yellow key")
		for name, lie := range lies {
			if got := key.respond(token, key.challenge(token), lie); got.status != 422 || got.code() != "mfa_verification_failed" {
				t.Errorf("%s: %d %s", name, got.status, got.text)
			}
		}
		want(t, key.respond(token, key.challenge(token), func(c *ceremony) { c.kind = "webauthn.get" }), 422, "mfa_verification_failed")
		if claims := claimsOf(t, h, want(t, h.signIn("ada@example.com", password), 200, "")); claims.AAL != "aal1" {
			t.Errorf("signed in at %s", claims.AAL)
		}
		if n := h.count("select count(*) from mfa_credentials"); n != 0 {
			t.Fatalf("%d keys were kept", n)
		}
		want(t, key.verify(token), 200, "")

		// A factor whose key is lost takes no new one.
		lost := h.enrolKey(want(t, key.verify(token), 200, "").str("access_token"), "lost")
		h.exec("update mfa_factors set status = 'verified' where id = $1", lost.id)
		want(t, h.withToken("POST", "/factors/"+lost.id+"/challenge", token, m{}), 422, "mfa_verification_failed")
		want(t, lost.answer(token, key.challenge(token).str("id"), "create", lost.key.made(ceremony{kind: "webauthn.create"})), 400, "validation_failed")

		// One key is on one account, and there once.
		stranger := h.signedUp("bob@example.com").str("access_token")
		copied := h.enrolKey(stranger, "found")
		copied.key = key.key
		want(t, copied.verify(stranger), 422, "mfa_verification_failed")
		want(t, h.withToken("POST", "/factors/"+key.id+"/challenge", stranger, m{"webauthn": atHome}), 404, "mfa_factor_not_found")
	})
}

func TestSecurity27ClaimsOfAnotherSiteAreRefused(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		key, strong := h.keyed()
		token := strong.str("access_token")
		for _, claim := range []m{
			{"rpId": "evil.example"},
			{"rpId": "example.com"},
			{"rpId": testHost, "rpOrigins": []string{testSite, "https://evil.example"}},
			{"rpOrigins": []string{"http://courses.example.com"}},
		} {
			want(t, h.withToken("POST", "/factors/"+key.id+"/challenge", token, m{"webauthn": claim}), 400, "validation_failed")
			question := key.challenge(token)
			claim["type"], claim["credential_response"] = "request", key.key.signed(key.key.honest(question))
			want(t, h.withToken("POST", "/factors/"+key.id+"/verify", token, m{"challenge_id": question.str("id"), "webauthn": claim}), 400, "validation_failed")
		}
		// Nothing is claimed by many a client; the site's own name then holds.
		want(t, h.withToken("POST", "/factors/"+key.id+"/challenge", token, m{}), 200, "")
	})
}

func TestSecurity27AnAssertionWorksOnce(t *testing.T) {
	t.Parallel()
	eachPair(t, nil, func(t *testing.T, pair [2]*house) {
		key, strong := pair[0].keyed()
		token := strong.str("access_token")
		question := key.challenge(token)
		signed := key.key.signed(key.key.honest(question))
		good, others := fifty(pair, func(h *house, _ int) reply {
			return keyFactor{h, key.id, key.key}.answer(token, question.str("id"), "request", signed)
		}, accepted)
		if good != 1 || others["422 mfa_ip_address_mismatch"] != 49 {
			t.Errorf("of fifty uses of one assertion %d went through, the others got %v", good, others)
		}
	})
}

func TestAQuestionToAKeyIsAnsweredInTimeByItsSessionAndInForm(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		key, strong := h.keyed()
		token := strong.str("access_token")
		old := key.challenge(token)
		h.clock.Advance(5*time.Minute - time.Second)
		want(t, key.respond(token, old, nil), 200, "")
		old = key.challenge(token)
		h.clock.Advance(5 * time.Minute)
		want(t, key.respond(token, old, nil), 422, "mfa_challenge_expired")
		second := want(t, h.signIn("ada@example.com", password), 200, "").str("access_token")
		want(t, key.respond(second, key.challenge(token), nil), 422, "mfa_ip_address_mismatch")

		// A wrong answer uses its question up.
		question := key.challenge(token)
		want(t, key.respond(token, question, lies["another challenge"]), 422, "mfa_verification_failed")
		want(t, key.respond(token, question, nil), 422, "mfa_ip_address_mismatch")

		question = key.challenge(token)
		good := key.key.signed(key.key.honest(question))
		want(t, key.answer(token, question.str("id"), "create", good), 400, "validation_failed")
		want(t, key.answer(token, question.str("id"), "", good), 400, "validation_failed")
		for _, bad := range []m{nil, {}, {"id": "x", "rawId": "y", "type": "public-key"}, {"id": base64url(key.key.id), "rawId": base64url(key.key.id), "type": "public-key", "response": m{"clientDataJSON": "e30", "authenticatorData": "AA", "signature": "AA"}}} {
			want(t, key.answer(token, question.str("id"), "request", bad), 400, "validation_failed")
		}
		want(t, h.withToken("POST", "/factors/"+key.id+"/verify", token, m{"challenge_id": question.str("id"), "code": "123456"}), 400, "validation_failed")
		for _, none := range []string{"", "x", key.id} {
			want(t, key.answer(token, none, "request", good), 422, "mfa_factor_not_found")
		}
		want(t, key.answer(token, question.str("id"), "request", good), 200, "")
		// An app's code is no answer to a key's question, nor the other way round.
		phone := h.enrol(token, "phone")
		want(t, key.answer(token, phone.challenge(token), "request", good), 422, "mfa_factor_not_found")
		want(t, phone.answer(token, phone.challenge(token), ""), 400, "validation_failed")
	})
}

func TestAKeyIsNoLongerThanKeysAre(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		key := h.enrolKey(token, "endless")
		for _, bits := range []int{16_384, 65_536} {
			modulus := bytes.Repeat([]byte{0xff}, bits/8)
			key.key.cose = slices.Concat([]byte{0xa4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20}, cborBytes(modulus), []byte{0x21, 0x43, 1, 0, 1})
			want(t, key.verify(token), 400, "validation_failed")
		}
		key.key.cose = nil
		long := key.key.made(key.key.honest(key.challenge(token)))
		long["response"].(m)["publicKey"] = strings.Repeat("A", mostAnswer)
		want(t, key.answer(token, key.challenge(token).str("id"), "create", long), 400, "validation_failed")
		want(t, key.verify(token), 200, "")
	})
}

func TestAKeyThatNeverCountsIsTaken(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		key := h.enrolKey(token, "synced")
		synced := func(c *ceremony) { c.counter, c.flags = 0, userPresent|userVerified|backupable|backedUp }
		strong := want(t, key.respond(token, key.challenge(token), synced), 200, "").str("access_token")
		for range 2 {
			want(t, key.respond(strong, key.challenge(strong), synced), 200, "")
		}
	})
}

func TestKeysAreOffWhereBrowsersHaveNone(t *testing.T) {
	t.Parallel()
	for address, on := range map[string]bool{
		"https://greenroom.example": true, "https://greenroom.example:8443": true, "http://localhost:8080": true, "http://app.localhost": true,
		"http://greenroom.example": false, "https://192.0.2.7": false, "http://127.0.0.1:8080": false, "https://[2001:db8::1]": false,
	} {
		site, err := newKeySite("Greenroom", address)
		if err != nil || site.on() != on {
			t.Errorf("%s: %v %v", address, site.on(), err)
		}
	}
	each(t, func(o *Options) { o.SiteURL = "http://192.0.2.7:8080" }, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		want(t, h.withToken("POST", "/factors", token, m{"factor_type": "webauthn"}), 422, "mfa_webauthn_enroll_not_enabled")
		phone := h.enrol(token, "phone")
		h.exec("update mfa_factors set factor_type = 'webauthn' where id = $1", phone.id)
		want(t, h.withToken("POST", "/factors/"+phone.id+"/challenge", token, m{}), 422, "mfa_webauthn_verify_not_enabled")
		want(t, h.withToken("POST", "/factors/"+phone.id+"/verify", token, m{}), 422, "mfa_webauthn_verify_not_enabled")
	})
}
