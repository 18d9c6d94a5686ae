package auth

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"greenroom/internal/audit"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/limit"
)

// methodPasskey is what the contract's amr calls it.
const methodPasskey = "passkey"

// mostPasskeyQuestions bounds the questions that wait for an answer. Where strangers ask for more, the oldest go: each
// instance looks once in so many questions, because it has to walk past all that may stay.
const (
	mostPasskeyQuestions = 20_000
	passkeyQuestionsLook = 100
)

// dropOldest walks an index from its young end. It names session_id among the order, or PostgreSQL would sort them all.
const dropOldest = `delete from passkey_challenges where id in (select id from passkey_challenges where session_id is null
	order by session_id desc, expires_at desc, id desc limit $1 offset $2)`

// askPasskey asks whoever is there for a passkey of theirs. It is the same question for everybody.
func (s *Service) askPasskey(w http.ResponseWriter, r *http.Request) error {
	if err := s.Limits.Allow(r.Context(), limit.PasskeyPerAddress.By(originOf(r).address)); err != nil {
		return err
	}
	request, session, err := s.keySite.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return fmt.Errorf("ask a passkey: %w", err)
	}
	look := s.asked.Add(1)%passkeyQuestionsLook == 1
	var answer map[string]any
	err = s.DB.Write(r.Context(), func(ctx context.Context, tx *db.Tx) (err error) {
		if look {
			// More than have come since, so that several instances keep up, too.
			if _, err := tx.Exec(ctx, dropOldest, 2*passkeyQuestionsLook, mostPasskeyQuestions); err != nil {
				return err
			}
		}
		answer, err = s.askedPasskey(ctx, tx, keyRequest, session.Challenge, "", request.Response)
		return err
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, answer)
	return nil
}

// signInByPasskey opens a session for the owner of the passkey that signed. Whatever is wrong with the answer is
// answered alike, and uses the question up.
func (s *Service) signInByPasskey(w http.ResponseWriter, r *http.Request) error {
	question, got, err := readPasskeyBody(r, keyRequest)
	if err != nil {
		return err
	}
	from := originOf(r)
	if err := s.Limits.Allow(r.Context(), limit.SignInPerAddress.By(from.address)); err != nil {
		if fault.Is(err, fault.TooMany) {
			return s.turnAway(r.Context(), from, "", methodPasskey, "limited", err)
		}
		return err
	}
	p, key, verdict, err := s.judgePasskey(r.Context(), question, got)
	if err != nil {
		return s.turnAwayFor(r.Context(), from, "", methodPasskey, err)
	}
	var in issued
	var refused error
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		refused = nil
		if err := usePasskeyQuestion(ctx, tx, question); err != nil {
			return err
		}
		err := verdict
		if err == nil {
			in, err = s.admitByPasskey(ctx, tx, p, key, from)
		}
		if _, ours := asFailure(err); ours {
			refused = err // and committed, with the question
			return recordTry(ctx, tx, from.entry(p.userID, "session.try", methodPasskey, why(err)))
		}
		return err
	})
	if errors.Is(err, errPasskeyQuestion) {
		return s.turnAwayFor(r.Context(), from, p.userID, methodPasskey, err)
	}
	if err := errors.Join(err, refused); err != nil {
		return err
	}
	return s.answer(w, r, in, nil)
}

// judgePasskey does the arithmetic before the transaction. p tells whose passkey it claims to be, where one has that name.
func (s *Service) judgePasskey(ctx context.Context, question string, got keyAnswer) (p Passkey, key *webauthn.Credential, verdict, err error) {
	var nonce string
	var u *User
	err = s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
		if nonce, err = passkeyNonce(ctx, tx, question, keyRequest, ""); err != nil {
			return err
		}
		all, err := passkeysBy(ctx, tx, "c.credential_id = $1", keyName(got.signed.RawID))
		if err != nil || len(all) == 0 {
			return err
		}
		p = all[0]
		u, err = userBy(ctx, tx, "id", p.userID)
		return err
	})
	if err != nil {
		return p, nil, nil, err
	}
	reasons := errors.New("nobody has this passkey")
	if u != nil {
		// Who signs in is told by the passkey itself, so it has to tell.
		if len(got.signed.Response.UserHandle) == 0 {
			reasons = errors.New("the passkey did not name its owner")
		} else if key, reasons = s.keySite.judge(p.holder(u), got, nonce, protocol.VerificationRequired); reasons == nil {
			return p, key, nil, nil
		}
	}
	s.Log.InfoContext(ctx, "a passkey was refused", "passkey", p.ID, "reason", reason(reasons))
	return p, nil, errPasskeyRefused, nil
}

// admitByPasskey lets the owner of a passkey in, if the account may be used. The passkey is something they have, and took
// something they are or know: the session is one of two steps.
func (s *Service) admitByPasskey(ctx context.Context, tx *db.Tx, p Passkey, key *webauthn.Credential, from origin) (issued, error) {
	if err := holdUser(ctx, tx, p.userID); err != nil {
		return issued{}, err
	}
	u, err := found(userBy(ctx, tx, "id", p.userID))
	switch {
	case err != nil:
		return issued{}, err
	case u == nil:
		return issued{}, errPasskeyRefused
	case u.banned(tx.Now):
		return issued{}, refuse(403, "user_banned", "User is banned")
	case u.Email != "" && !u.confirmed():
		return issued{}, refuse(403, "email_not_confirmed", "Email not confirmed")
	}
	n, err := tx.Exec(ctx, "update passkeys"+moveOn+"id = $1", p.ID, int64(key.Authenticator.SignCount), key.Flags.BackupState, db.At(tx.Now))
	if err != nil {
		return issued{}, err
	}
	if n == 0 { // a copy of it was used, or it was taken away meanwhile
		return issued{}, errPasskeyRefused
	}
	if err := audit.Record(ctx, tx, from.entry(u.ID, "session.try", methodPasskey, audit.OK)); err != nil {
		return issued{}, err
	}
	in, err := openSession(ctx, tx, u, methodPasskey, from)
	if err != nil {
		return issued{}, err
	}
	in.session.aal = "aal2"
	_, err = tx.Exec(ctx, "update sessions set aal = $2, passkey_id = $3 where id = $1", in.session.id, in.session.aal, p.ID)
	return in, err
}
