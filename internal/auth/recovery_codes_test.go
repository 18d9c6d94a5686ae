package auth

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"greenroom/internal/mail"
	"greenroom/internal/platform/limit"
)

// codesIn are the codes of an answer.
func codesIn(got reply) (codes []string) {
	all, _ := got.json["codes"].([]any)
	for _, one := range all {
		code, _ := one.(string)
		codes = append(codes, code)
	}
	return codes
}

func (h *house) makeCodesOf(token string) reply {
	return h.withToken("POST", "/factors/recovery-codes", token, nil)
}

func (h *house) recoverWith(token, code string) reply {
	return h.withToken("POST", "/factors/recovery-codes/verify", token, m{"code": code})
}

// withCodes makes Ada's account with an authenticator app and recovery codes.
func (h *house) withCodes() (strong reply, phone authenticator, codes []string) {
	h.t.Helper()
	token := h.signedUp("ada@example.com").str("access_token")
	phone = h.enrol(token, "phone")
	strong = want(h.t, phone.verify(token, 0), 200, "")
	return strong, phone, codesIn(want(h.t, h.makeCodesOf(strong.str("access_token")), 200, ""))
}

func (h *house) signedIn() string {
	h.t.Helper()
	return want(h.t, h.signIn("ada@example.com", password), 200, "").str("access_token")
}

func TestARecoveryCodeIsASecondStepOnce(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		want(t, h.makeCodesOf(token), 403, "insufficient_aal")
		want(t, h.withToken("GET", "/factors/recovery-codes", token, nil), 404, "mfa_factor_not_found")
		phone := h.enrol(token, "phone")
		strong := want(t, phone.verify(token, 0), 200, "").str("access_token")
		want(t, h.withToken("POST", "/factors/recovery-codes/regenerate", strong, nil), 404, "mfa_factor_not_found")
		want(t, h.get("/user", strong), 200, "") // and is remembered
		made := want(t, h.makeCodesOf(strong), 200, "")
		codes := codesIn(made)
		if user := want(t, h.get("/user", strong), 200, ""); !strings.Contains(user.text, made.str("id")) {
			t.Errorf("the codes are not among the factors: %s", user.text)
		}
		if made.str("type") != "recovery_code" || made.str("friendly_name") != "Recovery codes" || made.json["total"] != 10.0 || len(codes) != 10 {
			t.Fatalf("made: %s", made.text)
		}
		seen := map[string]bool{}
		for _, code := range codes {
			seen[code] = true
			if len(code) != 16 || strings.Trim(code, recoveryLetters) != "" {
				t.Errorf("a code like %q", code)
			}
			for _, column := range []string{"code_hash", "cast(id as text)"} {
				if n := h.count("select count(*) from mfa_recovery_codes where "+column+" = $1", code); n != 0 {
					t.Error("a code is stored as it is")
				}
			}
		}
		if len(seen) != 10 {
			t.Error("a code is there twice")
		}
		if letter := last[mail.RecoveryCodesMade](h); letter.To != "ada@example.com" {
			t.Errorf("letter: %+v", letter)
		}
		want(t, h.makeCodesOf(strong), 422, "mfa_verified_factor_exists")

		// As people write it down: in blocks, with large letters, and with what looks alike.
		typed := strings.ToUpper(codes[0][:4] + "-" + codes[0][4:8] + " " + codes[0][8:12] + "–" + codes[0][12:])
		typed = strings.NewReplacer("0", "O", "1", "l").Replace(typed)
		lost := h.signedIn()
		other := h.signedIn()
		in := want(t, h.recoverWith(lost, " "+typed+" "), 200, "")
		claims := claimsOf(t, h, in)
		if claims.AAL != "aal2" || !strings.HasPrefix(string(claims.AMR), `[{"method":"mfa/recovery_code"`) {
			t.Errorf("claims: %s %s", claims.AAL, claims.AMR)
		}
		want(t, h.get("/user", other), 403, "session_not_found")
		if letter := last[mail.RecoveryCodeUsed](h); letter.To != "ada@example.com" || letter.Left != 9 {
			t.Errorf("letter: %+v", letter)
		}
		want(t, h.recoverWith(h.signedIn(), codes[0]), 422, "mfa_verification_failed")
		if status := want(t, h.withToken("GET", "/factors/recovery-codes", h.signedIn(), nil), 200, ""); status.json["total"] != 10.0 || status.json["remaining"] != 9.0 || status.json["codes"] != nil {
			t.Errorf("status: %s", status.text)
		}
		if n := h.count("select count(*) from audit_entries where action = 'recovery_codes.use' and result = 'ok'"); n != 1 {
			t.Errorf("%d uses are in the trail", n)
		}
		// Whoever has lost the app can now take it away.
		want(t, h.withToken("DELETE", "/factors/"+phone.id, in.str("access_token"), nil), 200, "")
	})
}

func TestRecoveryCodesAreMadeAnewByWhoeverIsThere(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		strong, phone, old := h.withCodes()
		token := strong.str("access_token")
		anew := func(token string) reply {
			return h.withToken("POST", "/factors/recovery-codes/regenerate", token, nil)
		}
		weak := h.signedIn()
		want(t, anew(weak), 403, "insufficient_aal")
		want(t, h.withToken("DELETE", "/factors/recovery-codes", weak, nil), 403, "insufficient_aal")
		got := want(t, anew(token), 200, "")
		fresh := codesIn(got)
		if len(fresh) != 10 || slices.ContainsFunc(fresh, func(code string) bool { return slices.Contains(old, code) }) {
			t.Fatalf("anew: %s", got.text)
		}
		want(t, h.recoverWith(weak, old[0]), 422, "mfa_verification_failed")
		h.clock.Advance(sureFor)
		want(t, anew(token), 400, "reauthentication_needed")
		want(t, h.withToken("DELETE", "/factors/recovery-codes", token, nil), 400, "reauthentication_needed")
		in := want(t, h.recoverWith(h.signedIn(), fresh[0]), 200, "")

		// Its sessions are strong by it alone.
		want(t, h.withToken("DELETE", "/factors/recovery-codes", in.str("access_token"), nil), 200, "")
		if claims := claimsOf(t, h, want(t, h.refresh(in.str("refresh_token")), 200, "")); claims.AAL != "aal1" || strings.Contains(string(claims.AMR), "recovery") {
			t.Errorf("claims: %s %s", claims.AAL, claims.AMR)
		}
		if n := h.count("select count(*) from mfa_recovery_codes"); n != 0 {
			t.Errorf("%d codes are left", n)
		}
		token = want(t, phone.verify(h.signedIn(), 0), 200, "").str("access_token")
		want(t, h.withToken("DELETE", "/factors/recovery-codes", token, nil), 404, "mfa_factor_not_found")
		for _, name := range []any{"phone", strings.Repeat("x", 101)} {
			if got := h.withToken("POST", "/factors/recovery-codes", token, m{"friendly_name": name}); got.status != 422 && got.status != 400 {
				t.Errorf("%v: %d %s", name, got.status, got.text)
			}
		}
		if named := want(t, h.withToken("POST", "/factors/recovery-codes", token, m{"friendly_name": "In the safe"}), 200, ""); named.str("friendly_name") != "In the safe" {
			t.Errorf("named: %s", named.text)
		}
	})
}

func TestRecoveryCodesGoWithTheLastFactorAndGuardNothingAlone(t *testing.T) {
	t.Parallel()
	each(t, func(o *Options) { guests(o); operated(o) }, func(t *testing.T, h *house) {
		strong, phone, codes := h.withCodes()
		in := want(t, h.recoverWith(h.signedIn(), codes[1]), 200, "")
		second := h.enrol(in.str("access_token"), "tablet")
		want(t, second.verify(in.str("access_token"), 0), 200, "")
		by := want(t, h.recoverWith(h.signedIn(), codes[2]), 200, "")
		list := "/admin/users/" + strong.str("user", "id") + "/factors"
		want(t, h.operate("DELETE", list+"/"+phone.id, nil), 200, "")
		if left := h.count("select count(*) from mfa_factors"); left != 2 {
			t.Errorf("%d factors are left", left)
		}
		want(t, h.operate("DELETE", list+"/"+second.id, nil), 200, "")
		for _, table := range []string{"mfa_factors", "mfa_recovery_codes"} {
			if n := h.count("select count(*) from " + table); n != 0 {
				t.Errorf("%d rows are left in %s", n, table)
			}
		}
		if claims := claimsOf(t, h, want(t, h.refresh(by.str("refresh_token")), 200, "")); claims.AAL != "aal1" {
			t.Errorf("a session by a code that is gone is %s", claims.AAL)
		}
		token := h.signedIn()
		want(t, h.recoverWith(token, codes[3]), 422, "mfa_verification_failed")
		want(t, h.put(token, m{"password": "another fine secret"}), 200, "") // nothing guards it now

		// A passkey is two steps and no factor: there is nothing for codes to stand in for.
		p := h.newPasskey(token)
		want(t, h.makeCodesOf(want(t, p.signIn(nil), 200, "").str("access_token")), 422, "mfa_recovery_codes_sole_factor")
		want(t, h.makeCodesOf(h.guest().str("access_token")), 403, "no_authorization")
	})
}

// TestARecoveryCodeIsItsOwnersAlone tries Ada's codes in Bob's account, which has codes too; and what is stored of a code
// says nothing without the installation's secret and is another for another account.
func TestARecoveryCodeIsItsOwnersAlone(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		_, _, codes := h.withCodes()
		token := h.signedUp("bob@example.com").str("access_token")
		strong := want(t, h.enrol(token, "phone").verify(token, 0), 200, "").str("access_token")
		want(t, h.makeCodesOf(strong), 200, "")
		bob := want(t, h.signIn("bob@example.com", password), 200, "").str("access_token")
		want(t, h.recoverWith(bob, codes[0]), 422, "mfa_verification_failed")
		if n := h.count("select count(*) from mfa_recovery_codes where used_at is not null"); n != 0 {
			t.Errorf("%d codes are used up by somebody else", n)
		}
		if n := h.count("select count(*) from mfa_recovery_codes where code_hash = $1", hashToken(codes[0])); n != 0 {
			t.Error("whoever reads the table can try codes against it")
		}
		if h.hashRecovery(Factor{ID: "a"}, codes[0]) == h.hashRecovery(Factor{ID: "b"}, codes[0]) {
			t.Error("a code is stored alike for everybody")
		}
		want(t, h.recoverWith(h.signedIn(), codes[0]), 200, "")
	})
}

func TestRecoveryCodesAreNotAskedByAChallenge(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		strong, _, codes := h.withCodes()
		token := strong.str("access_token")
		shown, _ := want(t, h.get("/user", token), 200, "").json["factors"].([]any)
		at := slices.IndexFunc(shown, func(one any) bool { return one.(m)["factor_type"] == "recovery_code" })
		if len(shown) != 2 || at < 0 || shown[at].(m)["status"] != "verified" {
			t.Fatalf("factors: %v", shown)
		}
		path := "/factors/" + shown[at].(m)["id"].(string)
		want(t, h.withToken("POST", path+"/challenge", token, m{}), 400, "validation_failed")
		want(t, h.withToken("POST", path+"/verify", token, m{"challenge_id": path, "code": codes[0]}), 400, "validation_failed")
		want(t, h.withToken("POST", "/factors", token, m{"factor_type": "recovery_code"}), 400, "validation_failed")
		want(t, h.withToken("DELETE", path, token, nil), 200, "")
	})
}

func TestARecoveryCodeWorksOnceOverAllInstances(t *testing.T) {
	t.Parallel()
	eachPair(t, nil, func(t *testing.T, pair [2]*house) {
		_, _, codes := pair[0].withCodes()
		tokens := make([]string, 50)
		for i := range tokens {
			tokens[i] = pair[0].signedIn()
		}
		good, others := fifty(pair, func(h *house, i int) reply { return h.recoverWith(tokens[i], codes[0]) }, accepted)
		// The others' sessions end with the first, or their code is used up.
		if good != 1 || others["422 mfa_verification_failed"]+others["403 session_not_found"] != 49 {
			t.Errorf("of fifty uses of one code %d went through, the others got %v", good, others)
		}
		if n := pair[0].count("select count(*) from mfa_recovery_codes where used_at is not null"); n != 1 {
			t.Errorf("%d codes are used", n)
		}
		token := pair[0].signedIn()
		good, others = fifty(pair, func(h *house, _ int) reply { return h.recoverWith(token, codes[1]) }, accepted)
		if good != 1 || others["422 mfa_verification_failed"] != 49 {
			t.Errorf("of fifty uses by one session %d went through, the others got %v", good, others)
		}
	})
}

func TestRecoveryCodesCannotBeGuessed(t *testing.T) {
	t.Parallel()
	each(t, limited, func(t *testing.T, h *house) {
		_, _, codes := h.withCodes()
		token := h.signedIn()
		for i := range limit.FactorPerSession.Times {
			want(t, h.recoverWith(token, fmt.Sprintf("%016d", i)), 422, "mfa_verification_failed")
		}
		locked := want(t, h.recoverWith(token, codes[0]), 429, "mfa_recovery_codes_locked")
		if locked.header.Get("Retry-After") == "" {
			t.Error("nobody is told when to come back")
		}
		for _, none := range []string{"", " - "} {
			want(t, h.recoverWith(token, none), 400, "validation_failed")
		}
		if n := h.count("select sum(times) from audit_entries where action = 'recovery_codes.use' and result in ('refused', 'limited')"); n != limit.FactorPerSession.Times+1 {
			t.Errorf("%d tries are in the trail", n)
		}
		h.clock.Advance(time.Hour)
		token = want(t, h.signIn("ada@example.com", password), 200, "").str("access_token")
		want(t, h.recoverWith(token, codes[0]), 200, "")
	})
}
