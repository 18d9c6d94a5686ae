package auth

import (
	"sync"
	"testing"

	"greenroom/internal/mail"
)

// TestChangesOfOneAccountAtOnceNeverFail lets everything that touches an account run against everything else: on
// PostgreSQL two orders of locking would end in a deadlock, which a client sees as 503.
func TestChangesOfOneAccountAtOnceNeverFail(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		p := h.newPasskey(h.signedUp("ada@example.com").str("access_token"))
		h.proven("ada@example.com")
		for range 4 {
			session := want(t, h.signIn("ada@example.com", password), 200, "")
			token := session.str("access_token")
			h.post("/recover", m{"email": "ada@example.com"})
			reset := last[mail.Reset](h)
			h.post("/otp", m{"email": "ada@example.com"})
			link := last[mail.MagicLink](h)
			h.get("/reauthenticate", token)
			nonce := last[mail.Reauthenticate](h).Code
			question := want(t, h.askForPasskey(), 200, "")
			signed := p.signed(p.told("webauthn.get", question))
			var wait sync.WaitGroup
			for _, do := range []func() reply{
				func() reply { return h.verify("recovery", "ada@example.com", reset.Code) },
				func() reply { return h.post("/verify", m{"type": "magiclink", "token_hash": tokenIn(t, link.Link)}) },
				func() reply { return h.verify("magiclink", "ada@example.com", wrong(link.Code)) },
				func() reply { return h.post("/recover", m{"email": "ada@example.com"}) },
				func() reply { return h.post("/otp", pkce(m{"email": "ada@example.com"})) },
				func() reply { return h.put(token, m{"password": "another fine secret", "nonce": nonce}) },
				func() reply { return h.put(token, m{"data": m{"a": 1}}) },
				func() reply { return h.refresh(session.str("refresh_token")) },
				func() reply { return h.refresh(session.str("refresh_token")) },
				func() reply { return h.signIn("ada@example.com", password) },
				func() reply { return h.signIn("ada@example.com", "another fine secret") },
				func() reply { return h.logout(token, "?scope=others") },
				func() reply { return h.signInWith(question, signed) },
				func() reply { return h.beginPasskeyOf(token) },
				func() reply { return h.withToken("PATCH", "/passkeys/"+p.id, token, m{"friendly_name": "mine"}) },
				func() reply { return h.makeCodesOf(token) },
			} {
				wait.Go(func() {
					if got := do(); got.status >= 500 {
						t.Error(got.status, got.text)
					}
				})
			}
			wait.Wait()
			session = h.signIn("ada@example.com", "another fine secret")
			if session.status == 200 {
				want(t, h.put(session.str("access_token"), m{"password": password}), 200, "")
			}
		}
	})
}
