package auth

import (
	"context"
	"errors"
	"net/http"

	"greenroom/internal/audit"
	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"
)

// ownAddress tells whether the caller has shown that their address is theirs, and takes the code of /reauthenticate
// that shows it. The password goes with the code: whoever has both set the account up, so nothing of theirs is lost.
func (s *Service) ownAddress(ctx context.Context, r fn.Request) (fn.Answer, error) {
	c, err := s.callerOf(ctx, r)
	if err != nil {
		return fn.Answer{}, err
	}
	if r.Method == http.MethodPost && c.user.provenAt.IsZero() {
		var in struct {
			Code     string `json:"code"`
			Password string `json:"password"`
		}
		if err := r.Decode(&in); err != nil {
			return fn.Answer{}, err
		}
		if err := s.proveByCode(ctx, c, in.Code, in.Password, r.Actor.Address); err != nil {
			return fn.Answer{}, err
		}
		c.user.provenAt = s.DB.Clock.Now()
	}
	return fn.JSON(map[string]bool{"proven": c.user.provenAddress() != "", "password": c.user.passwordHash != ""}), nil
}

var errNotTheCode = fault.Coded(fault.Forbidden, "reauthentication_not_valid", "That code is wrong or has expired. Check the latest email.")

func (s *Service) proveByCode(ctx context.Context, c caller, code, password, address string) error {
	switch {
	case c.user.Email == "":
		return fault.New(fault.Invalid, "This account has no email address yet.")
	case c.user.guarded() && !c.session.strong():
		return fault.Coded(fault.Forbidden, "insufficient_aal", "Enter your two-step verification code first.")
	case c.user.passwordHash == "":
		return fault.Coded(fault.Forbidden, "current_password_required", "This account has no password. Set one with “Forgot password?”: that also shows that the address is yours.")
	case password == "":
		return fault.Coded(fault.Invalid, "current_password_required", "Enter your password along with the code.")
	case code == "":
		return errNotTheCode
	}
	from := origin{address: audit.Text(address)}
	if err := s.Limits.Allow(ctx, limit.VerifyPerAddress.By(from.address)); err != nil {
		return err
	}
	if err := s.certain(ctx, c, password, from); err != nil {
		return err
	}
	var refused error
	err := s.write(ctx, func(ctx context.Context, tx *db.Tx) error {
		refused = nil // a transaction may begin anew
		now, err := recall(ctx, tx, c)
		if err != nil {
			return ended(err)
		}
		// The password may have been changed while its hash was compared.
		if now.user.passwordHash != c.user.passwordHash {
			return errNotTheCode
		}
		// The code is the proof, so an absent one is a wrong one.
		wrong, err := s.useNonce(ctx, tx, now.user, code)
		if wrong != nil {
			refused = errNotTheCode // and committed, because a wrong code counts
		}
		if wrong != nil || err != nil {
			return err
		}
		if _, err := s.confirm(ctx, tx, now.user, now.session, "", from); err != nil {
			return err
		}
		with := evidence{by: string(kindReauth), password: now.user.passwordHash, session: now.session.id, knew: true}
		return s.prove(ctx, tx, now.user, with, from)
	})
	return errors.Join(err, refused)
}
