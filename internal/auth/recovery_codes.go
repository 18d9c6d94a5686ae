package auth

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"strings"
	"time"
	"unicode"

	"greenroom/internal/audit"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
)

// Recovery codes are a second step for whoever has lost the others: a factor of a type of its own, whose codes work once
// each. They never guard an account by themselves, and go with its last other factor.
const (
	factorCodes   = "recovery_code"
	codesName     = "Recovery codes"
	recoveryCodes = 10
	// recoveryLength gives a code 80 random bits.
	recoveryLength = 16
	// recoveryLetters are Crockford's: what looks alike is there once.
	recoveryLetters = "0123456789abcdefghjkmnpqrstvwxyz"
)

var (
	errNoCodes      = refuse(404, "mfa_factor_not_found", "The user has not enrolled recovery codes")
	errWrongRecover = refuse(422, "mfa_verification_failed", "Invalid recovery code entered")
)

// codes is the factor of the user's recovery codes.
func (u *User) codes() (Factor, error) {
	for _, f := range u.Factors {
		if f.FactorType == factorCodes {
			return f, nil
		}
	}
	return Factor{}, errNoCodes
}

func newRecoveryCode() string {
	random := make([]byte, recoveryLength)
	_, _ = rand.Read(random) // crypto/rand never fails: it ends the process instead
	for i, one := range random {
		random[i] = recoveryLetters[one%32]
	}
	return string(random)
}

// plainCode is a recovery code as it was made, however somebody writes it down and types it.
func plainCode(typed string) string {
	return strings.Map(func(r rune) rune {
		switch r = unicode.ToLower(r); {
		case unicode.IsSpace(r) || unicode.Is(unicode.Pd, r):
			return -1
		case r == 'o':
			return '0'
		case r == 'i' || r == 'l':
			return '1'
		}
		return r
	}, typed)
}

func (s *Service) hashRecovery(f Factor, code string) string {
	return s.hashCode(f.ID, factorCodes, code)
}

// recoveryStatus tells how many codes there are, and how many are left.
func (s *Service) recoveryStatus(w http.ResponseWriter, r *http.Request) error {
	c, err := s.caller(r)
	if err != nil {
		return err
	}
	f, err := c.user.codes()
	if err != nil {
		return err
	}
	var total, left int
	err = s.DB.Read(r.Context(), func(ctx context.Context, tx *db.Tx) (err error) {
		total, left, err = countRecovery(ctx, tx, f)
		return err
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, map[string]any{"id": f.ID, "type": f.FactorType, "total": total, "remaining": left})
	return nil
}

func countRecovery(ctx context.Context, tx *db.Tx, f Factor) (total, left int, err error) {
	err = tx.QueryRow(ctx, "select count(*), count(*) filter (where used_at is null) from mfa_recovery_codes where factor_id = $1", f.ID).Scan(&total, &left)
	return total, left, err
}

// mayMakeCodes asks for a session of two steps, and for somebody who has just shown who they are: the codes open as much
// as the factor that they stand for.
func (c caller) mayMakeCodes(now time.Time) error {
	switch {
	case c.user.IsAnonymous:
		return errGuest
	case !c.session.strong():
		return refuse(403, "insufficient_aal", "AAL2 required to change recovery codes")
	}
	return c.sure(now)
}

// makeCodes gives the caller a first set of codes. Nobody sees them again.
func (s *Service) makeCodes(w http.ResponseWriter, r *http.Request) error {
	var in enrolBody
	if err := readBodyIfAny(r, &in); err != nil {
		return err
	}
	if err := in.checkNames(); err != nil {
		return err
	}
	if in.FriendlyName == "" {
		in.FriendlyName = codesName
	}
	return s.handOutCodes(w, r, func(ctx context.Context, tx *db.Tx, now caller) (Factor, error) {
		if _, err := now.user.codes(); err == nil {
			return Factor{}, refuse(422, "mfa_verified_factor_exists", "Recovery codes are already enrolled for this user, use regenerate to replace them")
		}
		if !now.user.guarded() {
			return Factor{}, refuse(422, "mfa_recovery_codes_sole_factor", "At least one other verified factor is required to generate recovery codes")
		}
		f := Factor{ID: id.New(), FriendlyName: in.FriendlyName, FactorType: factorCodes, Status: verified, sealed: []byte{}}
		return f, storeFactor(ctx, tx, now.user.ID, f)
	})
}

// makeCodesAnew gives the caller new codes for the old ones.
func (s *Service) makeCodesAnew(w http.ResponseWriter, r *http.Request) error {
	return s.handOutCodes(w, r, func(ctx context.Context, tx *db.Tx, now caller) (Factor, error) {
		f, err := now.user.codes()
		if err != nil {
			return f, err
		}
		_, err = tx.Exec(ctx, "delete from mfa_recovery_codes where factor_id = $1", f.ID)
		return f, err
	})
}

// handOutCodes fills the factor that prepare gives, and shows the codes this once.
func (s *Service) handOutCodes(w http.ResponseWriter, r *http.Request, prepare func(context.Context, *db.Tx, caller) (Factor, error)) error {
	c, err := s.caller(r)
	if err != nil {
		return err
	}
	if err := s.Limits.Allow(r.Context(), limit.EnrolPerAccount.By(c.user.ID)); err != nil {
		return err
	}
	from := originOf(r)
	var f Factor
	var codes []string
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		now, err := recall(ctx, tx, c)
		if err != nil {
			return err
		}
		if err := now.mayMakeCodes(tx.Now); err != nil {
			return err
		}
		if f, err = prepare(ctx, tx, now); err != nil {
			return err
		}
		codes = make([]string, recoveryCodes)
		for i := range codes {
			codes[i] = newRecoveryCode()
			_, err := tx.Exec(ctx, "insert into mfa_recovery_codes (id, factor_id, code_hash, created_at) values ($1, $2, $3, $4)",
				id.New(), f.ID, s.hashRecovery(f, codes[i]), db.At(tx.Now))
			if err != nil {
				return err
			}
		}
		if err := audit.Record(ctx, tx, from.entry(now.user.ID, "recovery_codes.make", f.ID, audit.OK)); err != nil || now.user.Email == "" {
			return err
		}
		return s.Enqueue(ctx, tx, mail.RecoveryCodesMade{To: now.user.Email})
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, map[string]any{"id": f.ID, "type": f.FactorType, "friendly_name": f.FriendlyName, "total": len(codes), "codes": codes})
	return nil
}

// removeCodes takes the codes away.
func (s *Service) removeCodes(w http.ResponseWriter, r *http.Request) error {
	return s.removeFactor(w, r, func(now caller, at time.Time) (Factor, error) {
		if err := now.mayMakeCodes(at); err != nil {
			return Factor{}, err
		}
		return now.user.codes()
	})
}

// useRecoveryCode takes a code once, and makes the session strong.
func (s *Service) useRecoveryCode(w http.ResponseWriter, r *http.Request) error {
	c, err := s.caller(r)
	if err != nil {
		return err
	}
	var in struct {
		Code string `json:"code"`
	}
	if err := readBody(r, &in); err != nil {
		return err
	}
	code := plainCode(in.Code)
	if code == "" {
		return invalid("Code needs to be non-empty")
	}
	from := originOf(r)
	if err := s.countAnswer(r, c); err != nil {
		if !fault.Is(err, fault.TooMany) {
			return err
		}
		locked := fault.Coded(fault.TooMany, "mfa_recovery_codes_locked", "Too many failed verification attempts, try again later").Because(err)
		locked.RetryAfter = fault.Of(err).RetryAfter
		return s.noteRefusal(r.Context(), from.entry(c.user.ID, "recovery_codes.use", codesName, "limited"), locked)
	}
	var got issued
	var refused error
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		refused = nil
		now, err := recall(ctx, tx, c)
		if err != nil {
			return err
		}
		f, err := s.takeRecovery(ctx, tx, now.user, code)
		if errors.Is(err, errWrongRecover) {
			refused = err // and committed, so that the trail knows of the try
			return audit.Record(ctx, tx, from.entry(now.user.ID, "recovery_codes.use", codesName, "refused"))
		}
		if err != nil {
			return err
		}
		if err := s.tellOfRecovery(ctx, tx, now.user, f, from); err != nil {
			return err
		}
		got, err = s.strengthen(ctx, tx, now, f, from)
		return err
	})
	if err := errors.Join(err, refused); err != nil {
		return err
	}
	return s.answer(w, r, got, nil)
}

// takeRecovery uses a code up. Of many uses at the same moment, on whatever instance, one is let in.
func (s *Service) takeRecovery(ctx context.Context, tx *db.Tx, u *User, code string) (Factor, error) {
	f, err := u.codes()
	if err != nil {
		return f, errWrongRecover
	}
	n, err := tx.Exec(ctx, "update mfa_recovery_codes set used_at = $3 where factor_id = $1 and code_hash = $2 and used_at is null",
		f.ID, s.hashRecovery(f, code), db.At(tx.Now))
	if err == nil && n == 0 {
		err = errWrongRecover
	}
	return f, err
}

// tellOfRecovery tells the trail and the owner that a code was used.
func (s *Service) tellOfRecovery(ctx context.Context, tx *db.Tx, u *User, f Factor, from origin) error {
	if err := audit.Record(ctx, tx, from.entry(u.ID, "recovery_codes.use", f.ID, audit.OK)); err != nil || u.Email == "" {
		return err
	}
	_, left, err := countRecovery(ctx, tx, f)
	if err != nil {
		return err
	}
	return s.Enqueue(ctx, tx, mail.RecoveryCodeUsed{To: u.Email, Left: left})
}
