package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// Provider is a place elsewhere where people have an account: one that speaks OpenID Connect, or GitHub, which speaks
// OAuth alone.
type Provider struct {
	Name, ClientID, ClientSecret string
	// Issuer is the OpenID provider. GitHub has none.
	Issuer string
	// GitHub is where GitHub's pages and API are; empty for the real ones.
	GitHub, GitHubAPI string
}

// profile is what a provider says of a person.
type profile struct {
	subject  string
	email    string
	verified bool
	data     metadata
}

// arrival is a profile with the tokens that came with it.
type arrival struct {
	profile
	tokens providerTokens
}

// party is our side of a provider. What an OpenID provider says of itself is asked for when it is first needed.
type party struct {
	Provider
	callback string
	now      func() time.Time
	client   *http.Client

	mu    sync.Mutex
	known *oidc.Provider
}

const providerTime = 10 * time.Second

func (s *Service) newParty(p Provider) *party {
	if p.GitHub == "" {
		p.GitHub = "https://github.com"
	}
	if p.GitHubAPI == "" {
		p.GitHubAPI = "https://api.github.com"
	}
	return &party{Provider: p, callback: s.SiteURL + Prefix + "/callback", now: s.DB.Clock.Now, client: &http.Client{Timeout: providerTime}}
}

// discover reads the provider's own description once; a provider that is down is asked again the next time.
func (p *party) discover(ctx context.Context) (*oidc.Provider, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known != nil {
		return p.known, nil
	}
	// The keys are fetched with this context long after the request that asked first; the client has a time limit.
	known, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), p.client), p.Issuer)
	if err != nil {
		return nil, fmt.Errorf("provider %s: %w", p.Name, err)
	}
	p.known = known
	return known, nil
}

func (p *party) config(ctx context.Context) (*oauth2.Config, error) {
	c := &oauth2.Config{ClientID: p.ClientID, ClientSecret: p.ClientSecret, RedirectURL: p.callback}
	if p.Issuer == "" {
		c.Endpoint = oauth2.Endpoint{AuthURL: p.GitHub + "/login/oauth/authorize", TokenURL: p.GitHub + "/login/oauth/access_token"}
		c.Scopes = []string{"read:user", "user:email"}
		return c, nil
	}
	known, err := p.discover(ctx)
	if err != nil {
		return nil, err
	}
	c.Endpoint, c.Scopes = known.Endpoint(), []string{oidc.ScopeOpenID, "email", "profile"}
	return c, nil
}

// ownParameters are what a client cannot tell a provider: our own names, and what the request is made of.
var ownParameters = []string{
	"provider", "scopes", "redirect_to", "invite_token", "skip_http_redirect", "apikey", "code_challenge", "code_challenge_method",
	"client_id", "client_secret", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "code", "code_verifier",
	"request", "request_uri", "registration", "id_token_hint",
}

// address is where the browser goes, with what the client has to say to the provider: more scopes, and further
// parameters such as prompt or login_hint.
func (p *party) address(ctx context.Context, state string, kept travel, asked url.Values) (string, error) {
	c, err := p.config(ctx)
	if err != nil {
		return "", err
	}
	for scope := range strings.FieldsSeq(strings.ReplaceAll(asked.Get("scopes"), ",", " ")) {
		if !slices.Contains(c.Scopes, scope) {
			c.Scopes = append(c.Scopes, scope)
		}
	}
	options := []oauth2.AuthCodeOption{oauth2.S256ChallengeOption(kept.Verifier)}
	for name := range asked {
		if !slices.Contains(ownParameters, name) {
			options = append(options, oauth2.SetAuthURLParam(name, asked.Get(name)))
		}
	}
	if p.Issuer != "" {
		options = append(options, oidc.Nonce(kept.Nonce))
	}
	return c.AuthCodeURL(state, options...), nil
}

// receive trades the code that the browser brought for a profile.
func (p *party) receive(ctx context.Context, code string, kept travel) (arrival, error) {
	c, err := p.config(ctx)
	if err != nil {
		return arrival{}, err
	}
	ctx = oidc.ClientContext(ctx, p.client)
	token, err := c.Exchange(ctx, code, oauth2.VerifierOption(kept.Verifier))
	if err != nil {
		return arrival{}, fmt.Errorf("provider %s: %w", p.Name, err)
	}
	came := arrival{tokens: providerTokens{token.AccessToken, token.RefreshToken}}
	if p.Issuer == "" {
		came.profile, err = p.askGitHub(ctx, token.AccessToken)
		return came, err
	}
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return arrival{}, fmt.Errorf("provider %s gave no ID token", p.Name)
	}
	var nonce string
	if came.profile, nonce, err = p.read(ctx, raw); err != nil {
		return arrival{}, err
	}
	if nonce != kept.Nonce {
		return arrival{}, fmt.Errorf("provider %s: the ID token is for another request", p.Name)
	}
	return came, nil
}

// read checks an ID token (signature, issuer, audience, time) and gives what it says, with its nonce.
func (p *party) read(ctx context.Context, raw string) (profile, string, error) {
	known, err := p.discover(ctx)
	if err != nil {
		return profile{}, "", err
	}
	token, err := known.Verifier(&oidc.Config{ClientID: p.ClientID, Now: p.now}).Verify(ctx, raw)
	if err != nil {
		return profile{}, "", fmt.Errorf("provider %s: %w", p.Name, err)
	}
	var said struct {
		Email    string `json:"email"`
		Verified any    `json:"email_verified"`
		Name     string `json:"name"`
		Picture  string `json:"picture"`
	}
	if err := token.Claims(&said); err != nil {
		return profile{}, "", fmt.Errorf("provider %s: %w", p.Name, err)
	}
	if token.Subject == "" {
		return profile{}, "", fmt.Errorf("provider %s: the ID token names nobody", p.Name)
	}
	// Some providers write the flag as a text.
	verified := said.Verified == true || said.Verified == "true"
	return newProfile(token.Issuer, token.Subject, said.Email, verified, said.Name, said.Picture), token.Nonce, nil
}

func newProfile(issuer, subject, email string, verified bool, name, picture string) profile {
	p := profile{subject: subject, data: metadata{}}
	if parsed, err := parseEmail(email); err == nil {
		p.email, p.verified = parsed, verified
	}
	for field, value := range map[string]string{"iss": issuer, "sub": subject, "provider_id": subject, "email": p.email, "name": name, "full_name": name, "avatar_url": picture, "picture": picture} {
		if value != "" {
			p.data.set(field, value)
		}
	}
	p.data.set("email_verified", p.verified)
	p.data.set("phone_verified", false)
	return p
}

// askGitHub reads the profile and the primary address, which the profile itself may hide.
func (p *party) askGitHub(ctx context.Context, token string) (profile, error) {
	var person struct {
		ID        int64  `json:"id"`
		Login     string `json:"login"`
		Name      string `json:"name"`
		AvatarURL string `json:"avatar_url"`
	}
	if err := p.ask(ctx, token, "/user", &person); err != nil {
		return profile{}, err
	}
	var addresses []struct {
		Email    string `json:"email"`
		Primary  bool   `json:"primary"`
		Verified bool   `json:"verified"`
	}
	if err := p.ask(ctx, token, "/user/emails", &addresses); err != nil {
		return profile{}, err
	}
	if person.ID == 0 {
		return profile{}, errors.New("GitHub named nobody")
	}
	if person.Name == "" {
		person.Name = person.Login
	}
	for _, one := range addresses {
		if one.Primary {
			return newProfile(p.GitHubAPI, strconv.FormatInt(person.ID, 10), one.Email, one.Verified, person.Name, person.AvatarURL), nil
		}
	}
	return newProfile(p.GitHubAPI, strconv.FormatInt(person.ID, 10), "", false, person.Name, person.AvatarURL), nil
}

func (p *party) ask(ctx context.Context, token, path string, into any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.GitHubAPI+path, http.NoBody)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Accept", "application/vnd.github+json")
	answer, err := p.client.Do(r)
	if err != nil {
		return fmt.Errorf("ask GitHub: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("GitHub answered %s with %d", path, answer.StatusCode)
	}
	return json.NewDecoder(io.LimitReader(answer.Body, mostBody)).Decode(into)
}
