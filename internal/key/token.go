package key

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Claims are what an access token says.
type Claims struct {
	Issuer       string          `json:"iss,omitempty"`
	Subject      string          `json:"sub"`
	Audience     string          `json:"aud"`
	Expires      int64           `json:"exp"`
	IssuedAt     int64           `json:"iat"`
	NotBefore    int64           `json:"nbf,omitempty"`
	Email        string          `json:"email"`
	Phone        string          `json:"phone"`
	AppMetadata  json.RawMessage `json:"app_metadata,omitempty"`
	UserMetadata json.RawMessage `json:"user_metadata,omitempty"`
	Role         string          `json:"role"`
	AAL          string          `json:"aal,omitempty"`
	AMR          json.RawMessage `json:"amr,omitempty"`
	SessionID    string          `json:"session_id,omitempty"`
	IsAnonymous  bool            `json:"is_anonymous"`
}

// Audience is what every access token of ours is for.
const Audience = "authenticated"

// mostToken bounds a token's text.
const mostToken = 16 << 10

// Leeway is how far two clocks may differ.
const Leeway = 30 * time.Second

// What can be wrong with a token. The data API and the auth API word them differently.
var (
	ErrMalformed = errors.New("the token is malformed")
	ErrSignature = errors.New("the token is not signed by us")
	ErrExpired   = errors.New("the token has expired")
	ErrEarly     = errors.New("the token is not valid yet")
	ErrFuture    = errors.New("the token was issued in the future")
	ErrAudience  = errors.New("the token is for another audience")
)

// Sign makes a token of the claims with the newest key that every instance knows; where there is but one, with that.
func (s *Set) Sign(c Claims) (string, error) {
	keys := *s.keys.Load()
	if len(keys) == 0 {
		return "", errors.New("there is no signing key")
	}
	with, now := keys[len(keys)-1], s.db.Clock.Now()
	if at := slices.IndexFunc(keys, func(one held) bool { return !one.from.After(now) }); at >= 0 {
		with = keys[at]
	}
	text, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	made, err := with.signer.Sign(text)
	if err != nil {
		return "", err
	}
	return made.CompactSerialize()
}

// Verify checks a token's signature, times, issuer and audience. The key is found by kid among ours and never
// comes from the token, nor does what to check the signature by. A signature is checked once, see checked.
func (s *Set) Verify(token, issuer string, now time.Time) (Claims, error) {
	if len(token) > mostToken {
		return Claims{}, ErrMalformed
	}
	sum := sha256.Sum256([]byte(token))
	if known, ok := s.checked.get(sum); ok && s.holds(known.keyID) {
		return known.claims, known.claims.check(issuer, now)
	}
	known, err := s.verify(token)
	if err != nil {
		return Claims{}, err
	}
	s.checked.put(sum, known)
	return known.claims, known.claims.check(issuer, now)
}

func (s *Set) holds(keyID string) bool {
	return slices.ContainsFunc(*s.keys.Load(), func(one held) bool { return one.KeyID == keyID })
}

// verify checks the signature alone.
func (s *Set) verify(token string) (signed, error) {
	if strings.Count(token, ".") != 2 {
		return signed{}, ErrMalformed
	}
	parsed, err := jose.ParseSignedCompact(token, []jose.SignatureAlgorithm{jose.ES256, jose.RS256})
	if err != nil || len(parsed.Signatures) != 1 {
		return signed{}, errors.Join(ErrMalformed, err)
	}
	var payload []byte
	header := parsed.Signatures[0].Header
	for _, one := range *s.keys.Load() {
		if one.KeyID == header.KeyID && header.Algorithm == string(one.algorithm()) {
			payload, err = parsed.Verify(one.Public())
			break
		}
	}
	if payload == nil || err != nil {
		return signed{}, ErrSignature
	}
	known := signed{keyID: header.KeyID, bytes: len(payload) + entryBytes}
	if err := json.Unmarshal(payload, &known.claims); err != nil {
		return signed{}, errors.Join(ErrMalformed, err)
	}
	return known, nil
}

func (c Claims) check(issuer string, now time.Time) error {
	switch {
	case c.Expires == 0 || now.After(time.Unix(c.Expires, 0).Add(Leeway)):
		return ErrExpired
	case time.Unix(c.NotBefore, 0).After(now.Add(Leeway)):
		return ErrEarly
	case time.Unix(c.IssuedAt, 0).After(now.Add(Leeway)):
		return ErrFuture
	case c.Audience != Audience || c.Issuer != issuer:
		return ErrAudience
	}
	return nil
}
