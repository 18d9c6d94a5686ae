package auth

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// deviceOf is the cookie that an answer leaves on the device.
func deviceOf(t *testing.T, got reply) string {
	t.Helper()
	for _, one := range (&http.Response{Header: got.header}).Cookies() {
		if strings.HasSuffix(one.Name, deviceCookie) {
			return one.Name + "=" + one.Value
		}
	}
	t.Fatal("no mark")
	return ""
}

// strangers fill Ada's limit with wrong passwords from many addresses.
func (h *house) strangers() {
	const email = "ada@example.com"
	for i := range 100 {
		want(h.t, h.tryFrom(fmt.Sprintf("198.51.%d.7", i), "", email, "wrong one here"), 400, "invalid_credentials")
	}
	want(h.t, h.tryFrom("198.51.200.7", "", email, password), 429, "over_request_rate_limit")
}

func (h *house) tryFrom(address, device, email, password string) reply {
	return h.send(request{
		method: "POST", path: "/token?grant_type=password", address: address, body: m{"email": email, "password": password},
		header: map[string]string{"Cookie": device},
	})
}

func TestSecurity10AKnownDeviceIsNotLockedOutByStrangers(t *testing.T) {
	t.Parallel()
	each(t, limited, func(t *testing.T, h *house) {
		device := deviceOf(t, h.signedUp("ada@example.com"))
		other := deviceOf(t, h.signedUp("bob@example.com"))
		h.strangers()
		want(t, h.tryFrom("203.0.113.1", "", "ada@example.com", password), 429, "")
		want(t, h.tryFrom("203.0.113.1", other, "ada@example.com", password), 429, "") // of another account
		want(t, h.tryFrom("203.0.113.1", device[:len(device)-2]+"AA", "ada@example.com", password), 429, "")
		want(t, h.tryFrom("203.0.113.1", device, "ada@example.com", "wrong one here"), 400, "invalid_credentials")
		both := h.tryFrom("203.0.113.1", other+"."+device[strings.Index(device, "=")+1:], "ada@example.com", password)
		next := deviceOf(t, want(t, both, 200, ""))
		if strings.Count(next, ".") != 1 {
			t.Fatalf("the device forgot somebody, or knows somebody twice: %s", next)
		}
		// The address's own limit stands, whatever the device.
		for range 26 {
			want(t, h.signIn("carl@example.com", "wrong one here"), 400, "invalid_credentials")
		}
		for i := 0; ; i++ {
			if got := h.tryFrom("192.0.2.1", "", "dora@example.com", "wrong one here"); got.status == 429 {
				break
			} else if i > 30 {
				t.Fatal("an address tries for ever")
			}
		}
		want(t, h.tryFrom("192.0.2.1", next, "ada@example.com", password), 429, "")
		want(t, h.tryFrom("203.0.113.1", next, "ada@example.com", password), 200, "")
	})
}

func TestAStolenMarkGuessesNoMoreThanTenTimes(t *testing.T) {
	t.Parallel()
	each(t, limited, func(t *testing.T, h *house) {
		device := deviceOf(t, h.signedUp("ada@example.com"))
		h.strangers()
		for i := range 10 {
			want(t, h.tryFrom(fmt.Sprintf("203.0.113.%d", i), device, "ada@example.com", "wrong one here"), 400, "invalid_credentials")
		}
		want(t, h.tryFrom("203.0.113.11", device, "ada@example.com", password), 429, "")
		h.clock.Advance(time.Hour) // the account's own limit is open again, the mark is void for good
		h.strangers()
		want(t, h.tryFrom("203.0.113.11", device, "ada@example.com", password), 429, "")
	})
}

func TestAMarkEndsWithItsPasswordAndWithTime(t *testing.T) {
	t.Parallel()
	each(t, limited, func(t *testing.T, h *house) {
		session := h.signedUp("ada@example.com")
		before := deviceOf(t, session)
		device := deviceOf(t, want(t, h.put(session.str("access_token"), m{"password": "another fine secret"}), 200, ""))
		h.strangers()
		want(t, h.tryFrom("203.0.113.1", before, "ada@example.com", "another fine secret"), 429, "")
		want(t, h.tryFrom("203.0.113.1", device, "ada@example.com", "another fine secret"), 200, "")
		h.clock.Advance(deviceLife)
		h.strangers()
		want(t, h.tryFrom("203.0.113.1", device, "ada@example.com", "another fine secret"), 429, "")
	})
}

// TestSecurity64TheMarkIsAHostCookieThatGrantsNothing looks at the cookie itself.
func TestSecurity64TheMarkIsAHostCookieThatGrantsNothing(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		session := h.signedUp("ada@example.com")
		said := session.header.Get("Set-Cookie")
		for _, part := range []string{"__Host-greenroom-device=", "; Path=/;", "; HttpOnly", "; Secure", "; SameSite=Strict"} {
			if !strings.Contains(said, part) {
				t.Errorf("%q is not in %q", part, said)
			}
		}
		want(t, h.send(request{method: "GET", path: "/user", header: map[string]string{"Cookie": deviceOf(t, session)}}), 401, "no_authorization")
		if deviceOf(t, want(t, h.refresh(session.str("refresh_token")), 200, "")) == deviceOf(t, session) {
			t.Error("the mark is not made anew")
		}
	})
}

func TestStrangersDoNotKeepTheOwnerFromConfirmingAPassword(t *testing.T) {
	t.Parallel()
	each(t, limited, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		h.strangers()
		change := func(current string) reply {
			return h.send(request{method: "PUT", path: "/user", token: token, address: "203.0.113.9", body: m{"password": "another fine secret", "current_password": current}})
		}
		want(t, change("not the password"), 400, "current_password_invalid")
		want(t, change(password), 200, "")
		for i := range 9 {
			if got := change("not the password"); got.status != 400 && i < 8 {
				t.Fatal(got.text)
			}
		}
		want(t, change("not the password"), 429, "over_request_rate_limit")
	})
}

// TestWhoeverHasOnlyThePasswordDoesNotKeepTheOwnerFromTheSecondStep fills the account's tries from several sessions.
func TestWhoeverHasOnlyThePasswordDoesNotKeepTheOwnerFromTheSecondStep(t *testing.T) {
	t.Parallel()
	each(t, limited, func(t *testing.T, h *house) {
		phone, strong := h.guarded()
		h.proven("ada@example.com")
		device := deviceOf(t, strong)
		h.clock.Advance(time.Hour)
		in := want(t, h.tryFrom("198.51.100.1", "", "ada@example.com", password), 200, "")
		thief := in.str("access_token")
		for range 10 {
			h.clock.Advance(10 * time.Second)
			want(t, phone.answer(thief, phone.challenge(thief), "000000"), 422, "mfa_verification_failed")
		}
		h.clock.Advance(10 * time.Second)
		want(t, phone.answer(thief, phone.challenge(thief), "000000"), 429, "over_request_rate_limit")
		for i := range 5 {
			thief = want(t, h.tryFrom(fmt.Sprintf("198.51.101.%d", i), "", "ada@example.com", password), 200, "").str("access_token")
			for range 10 {
				h.clock.Advance(10 * time.Second)
				want(t, phone.answer(thief, phone.challenge(thief), "000000"), 422, "mfa_verification_failed")
			}
		}
		step := func(device, code string) reply {
			in := want(t, h.tryFrom("203.0.113.1", device, "ada@example.com", password), 200, "")
			ask := func(path string, body m) reply {
				return h.send(request{method: "POST", path: "/factors/" + phone.id + path, token: in.str("access_token"), body: body, header: map[string]string{"Cookie": deviceOf(t, in)}})
			}
			for range 15 { // the thief asks, too
				h.withToken("POST", "/factors/"+phone.id+"/challenge", in.str("access_token"), m{})
			}
			return ask("/verify", m{"challenge_id": ask("/challenge", m{}).str("id"), "code": code})
		}
		if got := step("", phone.code(0)); got.status == 200 {
			t.Fatal("guessing has no end")
		}
		want(t, step(deviceOf(t, in), phone.code(0)), 422, "") // a mark that took only the password gets no question
		want(t, step(device, "000000"), 422, "mfa_verification_failed")
		want(t, step(device, phone.code(0)), 200, "")
		for range 8 {
			want(t, step(device, "000000"), 422, "mfa_verification_failed")
		}
		want(t, step(device, "000000"), 429, "over_request_rate_limit") // ten tries, and the mark is void
	})
}
