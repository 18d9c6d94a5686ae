package auth

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/account"
	"greenroom/internal/key"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
)

func TestUserEndpointsCheckTheToken(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		session := h.signedUp("ada@example.com")
		good := session.str("access_token")
		claims, err := h.Keys.Verify(good, h.issuer, h.clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		signed := func(change func(*key.Claims)) string {
			c := claims
			change(&c)
			token, err := h.Keys.Sign(c)
			if err != nil {
				t.Fatal(err)
			}
			return token
		}
		for name, c := range map[string]struct {
			token  string
			status int
			code   string
		}{
			"none":               {"", 401, "no_authorization"},
			"garbage":            {"garbage", 403, "bad_jwt"},
			"publishable key":    {"sb_publishable_x", 403, "bad_jwt"},
			"refresh token":      {session.str("refresh_token"), 403, "bad_jwt"},
			"changed":            {good[:len(good)-4] + "AAAA", 403, "bad_jwt"},
			"expired":            {signed(func(c *key.Claims) { c.Expires = h.clock.Now().Add(-time.Minute).Unix() }), 403, "bad_jwt"},
			"no sub":             {signed(func(c *key.Claims) { c.Subject = "" }), 403, "bad_jwt"},
			"sub is no uuid":     {signed(func(c *key.Claims) { c.Subject = "1234567890" }), 400, "bad_jwt"},
			"unknown user":       {signed(func(c *key.Claims) { c.Subject = "6e0bd17c-8f3c-4a43-9a67-2f4f8e1f2f11" }), 403, "user_not_found"},
			"no session":         {signed(func(c *key.Claims) { c.SessionID = "" }), 403, "session_not_found"},
			"unknown session":    {signed(func(c *key.Claims) { c.SessionID = "6e0bd17c-8f3c-4a43-9a67-2f4f8e1f2f11" }), 403, "session_not_found"},
			"session is no uuid": {signed(func(c *key.Claims) { c.SessionID = "' or 1=1" }), 403, "session_not_found"},
		} {
			for _, endpoint := range []struct{ method, path string }{{"GET", "/user"}, {"PUT", "/user"}, {"GET", "/reauthenticate"}, {"POST", "/logout"}} {
				got := h.send(request{method: endpoint.method, path: endpoint.path, token: c.token, body: m{}})
				if got.status != c.status || got.code() != c.code {
					t.Errorf("%s at %s: %d %s", name, endpoint.path, got.status, got.text)
				}
			}
		}
		want(t, h.get("/user", good), 200, "")
		h.exec("update users set banned_until = $1", db.At(start.Add(time.Hour)))
		want(t, h.get("/user", good), 403, "user_banned")
		want(t, h.refresh(session.str("refresh_token")), 400, "user_banned") // security 33
	})
}

func (h *house) logout(token, scope string) reply {
	return h.send(request{method: "POST", path: "/logout" + scope, token: token})
}

// atDataAPI asks who stands behind a token, as the data API does.
func (h *house) atDataAPI(token string) error {
	claims, err := h.Keys.Verify(token, h.issuer, h.clock.Now())
	if err != nil {
		return err
	}
	_, err = h.Accounts.Caller(h.t.Context(), claims)
	return err
}

func TestSecurity32LogoutEndsSessionsAtOnce(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		for scope, alive := range map[string][3]bool{"": {}, "?scope=global": {}, "?scope=local": {false, true, true}, "?scope=others": {true, false, false}} {
			email := "s" + strings.TrimPrefix(scope, "?scope=") + "@example.com"
			sessions := []reply{h.signedUp(email), h.signIn(email, password), h.signIn(email, password)}
			for _, one := range sessions {
				if err := h.atDataAPI(one.str("access_token")); err != nil {
					t.Fatal(err)
				}
			}
			if got := want(t, h.logout(sessions[0].str("access_token"), scope), 204, ""); got.text != "" {
				t.Fatal(got.text)
			}
			for i, one := range sessions {
				user, data, refresh := h.get("/user", one.str("access_token")), h.atDataAPI(one.str("access_token")), h.refresh(one.str("refresh_token"))
				if (user.status == 200) != alive[i] || (data == nil) != alive[i] || (refresh.status == 200) != alive[i] {
					t.Errorf("%q, session %d: user %d, data %v, refresh %d", scope, i, user.status, data, refresh.status)
				}
				if !alive[i] && (user.code() != "session_not_found" || !errors.Is(data, account.ErrSessionEnded)) {
					t.Errorf("%q, session %d: %s, %v", scope, i, user.text, data)
				}
			}
		}
		token := h.signedUp("ada@example.com").str("access_token")
		want(t, h.logout(token, "?scope=universe"), 400, "validation_failed")
		want(t, h.get("/user", token), 200, "")
	})
}

func TestSecurity33PasswordChangeEndsTheOthers(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		own := h.signedUp("ada@example.com")
		others := []reply{h.signIn("ada@example.com", password), h.signIn("ada@example.com", password)}
		h.post("/recover", m{"email": "ada@example.com"})
		reset := last[mail.Reset](h)
		for _, one := range others {
			if err := h.atDataAPI(one.str("access_token")); err != nil {
				t.Fatal(err)
			}
		}
		want(t, h.put(own.str("access_token"), m{"password": "another fine secret"}), 200, "")
		for _, one := range others {
			want(t, h.get("/user", one.str("access_token")), 403, "session_not_found")
			want(t, h.refresh(one.str("refresh_token")), 400, "refresh_token_not_found")
			if err := h.atDataAPI(one.str("access_token")); !errors.Is(err, account.ErrSessionEnded) {
				t.Fatal(err)
			}
		}
		want(t, h.refresh(own.str("refresh_token")), 200, "")
		want(t, h.verify("recovery", "ada@example.com", reset.Code), 403, "otp_expired")
		if last[mail.PasswordChanged](h).To != "ada@example.com" {
			t.Fatal("no notice")
		}
	})
}

func TestPasswordChangeRefusals(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		for _, c := range []struct {
			body   m
			status int
			code   string
		}{
			{m{"password": "short"}, 422, "weak_password"},
			{m{"password": "1234567890"}, 422, "weak_password"},
			{m{"password": "ada@example.com"}, 422, "weak_password"},
			{m{"password": ""}, 400, "validation_failed"},
			{m{"password": "nul\x00in the middle"}, 400, "validation_failed"},
			{m{"password": password}, 422, "same_password"},
			{m{"password": "another fine secret", "current_password": "wrong one here"}, 400, "current_password_invalid"},
			{m{"password": "another fine secret", "nonce": "123456"}, 422, "reauthentication_not_valid"},
			{m{"app_metadata": m{"role": "admin"}}, 403, "not_admin"},
			{m{"phone": "+1234"}, 400, "phone_provider_disabled"},
			{m{"email": "no address"}, 400, "validation_failed"},
			{m{"data": m{"a": "\x00"}}, 400, "validation_failed"},
		} {
			want(t, h.put(token, c.body), c.status, c.code)
		}
		want(t, h.signIn("ada@example.com", password), 200, "")
		want(t, h.put(token, m{"password": "another fine secret", "current_password": password}), 200, "")
	})
}

func TestSecurity5StaleSessionNeedsACodeToChangeThePassword(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		session := h.signedUp("ada@example.com")
		h.clock.Advance(24*time.Hour - time.Second)
		session = want(t, h.refresh(session.str("refresh_token")), 200, "")
		want(t, h.put(session.str("access_token"), m{"password": "another fine secret"}), 200, "")
		h.clock.Advance(time.Second)
		token := session.str("access_token")
		want(t, h.put(token, m{"password": "a third fine secret"}), 400, "reauthentication_needed")
		want(t, h.signIn("ada@example.com", "another fine secret"), 200, "")
		if got := want(t, h.get("/reauthenticate", token), 200, ""); got.text != "{}" {
			t.Fatal(got.text)
		}
		letter := last[mail.Reauthenticate](h)
		want(t, h.put(token, m{"password": "a third fine secret", "nonce": wrong(letter.Code)}), 422, "reauthentication_not_valid")
		if n := h.count("select attempts from one_time_tokens where kind = 'reauthentication'"); n != 1 {
			t.Fatalf("%d tries counted", n)
		}
		want(t, h.verify("email", "ada@example.com", letter.Code), 403, "otp_expired") // it opens nothing else
		want(t, h.put(token, m{"password": "a third fine secret", "nonce": letter.Code}), 200, "")
		want(t, h.put(token, m{"password": "a fourth fine secret", "nonce": letter.Code}), 422, "reauthentication_not_valid")
		want(t, h.put(token, m{"password": "a fourth fine secret", "current_password": "a third fine secret"}), 200, "")
		want(t, h.put(token, m{"data": m{"name": "Ada"}}), 200, "")
	})
}

func TestDataIsMergedAndNullTakesAway(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		want(t, h.put(token, m{"data": m{"name": "Ada", "theme": "dark"}}), 200, "")
		got := want(t, h.put(token, m{"data": m{"theme": nil, "size": 3}}), 200, "")
		data := got.json["user_metadata"].(m)
		if data["name"] != "Ada" || data["size"] != 3.0 || data["email"] != "ada@example.com" {
			t.Fatal(got.text)
		}
		if _, there := data["theme"]; there {
			t.Fatal(got.text)
		}
		var wait sync.WaitGroup
		for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
			wait.Go(func() { want(t, h.put(token, m{"data": m{name: 1}}), 200, "") })
		}
		wait.Wait()
		if data := h.get("/user", token).json["user_metadata"].(m); len(data) != 4+2+8 {
			t.Fatalf("updates at once were lost: %v", data)
		}
	})
}

func TestAddressChangesWhenBothAgree(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		h.signedUp("bob@example.com")
		want(t, h.put(token, m{"email": "bob@example.com"}), 422, "email_exists")
		got := want(t, h.put(token, m{"email": "Countess@Example.org"}), 200, "")
		if got.str("email") != "ada@example.com" || got.str("new_email") != "countess@example.org" || got.str("email_change_sent_at") == "" {
			t.Fatal(got.text)
		}
		old, fresh := last[mail.EmailChangeOld](h), last[mail.EmailChangeNew](h)
		if old.To != "ada@example.com" || fresh.To != "countess@example.org" || old.Code == fresh.Code && old.Link == fresh.Link {
			t.Fatal(old, fresh)
		}
		want(t, h.verify("email_change", "ada@example.com", fresh.Code+"x"), 403, "otp_expired")
		if said := fragment(t, h.follow(fresh.Link)); !strings.HasPrefix(said.Get("message"), "Confirmation link accepted") || said.Get("access_token") != "" {
			t.Fatal(said)
		}
		if said := fragment(t, h.follow(fresh.Link)); said.Get("error_code") != "otp_expired" {
			t.Fatal("one address confirmed twice:", said)
		}
		want(t, h.signIn("countess@example.org", password), 400, "invalid_credentials")
		done := want(t, h.verify("email_change", "ada@example.com", old.Code), 200, "")
		if done.str("user", "email") != "countess@example.org" || done.str("user", "new_email") != "" || done.str("user", "user_metadata", "email") != "countess@example.org" {
			t.Fatal(done.text)
		}
		want(t, h.signIn("countess@example.org", password), 200, "")
		want(t, h.signIn("ada@example.com", password), 400, "invalid_credentials")
		if notice := last[mail.EmailChanged](h); notice.To != "ada@example.com" || notice.NewEmail != "countess@example.org" {
			t.Fatal(notice)
		}
	})
}

func TestFirstHalfOfAnAddressChangeByCode(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		h.put(token, m{"email": "countess@example.org"})
		got := want(t, h.verify("email_change", "countess@example.org", last[mail.EmailChangeNew](h).Code), 200, "")
		if got.code() != "200" || got.str("msg") == "" || got.json["user"] != nil {
			t.Fatal(got.text)
		}
		// A new wish starts over: the confirmation of the old one does not count for it.
		h.put(token, m{"email": "other@example.org"})
		got = want(t, h.verify("email_change", "ada@example.com", last[mail.EmailChangeOld](h).Code), 200, "")
		if got.str("msg") == "" {
			t.Fatal("half of another change was counted:", got.text)
		}
		// Meanwhile somebody else takes the address.
		h.signedUp("other@example.org")
		want(t, h.verify("email_change", "other@example.org", last[mail.EmailChangeNew](h).Code), 422, "email_exists")
	})
}

func TestResendSendsWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	each(t, confirmed, func(t *testing.T, h *house) {
		h.post("/signup", m{"email": "ada@example.com", "password": password})
		first := last[mail.Confirm](h)
		want(t, h.post("/resend", m{"type": "signup", "email": "ada@example.com"}), 200, "")
		second := last[mail.Confirm](h)
		if first.Link == second.Link {
			t.Fatal("nothing was sent again")
		}
		token := fragment(t, h.follow(second.Link)).Get("access_token")
		sent := h.letters.count()
		want(t, h.post("/resend", m{"type": "signup", "email": "ada@example.com"}), 200, "")
		want(t, h.post("/resend", m{"type": "email_change", "email": "ada@example.com"}), 200, "")
		if h.letters.count() != sent {
			t.Fatal("a letter without a reason")
		}
		h.put(token, m{"email": "countess@example.org"})
		want(t, h.post("/resend", m{"type": "email_change", "email": "ada@example.com"}), 200, "")
		if h.letters.count() != sent+4 {
			t.Fatalf("%d letters", h.letters.count()-sent)
		}
		want(t, h.post("/resend", m{"type": "recovery", "email": "ada@example.com"}), 400, "validation_failed")
		want(t, h.post("/resend", m{"type": "sms", "phone": "+1"}), 400, "phone_provider_disabled")
		want(t, h.post("/recover", m{}), 400, "validation_failed")
		want(t, h.post("/recover", m{"email": "no address"}), 400, "validation_failed")
	})
}
