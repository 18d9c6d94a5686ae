package storage

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
)

// claims are what a link says: for a download the object in this very version, for an upload where to, and which link it is. The
// owner is who made it; the service role's have none, nor had links to read that are from before they named anybody.
type claims struct {
	URL     string `json:"url"`
	Scope   string `json:"scope"`
	ID      string `json:"id,omitempty"`
	Version string `json:"version,omitempty"`
	Upsert  bool   `json:"upsert,omitempty"`
	Owner   string `json:"owner,omitempty"`
	Lesson  string `json:"lesson,omitempty"` // whose file it is, to the owner or to anybody
	Issued  int64  `json:"iat"`
	Expires int64  `json:"exp"`
}

const (
	download = "download"
	upload   = "upload"
	// uploadTime is how long a link for an upload lives.
	uploadTime = 2 * time.Hour
	// mostToken bounds a token's text: a key of 1024 characters, and the rest.
	mostToken = 4 << 10
)

// jwsHeader is the only one there is: what a token says of how to check it counts for nothing.
var jwsHeader = base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`))

func mac(secret []byte, text string) string {
	sum := hmac.New(sha256.New, secret)
	sum.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil))
}

// sign makes a token of claims, which lives for so long.
func (s *Service) sign(ctx context.Context, c claims, lives time.Duration) (string, error) {
	secret, err := s.secret(ctx)
	if err != nil {
		return "", err
	}
	now := s.DB.Clock.Now()
	c.Issued, c.Expires = now.Unix(), now.Add(lives).Unix()
	text, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	signed := jwsHeader + "." + base64.RawURLEncoding.EncodeToString(text)
	return signed + "." + mac(secret, signed), nil
}

// verify checks a token: its signature, its scope, its place, its end, in this order.
func (s *Service) verify(ctx context.Context, token, scope, url string) (claims, error) {
	var found claims
	if token == "" {
		return found, errNoToken
	}
	end := strings.LastIndexByte(token, '.')
	if end < 0 || len(token) > mostToken || strings.Count(token, ".") != 2 {
		return found, refuse(400, "InvalidJWT", Undecodable, "InvalidJWT")
	}
	secret, err := s.secret(ctx)
	if err != nil {
		return found, err
	}
	signed := token[:end]
	payload, ours := strings.CutPrefix(signed, jwsHeader+".")
	if !hmac.Equal([]byte(mac(secret, signed)), []byte(token[end+1:])) || !ours {
		return found, errForged
	}
	text, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil || json.Unmarshal(text, &found) != nil {
		return found, errForged
	}
	switch {
	case found.Scope != scope && scope == upload:
		return found, errNotUpload
	case found.Scope != scope || found.URL != url:
		return found, errSignature
	case s.DB.Clock.Now().Unix() >= found.Expires:
		return found, errOver
	}
	return found, nil
}
