package auth

import (
	"context"
	"net/http"

	"greenroom/internal/audit"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"
)

type signUpBody struct {
	Email    string   `json:"email"`
	Phone    string   `json:"phone"`
	Password string   `json:"password"`
	Data     metadata `json:"data"`
	challenge
}

// check judges the body in the contract's order: the password before the address.
func (in *signUpBody) check(rules rules) (err error) {
	switch {
	case in.Password == "":
		return invalid("Signup requires a valid password")
	case in.Email != "" && in.Phone != "":
		return invalid("Only an email address or phone number should be provided on signup.")
	}
	if err := in.challenge.check(); err != nil {
		return err
	}
	if err := in.Data.check(); err != nil {
		return err
	}
	if err := rules.check(in.Password, append(in.Data.names(), in.Email)...); err != nil {
		return err
	}
	if in.Phone != "" {
		return refuse(400, "phone_provider_disabled", "Phone signups are disabled")
	}
	in.Email, err = parseEmail(in.Email)
	return err
}

// signUp opens an account: with a session at once, or, where addresses are confirmed, with a letter.
func (s *Service) signUp(w http.ResponseWriter, r *http.Request) error {
	var in signUpBody
	if err := readBody(r, &in); err != nil {
		return err
	}
	if in.Email == "" && in.Phone == "" {
		return s.signUpAsGuest(w, r, in.Data)
	}
	if err := in.check(s.rules); err != nil {
		return err
	}
	from := originOf(r)
	uses := []limit.Use{limit.SignUpPerAddress.By(from.address)}
	if s.ConfirmEmail {
		uses = append(uses, limit.MailPerAddress.By(from.address), limit.MailPerRecipient.By(in.Email))
	}
	if err := s.Limits.Allow(r.Context(), uses...); err != nil {
		return err
	}
	hash, err := s.hasher.hash(r.Context(), in.Password)
	if err != nil {
		return err
	}
	if s.ConfirmEmail {
		return s.signUpByLetter(w, r, in, hash, from)
	}
	var got issued
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		u := newUser(in.Email, in.Data, tx.Now, true)
		u.passwordHash = hash
		added, err := claimAddress(ctx, tx, u)
		if err != nil {
			return err
		}
		if !added {
			return refuse(422, "user_already_exists", "User already registered")
		}
		if err := audit.Record(ctx, tx, from.entry(u.ID, "user.sign_up", in.Email, audit.OK)); err != nil {
			return err
		}
		got, err = openSession(ctx, tx, u, "password", from)
		return err
	})
	if err != nil {
		return err
	}
	return s.answer(w, r, got, nil)
}

// claimAddress stores a new user. Somebody who asked for a sign-in link and never opened it has no claim to the
// address yet. Whomever the operator made, or gave a role, stays.
func claimAddress(ctx context.Context, tx *db.Tx, u *User) (bool, error) {
	_, err := tx.Exec(ctx, `delete from users where email = $1 and made_by_link and email_confirmed_at is null
		and password_hash is null and invited_at is null and not exists (select 1 from user_roles where user_id = users.id)`, u.Email)
	if err != nil {
		return false, err
	}
	return addUser(ctx, tx, u)
}

// signUpByLetter answers the same for a new address and a known one: a stranger learns nothing, the owner gets a
// letter that says what happened. A confirmed account stays as it is; of an unconfirmed one the last password counts.
func (s *Service) signUpByLetter(w http.ResponseWriter, r *http.Request, in signUpBody, hash string, from origin) error {
	redirect := s.redirects.target(r, "")
	again, err := s.waitsFor(r.Context(), in.Email, in.Password)
	if err != nil {
		return err
	}
	var shown *User
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		shown = newUser(in.Email, in.Data, tx.Now, false)
		shown.ConfirmationSentAt = tx.Now
		added, err := addUser(ctx, tx, shown)
		if err != nil {
			return err
		}
		owner, result := shown, audit.OK
		if !added {
			if owner, err = userBy(ctx, tx, "email", in.Email); err != nil {
				return err
			}
			result = "exists"
		}
		if err := audit.Record(ctx, tx, from.entry(owner.ID, "user.sign_up", in.Email, result)); err != nil {
			return err
		}
		// Its letter may be opened at this very moment: what it is now decides, and not what it was.
		if owner, err = heldBy(ctx, tx, in.Email); err != nil {
			return err
		}
		if owner == nil {
			return fault.New(fault.Unavailable, "The account has just changed. Please try again.")
		}
		if err := rememberSignUp(ctx, tx, owner, hash, added || again); err != nil {
			return err
		}
		if owner.confirmed() {
			return s.Enqueue(ctx, tx, mail.AlreadyRegistered{To: owner.Email})
		}
		return s.sendConfirmation(ctx, tx, owner, in.challenge, redirect)
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, shown)
	return nil
}

// sendConfirmation mails the link that confirms an address.
func (s *Service) sendConfirmation(ctx context.Context, tx *db.Tx, u *User, c challenge, redirect string) error {
	flow, err := startFlow(ctx, tx, u.ID, c, kindSignup.method())
	if err != nil {
		return err
	}
	t, err := s.mint(ctx, tx, u.ID, kindSignup, u.Email, flow, redirect)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "update users set confirmation_sent_at = $2 where id = $1", u.ID, db.At(tx.Now)); err != nil {
		return err
	}
	var again bool
	err = tx.QueryRow(ctx, "select exists (select 1 from one_time_tokens where user_id = $1 and kind = $2)", u.ID, string(kindSignupVoid)).Scan(&again)
	if err != nil {
		return err
	}
	return s.Enqueue(ctx, tx, mail.Confirm{To: u.Email, Link: t.link, Code: t.code, Again: again})
}
