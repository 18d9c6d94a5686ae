package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
)

// startFlow remembers a client's challenge until its link is opened; "" for a request without one.
func startFlow(ctx context.Context, tx *db.Tx, user string, c challenge, method string) (string, error) {
	if !c.given() {
		return "", nil
	}
	flow := id.New()
	_, err := tx.Exec(ctx, `insert into flow_states (id, user_id, method, challenge, challenge_method, created_at, expires_at)
		values ($1, $2, $3, $4, $5, $6, $7)`,
		flow, user, method, c.CodeChallenge, c.CodeChallengeMethod, db.At(tx.Now), db.At(tx.Now.Add(linkLife)))
	return flow, err
}

// issueCode turns an opened link into the code that the client trades with its verifier.
func issueCode(ctx context.Context, tx *db.Tx, flow string, life time.Duration) (string, error) {
	code := id.New()
	n, err := tx.Exec(ctx, "update flow_states set code_hash = $2, expires_at = $3 where id = $1", flow, hashToken(code), db.At(tx.Now.Add(life)))
	if err == nil && n == 0 {
		return "", errOneTime
	}
	return code, err
}

// exchange trades a code and its verifier for a session. A wrong verifier leaves the code as it is.
func (s *Service) exchange(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		AuthCode     string `json:"auth_code"`
		CodeVerifier string `json:"code_verifier"`
	}
	if err := readBody(r, &in); err != nil {
		return err
	}
	if in.AuthCode == "" || in.CodeVerifier == "" {
		return invalid("invalid request: both auth code and code verifier should be non-empty")
	}
	from := originOf(r)
	if err := s.Limits.Allow(r.Context(), limit.VerifyPerAddress.By(from.address)); err != nil {
		return s.turnAwayFor(r.Context(), from, "", "pkce", err)
	}
	var got issued
	owner := ""
	err := s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		flow, err := findFlow(ctx, tx, in.AuthCode)
		if err != nil {
			return err
		}
		owner = flow.userID
		if !tx.Now.Before(flow.expires) {
			return refuse(422, "flow_state_expired", "invalid flow state, flow state has expired")
		}
		if !flow.verifies(in.CodeVerifier) {
			return refuse(400, "bad_code_verifier", "code challenge does not match previously saved code verifier")
		}
		if err := holdUser(ctx, tx, flow.userID); err != nil {
			return err
		}
		n, err := tx.Exec(ctx, "delete from flow_states where id = $1", flow.id)
		if err != nil || n == 0 {
			return errors.Join(err, errNoFlow)
		}
		u, err := userBy(ctx, tx, "id", flow.userID)
		if err != nil {
			return err
		}
		if u.banned(tx.Now) {
			return refuse(400, "user_banned", "User is banned")
		}
		if flow.byLetter() {
			if err := dropTokens(ctx, tx, u.ID, false); err != nil {
				return err
			}
		}
		if got, err = openSession(ctx, tx, u, flow.method, from); err != nil {
			return err
		}
		if flow.method == kindRecovery.method() {
			return noteRecovery(ctx, tx, got.session.id)
		}
		if flow.sealed == nil {
			return nil
		}
		got.with, err = s.tokensOf(flow)
		return err
	})
	if err != nil {
		return s.turnAwayFor(r.Context(), from, owner, "pkce", err)
	}
	return s.answer(w, r, got, nil)
}

type flowState struct {
	id, userID, method string
	challenge          string
	sealed             []byte
	expires            time.Time
}

var errNoFlow = refuse(404, "flow_state_not_found", "invalid flow state, no valid flow state found")

func findFlow(ctx context.Context, tx *db.Tx, code string) (flowState, error) {
	var f flowState
	var user sql.NullString
	var expires db.Time
	err := tx.QueryRow(ctx, "select id, user_id, method, challenge, secret, expires_at from flow_states where code_hash = $1", hashToken(code)).
		Scan(&f.id, &user, &f.method, &f.challenge, &f.sealed, &expires)
	if errors.Is(err, sql.ErrNoRows) || (err == nil && !user.Valid) {
		return f, errNoFlow
	}
	f.userID, f.expires = user.String, expires.Time
	return f, err
}

// keepTokens holds a provider's tokens for the client that has the verifier. A code that a session asked for ends with it.
func (s *Service) keepTokens(ctx context.Context, tx *db.Tx, flow, session string, tokens providerTokens) error {
	text, err := json.Marshal(tokens)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "update flow_states set secret = $2, session_id = $3 where id = $1", flow, s.Box.Seal("flow "+flow, text), orNull(session))
	return err
}

func (s *Service) tokensOf(f flowState) (tokens providerTokens, err error) {
	text, err := s.Box.Open("flow "+f.id, f.sealed)
	if err != nil {
		return tokens, err
	}
	return tokens, json.Unmarshal(text, &tokens)
}

// byLetter tells whether a letter's link led here: whoever asked for it has come back, so no other is needed.
func (f flowState) byLetter() bool {
	return slices.Contains([]string{kindSignup.method(), kindRecovery.method(), kindMagicLink.method()}, f.method)
}

func (f flowState) verifies(verifier string) bool {
	sum := sha256.Sum256([]byte(verifier))
	return subtle.ConstantTimeCompare([]byte(base64.RawURLEncoding.EncodeToString(sum[:])), []byte(f.challenge)) == 1
}
