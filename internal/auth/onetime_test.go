package auth

import (
	"fmt"
	"testing"
	"time"

	"greenroom/internal/mail"
)

func (h *house) openLink(typ, link string) reply {
	return h.post("/verify", m{"type": typ, "token_hash": tokenIn(h.t, link)})
}

func TestANewerLetterDoesNotEndAnOlderLink(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		h.signedUp("ada@example.com")
		for _, kind := range []string{"recovery", "magiclink"} {
			_, own, ownCode := h.askFor(kind)
			_, strangers, code := h.askFor(kind)
			if ownCode != code {
				want(t, h.verify(kind, "ada@example.com", ownCode), 403, "otp_expired")
			}
			want(t, h.openLink(kind, own), 200, "")
			want(t, h.openLink(kind, strangers), 403, "otp_expired") // one that was used ends all
			want(t, h.verify(kind, "ada@example.com", code), 403, "otp_expired")
		}
	})
}

// TestManyLettersAreNotMoreGuesses counts wrong codes against the newest letter alone.
func TestManyLettersAreNotMoreGuesses(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		h.signedUp("ada@example.com")
		_, first, _ := h.askFor("recovery")
		for range 3 {
			h.askFor("recovery")
		}
		_, _, code := h.askFor("recovery")
		for range mostTries {
			want(t, h.verify("recovery", "ada@example.com", wrong(code)), 403, "otp_expired")
		}
		if n := h.count("select count(*) from one_time_tokens where attempts < $1", mostTries); n != 0 {
			t.Fatalf("%d codes are still to be guessed", n)
		}
		want(t, h.verify("recovery", "ada@example.com", code), 403, "otp_expired")
		want(t, h.openLink("recovery", first), 200, "")
	})
}

func TestLinksOfOneKindAreBounded(t *testing.T) {
	t.Parallel()
	each(t, operated, func(t *testing.T, h *house) {
		h.signedUp("ada@example.com")
		for range mostLinks + 10 {
			want(t, h.operate("POST", "/admin/generate_link", m{"type": "recovery", "email": "ada@example.com"}), 200, "")
		}
		if n := h.count("select count(*) from one_time_tokens"); n != mostLinks {
			t.Fatalf("%d links", n)
		}
	})
}

// TestALetterAgreesToTheAddressThatItNames asks for one address and then for another.
func TestALetterAgreesToTheAddressThatItNames(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		ask := func(next string) (current, new string) {
			want(t, h.put(token, m{"email": next}), 200, "")
			return last[mail.EmailChangeOld](h).Link, last[mail.EmailChangeNew](h).Link
		}
		current, next := ask("first@example.com")
		ask("second@example.com")
		want(t, h.openLink("email_change", current), 403, "otp_expired")
		want(t, h.openLink("email_change", next), 403, "otp_expired")
		// The same address again: either letter will do, and one address alone never does.
		current, next = ask("third@example.com")
		_, again := ask("third@example.com")
		want(t, h.openLink("email_change", next), 200, "")
		want(t, h.openLink("email_change", again), 403, "otp_expired")
		if n := h.count("select count(*) from users where email = 'ada@example.com'"); n != 1 {
			t.Fatal("the new address alone was enough")
		}
		if got := want(t, h.openLink("email_change", current), 200, ""); got.str("user", "email") != "third@example.com" {
			t.Fatal(got.text)
		}
	})
}

func TestLinksNameTheirTokenFirst(t *testing.T) {
	t.Parallel()
	each(t, operated, func(t *testing.T, h *house) {
		h.signedUp("ada@example.com")
		got := want(t, h.operate("POST", "/admin/generate_link", m{"type": "recovery", "email": "ada@example.com", "redirect_to": "https://app.example.org/in?x=1&y=2"}), 200, "")
		expected := fmt.Sprintf("%s/auth/v1/verify?token=%s&type=recovery&redirect_to=https%%3A%%2F%%2Fapp.example.org%%2Fin%%3Fx%%3D1%%26y%%3D2", testSite, got.str("hashed_token"))
		if got.str("action_link") != expected {
			t.Fatal(got.str("action_link"))
		}
	})
}

// TestOpeningAPKCELinkEndsNoOther: whoever asked for it has the verifier, and may be a stranger whose letter came last.
func TestOpeningAPKCELinkEndsNoOther(t *testing.T) {
	t.Parallel()
	for name, proven := range map[string]bool{"proven": true, "unproven": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, nil, func(t *testing.T, h *house) {
				h.signedUp("ada@example.com")
				if proven {
					h.proven("ada@example.com")
				}
				ask := func(body m) string {
					want(t, h.post("/recover", body), 200, "")
					return last[mail.Reset](h).Link
				}
				own, flow := ask(m{"email": "ada@example.com"}), ask(pkce(m{"email": "ada@example.com"}))
				strangers := ask(pkce(m{"email": "ada@example.com"}))
				if h.follow(strangers).Query().Get("code") == "" {
					t.Fatal("the stranger's letter did not end in a code")
				}
				if said := fragment(t, h.follow(strangers)); said.Get("error_code") != "otp_expired" {
					t.Errorf("opened twice: %v", said)
				}
				code := h.follow(flow).Query().Get("code")
				if code == "" {
					t.Fatal("the owner's own PKCE link is dead")
				}
				want(t, h.exchangeCode(code, verifier+"x"), 400, "bad_code_verifier")
				if n := h.count("select count(*) from one_time_tokens"); n != 1 {
					t.Fatalf("%d links are left, want the owner's first", n)
				}
				want(t, h.exchangeCode(code, verifier), 200, "") // who asked has come back: one that was used ends all
				if said := fragment(t, h.follow(own)); said.Get("error_code") != "otp_expired" {
					t.Errorf("a link worked after another: %v", said)
				}
			})
		})
	}
}

func TestWrongCodesOfADayAreBoundedForAnAccountAndLinksAreNot(t *testing.T) {
	t.Parallel()
	each(t, limited, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		h.proven("ada@example.com")
		place := 0
		from := func(path string, body m) reply {
			place++
			return h.send(request{method: "POST", path: path, body: body, address: fmt.Sprintf("198.51.100.%d", place)})
		}
		ask := func() mail.Reset {
			t.Helper()
			h.clock.Advance(time.Minute)
			want(t, from("/recover", m{"email": "ada@example.com"}), 200, "")
			return last[mail.Reset](h)
		}
		try := func(code string) reply {
			return from("/verify", m{"type": "recovery", "email": "ada@example.com", "token": code})
		}
		guess := func(times int) {
			t.Helper()
			code := ""
			for i := range times {
				if i%4 == 0 {
					code = wrong(ask().Code)
				}
				want(t, try(code), 403, "otp_expired")
			}
		}
		guess(19)
		want(t, try(ask().Code), 200, "") // a right one counts for nothing
		guess(1)
		letter := ask()
		want(t, try(letter.Code), 403, "otp_expired")
		// Whoever sits in a session has codes of their own.
		h.clock.Advance(time.Minute)
		want(t, h.get("/reauthenticate", token), 200, "")
		want(t, h.put(token, m{"nonce": last[mail.Reauthenticate](h).Code}), 200, "")
		if fragment(t, h.follow(letter.Link)).Get("access_token") == "" {
			t.Error("guessing ended the owner's link")
		}
		h.clock.Advance(24 * time.Hour)
		want(t, try(ask().Code), 200, "")
	})
}

func TestNoLetterSignsInWhereTheOperatorSaysSo(t *testing.T) {
	t.Parallel()
	each(t, func(o *Options) { o.NoEmailSignIn = true }, func(t *testing.T, h *house) {
		h.signedUp("ada@example.com")
		for _, path := range []string{"/otp", "/magiclink"} {
			for _, email := range []string{"ada@example.com", "new@example.com"} {
				want(t, h.post(path, m{"email": email}), 422, "otp_disabled")
			}
		}
		if n := h.count("select count(*) from one_time_tokens"); n != 0 {
			t.Errorf("%d links and codes were made", n)
		}
		if n := h.count("select count(*) from users"); n != 1 {
			t.Errorf("%d people", n)
		}
		want(t, h.post("/recover", m{"email": "ada@example.com"}), 200, "") // a forgotten password is another thing
	})
}
