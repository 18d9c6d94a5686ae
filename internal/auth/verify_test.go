package auth

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/mail"
)

func (h *house) verify(typ, email, code string) reply {
	return h.post("/verify", m{"type": typ, "email": email, "token": code, "options": m{}, "gotrue_meta_security": m{}})
}

func TestRecoveryByLinkInTheImplicitFlow(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		h.signedUp("ada@example.com")
		if got := want(t, h.post("/recover?redirect_to="+testSite+"/auth/reset-password", m{"email": "ada@example.com"}), 200, ""); got.text != "{}" {
			t.Fatal(got.text)
		}
		landed := h.follow(last[mail.Reset](h).Link)
		said := fragment(t, landed)
		if landed.Path != "/auth/reset-password" || said.Get("type") != "recovery" || said.Get("token_type") != "bearer" || said.Get("expires_in") != "3600" {
			t.Fatal(landed)
		}
		want(t, h.put(said.Get("access_token"), m{"password": "an even finer secret"}), 200, "")
		want(t, h.signIn("ada@example.com", password), 400, "invalid_credentials")
		want(t, h.signIn("ada@example.com", "an even finer secret"), 200, "")
	})
}

func TestScannersDoNotUseALinkUp(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		h.signedUp("ada@example.com")
		h.post("/recover", m{"email": "ada@example.com"})
		link, _ := url.Parse(last[mail.Reset](h).Link)
		path := strings.TrimPrefix(link.Path, Prefix) + "?" + link.RawQuery
		for _, method := range []string{"GET", "HEAD", "GET"} {
			got := want(t, h.send(request{method: method, path: path}), 200, "")
			policy := got.header.Get("Content-Security-Policy")
			if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
				t.Fatal(got.header)
			}
		}
		page := h.get(path, "").text
		if strings.Count(page, "<form") != 1 || strings.Count(page, "<button") != 1 || !strings.Contains(page, `method="post"`) {
			t.Fatal(page)
		}
		if said := fragment(t, h.follow(link.String())); said.Get("access_token") == "" {
			t.Fatal("the link was used up")
		}
	})
}

func TestVerifyPageWritesNothingOfTheQueryAsMarkup(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		q := url.Values{"token": {`"><script>alert(1)</script>`}, "type": {"recovery"}, "redirect_to": {`javascript:alert(1)`}}
		got := want(t, h.get("/verify?"+q.Encode(), ""), 200, "")
		if strings.Contains(got.text, "<script>alert") || strings.Contains(got.text, "javascript:") {
			t.Fatal(got.text)
		}
		for _, query := range []string{"", "?token=x", "?type=recovery", "?token=x&type=unknown"} {
			want(t, h.get("/verify"+query, ""), 400, "validation_failed")
		}
		cross := h.send(request{method: "POST", path: "/verify", body: url.Values{"token": {"x"}, "type": {"recovery"}}, header: map[string]string{"Sec-Fetch-Site": "cross-site"}})
		want(t, cross, 403, "")
	})
}

// letters of every kind that opens a session, and how to ask for them.
func (h *house) askFor(kind string) (typ, link, code string) {
	switch kind {
	case "signup":
		h.post("/signup", m{"email": "ada@example.com", "password": password})
		l := last[mail.Confirm](h)
		return kind, l.Link, l.Code
	case "recovery":
		h.post("/recover", m{"email": "ada@example.com"})
		l := last[mail.Reset](h)
		return kind, l.Link, l.Code
	}
	h.post("/otp", m{"email": "ada@example.com"})
	l := last[mail.MagicLink](h)
	return kind, l.Link, l.Code
}

func TestSecurity18LinksAndCodesWorkOnce(t *testing.T) {
	t.Parallel()
	each(t, confirmed, func(t *testing.T, h *house) {
		for _, kind := range []string{"signup", "recovery", "magiclink"} {
			typ, link, code := h.askFor(kind)
			want(t, h.verify(typ, "ada@example.com", code), 200, "")
			want(t, h.verify(typ, "ada@example.com", code), 403, "otp_expired")
			if said := fragment(t, h.follow(link)); said.Get("error") != "access_denied" || said.Get("error_code") != "otp_expired" || said.Get("error_description") != "Email link is invalid or has expired" {
				t.Errorf("%s: the link outlived its code: %v", kind, said)
			}
			if kind == "signup" {
				continue // the address is confirmed now; there is no second letter of this kind
			}
			typ, link, code = h.askFor(kind)
			want(t, h.post("/verify", m{"type": typ, "token_hash": tokenIn(t, link)}), 200, "")
			want(t, h.post("/verify", m{"type": typ, "token_hash": tokenIn(t, link)}), 403, "otp_expired")
			want(t, h.verify(typ, "ada@example.com", code), 403, "otp_expired")
		}
	})
}

func TestSecurity19CodesLiveTenMinutesAndLinksAnHour(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		h.signedUp("ada@example.com")
		for _, c := range []struct {
			way    string
			after  time.Duration
			status int
		}{
			{"code", 10*time.Minute - time.Microsecond, 200},
			{"code", 10 * time.Minute, 403},
			{"link", time.Hour - time.Microsecond, 200},
			{"link", time.Hour, 403},
		} {
			typ, link, code := h.askFor("recovery")
			h.clock.Advance(c.after)
			var got reply
			if c.way == "code" {
				got = h.verify(typ, "ada@example.com", code)
			} else {
				got = h.post("/verify", m{"type": typ, "token_hash": tokenIn(t, link)})
			}
			if got.status != c.status {
				t.Errorf("%s after %v: %d %s", c.way, c.after, got.status, got.text)
			}
		}
	})
}

func wrong(code string) string {
	if code == "111111" {
		return "222222"
	}
	return "111111"
}

func TestSecurity20FiveWrongTriesKillACode(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		h.signedUp("ada@example.com")
		typ, _, code := h.askFor("recovery")
		for range 4 {
			want(t, h.verify(typ, "ada@example.com", wrong(code)), 403, "otp_expired")
		}
		want(t, h.verify(typ, "ada@example.com", code), 200, "")
		typ, link, code := h.askFor("recovery")
		var wait sync.WaitGroup
		for range 20 {
			wait.Go(func() { want(t, h.verify(typ, "ada@example.com", wrong(code)), 403, "otp_expired") })
		}
		wait.Wait()
		want(t, h.verify(typ, "ada@example.com", code), 403, "otp_expired")
		if n := h.count("select attempts from one_time_tokens"); n != mostTries {
			t.Fatalf("%d tries were judged", n)
		}
		// The link is not a guess: it still works.
		want(t, h.post("/verify", m{"type": typ, "token_hash": tokenIn(t, link)}), 200, "")
	})
}

func TestSecurity20GuessingIsLimited(t *testing.T) {
	t.Parallel()
	each(t, limited, func(t *testing.T, h *house) {
		for i := range 31 {
			got := h.verify("recovery", fmt.Sprintf("%d@example.com", i), "123456")
			if i < 30 {
				want(t, got, 403, "otp_expired")
			} else if want(t, got, 429, "over_request_rate_limit").header.Get("Retry-After") != "300" {
				t.Fatal(got.header)
			}
		}
	})
}

func TestSecurity21CodeBelongsToItsPurposeAddressAndRequest(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		h.signedUp("ada@example.com")
		h.signedUp("bob@example.com")
		_, link, code := h.askFor("recovery")
		for _, typ := range []string{"signup", "magiclink", "email", "invite", "email_change"} {
			want(t, h.verify(typ, "ada@example.com", code), 403, "otp_expired")
			want(t, h.post("/verify", m{"type": typ, "token_hash": tokenIn(t, link)}), 403, "otp_expired")
		}
		want(t, h.post("/recover", m{"email": "bob@example.com"}), 200, "")
		want(t, h.verify("recovery", "ada@example.com", last[mail.Reset](h).Code), 403, "otp_expired")
		want(t, h.verify("recovery", "nobody@example.com", code), 403, "otp_expired")
		want(t, h.verify("recovery", "ada@example.com", code), 200, "")
		_, oldLink, oldCode := h.askFor("recovery")
		_, _, newCode := h.askFor("recovery")
		if oldCode != newCode {
			want(t, h.verify("recovery", "ada@example.com", oldCode), 403, "otp_expired")
		}
		want(t, h.verify("recovery", "ada@example.com", newCode), 200, "")
		want(t, h.post("/verify", m{"type": "recovery", "token_hash": tokenIn(t, oldLink)}), 403, "otp_expired")
	})
}

func TestVerifyRefusals(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		for _, body := range []any{
			m{},
			m{"type": "recovery"},
			m{"type": "recovery", "token": "123456"},
			m{"type": "unknown", "token_hash": "x"},
			m{"token_hash": "x"},
			m{"type": "recovery", "token_hash": "x", "email": "ada@example.com"},
			m{"type": "recovery", "token": "123456", "email": "no address"},
		} {
			want(t, h.post("/verify", body), 400, "validation_failed")
		}
		want(t, h.post("/verify", m{"type": "sms", "token": "123456", "phone": "no number"}), 400, "validation_failed")
		want(t, h.post("/verify", m{"type": "sms", "token": "123456", "phone": "+15550100"}), 403, "otp_expired")
		if got := want(t, h.post("/otp", m{"phone": "+15550100"}), 400, "phone_provider_disabled"); got.str("message") != "Unsupported phone provider" {
			t.Error(got.text)
		}
		want(t, h.post("/verify", m{"type": "recovery", "token": "\x00", "email": "ada@example.com"}), 403, "otp_expired")
		want(t, h.post("/verify", m{"type": "recovery", "token_hash": "\x00' or 1=1"}), 403, "otp_expired")
	})
}

const verifier = "a-verifier-that-is-long-enough-to-be-one-000000"

func pkce(body m) m {
	sum := sha256.Sum256([]byte(verifier))
	body["code_challenge"], body["code_challenge_method"] = base64.RawURLEncoding.EncodeToString(sum[:]), "s256"
	return body
}

func (h *house) exchangeCode(code, verifier string) reply {
	return h.post("/token?grant_type=pkce", m{"auth_code": code, "code_verifier": verifier})
}

func TestRecoveryInThePKCEFlow(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		h.signedUp("ada@example.com")
		want(t, h.post("/recover?redirect_to="+url.QueryEscape("https://app.example.org/in?x=1"), pkce(m{"email": "ada@example.com"})), 200, "")
		link := last[mail.Reset](h).Link
		if !strings.HasPrefix(tokenIn(t, link), "pkce_") {
			t.Fatal(link)
		}
		h.clock.Advance(59 * time.Minute) // a mailed flow lives as long as its link
		landed := h.follow(link)
		code := landed.Query().Get("code")
		if landed.Query().Get("x") != "1" || code == "" || landed.Fragment != "" {
			t.Fatal(landed)
		}
		want(t, h.exchangeCode(code, ""), 400, "validation_failed")
		want(t, h.exchangeCode("", verifier), 400, "validation_failed")
		want(t, h.exchangeCode(code, verifier+"x"), 400, "bad_code_verifier")
		got := want(t, h.exchangeCode(code, verifier), 200, "")
		claims, _ := h.Keys.Verify(got.str("access_token"), h.issuer, h.clock.Now())
		if !strings.Contains(string(claims.AMR), `"recovery"`) {
			t.Fatalf("%s", claims.AMR)
		}
		want(t, h.exchangeCode(code, verifier), 404, "flow_state_not_found")
		want(t, h.exchangeCode("nonsense", verifier), 404, "flow_state_not_found")
		failed := h.follow(link)
		if failed.Query().Get("error_code") != "otp_expired" || fragment(t, failed).Get("error_code") != "otp_expired" {
			t.Fatal(failed)
		}
	})
}

func TestPKCELetterOpenedElsewhereWorksWithItsCode(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		h.signedUp("ada@example.com")
		h.post("/otp", pkce(m{"email": "ada@example.com"}))
		letter := last[mail.MagicLink](h)
		link, _ := url.Parse(letter.Link)
		if page := h.get("/verify?"+link.RawQuery, "").text; !strings.Contains(page, "another device") || !strings.Contains(page, "code-verifier") {
			t.Fatal("the page goes on by itself, or does not say what to do on another device")
		}
		want(t, h.verify("email", "ada@example.com", letter.Code), 200, "")
	})
}

func TestMagicLinkOpensAnAccountForANewAddress(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		want(t, h.post("/otp", m{"email": "ada@example.com", "data": m{"name": "Ada"}, "create_user": true}), 200, "")
		got := want(t, h.verify("email", "ada@example.com", last[mail.MagicLink](h).Code), 200, "")
		if got.str("user", "email_confirmed_at") == "" || got.str("user", "user_metadata", "name") != "Ada" {
			t.Fatal(got.text)
		}
		want(t, h.signIn("ada@example.com", ""), 400, "invalid_credentials")
		sent := h.letters.count()
		want(t, h.post("/otp", m{"email": "nobody@example.com", "create_user": false}), 200, "")
		if h.letters.count() != sent || h.count("select count(*) from users") != 1 {
			t.Fatal("somebody unknown got a letter or an account")
		}
	})
}

func TestPasswordOfAStrangerDoesNotSurviveTheOwnersLink(t *testing.T) {
	t.Parallel()
	each(t, confirmed, func(t *testing.T, h *house) {
		h.post("/signup", m{"email": "ada@example.com", "password": "the stranger's password"})
		h.post("/otp", m{"email": "ada@example.com"})
		want(t, h.verify("magiclink", "ada@example.com", last[mail.MagicLink](h).Code), 200, "")
		want(t, h.signIn("ada@example.com", "the stranger's password"), 400, "invalid_credentials")
	})
}

func TestAPKCELinkGivesNoSessionWithoutItsVerifier(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		h.signedUp("ada@example.com")
		want(t, h.post("/recover", pkce(m{"email": "ada@example.com"})), 200, "")
		link := last[mail.Reset](h).Link
		want(t, h.post("/verify", m{"type": "recovery", "token_hash": tokenIn(t, link)}), 400, "validation_failed")
		want(t, h.post("/verify", m{"type": "recovery", "token_hash": strings.TrimPrefix(tokenIn(t, link), pkcePrefix)}), 403, "otp_expired")
		code := h.follow(link).Query().Get("code") // the refusals have not used it up
		want(t, h.exchangeCode(code, verifier), 200, "")
	})
}
