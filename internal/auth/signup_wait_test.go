package auth

import (
	"context"
	"runtime"
	"testing"
	"time"

	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
)

const (
	strangers = "the stranger's password"
	owners    = "the owner's password!"
)

func (h *house) signUpWith(email, password string) mail.Confirm {
	h.t.Helper()
	want(h.t, h.post("/signup", m{"email": email, "password": password}), 200, "")
	return last[mail.Confirm](h)
}

// TestASecondSignUpVoidsTheFirstsPassword tries every order of two sign-ups and their letters.
func TestASecondSignUpVoidsTheFirstsPassword(t *testing.T) {
	t.Parallel()
	each(t, confirmed, func(t *testing.T, h *house) {
		// The owner comes second and opens their own letter.
		h.signUpWith("a@example.com", strangers)
		letter := h.signUpWith("a@example.com", owners)
		if !letter.Again {
			t.Error("the letter does not say that somebody signed up before")
		}
		want(t, h.signIn("a@example.com", strangers), 400, "invalid_credentials")
		want(t, h.signIn("a@example.com", owners), 400, "email_not_confirmed")
		h.follow(letter.Link)
		want(t, h.signIn("a@example.com", strangers), 400, "invalid_credentials")
		want(t, h.signIn("a@example.com", owners), 200, "")

		// The owner opens the letter of the stranger, who came first: it lets them in and confirms no password.
		first := h.signUpWith("b@example.com", strangers)
		second := h.signUpWith("b@example.com", owners)
		token := fragment(t, h.follow(first.Link)).Get("access_token")
		if token == "" {
			t.Fatal("the older link is dead")
		}
		want(t, h.signIn("b@example.com", strangers), 400, "invalid_credentials")
		want(t, h.signIn("b@example.com", owners), 400, "invalid_credentials")
		if said := fragment(t, h.follow(second.Link)); said.Get("error_code") != "otp_expired" {
			t.Errorf("a letter worked after another: %v", said)
		}
		want(t, h.put(token, m{"password": owners}), 200, "")
		want(t, h.signIn("b@example.com", owners), 200, "")

		// The letter is sent once more: it confirms the last password.
		h.signUpWith("c@example.com", strangers)
		h.signUpWith("c@example.com", owners)
		want(t, h.post("/resend", m{"type": "signup", "email": "c@example.com"}), 200, "")
		want(t, h.verify("signup", "c@example.com", last[mail.Confirm](h).Code), 200, "")
		want(t, h.signIn("c@example.com", strangers), 400, "invalid_credentials")
		want(t, h.signIn("c@example.com", owners), 200, "")

		// The stranger comes after the owner is in: nothing changes.
		want(t, h.post("/signup", m{"email": "c@example.com", "password": strangers}), 200, "")
		want(t, h.signIn("c@example.com", strangers), 400, "email_not_confirmed")
		want(t, h.signIn("c@example.com", owners), 200, "")
	})
}

// TestSigningInDoesNotTellATakenAddressFromAFreeOne: sign up, then sign in with the same password.
func TestSigningInDoesNotTellATakenAddressFromAFreeOne(t *testing.T) {
	t.Parallel()
	each(t, confirmed, func(t *testing.T, h *house) {
		h.follow(h.signUpWith("taken@example.com", owners).Link)
		try := func(password string) (taken, free string) {
			t.Helper()
			a, b := h.signIn("taken@example.com", password), h.signIn("free@example.com", password)
			if a.status != b.status {
				t.Errorf("%d against %d", a.status, b.status)
			}
			return a.text, b.text
		}
		for _, email := range []string{"taken@example.com", "free@example.com"} {
			want(t, h.post("/signup", m{"email": email, "password": strangers}), 200, "")
		}
		if taken, free := try(strangers); taken != free || taken != `{"code":"email_not_confirmed","message":"Email not confirmed"}` {
			t.Errorf("%s against %s", taken, free)
		}
		if taken, free := try("neither of the two"); taken != free {
			t.Errorf("%s against %s", taken, free)
		}
		h.clock.Advance(waitLife)
		if taken, free := try(strangers); taken != free || taken != `{"code":"invalid_credentials","message":"Invalid login credentials"}` {
			t.Errorf("later: %s against %s", taken, free)
		}
		if _, err := h.Sweep(t.Context()); err != nil || h.count("select count(*) from sign_ups") != 0 {
			t.Errorf("not swept: %v", err)
		}
		want(t, h.signIn("taken@example.com", owners), 200, "")
	})
}

func TestTheOperatorsPasswordWaitsForItsLetterToo(t *testing.T) {
	t.Parallel()
	each(t, func(o *Options) { confirmed(o); operated(o) }, func(t *testing.T, h *house) {
		h.signUpWith("gone@example.com", strangers)
		user := h.operate("GET", "/admin/users?filter=gone", nil).json["users"].([]any)[0].(m)["id"].(string)
		want(t, h.operate("DELETE", "/admin/users/"+user, nil), 200, "")
		want(t, h.operate("POST", "/admin/users", m{"email": "gone@example.com", "password": owners}), 200, "")
		want(t, h.signIn("gone@example.com", owners), 400, "email_not_confirmed")
		h.clock.Advance(time.Minute)
		want(t, h.post("/resend", m{"type": "signup", "email": "gone@example.com"}), 200, "")
		h.follow(last[mail.Confirm](h).Link)
		want(t, h.signIn("gone@example.com", strangers), 400, "invalid_credentials")
		want(t, h.signIn("gone@example.com", owners), 200, "")
	})
}

// TestASignUpThatWaitedForTheOwnersLetterTakesNothing lets a stranger's sign-up meet the owner's letter while that is
// being opened: it finds the account unconfirmed, has to wait, and then has to look again.
func TestASignUpThatWaitedForTheOwnersLetterTakesNothing(t *testing.T) {
	t.Parallel()
	each(t, confirmed, func(t *testing.T, h *house) {
		token := tokenIn(t, h.signUpWith("ada@example.com", owners).Link)
		opening, done := make(chan struct{}), make(chan reply, 1)
		go func() {
			<-opening
			done <- h.post("/signup", m{"email": "ada@example.com", "password": strangers})
		}()
		err := h.DB.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			if h.DB.Engine == db.Postgres { // the stranger has read the account when it comes to the trail
				if _, err := tx.Exec(ctx, "lock table audit_entries in exclusive mode"); err != nil {
					return err
				}
			}
			close(opening)
			h.awaitBlocked()
			letter, err := h.useLink(ctx, tx, "signup", token)
			if err != nil {
				return err
			}
			_, err = h.fulfil(ctx, tx, letter, false, origin{})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		want(t, <-done, 200, "")
		want(t, h.signIn("ada@example.com", owners), 200, "")
		if h.count("select count(*) from one_time_tokens where kind = $1", string(kindSignup)) != 0 {
			t.Error("a confirmed account was sent a letter that confirms it")
		}
		last[mail.AlreadyRegistered](h)
	})
}

// awaitBlocked waits until somebody waits for a row. SQLite has one writer, who is waited for before anything is read.
func (h *house) awaitBlocked() {
	for h.DB.Engine == db.Postgres && h.count("select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'") == 0 {
		runtime.Gosched()
	}
}

// TestALetterAmongSeveralSignUpsIsNotTheFirstProof lets a stranger sign up after the owner, so that the newest letter,
// which the owner opens, confirms the stranger's password. The owner's reset is then the first proof.
func TestALetterAmongSeveralSignUpsIsNotTheFirstProof(t *testing.T) {
	t.Parallel()
	each(t, confirmed, func(t *testing.T, h *house) {
		h.signUpWith("ada@example.com", owners)
		h.clock.Advance(waitLife + time.Minute) // what is remembered outlives the letter and the password of the first
		if _, err := h.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.follow(h.signUpWith("ada@example.com", strangers).Link)
		stranger := want(t, h.signIn("ada@example.com", strangers), 200, "").str("access_token")
		if h.isProven(stranger) {
			t.Fatal("the letter of one of two sign-ups counts as a proof")
		}
		phone := h.enrol(stranger, "the stranger's")
		stranger = want(t, phone.verify(stranger, 0), 200, "").str("access_token")

		want(t, h.post("/recover", m{"email": "ada@example.com"}), 200, "")
		owner := fragment(t, h.follow(last[mail.Reset](h).Link)).Get("access_token")
		want(t, h.put(owner, m{"password": "another fine secret"}), 200, "")
		want(t, h.get("/user", stranger), 403, "session_not_found")
		want(t, h.signIn("ada@example.com", strangers), 400, "invalid_credentials")
		user := want(t, h.get("/user", want(t, h.signIn("ada@example.com", "another fine secret"), 200, "").str("access_token")), 200, "")
		if user.json["factors"] != nil {
			t.Errorf("the stranger's second step is left: %s", user.text)
		}
	})
}

func TestTheSamePasswordTwiceIsOneSignUp(t *testing.T) {
	t.Parallel()
	each(t, confirmed, func(t *testing.T, h *house) {
		h.signUpWith("ada@example.com", owners)
		h.follow(h.signUpWith("ada@example.com", owners).Link)
		if !h.isProven(want(t, h.signIn("ada@example.com", owners), 200, "").str("access_token")) {
			t.Error("whoever signed up twice has to prove the address once more")
		}
	})
}
