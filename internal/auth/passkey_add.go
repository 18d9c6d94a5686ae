package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"greenroom/internal/audit"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
)

var (
	errPasskeyQuestion = refuse(400, "webauthn_challenge_not_found", "Challenge not found or already used")
	errPasskeyLate     = refuse(400, "webauthn_challenge_expired", "Challenge has expired")
	errManyPasskeys    = refuse(422, "too_many_passkeys", "Maximum number of passkeys reached")
)

// passkeyBody is the answer to a question.
type passkeyBody struct {
	ChallengeID string          `json:"challenge_id"`
	Credential  json.RawMessage `json:"credential"`
}

func readPasskeyBody(r *http.Request, asked string) (question string, got keyAnswer, err error) {
	var in passkeyBody
	if err := readBody(r, &in); err != nil {
		return "", got, err
	}
	switch {
	case in.ChallengeID == "":
		return "", got, invalid("challenge_id is required")
	case len(in.Credential) == 0 || string(in.Credential) == "null":
		return "", got, invalid("credential is required")
	}
	question, ok := id.Parse(in.ChallengeID)
	if !ok {
		return "", got, invalid("challenge_id must be a valid UUID")
	}
	if got, err = readKey(asked, in.Credential); err != nil {
		return "", got, refuse(400, "webauthn_verification_failed", "The credential "+err.Error())
	}
	return question, got, nil
}

// askedPasskey stores a question and answers with it. session is whose it is, if anybody's.
func (s *Service) askedPasskey(ctx context.Context, tx *db.Tx, kind, nonce, session string, options any) (map[string]any, error) {
	expires := tx.Now.Add(questionLife)
	answer := map[string]any{"challenge_id": id.New(), "options": options, "expires_at": expires.Unix()}
	_, err := tx.Exec(ctx, "insert into passkey_challenges (id, kind, nonce, session_id, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)",
		answer["challenge_id"], kind, nonce, orNull(session), db.At(tx.Now), db.At(expires))
	return answer, err
}

// passkeyNonce finds what a passkey has to sign.
func passkeyNonce(ctx context.Context, tx *db.Tx, question, kind, session string) (nonce string, err error) {
	var expires db.Time
	err = tx.QueryRow(ctx, "select nonce, expires_at from passkey_challenges where id = $1 and kind = $2 and coalesce(session_id, $4) = $3",
		question, kind, orNil(session), id.Nil).Scan(&nonce, &expires)
	switch {
	case missing(err):
		return "", errPasskeyQuestion
	case err != nil:
		return "", err
	case !tx.Now.Before(expires.Time):
		return "", errPasskeyLate
	}
	return nonce, nil
}

// usePasskeyQuestion uses a question up. Of many answers at the same moment, on whatever instance, one is let in.
func usePasskeyQuestion(ctx context.Context, tx *db.Tx, question string) error {
	n, err := tx.Exec(ctx, "delete from passkey_challenges where id = $1", question)
	if err == nil && n == 0 {
		return errPasskeyQuestion
	}
	return err
}

// mayAddPasskey asks what every new way in asks for.
func (c caller) mayAddPasskey(ctx context.Context, tx *db.Tx) ([]Passkey, error) {
	if c.user.IsAnonymous {
		return nil, errGuest
	}
	if err := c.mayChangeWaysIn(tx.Now); err != nil {
		return nil, err
	}
	all, err := passkeysOf(ctx, tx, c.user.ID)
	if err == nil && len(all) >= mostPasskeys {
		err = errManyPasskeys
	}
	return all, err
}

// beginPasskey asks the caller's device for a new passkey.
func (s *Service) beginPasskey(w http.ResponseWriter, r *http.Request) error {
	c, err := s.caller(r)
	if err != nil {
		return err
	}
	if err := s.Limits.Allow(r.Context(), limit.EnrolPerAccount.By(c.user.ID)); err != nil {
		return err
	}
	var answer map[string]any
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		now, err := recall(ctx, tx, c)
		if err != nil {
			return err
		}
		others, err := now.mayAddPasskey(ctx, tx)
		if err != nil {
			return err
		}
		options, nonce, err := s.keySite.newPasskey(now.user, others)
		if err != nil {
			return err
		}
		// A session has one question at a time.
		if _, err := tx.Exec(ctx, "delete from passkey_challenges where session_id = $1", now.session.id); err != nil {
			return err
		}
		answer, err = s.askedPasskey(ctx, tx, keyCreate, nonce, now.session.id, options)
		return err
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, answer)
	return nil
}

// newPasskey makes the question for a passkey: one that its device finds by the site alone, and that takes its owner's
// finger, face or number.
func (k keySite) newPasskey(u *User, others []Passkey) (options any, nonce string, err error) {
	excluded := []protocol.CredentialDescriptor{}
	for _, one := range others {
		excluded = append(excluded, one.key.Descriptor())
	}
	creation, session, err := k.BeginRegistration(Passkey{}.holder(u), webauthn.WithCredentialParameters(keyAlgorithms), webauthn.WithExclusions(excluded),
		webauthn.WithAuthenticatorSelection(protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(), UserVerification: protocol.VerificationRequired,
		}))
	if err != nil {
		return nil, "", fmt.Errorf("ask for a passkey: %w", err)
	}
	return creation.Response, session.Challenge, nil
}

// addPasskey keeps the passkey that the caller's device made.
func (s *Service) addPasskey(w http.ResponseWriter, r *http.Request) error {
	c, err := s.caller(r)
	if err != nil {
		return err
	}
	question, got, err := readPasskeyBody(r, keyCreate)
	if err != nil {
		return err
	}
	var nonce string
	err = s.DB.Read(r.Context(), func(ctx context.Context, tx *db.Tx) (err error) {
		nonce, err = passkeyNonce(ctx, tx, question, keyCreate, c.session.id)
		return err
	})
	if err != nil {
		return err
	}
	key, verdict := s.keySite.judge(Passkey{}.holder(c.user), got, nonce, protocol.VerificationRequired)
	if verdict != nil {
		s.Log.InfoContext(r.Context(), "a new passkey was refused", "reason", reason(verdict))
	}
	from := originOf(r)
	var p Passkey
	var refused error
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		refused = nil // a transaction may begin anew
		now, err := recall(ctx, tx, c)
		if err != nil {
			return err
		}
		if err := usePasskeyQuestion(ctx, tx, question); err != nil {
			return err
		}
		if verdict != nil {
			refused = errPasskeyRefused // and committed: every try needs a question of its own
			return audit.Record(ctx, tx, from.entry(now.user.ID, "passkey.add", "passkey", "refused"))
		}
		p, err = s.keepPasskey(ctx, tx, now, key, from)
		return err
	})
	if err := errors.Join(err, refused); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, p)
	return nil
}

// keepPasskey stores a passkey. One that is known already, of whomever, is refused: the unique name decides.
func (s *Service) keepPasskey(ctx context.Context, tx *db.Tx, c caller, key *webauthn.Credential, from origin) (Passkey, error) {
	if _, err := c.mayAddPasskey(ctx, tx); err != nil {
		return Passkey{}, err
	}
	transports, err := transportsOf(key)
	if err != nil {
		return Passkey{}, err
	}
	p := Passkey{ID: id.New(), Device: deviceName(from.agent), CreatedAt: tx.Now, Synced: key.Flags.BackupState}
	p.FriendlyName = passkeyName(key.Authenticator.AAGUID, p.Device)
	n, err := tx.Exec(ctx, `insert into passkeys
			(id, user_id, friendly_name, credential_id, public_key, sign_count, transports, backup_eligible, backed_up, device, created_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (credential_id) do nothing`,
		p.ID, c.user.ID, p.FriendlyName, keyName(key.ID), key.PublicKey, int64(key.Authenticator.SignCount), transports,
		key.Flags.BackupEligible, key.Flags.BackupState, p.Device, db.At(tx.Now))
	if err == nil && n == 0 {
		err = refuse(422, "webauthn_credential_exists", "This credential is already registered")
	}
	if err != nil {
		return Passkey{}, err
	}
	if err := audit.Record(ctx, tx, from.entry(c.user.ID, "passkey.add", p.ID, audit.OK)); err != nil || c.user.Email == "" {
		return p, err
	}
	return p, s.Enqueue(ctx, tx, mail.PasskeyAdded{To: c.user.Email, Passkey: p.FriendlyName})
}
