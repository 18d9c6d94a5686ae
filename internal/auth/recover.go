package auth

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"greenroom/internal/audit"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/limit"
)

// letterBody is what asks for a letter.
type letterBody struct {
	Type       string   `json:"type"`
	Email      string   `json:"email"`
	Phone      string   `json:"phone"`
	CreateUser *bool    `json:"create_user"`
	Data       metadata `json:"data"`
	challenge
}

// readLetter reads the body and counts the letter, for known and unknown addresses alike.
func (s *Service) readLetter(r *http.Request, in *letterBody, from origin, types ...string) (err error) {
	if err := readBody(r, in); err != nil {
		return err
	}
	unsupported := "Unsupported phone provider"
	if len(types) > 0 {
		unsupported = "Phone logins are disabled" // the contract's words where a letter is sent again
	}
	switch {
	case in.Email != "" && in.Phone != "":
		return invalid("Only an email address or phone number should be provided")
	case in.Phone != "":
		return refuse(400, "phone_provider_disabled", unsupported)
	case in.Email == "":
		return invalid("Requires a valid email address")
	}
	if len(types) > 0 && !slices.Contains(types, in.Type) {
		return invalid("Missing one of these types: " + strings.Join(types, ", "))
	}
	if in.Email, err = parseEmail(in.Email); err != nil {
		return err
	}
	if err := in.check(); err != nil {
		return err
	}
	if err := in.Data.check(); err != nil {
		return err
	}
	return s.Limits.Allow(r.Context(), limit.MailPerAddress.By(from.address), limit.MailPerRecipient.By(in.Email))
}

// recover mails a link that lets its reader choose a new password. The answer never tells whether there is an account.
func (s *Service) recover(w http.ResponseWriter, r *http.Request) error {
	var in letterBody
	from := originOf(r)
	if err := s.readLetter(r, &in, from); err != nil {
		return err
	}
	redirect := s.redirects.target(r, "")
	err := s.forAddress(r.Context(), from, "user.recover", in.Email, func(ctx context.Context, tx *db.Tx, u *User) error {
		if u == nil {
			return nil
		}
		t, err := s.mintFlow(ctx, tx, u, kindRecovery, in.challenge, redirect)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "update users set recovery_sent_at = $2 where id = $1", u.ID, db.At(tx.Now)); err != nil {
			return err
		}
		return s.Enqueue(ctx, tx, mail.Reset{To: u.Email, Link: t.link, Code: t.code})
	})
	if err != nil {
		return err
	}
	return empty(w)
}

// forAddress runs a verb for the user of an address, nil for an unknown one, and records it either way.
func (s *Service) forAddress(ctx context.Context, from origin, action, email string, verb func(ctx context.Context, tx *db.Tx, u *User) error) error {
	return s.write(ctx, func(ctx context.Context, tx *db.Tx) error {
		u, err := found(userBy(ctx, tx, "email", email))
		if err != nil {
			return err
		}
		actor, result := "", "unknown"
		if u != nil {
			actor, result = u.ID, audit.OK
		}
		if err := audit.Record(ctx, tx, from.entry(actor, action, email, result)); err != nil {
			return err
		}
		return verb(ctx, tx, u)
	})
}

// mintFlow mints a link and, for a PKCE client, starts its flow.
func (s *Service) mintFlow(ctx context.Context, tx *db.Tx, u *User, k kind, c challenge, redirect string) (ticket, error) {
	flow, err := startFlow(ctx, tx, u.ID, c, k.method())
	if err != nil {
		return ticket{}, err
	}
	return s.mint(ctx, tx, u.ID, k, u.Email, flow, redirect)
}

func empty(w http.ResponseWriter) error {
	writeJSON(w, http.StatusOK, struct{}{})
	return nil
}

// resend mails a letter again whose first copy was lost.
func (s *Service) resend(w http.ResponseWriter, r *http.Request) error {
	var in letterBody
	from := originOf(r)
	if err := s.readLetter(r, &in, from, "signup", "email_change"); err != nil {
		return err
	}
	redirect := s.redirects.target(r, "")
	err := s.forAddress(r.Context(), from, "user.resend", in.Email, func(ctx context.Context, tx *db.Tx, u *User) error {
		switch {
		case u == nil:
			return nil
		case in.Type == "signup" && !u.confirmed():
			return s.sendConfirmation(ctx, tx, u, in.challenge, redirect)
		case in.Type == "email_change" && u.NewEmail != "":
			return s.resendEmailChange(ctx, tx, u, in.challenge, redirect)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return empty(w)
}

// otp mails a link that signs in without a password, and opens an account for a new address unless told not to.
func (s *Service) otp(w http.ResponseWriter, r *http.Request) error {
	if s.NoEmailSignIn {
		return refuse(422, "otp_disabled", "Signing in by email is disabled")
	}
	var in letterBody
	from := originOf(r)
	if err := s.readLetter(r, &in, from); err != nil {
		return err
	}
	redirect := s.redirects.target(r, "")
	err := s.forAddress(r.Context(), from, "user.magic_link", in.Email, func(ctx context.Context, tx *db.Tx, u *User) error {
		if u == nil {
			if in.CreateUser != nil && !*in.CreateUser {
				return nil
			}
			// The link confirms the address when it is opened; until then nobody has an account.
			u = newUser(in.Email, in.Data, tx.Now, false)
			u.byLink = true
			added, err := addUser(ctx, tx, u)
			if err == nil && !added { // somebody else asked at the same moment
				u, err = userBy(ctx, tx, "email", in.Email)
			}
			if err != nil {
				return err
			}
		}
		t, err := s.mintFlow(ctx, tx, u, kindMagicLink, in.challenge, redirect)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "update users set recovery_sent_at = $2 where id = $1", u.ID, db.At(tx.Now)); err != nil {
			return err
		}
		return s.Enqueue(ctx, tx, mail.MagicLink{To: u.Email, Link: t.link, Code: t.code})
	})
	if err != nil {
		return err
	}
	return empty(w)
}
