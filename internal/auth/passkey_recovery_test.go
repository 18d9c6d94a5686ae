package auth

import (
	"testing"

	"greenroom/internal/mail"
)

// TestANewPasswordAfterRecoveryTakesPasskeysAway is about a thief who was in an account for a moment and left a passkey.
func TestANewPasswordAfterRecoveryTakesPasskeysAway(t *testing.T) {
	t.Parallel()
	recovered := map[string]func(t *testing.T, h *house) string{
		"code": func(t *testing.T, h *house) string {
			t.Helper()
			want(t, h.post("/recover", m{"email": "ada@example.com"}), 200, "")
			return want(t, h.verify("recovery", "ada@example.com", last[mail.Reset](h).Code), 200, "").str("access_token")
		},
		"link": func(t *testing.T, h *house) string {
			t.Helper()
			want(t, h.post("/recover", m{"email": "ada@example.com"}), 200, "")
			return want(t, h.post("/verify", m{"type": "recovery", "token_hash": tokenIn(t, last[mail.Reset](h).Link)}), 200, "").str("access_token")
		},
		"link of a PKCE flow": func(t *testing.T, h *house) string {
			t.Helper()
			want(t, h.post("/recover", pkce(m{"email": "ada@example.com"})), 200, "")
			code := h.follow(last[mail.Reset](h).Link).Query().Get("code")
			return want(t, h.exchangeCode(code, verifier), 200, "").str("access_token")
		},
	}
	for name, open := range recovered {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, nil, func(t *testing.T, h *house) {
				first := h.signedUp("ada@example.com")
				h.proven("ada@example.com")
				p, other := h.newPasskey(first.str("access_token")), h.newPasskey(first.str("access_token"))
				token := open(t, h)
				// Nothing goes until there is a new password.
				thief := want(t, p.signIn(nil), 200, "")
				want(t, h.put(token, m{"password": "another fine secret"}), 200, "")
				want(t, p.signIn(nil), 400, "webauthn_verification_failed")
				want(t, other.signIn(nil), 400, "webauthn_verification_failed")
				want(t, h.get("/user", thief.str("access_token")), 403, "session_not_found")
				want(t, h.refresh(thief.str("refresh_token")), 400, "refresh_token_not_found")
				if letter := last[mail.PasswordChanged](h); letter.Passkeys != 2 {
					t.Errorf("letter: %+v", letter)
				}
				for _, one := range []string{p.id, other.id} {
					if n := h.count("select count(*) from audit_entries where action = 'passkey.remove' and actor_id = $1 and subject = $2", first.str("user", "id"), one); n != 1 {
						t.Errorf("the removal of a passkey is %d times in the trail", n)
					}
				}
				// The recovery is over with it: the owner's new passkey survives the next password.
				mine := h.newPasskey(token)
				want(t, h.put(token, m{"password": "a third fine secret"}), 200, "")
				want(t, mine.signIn(nil), 200, "")
			})
		})
	}
}

func TestAnOrdinaryNewPasswordKeepsPasskeys(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		h.signedUp("ada@example.com")
		h.proven("ada@example.com")
		token := want(t, h.signIn("ada@example.com", password), 200, "").str("access_token")
		p := h.newPasskey(token)
		want(t, h.put(token, m{"password": "another fine secret"}), 200, "")
		want(t, p.signIn(nil), 200, "")
		// Nor does a sign-in by a mailed link make the next password a recovery.
		want(t, h.post("/otp", m{"email": "ada@example.com"}), 200, "")
		token = want(t, h.verify("magiclink", "ada@example.com", last[mail.MagicLink](h).Code), 200, "").str("access_token")
		want(t, h.put(token, m{"password": "a third fine secret"}), 200, "")
		want(t, p.signIn(nil), 200, "")
		if letter := last[mail.PasswordChanged](h); letter.Passkeys != 0 {
			t.Errorf("letter: %+v", letter)
		}
	})
}
