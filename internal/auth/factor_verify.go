package auth

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"greenroom/internal/audit"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
)

// challengeFactor asks for a code. The answer must come from the same session.
func (s *Service) challengeFactor(w http.ResponseWriter, r *http.Request) error {
	c, err := s.caller(r)
	if err != nil {
		return err
	}
	f, err := c.user.factor(r)
	if err != nil {
		return err
	}
	if err := s.Limits.Allow(r.Context(), limit.ChallengePerAccount.By(c.user.ID)); err != nil {
		return err
	}
	question := id.New()
	expires := s.DB.Clock.Now().Add(questionLife)
	err = s.DB.Write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		if _, err := recall(ctx, tx, c); err != nil {
			return err
		}
		n, err := tx.Exec(ctx, "update mfa_factors set last_challenged_at = $2 where id = $1", f.ID, db.At(tx.Now))
		if err != nil {
			return err
		}
		if n == 0 {
			return refuse(404, "mfa_factor_not_found", "Factor not found")
		}
		_, err = tx.Exec(ctx, "insert into mfa_challenges (id, factor_id, session_id, created_at, expires_at) values ($1, $2, $3, $4, $5)",
			question, f.ID, c.session.id, db.At(tx.Now), db.At(expires))
		return err
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, map[string]any{"id": question, "type": f.FactorType, "expires_at": expires.Unix()})
	return nil
}

type answerBody struct {
	ChallengeID string `json:"challenge_id"`
	Code        string `json:"code"`
}

// verifyFactor takes the code of a factor once, and makes the session strong.
func (s *Service) verifyFactor(w http.ResponseWriter, r *http.Request) error {
	c, err := s.caller(r)
	if err != nil {
		return err
	}
	if _, err := c.user.factor(r); err != nil {
		return err
	}
	var in answerBody
	if err := readBody(r, &in); err != nil {
		return err
	}
	if in.Code = strings.TrimSpace(in.Code); in.Code == "" {
		return invalid("Code needs to be non-empty")
	}
	question, ok := id.Parse(in.ChallengeID)
	if !ok {
		return errNoQuestion
	}
	if err := s.Limits.Allow(r.Context(), limit.FactorPerAccount.By(c.user.ID), limit.FactorPerAccountHour.By(c.user.ID)); err != nil {
		return err
	}
	from := originOf(r)
	var got issued
	var refused error
	err = s.DB.Write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		now, err := recall(ctx, tx, c)
		if err != nil {
			return err
		}
		f, err := now.user.factor(r)
		if err != nil {
			return err
		}
		if err := s.takeCode(ctx, tx, f, in.Code, question, now.session); err != nil {
			if _, ours := asFailure(err); !ours {
				return err
			}
			refused = err // and committed, so that the trail knows of the try
			return audit.Record(ctx, tx, from.entry(c.user.ID, "factor.verify", f.ID, "refused"))
		}
		got, err = s.strengthen(ctx, tx, now, f, from)
		return err
	})
	if err := errors.Join(err, refused); err != nil {
		return err
	}
	return s.answer(w, got, nil)
}

var (
	errNoQuestion = refuse(422, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found")
	errWrongCode  = refuse(422, "mfa_verification_failed", "Invalid TOTP code entered")
)

// takeCode judges a code and uses up its time step and its question. Of many at the same moment one is let in.
func (s *Service) takeCode(ctx context.Context, tx *db.Tx, f Factor, code, question string, own session) error {
	var asker string
	var answered, expires db.Time
	err := tx.QueryRow(ctx, "select session_id, verified_at, expires_at from mfa_challenges where id = $1 and factor_id = $2", question, f.ID).
		Scan(&asker, &answered, &expires)
	switch {
	case missing(err):
		return errNoQuestion
	case err != nil:
		return err
	case !answered.IsZero() || asker != own.id:
		return refuse(422, "mfa_ip_address_mismatch", "Challenge and verify must come from the same session, and a challenge is answered once")
	case !tx.Now.Before(expires.Time):
		return refuse(422, "mfa_challenge_expired", "MFA challenge "+question+" has expired, verify against another challenge or create a new challenge.")
	}
	secret, err := s.Box.Open(f.place(), f.sealed)
	if err != nil {
		return err
	}
	step, ok, err := totpStep(string(secret), code, tx.Now)
	if err != nil {
		return err
	}
	if !ok {
		return errWrongCode
	}
	n, err := tx.Exec(ctx, "insert into mfa_used_codes (id, factor_id, step, expires_at) values ($1, $2, $3, $4) on conflict (factor_id, step) do nothing",
		id.New(), f.ID, step, db.At(tx.Now.Add(2*(totpSkew+1)*totpPeriod*time.Second)))
	if err != nil {
		return err
	}
	if n == 0 {
		return errWrongCode
	}
	_, err = tx.Exec(ctx, "update mfa_challenges set verified_at = $2 where id = $1", question, db.At(tx.Now))
	return err
}

// strengthen makes the caller's session one of two steps, with a new line of refresh tokens: whoever holds a token
// from before the second step does not get past it. The user's other sessions of one step end.
func (s *Service) strengthen(ctx context.Context, tx *db.Tx, c caller, f Factor, from origin) (issued, error) {
	if f.Status != verified {
		if err := s.finishEnrolment(ctx, tx, c.user, f, from); err != nil {
			return issued{}, err
		}
	}
	amr, err := withMethod(c.session.amr, f.FactorType, tx.Now)
	if err != nil {
		return issued{}, err
	}
	c.session.aal, c.session.amr, c.session.refreshed = "aal2", amr, tx.Now
	_, err = tx.Exec(ctx, "update sessions set aal = $2, amr = $3, factor_id = $4, refreshed_at = $5 where id = $1",
		c.session.id, c.session.aal, amr, f.ID, db.At(tx.Now))
	if err != nil {
		return issued{}, err
	}
	if _, err := tx.Exec(ctx, "delete from refresh_tokens where session_id = $1", c.session.id); err != nil {
		return issued{}, err
	}
	token := id.Secret()
	if err := addRefreshToken(ctx, tx, c.session.id, token); err != nil {
		return issued{}, err
	}
	if _, err := tx.Exec(ctx, "delete from sessions where user_id = $1 and id <> $2 and aal = 'aal1'", c.user.ID, c.session.id); err != nil {
		return issued{}, err
	}
	tx.AfterCommit(func() { s.Accounts.Forget(c.user.ID) })
	if err := audit.Record(ctx, tx, from.entry(c.user.ID, "factor.verify", f.ID, audit.OK)); err != nil {
		return issued{}, err
	}
	u, err := userBy(ctx, tx, "id", c.user.ID)
	return issued{c.session, token, u, tx.Now}, err
}

// finishEnrolment marks a factor as one that guards the account, and drops what else was begun of its sort.
func (s *Service) finishEnrolment(ctx context.Context, tx *db.Tx, u *User, f Factor, from origin) error {
	if _, err := tx.Exec(ctx, "update mfa_factors set status = 'verified', updated_at = $2 where id = $1", f.ID, db.At(tx.Now)); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "delete from mfa_factors where user_id = $1 and factor_type = $2 and status = 'unverified'", u.ID, f.FactorType)
	if err != nil {
		return err
	}
	if err := audit.Record(ctx, tx, from.entry(u.ID, "factor.add", f.ID, audit.OK)); err != nil || u.Email == "" {
		return err
	}
	return s.Enqueue(ctx, tx, mail.FactorAdded{To: u.Email, Factor: f.FriendlyName})
}
