package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/limit"
)

// idToken signs in with the ID token that an app got from a provider itself. The token holds the hash of a nonce that
// only the app knows.
func (s *Service) idToken(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Provider     string `json:"provider"`
		IDToken      string `json:"id_token"`
		Nonce        string `json:"nonce"`
		LinkIdentity bool   `json:"link_identity"`
	}
	if err := readBody(r, &in); err != nil {
		return err
	}
	if in.IDToken == "" {
		return plainRefusal(w, "invalid request", "id_token required")
	}
	p, ok := s.parties[in.Provider]
	if !ok || p.Issuer == "" {
		return invalid("Provider is not allowed or not enabled")
	}
	from := originOf(r)
	linkTo := ""
	refused := func(ctx context.Context, name, description, result string) error {
		if err := s.turnAway(ctx, from, linkTo, p.Name, result, nil); err != nil {
			return err
		}
		return plainRefusal(w, name, description)
	}
	if err := s.Limits.Allow(r.Context(), limit.SignInPerAddress.By(from.address)); err != nil {
		return s.turnAwayFor(r.Context(), from, "", p.Name, err)
	}
	var c caller
	if in.LinkIdentity {
		var err error
		if c, err = s.caller(r); err != nil {
			return err
		}
		if err := c.mayChangeWaysIn(s.DB.Clock.Now()); err != nil {
			return err
		}
		linkTo = c.user.ID
	}
	came, nonce, err := p.read(r.Context(), in.IDToken)
	if err != nil {
		s.Log.WarnContext(r.Context(), "an ID token was refused", "provider", p.Name, "error", err)
		return refused(r.Context(), "invalid request", "Bad ID token", "bad id token")
	}
	sum := sha256.Sum256([]byte(in.Nonce))
	switch {
	case (nonce == "") != (in.Nonce == ""):
		return refused(r.Context(), "invalid request", "Passed nonce and nonce in id_token should either both exist or not.", "bad nonce")
	case nonce != "" && subtle.ConstantTimeCompare([]byte(nonce), []byte(hex.EncodeToString(sum[:]))) != 1:
		return refused(r.Context(), "invalid nonce", "Nonces mismatch", "bad nonce")
	}
	var got issued
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		if linkTo != "" {
			now, err := recall(ctx, tx, c)
			if err != nil {
				return err
			}
			if err := now.mayChangeWaysIn(tx.Now); err != nil {
				return err
			}
		}
		u, err := s.identify(ctx, tx, p.Name, came, linkTo, from)
		if err != nil {
			return err
		}
		got, err = openSession(ctx, tx, u, "oauth", from)
		return err
	})
	if err != nil {
		return s.turnAwayFor(r.Context(), from, linkTo, p.Name, err)
	}
	return s.answer(w, r, got, nil)
}

// plainRefusal is the older form of an error, which the contract keeps for this grant.
func plainRefusal(w http.ResponseWriter, name, description string) error {
	writeJSON(w, http.StatusBadRequest, map[string]string{"error": name, "error_description": description})
	return nil
}
