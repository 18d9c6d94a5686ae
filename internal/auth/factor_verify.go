package auth

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/protocol"

	"greenroom/internal/audit"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
)

// challengeFactor asks for a code or a security key. The answer must come from the same session.
func (s *Service) challengeFactor(w http.ResponseWriter, r *http.Request) error {
	c, err := s.caller(r)
	if err != nil {
		return err
	}
	f, err := c.user.asked(r)
	if err != nil {
		return err
	}
	answer := map[string]any{"id": id.New(), "type": f.FactorType}
	var nonce any
	if f.FactorType == factorKey {
		if answer[factorKey], nonce, err = s.keyQuestion(r, c.user, f); err != nil {
			return err
		}
	}
	err = s.Limits.Allow(r.Context(), limit.ChallengePerAccount.By(c.user.ID))
	if fault.Is(err, fault.TooMany) {
		err = s.allowStrong(r, c.user, limit.ChallengePerDevice, err)
	}
	if err != nil {
		return err
	}
	expires := s.DB.Clock.Now().Add(questionLife)
	answer["expires_at"] = expires.Unix()
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
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
		_, err = tx.Exec(ctx, "insert into mfa_challenges (id, factor_id, session_id, nonce, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)",
			answer["id"], f.ID, c.session.id, nonce, db.At(tx.Now), db.At(expires))
		return err
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, answer)
	return nil
}

// keyQuestion reads what the client claims to sign for, and asks a security key in the site's own name.
func (s *Service) keyQuestion(r *http.Request, u *User, f Factor) (options any, nonce string, err error) {
	if !s.keySite.on() {
		return nil, "", errNoKeys
	}
	var in struct {
		WebAuthn keyBody `json:"webauthn"`
	}
	if err := readBody(r, &in); err != nil {
		return nil, "", err
	}
	if err := s.keySite.check(in.WebAuthn); err != nil {
		return nil, "", err
	}
	return s.keySite.question(u, f)
}

type answerBody struct {
	ChallengeID string  `json:"challenge_id"`
	Code        string  `json:"code"`
	WebAuthn    keyBody `json:"webauthn"`
}

// settle uses an answer up, inside the transaction that decides about it.
type settle func(ctx context.Context, tx *db.Tx, now caller, f Factor) error

// verifyFactor takes the answer to a challenge once, and makes the session strong.
func (s *Service) verifyFactor(w http.ResponseWriter, r *http.Request) error {
	c, err := s.caller(r)
	if err != nil {
		return err
	}
	f, err := c.user.asked(r)
	if err != nil {
		return err
	}
	var in answerBody
	if err := readBody(r, &in); err != nil {
		return err
	}
	from := originOf(r)
	take, err := s.readAnswer(r, c, f, in)
	if fault.Is(err, fault.TooMany) {
		return s.noteRefusal(r.Context(), from.entry(c.user.ID, "factor.verify", f.ID, "limited"), err)
	}
	if err != nil {
		return err
	}
	var got issued
	var refused error
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		refused = nil // a transaction may begin anew
		now, err := recall(ctx, tx, c)
		if err != nil {
			return err
		}
		f, err := now.user.asked(r)
		if err != nil {
			return err
		}
		if err := take(ctx, tx, now, f); err != nil {
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
	return s.answer(w, r, got, nil)
}

var (
	errNoQuestion = refuse(422, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found")
	errWrongCode  = refuse(422, "mfa_verification_failed", "Invalid TOTP code entered")
	errNoKeys     = refuse(422, "mfa_webauthn_verify_not_enabled", "MFA verification is disabled for WebAuthn")
	errAnswered   = refuse(422, "mfa_ip_address_mismatch", "Challenge and verify must come from the same session, and a challenge is answered once")
)

// readAnswer checks the form of an answer, counts the try, and says how to use it up.
func (s *Service) readAnswer(r *http.Request, c caller, f Factor, in answerBody) (settle, error) {
	var key keyAnswer
	code := strings.TrimSpace(in.Code)
	switch {
	case f.FactorType == factorKey && !s.keySite.on():
		return nil, errNoKeys
	case f.FactorType == factorKey:
		if err := s.keySite.check(in.WebAuthn); err != nil {
			return nil, err
		}
		var err error
		if key, err = in.WebAuthn.parse(f.asks()); err != nil {
			return nil, err
		}
	case code == "":
		return nil, invalid("Code needs to be non-empty")
	}
	question, ok := id.Parse(in.ChallengeID)
	if !ok {
		return nil, errNoQuestion
	}
	if err := s.countAnswer(r, c); err != nil {
		return nil, err
	}
	if f.FactorType == factorKey {
		return s.judgeKey(r.Context(), c, f, key, question)
	}
	return func(ctx context.Context, tx *db.Tx, now caller, f Factor) error {
		return s.takeCode(ctx, tx, f, code, question, now.session)
	}, nil
}

// countAnswer counts a try of the second step: for its session, and for the account. Whoever has only the password can
// use up the account's; a device that has passed the second step has tries of its own then.
func (s *Service) countAnswer(r *http.Request, c caller) error {
	if err := s.Limits.Allow(r.Context(), limit.FactorPerSession.By(c.session.id)); err != nil {
		return err
	}
	err := s.Limits.Allow(r.Context(), limit.FactorPerAccount.By(c.user.ID), limit.FactorPerAccountHour.By(c.user.ID))
	if fault.Is(err, fault.TooMany) {
		return s.allowStrong(r, c.user, limit.FactorPerDevice, err)
	}
	return err
}

// openQuestion finds a challenge that may be answered now, and gives what a security key has to sign.
func openQuestion(ctx context.Context, tx *db.Tx, f Factor, question string, own session) (nonce string, err error) {
	var asker string
	var signs sql.NullString
	var answered, expires db.Time
	err = tx.QueryRow(ctx, "select session_id, nonce, verified_at, expires_at from mfa_challenges where id = $1 and factor_id = $2", question, f.ID).
		Scan(&asker, &signs, &answered, &expires)
	switch {
	case missing(err):
		return "", errNoQuestion
	case err != nil:
		return "", err
	case !answered.IsZero() || asker != own.id:
		return "", errAnswered
	case !tx.Now.Before(expires.Time):
		return "", refuse(422, "mfa_challenge_expired", "MFA challenge "+question+" has expired, verify against another challenge or create a new challenge.")
	}
	return signs.String, nil
}

// closeQuestion uses a challenge up. Of many answers at the same moment one is let in.
func closeQuestion(ctx context.Context, tx *db.Tx, question string) error {
	n, err := tx.Exec(ctx, "update mfa_challenges set verified_at = $2 where id = $1 and verified_at is null", question, db.At(tx.Now))
	if err == nil && n == 0 {
		return errAnswered
	}
	return err
}

// takeCode judges a code and uses up its time step and its question. Of many at the same moment one is let in.
func (s *Service) takeCode(ctx context.Context, tx *db.Tx, f Factor, code, question string, own session) error {
	if _, err := openQuestion(ctx, tx, f, question, own); err != nil {
		return err
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
	return closeQuestion(ctx, tx, question)
}

// judgeKey does the arithmetic of a security key's answer before the transaction, which then uses the question up
// whatever the verdict: every try needs a question of its own.
func (s *Service) judgeKey(ctx context.Context, c caller, asked Factor, got keyAnswer, question string) (settle, error) {
	var nonce string
	err := s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		nonce, err = openQuestion(ctx, tx, asked, question, c.session)
		return err
	})
	if _, ours := asFailure(err); ours {
		return func(context.Context, *db.Tx, caller, Factor) error { return err }, nil
	}
	if err != nil {
		return nil, err
	}
	key, verdict := s.keySite.judge(asked.holder(c.user), got, nonce, protocol.VerificationPreferred)
	if verdict != nil {
		s.Log.InfoContext(ctx, "a security key was refused", "factor", asked.ID, "reason", reason(verdict))
	}
	return func(ctx context.Context, tx *db.Tx, now caller, f Factor) error {
		if _, err := openQuestion(ctx, tx, f, question, now.session); err != nil {
			return err
		}
		if err := closeQuestion(ctx, tx, question); err != nil {
			return err
		}
		switch {
		case verdict != nil, f.asks() != asked.asks():
			return errWrongKey
		case asked.asks() == keyCreate:
			return keepKey(ctx, tx, f, key)
		}
		return countKey(ctx, tx, f, key)
	}, nil
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
	tx.AfterCommit(func() { s.forget(c.user.ID) })
	if err := audit.Record(ctx, tx, from.entry(c.user.ID, "factor.verify", f.ID, audit.OK)); err != nil {
		return issued{}, err
	}
	u, err := userBy(ctx, tx, "id", c.user.ID)
	return issued{session: c.session, token: token, user: u, at: tx.Now}, err
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
