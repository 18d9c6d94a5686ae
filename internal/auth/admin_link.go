package auth

import (
	"context"
	"encoding/json"
	"net/http"

	"greenroom/internal/audit"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
)

// invite makes an account that its owner opens with the letter's link.
func (s *Service) invite(w http.ResponseWriter, r *http.Request) error {
	var in letterBody
	if err := readBody(r, &in); err != nil {
		return err
	}
	email, err := parseEmail(in.Email)
	if err != nil {
		return err
	}
	if err := in.Data.check(); err != nil {
		return err
	}
	from, redirect := originOf(r), s.redirects.target(r, "")
	var invited *User
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		u, t, err := s.mintInvite(ctx, tx, email, in.Data, redirect)
		if err != nil {
			return err
		}
		if err := audit.Record(ctx, tx, from.entry("", "user.invite", email, audit.OK)); err != nil {
			return err
		}
		invited = u
		return s.Enqueue(ctx, tx, mail.Invite{To: email, Link: t.link, Code: t.code})
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, invited)
	return nil
}

// mintInvite finds or makes the invited user. Somebody who has confirmed their address needs no invitation.
func (s *Service) mintInvite(ctx context.Context, tx *db.Tx, email string, data metadata, redirect string) (*User, ticket, error) {
	u, err := found(userBy(ctx, tx, "email", email))
	if err != nil {
		return nil, ticket{}, err
	}
	if u == nil {
		u = newUser(email, data, tx.Now, false)
		added, err := addUser(ctx, tx, u)
		if err != nil || !added {
			return nil, ticket{}, orExists(err)
		}
	} else if u.confirmed() {
		return nil, ticket{}, errEmailExists
	}
	if _, err := tx.Exec(ctx, "update users set invited_at = $2, confirmation_sent_at = $2 where id = $1", u.ID, db.At(tx.Now)); err != nil {
		return nil, ticket{}, err
	}
	t, err := s.mint(ctx, tx, u.ID, kindInvite, email, "", redirect)
	if err != nil {
		return nil, ticket{}, err
	}
	u, err = userBy(ctx, tx, "id", u.ID)
	return u, t, err
}

func orExists(err error) error {
	if err == nil {
		return errEmailExists
	}
	return err
}

type linkBody struct {
	Type       string   `json:"type"`
	Email      string   `json:"email"`
	NewEmail   string   `json:"new_email"`
	Password   string   `json:"password"`
	Data       metadata `json:"data"`
	RedirectTo string   `json:"redirect_to"`
}

// generateLink makes a link for the operator to send; no letter leaves.
func (s *Service) generateLink(w http.ResponseWriter, r *http.Request) error {
	var in linkBody
	err := readBody(r, &in)
	if err != nil {
		return err
	}
	if in.Email, err = parseEmail(in.Email); err != nil {
		return err
	}
	if err := in.Data.check(); err != nil {
		return err
	}
	var hash string
	if in.Type == "signup" {
		if in.Password == "" {
			return invalid("Signup requires a valid password")
		}
		if err := s.rules.check(in.Password, append(in.Data.names(), in.Email)...); err != nil {
			return err
		}
		if hash, err = s.hasher.hash(r.Context(), in.Password); err != nil {
			return err
		}
	}
	from, redirect := originOf(r), s.redirects.target(r, in.RedirectTo)
	var u *User
	var t ticket
	var k kind
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) (err error) {
		if u, t, k, err = s.mintFor(ctx, tx, in, hash, redirect); err != nil {
			return err
		}
		return audit.Record(ctx, tx, from.entry("", "link.generate."+in.Type, in.Email, audit.OK))
	})
	if err != nil {
		return err
	}
	// The user's own fields and the link's stand side by side.
	text, err := json.Marshal(u)
	if err != nil {
		return err
	}
	answer := metadata{}
	if err := json.Unmarshal(text, &answer); err != nil {
		return err
	}
	for name, value := range map[string]string{
		"action_link": t.link, "email_otp": t.code, "hashed_token": t.token, "verification_type": string(k), "redirect_to": redirect,
	} {
		answer.set(name, value)
	}
	writeJSON(w, http.StatusOK, answer)
	return nil
}

// mintFor makes the link of a type. A sign-in link for somebody unknown opens an account.
func (s *Service) mintFor(ctx context.Context, tx *db.Tx, in linkBody, hash, redirect string) (*User, ticket, kind, error) {
	fail := func(err error) (*User, ticket, kind, error) { return nil, ticket{}, "", err }
	if in.Type == "invite" {
		u, t, err := s.mintInvite(ctx, tx, in.Email, in.Data, redirect)
		return u, t, kindInvite, err
	}
	u, err := heldBy(ctx, tx, in.Email)
	if err != nil {
		return fail(err)
	}
	k, address := kind(in.Type), in.Email
	switch in.Type {
	case "signup", "magiclink":
		if in.Type == "signup" && u != nil && u.confirmed() {
			return fail(errEmailExists)
		}
		if u == nil {
			u, k = newUser(in.Email, in.Data, tx.Now, false), kindSignup
			if added, err := addUser(ctx, tx, u); err != nil || !added {
				return fail(orExists(err))
			}
		}
		if hash != "" {
			// What the operator chooses is no stranger's.
			if err := rememberSignUp(ctx, tx, u, hash, true); err != nil {
				return fail(err)
			}
		}
	case "recovery":
	case "email_change_current", "email_change_new":
		if u != nil {
			if address, err = s.beginChange(ctx, tx, u, in); err != nil {
				return fail(err)
			}
		}
	default:
		return fail(invalid("Invalid email action link type requested: " + audit.Text(in.Type)))
	}
	if u == nil {
		return fail(refuse(404, "user_not_found", "User with this email not found"))
	}
	t, err := s.mint(ctx, tx, u.ID, k, address, "", redirect)
	if err != nil {
		return fail(err)
	}
	u, err = userBy(ctx, tx, "id", u.ID)
	return u, t, k, err
}

// beginChange notes the address that a user is to change to, and says which of the two the link is for.
func (s *Service) beginChange(ctx context.Context, tx *db.Tx, u *User, in linkBody) (string, error) {
	next, err := parseEmail(in.NewEmail)
	if err != nil {
		return "", err
	}
	taken, err := found(userBy(ctx, tx, "email", next))
	if err != nil {
		return "", err
	}
	if taken != nil {
		return "", errEmailExists
	}
	if err := dropOtherChanges(ctx, tx, u.ID, next); err != nil {
		return "", err
	}
	if err := leaveAddress(ctx, tx, u.ID, next, false); err != nil {
		return "", err
	}
	if u.NewEmail != next {
		_, err = tx.Exec(ctx, "update users set new_email = $2, email_change_sent_at = $3, email_change_confirmed_at = null where id = $1", u.ID, next, db.At(tx.Now))
	}
	if in.Type == "email_change_new" {
		return next, err
	}
	return u.Email, err
}
