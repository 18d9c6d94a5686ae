package auth

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"greenroom/internal/audit"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/limit"
)

// shown is when somebody last showed in this session who they are: by signing in, by a second step, or by confirm.
func (held session) shown() time.Time {
	last := held.created
	var all []proof
	if json.Unmarshal([]byte(held.amr), &all) != nil {
		return last
	}
	for _, one := range all {
		if at := time.Unix(one.Timestamp, 0); at.After(last) {
			last = at
		}
	}
	return last
}

// sure refuses whoever merely found a browser open. A guest has nothing to show but the session itself.
func (c caller) sure(now time.Time) error {
	if c.user.IsAnonymous || now.Sub(c.session.shown()) < sureFor {
		return nil
	}
	return refuse(400, "reauthentication_needed", "Please confirm that it is you, with your password or a mailed code")
}

// confirms tells whether an update changes nothing and shows who sends it.
func (in updateBody) confirms() bool {
	return in.Password == nil && (in.CurrentPassword != "" || in.Nonce != "")
}

// rightPassword judges the password of somebody who is signed in; wrong is what they get for another one. The tries
// count for the session: a storm of strangers' guesses must not keep the owner from it.
func (s *Service) rightPassword(ctx context.Context, c caller, password string, from origin, wrong error) error {
	if err := s.Limits.Allow(ctx, limit.SignInPerAddress.By(from.address), limit.PasswordPerSession.By(c.session.id)); err != nil {
		return s.turnAwayFor(ctx, from, c.user.ID, c.user.Email, err)
	}
	right, err := s.hasher.matches(ctx, c.user.passwordHash, password)
	if err != nil || right {
		return err
	}
	return s.turnAway(ctx, from, c.user.ID, c.user.Email, "wrong password", wrong)
}

var errCurrentPassword = refuse(400, "current_password_invalid", "Current password is not correct")

// useNonce takes a mailed code of the caller's. A refusal is committed: a wrong code counts.
func (s *Service) useNonce(ctx context.Context, tx *db.Tx, u *User, nonce string) (refused, err error) {
	t, err := s.useCode(ctx, tx, []kind{kindReauth}, u.Email, nonce)
	if errors.Is(err, errOneTime) || (err == nil && t.userID != u.ID) {
		return refuse(422, "reauthentication_not_valid", "Nonce has expired or is invalid"), nil
	}
	return nil, err
}

// confirm notes in the session that its owner has just shown who they are: by a password that was judged before, or by
// the mailed code.
func (s *Service) confirm(ctx context.Context, tx *db.Tx, u *User, own session, nonce string, from origin) (refused, err error) {
	method := "password"
	if nonce != "" {
		method = "otp"
		if refused, err = s.useNonce(ctx, tx, u, nonce); refused != nil || err != nil {
			return refused, err
		}
	}
	var amr string
	if err := tx.QueryRow(ctx, "select amr from sessions where id = $1 and user_id = $2", own.id, u.ID).Scan(&amr); err != nil {
		if missing(err) {
			return errNoSession, nil
		}
		return nil, err
	}
	var all []proof
	if err := json.Unmarshal([]byte(amr), &all); err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(one proof) bool { return one.Method == method })
	text, err := jsonText(append([]proof{{Method: method, Timestamp: tx.Now.Unix()}}, all...))
	if err != nil {
		return nil, err
	}
	if _, err := tx.Exec(ctx, "update sessions set amr = $2 where id = $1", own.id, text); err != nil {
		return nil, err
	}
	return nil, audit.Record(ctx, tx, from.entry(u.ID, "session.confirm", method, audit.OK))
}
