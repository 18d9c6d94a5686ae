package auth

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"greenroom/internal/mail"
)

// TestAskingForATakenAddressTellsNobody compares a change to a taken address with one to a free one, wherever the one
// who asks can look.
func TestAskingForATakenAddressTellsNobody(t *testing.T) {
	t.Parallel()
	each(t, confirmed, func(t *testing.T, h *house) {
		member := func(email string) string {
			return fragment(t, h.follow(h.signUpWith(email, password).Link)).Get("access_token")
		}
		member("taken@example.com")
		asks := func(who, wanted string) (seen []string) {
			token := member(who)
			h.clock.Advance(time.Minute)
			note := func(got reply) {
				text := strings.NewReplacer(who, "WHO", wanted, "WANTED").Replace(got.str("email") + " " + got.str("new_email") + " " + got.str("msg") + " " + got.code())
				seen = append(seen, strings.Join(slices.Sorted(maps.Keys(got.json)), ",")+" "+text+" "+got.str("email_change_sent_at")[:min(4, len(got.str("email_change_sent_at")))])
			}
			note(want(t, h.put(token, m{"email": wanted}), 200, ""))
			note(want(t, h.get("/user", token), 200, ""))
			note(want(t, h.post("/resend", m{"type": "email_change", "email": who}), 200, ""))
			note(want(t, h.verify("email_change", who, last[mail.EmailChangeOld](h).Code), 200, ""))
			note(want(t, h.verify("email_change", wanted, "000000"), 403, "otp_expired"))
			note(want(t, h.get("/user", token), 200, ""))
			return seen
		}
		free, taken := asks("ada@example.com", "free@example.com"), asks("bob@example.com", "taken@example.com")
		if !slices.Equal(free, taken) {
			t.Errorf("they differ:\n%s\n\n%s", strings.Join(free, "\n"), strings.Join(taken, "\n"))
		}
		if letter := last[mail.AlreadyRegistered](h); letter.To != "taken@example.com" {
			t.Errorf("%+v", letter)
		}
		if last[mail.EmailChangeNew](h).To != "free@example.com" || h.count("select count(*) from one_time_tokens where address = 'taken@example.com'") != 0 {
			t.Error("the owner of the taken address could be led to confirm")
		}
	})
}

// TestLettersToTheOwnerOfATakenAddressAreBounded asks again and again.
func TestLettersToTheOwnerOfATakenAddressAreBounded(t *testing.T) {
	t.Parallel()
	each(t, func(o *Options) { confirmed(o); limited(o) }, func(t *testing.T, h *house) {
		h.follow(h.signUpWith("taken@example.com", password).Link)
		token := fragment(t, h.follow(h.signUpWith("ada@example.com", password).Link)).Get("access_token")
		h.clock.Advance(time.Hour)
		want(t, h.put(token, m{"email": "taken@example.com"}), 200, "")
		sent := h.letters.count()
		want(t, h.put(token, m{"email": "taken@example.com"}), 429, "")
		if h.letters.count() != sent {
			t.Error("a letter left beyond the limit")
		}
	})
}

// TestManyAccountsDoNotFloodOneMailbox lets accounts that all want one address ask for their letters again.
func TestManyAccountsDoNotFloodOneMailbox(t *testing.T) {
	t.Parallel()
	each(t, limited, func(t *testing.T, h *house) {
		mules := []string{"one@example.org", "two@example.org", "three@example.org"}
		for _, mule := range mules {
			want(t, h.put(h.signedUp(mule).str("access_token"), m{"email": "ada@example.com"}), 200, "")
			h.clock.Advance(time.Minute)
		}
		toAda := func() (n int) {
			h.letters.mu.Lock()
			defer h.letters.mu.Unlock()
			for _, sent := range h.letters.sent {
				if letter, ok := sent.(mail.EmailChangeNew); ok && letter.To == "ada@example.com" {
					n++
				}
			}
			return n
		}
		before, all := toAda(), h.letters.count()
		for _, mule := range mules {
			if got := want(t, h.post("/resend", m{"type": "email_change", "email": mule}), 200, ""); strings.TrimSpace(got.text) != "{}" {
				t.Errorf("%s is answered %s", mule, got.text)
			}
		}
		if n := toAda() - before; n != 1 || h.letters.count()-all != 2 {
			t.Errorf("%d letters of %d in a minute went to one mailbox", n, h.letters.count()-all)
		}
		// Who was not served is the next minute.
		h.clock.Advance(time.Minute)
		want(t, h.post("/resend", m{"type": "email_change", "email": mules[2]}), 200, "")
		if n := toAda() - before; n != 2 || last[mail.EmailChangeNew](h).OldEmail != mules[2] {
			t.Errorf("%d letters after another minute", n)
		}
	})
}

// TestAnAgreementOutlivesAResend: anybody can ask for the letters again, in any order of the two agreements.
func TestAnAgreementOutlivesAResend(t *testing.T) {
	t.Parallel()
	for name, newFirst := range map[string]bool{"old first": false, "new first": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, nil, func(t *testing.T, h *house) {
				token := h.signedUp("ada@example.com").str("access_token")
				want(t, h.put(token, m{"email": "ada@example.org"}), 200, "")
				first, second := last[mail.EmailChangeOld](h).Link, last[mail.EmailChangeNew](h).Link
				if newFirst {
					first, second = second, first
				}
				h.follow(first)
				want(t, h.post("/resend", m{"type": "email_change", "email": "ada@example.com"}), 200, "")
				h.follow(second)
				if got := want(t, h.get("/user", token), 200, ""); got.str("email") != "ada@example.org" {
					t.Errorf("both agreed, and the address is %s", got.str("email"))
				}
			})
		})
	}
}

// TestOneMailboxDoesNotAgreeForTwo opens every letter of one side, by links and codes, sent again and made by an operator.
func TestOneMailboxDoesNotAgreeForTwo(t *testing.T) {
	t.Parallel()
	each(t, operated, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		stays := func(when string) {
			t.Helper()
			if got := want(t, h.get("/user", token), 200, ""); got.str("email") != "ada@example.com" || got.str("new_email") == "" {
				t.Fatalf("%s: the address is %s, waiting %q", when, got.str("email"), got.str("new_email"))
			}
		}
		again := func() { want(t, h.post("/resend", m{"type": "email_change", "email": "ada@example.com"}), 200, "") }
		want(t, h.put(token, m{"email": "ada@example.org"}), 200, "")
		h.follow(last[mail.EmailChangeOld](h).Link)
		stays("one letter to the old address")
		again()
		h.follow(last[mail.EmailChangeOld](h).Link)
		stays("two links to the old address")
		again()
		want(t, h.verify("email_change", "ada@example.com", last[mail.EmailChangeOld](h).Code), 200, "")
		stays("a code to the old address")
		link := want(t, h.operate("POST", "/admin/generate_link", m{"type": "email_change_current", "email": "ada@example.com", "new_email": "ada@example.org"}), 200, "")
		h.follow(link.str("action_link"))
		stays("an operator's link for the old address")

		// Another new address is another question: what the old mailbox agreed to was not this.
		want(t, h.put(token, m{"email": "ada@example.net"}), 200, "")
		h.follow(last[mail.EmailChangeNew](h).Link)
		stays("one letter to the new address")
		again()
		h.follow(last[mail.EmailChangeNew](h).Link)
		stays("two letters to the new address")
		h.follow(last[mail.EmailChangeOld](h).Link)
		if got := want(t, h.get("/user", token), 200, ""); got.str("email") != "ada@example.net" {
			t.Errorf("both agreed, and the address is %s", got.str("email"))
		}
	})
}
