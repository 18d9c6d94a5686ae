// Package authtest has the world outside of signing in, for tests: an OpenID provider on loopback, with real discovery,
// keys, code exchange and signatures.
package authtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"greenroom/internal/platform/clock"
)

// ClientID is what the provider knows us by.
const ClientID = "greenroom"

// Claims are what an ID token says.
type Claims = map[string]any

// Provider is an OpenID provider whose people always say yes.
type Provider struct {
	*httptest.Server
	Now func() time.Time
	// Person is who signs in, unless the request names somebody by login_hint: an address, which is verified unless it
	// begins with "unverified".
	Person Claims
	// Spoil makes one thing wrong; Forge signs with another key.
	Spoil func(Claims)
	Forge bool
	// Meanwhile, if set, happens while a code is being traded.
	Meanwhile func()

	t         testing.TB
	key, fake *ecdsa.PrivateKey
	mu        sync.Mutex
	codes     map[string]url.Values // the authorization request behind each code
}

// NewProvider starts a provider that ends with the test.
func NewProvider(t testing.TB) *Provider {
	t.Helper()
	p := &Provider{
		Now: clock.System{}.Now, t: t, codes: map[string]url.Values{},
		Person: Claims{"sub": "42", "email": "ada@example.com", "email_verified": true, "name": "Ada"},
	}
	for _, into := range []**ecdsa.PrivateKey{&p.key, &p.fake} {
		made, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		*into = made
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]any{
			"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
			"jwks_uri": p.URL + "/keys", "id_token_signing_alg_values_supported": []string{"ES256"},
		})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: p.key.Public(), KeyID: "1", Algorithm: "ES256", Use: "sig"}}})
	})
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	// What an app on a phone gets from the provider by itself.
	mux.HandleFunc("GET /id-token", func(w http.ResponseWriter, r *http.Request) {
		answer(w, map[string]string{"id_token": p.sign(r.URL.Query())})
	})
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	return p
}

func answer(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

// authorize is the page on which a person says yes.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	back, err := url.Parse(asked.Get("redirect_uri"))
	if err != nil || asked.Get("client_id") != ClientID || asked.Get("response_type") != "code" {
		http.Error(w, "invalid_request", http.StatusBadRequest)
		return
	}
	said := url.Values{"state": {asked.Get("state")}, "code": {p.Consent(asked)}}
	if asked.Get("prompt") == "none" { // nobody is there to say yes
		said = url.Values{"state": {asked.Get("state")}, "error": {"access_denied"}}
	}
	back.RawQuery = said.Encode()
	w.Header().Set("Location", back.String())
	w.WriteHeader(http.StatusFound)
}

// Consent remembers an authorization request and gives its code.
func (p *Provider) Consent(asked url.Values) string {
	code := rand.Text()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.codes[code] = asked
	return code
}

// token trades a code once, for whoever has the verifier.
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	asked := p.codes[r.PostFormValue("code")]
	delete(p.codes, r.PostFormValue("code"))
	p.mu.Unlock()
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if asked == nil || asked.Get("code_challenge_method") != "S256" || asked.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) {
		http.Error(w, `{"error":"invalid_grant"}`, http.StatusBadRequest)
		return
	}
	if p.Meanwhile != nil {
		p.Meanwhile()
	}
	answer(w, map[string]any{"access_token": "at", "refresh_token": "rt", "token_type": "Bearer", "expires_in": 3600, "id_token": p.sign(asked)})
}

// Token is an ID token about Person.
func (p *Provider) Token(nonce string) string { return p.sign(url.Values{"nonce": {nonce}}) }

func (p *Provider) sign(asked url.Values) string {
	claims := Claims{"iss": p.URL, "aud": ClientID, "iat": p.Now().Unix(), "exp": p.Now().Add(time.Hour).Unix()}
	if nonce := asked.Get("nonce"); nonce != "" {
		claims["nonce"] = nonce
	}
	if hint := asked.Get("login_hint"); hint != "" {
		maps.Copy(claims, Claims{"sub": "sub of " + hint, "email": hint, "email_verified": !strings.HasPrefix(hint, "unverified"), "name": "Ada"})
	} else {
		maps.Copy(claims, p.Person)
	}
	if p.Spoil != nil {
		p.Spoil(claims)
	}
	with := p.key
	if p.Forge {
		with = p.fake
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: with, KeyID: "1"}}, nil)
	if err != nil {
		p.t.Error(err)
		return ""
	}
	text, _ := json.Marshal(claims)
	signed, err := signer.Sign(text)
	if err != nil {
		p.t.Error(err)
		return ""
	}
	compact, _ := signed.CompactSerialize()
	return compact
}
