package auth

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"greenroom/internal/audit"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/limit"
)

type updateBody struct {
	Email           *string         `json:"email"`
	Phone           *string         `json:"phone"`
	Password        *string         `json:"password"`
	CurrentPassword string          `json:"current_password"`
	Nonce           string          `json:"nonce"`
	Data            metadata        `json:"data"`
	AppMetadata     json.RawMessage `json:"app_metadata"`
	challenge
}

// change is what an update does, checked, with the slow part done.
type change struct {
	email    string
	hash     string
	nonce    string
	data     metadata
	flow     challenge
	redirect string
	// confirm is for who shows that it is them, without a change of the password.
	confirm bool
}

// updateUser changes the caller's data, password or address; the current password or a mailed code alone confirms that
// it is them. A new address is asked for by letter, never taken at once,
// except a guest's first one where signing up needs no letter either.
func (s *Service) updateUser(w http.ResponseWriter, r *http.Request) error {
	c, err := s.caller(r)
	if err != nil {
		return err
	}
	var in updateBody
	if err := readBody(r, &in); err != nil {
		return err
	}
	from := originOf(r)
	do, err := s.prepare(r, c, in, from)
	if err != nil {
		return err
	}
	var changed *User
	var refused error
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) (err error) {
		changed, refused, err = s.apply(ctx, tx, c, do, from)
		return err
	})
	if err := errors.Join(err, refused); err != nil {
		return err
	}
	if do.hash != "" {
		s.remember(w, r, changed, c.session.strong()) // the marks from before went with the password
	}
	writeJSON(w, http.StatusOK, changed)
	return nil
}

// prepare checks an update and does what takes long, outside of the transaction.
func (s *Service) prepare(r *http.Request, c caller, in updateBody, from origin) (do change, err error) {
	if in.AppMetadata != nil && string(in.AppMetadata) != "null" {
		return do, refuse(403, "not_admin", "Updating app_metadata requires admin privileges")
	}
	if in.Phone != nil && *in.Phone != "" {
		return do, refuse(400, "phone_provider_disabled", "Phone signups are disabled")
	}
	if err := in.check(); err != nil {
		return do, err
	}
	if err := in.Data.check(); err != nil {
		return do, err
	}
	if len(in.Data) > 0 {
		if err := s.Limits.Allow(r.Context(), limit.DataPerAccount.By(c.user.ID)); err != nil {
			return do, err
		}
	}
	if (in.Password != nil || (in.Email != nil && *in.Email != "")) && c.user.guarded() && !c.session.strong() {
		// A mailed link alone must not get past the second step.
		return do, refuse(401, "insufficient_aal", "AAL2 session is required to update email or password when MFA is enabled.")
	}
	if c.user.IsAnonymous && in.Password != nil && (in.Email == nil || *in.Email == "") {
		return do, refuse(422, "validation_failed", "Updating password of an anonymous user without an email or phone is not allowed")
	}
	do = change{nonce: in.Nonce, data: in.Data, flow: in.challenge, redirect: s.redirects.target(r, "")}
	if in.Password != nil {
		if do.hash, err = s.preparePassword(r, c, in, from); err != nil {
			return do, err
		}
	}
	if do.confirm = in.confirms(); do.confirm && in.CurrentPassword != "" {
		if err := s.rightPassword(r.Context(), c, in.CurrentPassword, from, errCurrentPassword); err != nil {
			return do, err
		}
	}
	if in.Email == nil || *in.Email == "" {
		return do, nil
	}
	email, err := parseEmail(*in.Email)
	if err != nil || email == c.user.Email {
		return do, err
	}
	do.email = email
	if s.atOnce(c.user) {
		return do, s.Limits.Allow(r.Context(), limit.SignUpPerAddress.By(from.address))
	}
	uses := []limit.Use{limit.MailPerAddress.By(from.address), limit.MailPerRecipient.By(email)}
	if c.user.Email != "" {
		uses = append(uses, limit.MailPerRecipient.By(c.user.Email))
	}
	return do, s.Limits.Allow(r.Context(), uses...)
}

func (s *Service) preparePassword(r *http.Request, c caller, in updateBody, from origin) (hash string, err error) {
	own := append(in.Data.names(), c.user.names()...)
	if err := s.rules.check(*in.Password, own...); err != nil {
		return "", err
	}
	// A guest has neither a password to keep nor a mailbox for a code.
	stale := !c.user.IsAnonymous && s.DB.Clock.Now().Sub(c.session.shown()) >= freshFor
	if stale && in.Nonce == "" && in.CurrentPassword == "" {
		return "", refuse(400, "reauthentication_needed", "Password update requires reauthentication")
	}
	if in.CurrentPassword != "" {
		err = s.rightPassword(r.Context(), c, in.CurrentPassword, from, errCurrentPassword)
	} else {
		err = s.Limits.Allow(r.Context(), limit.SignInPerAddress.By(from.address))
	}
	if err != nil {
		return "", err
	}
	if c.user.passwordHash != "" {
		same, err := s.hasher.matches(r.Context(), c.user.passwordHash, *in.Password)
		if err != nil {
			return "", err
		}
		if same {
			return "", refuse(422, "same_password", "New password should be different from the old password.")
		}
	}
	return s.hasher.hash(r.Context(), *in.Password)
}

// apply writes an update. A refusal is committed: a wrong code counts.
func (s *Service) apply(ctx context.Context, tx *db.Tx, c caller, do change, from origin) (u *User, refused, err error) {
	// This holds the row, so that of two updates at once the second finds the first one's data, and a session that
	// ended while its new password was hashed changes nothing any more.
	now, err := recall(ctx, tx, c)
	if err != nil {
		return nil, nil, err
	}
	u = now.user
	if _, err := tx.Exec(ctx, "update users set updated_at = $2 where id = $1", u.ID, db.At(tx.Now)); err != nil {
		return nil, nil, err
	}
	if do.confirm {
		if refused, err = s.confirm(ctx, tx, u, c.session, do.nonce, from); refused != nil || err != nil {
			return nil, refused, err
		}
	}
	if do.hash != "" {
		if refused, err = s.changePassword(ctx, tx, u, c.session, do, from); refused != nil || err != nil {
			return nil, refused, err
		}
	}
	if len(do.data) > 0 {
		if err := u.changeData(ctx, tx, do.data); err != nil {
			return nil, nil, err
		}
		tx.AfterCommit(func() { s.forget(u.ID) })
	}
	if do.email != "" {
		if err := s.changeAddress(ctx, tx, u, do, from); err != nil {
			return nil, nil, err
		}
	}
	u, err = userBy(ctx, tx, "id", u.ID)
	return u, nil, err
}

// changePassword sets a new password, ends every other session, every letter and every visit to a provider that is
// under way, and tells the owner. After a recovery the passkeys go as well.
func (s *Service) changePassword(ctx context.Context, tx *db.Tx, u *User, own session, do change, from origin) (refused, err error) {
	if do.nonce != "" {
		// A code that is sent is judged, needed or not: to ignore a wrong one would say that it was right.
		if refused, err = s.useNonce(ctx, tx, u, do.nonce); refused != nil || err != nil {
			return refused, err
		}
	}
	if _, err = tx.Exec(ctx, "update users set password_hash = $2 where id = $1", u.ID, do.hash); err != nil {
		return nil, err
	}
	u.passwordHash = do.hash
	if do.nonce != "" {
		if err := s.prove(ctx, tx, u, evidence{by: string(kindReauth), password: do.hash, session: own.id}, from); err != nil {
			return nil, err
		}
	}
	passkeys, err := endRecovery(ctx, tx, u.ID, own.id, from)
	if err != nil {
		return nil, err
	}
	if err := s.cutOff(ctx, tx, u.ID, own.id); err != nil {
		return nil, err
	}
	if err := audit.Record(ctx, tx, from.entry(u.ID, "password.change", u.ID, audit.OK)); err != nil || u.Email == "" {
		return nil, err
	}
	return nil, s.Enqueue(ctx, tx, mail.PasswordChanged{To: u.Email, Passkeys: passkeys})
}

// cutOff ends what could still open an account after its password or address changed: letters, a change of address and
// visits that are under way, and every session but one.
func (s *Service) cutOff(ctx context.Context, tx *db.Tx, user, except string) error {
	if err := dropTokens(ctx, tx, user, true); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "update users set new_email = null, email_change_sent_at = null, email_change_confirmed_at = null where id = $1", user)
	if err != nil {
		return err
	}
	for _, underWay := range []string{"flow_states", "oauth_states"} {
		if _, err := tx.Exec(ctx, "delete from "+underWay+" where user_id = $1", user); err != nil {
			return err
		}
	}
	return s.endSessions(ctx, tx, user, except, "")
}

func (u *User) changeData(ctx context.Context, tx *db.Tx, data metadata) error {
	u.UserMetadata.merge(data)
	if err := u.UserMetadata.check(); err != nil {
		return err
	}
	_, text, err := u.metadataText()
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "update users set user_metadata = $2 where id = $1", u.ID, text)
	return err
}

// reauthenticate mails the code that a stale session needs before it may change the password.
func (s *Service) reauthenticate(w http.ResponseWriter, r *http.Request) error {
	c, err := s.caller(r)
	if err != nil {
		return err
	}
	if c.user.Email == "" || !c.user.confirmed() {
		return refuse(422, "email_not_confirmed", "Please verify your email first.")
	}
	from := originOf(r)
	if err := s.Limits.Allow(r.Context(), limit.MailPerAddress.By(from.address), limit.MailPerRecipient.By(c.user.Email)); err != nil {
		return err
	}
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		t, err := s.mint(ctx, tx, c.user.ID, kindReauth, c.user.Email, "", "")
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "update users set reauthentication_sent_at = $2 where id = $1", c.user.ID, db.At(tx.Now)); err != nil {
			return err
		}
		if err := audit.Record(ctx, tx, from.entry(c.user.ID, "user.reauthenticate", c.user.Email, audit.OK)); err != nil {
			return err
		}
		return s.Enqueue(ctx, tx, mail.Reauthenticate{To: c.user.Email, Code: t.code})
	})
	if err != nil {
		return err
	}
	return empty(w)
}

// logout ends the caller's sessions: all, this one, or the others.
func (s *Service) logout(w http.ResponseWriter, r *http.Request) error {
	c, err := s.caller(r)
	if err != nil {
		return err
	}
	scope := r.URL.Query().Get("scope")
	if scope == "" {
		scope = "global"
	}
	if !slices.Contains([]string{"global", "local", "others"}, scope) {
		return invalid("Unsupported logout scope " + audit.Text(scope))
	}
	except, only := "", ""
	switch scope {
	case "others":
		except = c.session.id
	case "local":
		only = c.session.id
	}
	from := originOf(r)
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		// This waits for whoever is opening one more session just now, so that it ends with the others.
		if err := holdUser(ctx, tx, c.user.ID); err != nil {
			return err
		}
		if err := audit.Record(ctx, tx, from.entry(c.user.ID, "session.end", scope, audit.OK)); err != nil {
			return err
		}
		return s.endSessions(ctx, tx, c.user.ID, except, only)
	})
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
