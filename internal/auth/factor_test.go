package auth

import (
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"greenroom/internal/key"
	"greenroom/internal/mail"
)

// authenticator is a phone with one factor on it.
type authenticator struct {
	h          *house
	id, secret string
}

func (h *house) withToken(method, path, token string, body any) reply {
	return h.send(request{method: method, path: path, token: token, body: body})
}

func (h *house) enrol(token, name string) authenticator {
	h.t.Helper()
	got := want(h.t, h.withToken("POST", "/factors", token, m{"factor_type": "totp", "friendly_name": name}), 200, "")
	return authenticator{h, got.str("id"), got.str("totp", "secret")}
}

// code is what the phone shows, a number of steps away from now.
func (a authenticator) code(steps int) string {
	a.h.t.Helper()
	code, err := totp.GenerateCode(a.secret, a.h.clock.Now().Add(time.Duration(steps)*30*time.Second))
	if err != nil {
		a.h.t.Fatal(err)
	}
	return code
}

func (a authenticator) challenge(token string) string {
	a.h.t.Helper()
	return want(a.h.t, a.h.withToken("POST", "/factors/"+a.id+"/challenge", token, m{"factorId": a.id}), 200, "").str("id")
}

func (a authenticator) answer(token, challenge, code string) reply {
	return a.h.withToken("POST", "/factors/"+a.id+"/verify", token, m{"challenge_id": challenge, "code": code})
}

func (a authenticator) verify(token string, steps int) reply {
	a.h.t.Helper()
	return a.answer(token, a.challenge(token), a.code(steps))
}

// guarded makes Ada's account with a second step and gives its strong session.
func (h *house) guarded() (authenticator, reply) {
	h.t.Helper()
	token := h.signedUp("ada@example.com").str("access_token")
	phone := h.enrol(token, "phone")
	return phone, want(h.t, phone.verify(token, 0), 200, "")
}

func claimsOf(t *testing.T, h *house, session reply) key.Claims {
	t.Helper()
	claims, err := h.Keys.Verify(session.str("access_token"), h.issuer, h.clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	return claims
}

func TestASecondStepMakesTheSessionStrong(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		first := h.signedUp("ada@example.com")
		token := first.str("access_token")
		weak := want(t, h.signIn("ada@example.com", password), 200, "")
		got := want(t, h.withToken("POST", "/factors", token, m{"factor_type": "totp", "friendly_name": "my phone"}), 200, "")
		if len(got.str("totp", "secret")) != 32 || !strings.HasPrefix(got.str("totp", "qr_code"), "<svg") || strings.Contains(got.str("totp", "qr_code"), "#") {
			t.Fatalf("enrolled: %.300s", got.text)
		}
		if address := got.str("totp", "uri"); !strings.HasPrefix(address, "otpauth://totp/Greenroom:ada@example.com?") || !strings.Contains(address, "secret="+got.str("totp", "secret")) {
			t.Fatalf("address %s", address)
		}
		if h.count("select count(*) from mfa_factors where secret = $1", []byte(got.str("totp", "secret"))) != 0 {
			t.Error("the secret is stored as it is")
		}
		phone := authenticator{h, got.str("id"), got.str("totp", "secret")}
		// A factor that waits for its first code guards nothing yet.
		want(t, h.put(token, m{"data": m{"a": 1}}), 200, "")
		strong := want(t, phone.verify(token, 0), 200, "")
		claims := claimsOf(t, h, strong)
		if claims.AAL != "aal2" || !strings.HasPrefix(string(claims.AMR), `[{"method":"totp"`) || !strings.Contains(string(claims.AMR), "password") {
			t.Errorf("claims: %s %s", claims.AAL, claims.AMR)
		}
		factors, _ := strong.json["user"].(map[string]any)["factors"].([]any)
		if len(factors) != 1 || factors[0].(map[string]any)["status"] != "verified" || factors[0].(map[string]any)["last_challenged_at"] == nil {
			t.Errorf("factors: %v", factors)
		}
		// The old refresh token leads nowhere, the new one to a strong session.
		want(t, h.refresh(first.str("refresh_token")), 400, "refresh_token_not_found")
		if claims := claimsOf(t, h, want(t, h.refresh(strong.str("refresh_token")), 200, "")); claims.AAL != "aal2" {
			t.Errorf("after a refresh: %s", claims.AAL)
		}
		// The session of one step that was open elsewhere has ended.
		want(t, h.refresh(weak.str("refresh_token")), 400, "refresh_token_not_found")
		want(t, h.get("/user", weak.str("access_token")), 403, "session_not_found")
		if letter := last[mail.FactorAdded](h); letter.To != "ada@example.com" || letter.Factor != "my phone" {
			t.Errorf("letter: %+v", letter)
		}
	})
}

// TestSecurity23ATOTPCodeWorksOnce is line 23: also on the other instance, and of fifty at once one.
func TestSecurity23ATOTPCodeWorksOnce(t *testing.T) {
	t.Parallel()
	eachPair(t, nil, func(t *testing.T, pair [2]*house) {
		h, other := pair[0], pair[1]
		phone, strong := h.guarded()
		token := strong.str("access_token")
		want(t, phone.verify(token, 0), 422, "mfa_verification_failed")
		elsewhere := authenticator{other, phone.id, phone.secret}
		want(t, elsewhere.verify(token, 0), 422, "mfa_verification_failed")

		h.clock.Advance(90 * time.Second)
		code := phone.code(0)
		var challenges []string
		for range 50 {
			challenges = append(challenges, phone.challenge(token))
		}
		good, others := fifty(pair, func(h *house, i int) reply {
			return authenticator{h, phone.id, phone.secret}.answer(token, challenges[i], code)
		}, accepted)
		if good != 1 || others["422 mfa_verification_failed"] != 49 {
			t.Errorf("of fifty uses of one code %d went through, the others got %v", good, others)
		}
	})
}

// TestSecurity24TOTPWindowIsOneStepEachWay is line 24.
func TestSecurity24TOTPWindowIsOneStepEachWay(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		phone, strong := h.guarded()
		token := strong.str("access_token")
		h.clock.Advance(10 * time.Minute)
		for _, steps := range []int{-3, 3, -2, 2, 1, -1, 0} {
			if got := phone.verify(token, steps); (got.status == 200) != (steps >= -1 && steps <= 1) {
				t.Errorf("step %+d: %d %s", steps, got.status, got.text)
			}
		}
	})
}

func TestAChallengeIsAnsweredOnceInTimeAndByItsSession(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		phone, strong := h.guarded()
		token := strong.str("access_token")
		h.clock.Advance(2 * time.Minute)
		challenge := phone.challenge(token)
		want(t, phone.answer(token, challenge, wrong(phone.code(0))), 422, "mfa_verification_failed")
		want(t, phone.answer(token, challenge, ""), 400, "validation_failed")
		want(t, phone.answer(token, challenge, phone.code(0)), 200, "")
		want(t, phone.answer(token, challenge, phone.code(1)), 422, "mfa_ip_address_mismatch")

		old := phone.challenge(token)
		h.clock.Advance(5 * time.Minute)
		want(t, phone.answer(token, old, phone.code(0)), 422, "mfa_challenge_expired")
		for _, none := range []string{"", "x", phone.id} {
			want(t, phone.answer(token, none, phone.code(0)), 422, "mfa_factor_not_found")
		}
		second := want(t, h.signIn("ada@example.com", password), 200, "").str("access_token")
		want(t, phone.answer(second, phone.challenge(token), phone.code(0)), 422, "mfa_ip_address_mismatch")

		stranger := h.signedUp("bob@example.com").str("access_token")
		want(t, h.withToken("POST", "/factors/"+phone.id+"/challenge", stranger, m{}), 404, "mfa_factor_not_found")
		want(t, phone.answer(stranger, phone.challenge(token), phone.code(0)), 404, "mfa_factor_not_found")
		want(t, h.withToken("DELETE", "/factors/"+phone.id, stranger, nil), 404, "mfa_factor_not_found")
		want(t, h.withToken("POST", "/factors/nothing/challenge", token, m{}), 404, "validation_failed")
	})
}

func TestEnrolmentIsRefusedInTheContractsWords(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		enrol := func(body m) reply { return h.withToken("POST", "/factors", token, body) }
		want(t, enrol(m{"factor_type": "phone", "phone": "+4930123456"}), 422, "mfa_phone_enroll_not_enabled")
		want(t, enrol(m{"factor_type": "smoke"}), 400, "validation_failed")
		want(t, enrol(m{"factor_type": "totp", "friendly_name": strings.Repeat("x", 101)}), 400, "validation_failed")
		want(t, enrol(m{"factor_type": "totp", "friendly_name": "a\nb"}), 400, "validation_failed")
		h.enrol(token, "")
		want(t, enrol(m{"factor_type": "totp"}), 422, "mfa_factor_name_conflict")
		for i := range 9 {
			h.enrol(token, string(rune('a'+i)))
		}
		want(t, enrol(m{"factor_type": "totp", "friendly_name": "one more"}), 422, "too_many_enrolled_mfa_factors")
		h.clock.Advance(5 * time.Minute)
		h.enrol(token, "one more") // what was never finished is gone
		if n := h.count("select count(*) from mfa_factors"); n != 1 {
			t.Errorf("%d factors are left", n)
		}
		want(t, h.send(request{method: "POST", path: "/factors", body: m{"factor_type": "totp"}}), 401, "no_authorization")
	})
}

// TestSecurity26FactorsChangeOnlyFromAStrongOrFreshSession is line 26.
func TestSecurity26FactorsChangeOnlyFromAStrongOrFreshSession(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		stale := h.signedUp("bob@example.com")
		h.clock.Advance(24 * time.Hour)
		again := want(t, h.refresh(stale.str("refresh_token")), 200, "").str("access_token")
		want(t, h.withToken("POST", "/factors", again, m{"factor_type": "totp"}), 400, "reauthentication_needed")

		phone, strong := h.guarded()
		weak := want(t, h.signIn("ada@example.com", password), 200, "").str("access_token")
		want(t, h.withToken("POST", "/factors", weak, m{"factor_type": "totp", "friendly_name": "mine"}), 403, "insufficient_aal")
		want(t, h.withToken("DELETE", "/factors/"+phone.id, weak, nil), 422, "insufficient_aal")
		got := want(t, h.withToken("DELETE", "/factors/"+phone.id, strong.str("access_token"), nil), 200, "")
		if got.str("id") != phone.id {
			t.Errorf("answer: %s", got.text)
		}
		claims := claimsOf(t, h, want(t, h.refresh(strong.str("refresh_token")), 200, ""))
		if claims.AAL != "aal1" || strings.Contains(string(claims.AMR), "totp") {
			t.Errorf("after the removal: %s %s", claims.AAL, claims.AMR)
		}
		if letter := last[mail.FactorRemoved](h); letter.To != "ada@example.com" {
			t.Errorf("letter: %+v", letter)
		}
		want(t, h.put(weak, m{"password": "another fine secret"}), 200, "")
	})
}

// TestSecurity22RecoveryDoesNotBypassTheSecondStep is line 22.
func TestSecurity22RecoveryDoesNotBypassTheSecondStep(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		phone, _ := h.guarded()
		h.proven("ada@example.com")
		want(t, h.post("/recover", m{"email": "ada@example.com"}), 200, "")
		recovered := want(t, h.verify("recovery", "ada@example.com", last[mail.Reset](h).Code), 200, "")
		if claims := claimsOf(t, h, recovered); claims.AAL != "aal1" {
			t.Fatalf("recovered to %s", claims.AAL)
		}
		token := recovered.str("access_token")
		want(t, h.put(token, m{"password": "another fine secret"}), 401, "insufficient_aal")
		want(t, h.put(token, m{"email": "eve@example.com"}), 401, "insufficient_aal")
		want(t, h.put(token, m{"data": m{"name": "Ada"}}), 200, "")
		h.clock.Advance(90 * time.Second)
		strong := want(t, phone.verify(token, 0), 200, "").str("access_token")
		want(t, h.put(strong, m{"password": "another fine secret"}), 200, "")
		want(t, h.signIn("ada@example.com", "another fine secret"), 200, "")
	})
}

func TestGuessingAFactorIsLimited(t *testing.T) {
	t.Parallel()
	each(t, limited, func(t *testing.T, h *house) {
		phone, strong := h.guarded()
		token := strong.str("access_token")
		challenge := phone.challenge(token)
		limitedAt := 0
		for i := 1; i <= 20 && limitedAt == 0; i++ {
			if got := phone.answer(token, challenge, wrong(phone.code(0))); got.status == 429 {
				limitedAt = i
			}
		}
		if limitedAt != 10 { // of the session; one was the enrolment's
			t.Errorf("limited at try %d", limitedAt)
		}
	})
}

func TestEnrolmentsAndChangesOfDataAreBounded(t *testing.T) {
	t.Parallel()
	each(t, limited, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		for range 30 {
			begun := h.enrol(token, "phone")
			want(t, h.withToken("DELETE", "/factors/"+begun.id, token, nil), 200, "")
		}
		want(t, h.withToken("POST", "/factors", token, m{"factor_type": "totp"}), 429, "over_request_rate_limit")
		for i := range 60 {
			want(t, h.put(token, m{"data": m{"n": i}}), 200, "")
		}
		if got := want(t, h.put(token, m{"data": m{"n": 60}}), 429, "over_request_rate_limit"); got.header.Get("Retry-After") == "" {
			t.Error("no word of when to try again")
		}
	})
}
