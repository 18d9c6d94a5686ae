package auth

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"golang.org/x/oauth2"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
)

// travelLife is how long somebody may take at the provider.
const travelLife = 10 * time.Minute

// travelCookie binds a state to the browser that asked: a link with somebody else's state leads nowhere.
// On https its name makes browsers keep it to this host, whatever stands on a neighbouring one.
const (
	travelCookie       = "greenroom-provider"
	secureTravelCookie = "__Host-" + travelCookie
)

// travel is what must come back unchanged from a provider.
type travel struct {
	Verifier string `json:"verifier"`
	Nonce    string `json:"nonce"`
	Browser  string `json:"browser"`
}

// journey is a stored state.
type journey struct {
	travel
	provider, redirect string
	flow               challenge
	// user and session asked to connect one more account; none for signing in.
	user, session     string
	departed, expires time.Time
}

func (s *Service) party(name string) (*party, error) {
	if name == "" {
		return nil, invalid("Unsupported provider: Provider could not be found")
	}
	p, ok := s.parties[name]
	if !ok {
		return nil, invalid("Unsupported provider: provider is not enabled")
	}
	return p, nil
}

// depart stores a state and gives the provider's address with the cookie that belongs to it. by is who connects one more
// account: their visit lasts no longer than their session.
func (s *Service) depart(r *http.Request, by *caller) (address string, cookie *http.Cookie, err error) {
	q := r.URL.Query()
	p, err := s.party(q.Get("provider"))
	if err != nil {
		return "", nil, err
	}
	flow := challenge{CodeChallenge: q.Get("code_challenge"), CodeChallengeMethod: q.Get("code_challenge_method")}
	if err := flow.check(); err != nil {
		return "", nil, err
	}
	var user, session sql.NullString
	if by != nil {
		user, session = sql.NullString{String: by.user.ID, Valid: true}, sql.NullString{String: by.session.id, Valid: true}
	}
	from := originOf(r)
	if err := s.Limits.Allow(r.Context(), limit.SignInPerAddress.By(from.address)); err != nil {
		return "", nil, s.turnAwayFor(r.Context(), from, user.String, p.Name, err)
	}
	state := id.Secret()
	kept := travel{Verifier: oauth2.GenerateVerifier(), Nonce: id.Secret(), Browser: id.Secret()}
	if address, err = p.address(r.Context(), state, kept, q); err != nil {
		s.Log.ErrorContext(r.Context(), "a provider cannot be reached", "provider", p.Name, "error", err)
		return "", nil, refuse(503, "unexpected_failure", "The provider does not answer. Please try again in a moment.")
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return "", nil, err
	}
	row := id.New()
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		if by != nil {
			if _, err := recall(ctx, tx, *by); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, `insert into oauth_states
			(id, state_hash, provider, secret, redirect_to, challenge, challenge_method, user_id, session_id, created_at, expires_at)
			values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
			row, hashToken(state), p.Name, s.Box.Seal("state "+row, text), s.redirects.target(r, ""), flow.CodeChallenge, flow.CodeChallengeMethod,
			user, session, db.At(tx.Now), db.At(tx.Now.Add(travelLife)))
		return err
	})
	return address, s.travelCookie(kept.Browser, int(travelLife/time.Second)), err
}

func (s *Service) travelCookie(value string, age int) *http.Cookie {
	name := s.travelCookieName()
	path := Prefix + "/callback"
	if name == secureTravelCookie {
		path = "/" // the name demands it
	}
	//nolint:gosec // a site on plain http, on somebody's own machine, could not set a secure one
	return &http.Cookie{
		Name: name, Value: value, Path: path, MaxAge: age, HttpOnly: true,
		Secure: name == secureTravelCookie, SameSite: http.SameSiteLaxMode,
	}
}

func (s *Service) travelCookieName() string {
	if s.redirects.site.Scheme == "https" {
		return secureTravelCookie
	}
	return travelCookie
}

// authorize leads to a provider.
func (s *Service) authorize(w http.ResponseWriter, r *http.Request) error {
	address, cookie, err := s.depart(r, nil)
	if err != nil {
		f, _ := inDialect(err)
		if f.status != http.StatusServiceUnavailable && f.status != http.StatusTooManyRequests {
			return err
		}
		// A person stands here with a browser. What may work in a moment, they read on the page that they came from.
		return leave(w, told(s.redirects.target(r, ""), redirectError(f)), s.travelCookie("", -1), http.StatusFound)
	}
	return leave(w, address, cookie, http.StatusFound)
}

// told is a page's address with what went wrong, in both places where clients look.
func told(page string, said url.Values) string {
	return withFragment(withQuery(page, maps.Clone(said)), said)
}

func leave(w http.ResponseWriter, address string, cookie *http.Cookie, status int) error {
	http.SetCookie(w, cookie)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Location", address)
	w.WriteHeader(status)
	return nil
}

// connect leads a signed-in person to a provider, to have one more way in.
func (s *Service) connect(w http.ResponseWriter, r *http.Request) error {
	c, err := s.caller(r)
	if err != nil {
		return err
	}
	if err := c.mayChangeWaysIn(s.DB.Clock.Now()); err != nil {
		return err
	}
	address, cookie, err := s.depart(r, &c)
	if err != nil {
		return err
	}
	if skip, _ := strconv.ParseBool(r.URL.Query().Get("skip_http_redirect")); !skip {
		return leave(w, address, cookie, http.StatusFound)
	}
	http.SetCookie(w, cookie)
	writeJSON(w, http.StatusOK, map[string]string{"url": address})
	return nil
}

// callback takes somebody back from a provider.
func (s *Service) callback(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, 16<<10)
	if err := r.ParseForm(); err != nil {
		return invalid("The form cannot be read")
	}
	gone := s.travelCookie("", -1)
	back, err := s.arrive(r)
	if err != nil {
		err = s.turnAwayFor(r.Context(), originOf(r), "", "provider", err)
		f, _ := inDialect(err)
		if f.status == http.StatusInternalServerError {
			return err
		}
		said := redirectError(f)
		said.Set("error", "invalid_request")
		return leave(w, withQuery(s.redirects.site.String(), said), gone, http.StatusSeeOther)
	}
	address, err := s.settle(r, back)
	if err != nil {
		err = s.turnAway(r.Context(), originOf(r), back.user, back.provider, why(err), err)
		f, _ := inDialect(err)
		if f.status == http.StatusInternalServerError {
			s.Log.ErrorContext(r.Context(), "coming back from a provider failed", "provider", back.provider, "error", err)
			f = &failure{status: 500, code: "unexpected_failure", message: "Unable to sign in with the provider"}
		}
		said := redirectError(f)
		if f.status == http.StatusUnprocessableEntity || f.status == http.StatusForbidden {
			said.Set("error", "access_denied")
		}
		address = told(back.redirect, said)
	}
	return leave(w, address, gone, http.StatusFound)
}

var errState = refuse(400, "bad_oauth_state", "OAuth callback with invalid state")

// arrive takes the state once. It is good in the browser that got it, for ten minutes.
func (s *Service) arrive(r *http.Request) (journey, error) {
	state := r.Form.Get("state")
	if state == "" {
		return journey{}, refuse(400, "bad_oauth_callback", "OAuth state parameter missing")
	}
	cookie, err := r.Cookie(s.travelCookieName())
	if err != nil {
		return journey{}, errState
	}
	var back journey
	var row string
	var sealed []byte
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		var user, session sql.NullString
		var departed, expires db.Time
		err := tx.QueryRow(ctx, `delete from oauth_states where state_hash = $1
			returning id, provider, secret, redirect_to, challenge, challenge_method, user_id, session_id, created_at, expires_at`, hashToken(state)).
			Scan(&row, &back.provider, &sealed, &back.redirect, &back.flow.CodeChallenge, &back.flow.CodeChallengeMethod, &user, &session, &departed, &expires)
		back.user, back.session, back.departed, back.expires = user.String, session.String, departed.Time, expires.Time
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		return journey{}, errState
	}
	if err != nil {
		return journey{}, err
	}
	text, err := s.Box.Open("state "+row, sealed)
	if err != nil {
		return journey{}, err
	}
	if err := json.Unmarshal(text, &back.travel); err != nil {
		return journey{}, err
	}
	if subtle.ConstantTimeCompare([]byte(cookie.Value), []byte(back.Browser)) != 1 || !s.DB.Clock.Now().Before(back.expires) {
		return journey{}, errState
	}
	return back, nil
}

// settle signs in whom the provider sent, or connects the account, and says where the browser goes.
func (s *Service) settle(r *http.Request, back journey) (string, error) {
	if said := r.Form.Get("error"); said != "" {
		return "", refuse(403, "bad_oauth_callback", "The provider refused: "+said)
	}
	code := r.Form.Get("code")
	if code == "" {
		return "", refuse(400, "bad_oauth_callback", "OAuth callback with missing authorization code missing")
	}
	p, err := s.party(back.provider)
	if err != nil {
		return "", err
	}
	came, err := p.receive(r.Context(), code, back.travel)
	if err != nil {
		return "", err
	}
	from := originOf(r)
	var got issued
	var exchange string
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		if err := back.stillTheirs(ctx, tx); err != nil {
			return err
		}
		u, err := s.identify(ctx, tx, p.Name, came.profile, back.user, from)
		if err != nil {
			return err
		}
		if !back.flow.given() {
			got, err = openSession(ctx, tx, u, "oauth", from)
			got.with = came.tokens
			return err
		}
		flow, err := startFlow(ctx, tx, u.ID, back.flow, "oauth")
		if err != nil {
			return err
		}
		if err := s.keepTokens(ctx, tx, flow, back.session, came.tokens); err != nil {
			return err
		}
		exchange, err = issueCode(ctx, tx, flow, exchangeLife)
		return err
	})
	if err != nil {
		return "", err
	}
	if exchange != "" {
		return withQuery(back.redirect, url.Values{"code": {exchange}}), nil
	}
	signed, err := s.sign(got)
	if err != nil {
		return "", err
	}
	landing := sessionValues(signed)
	landing.Set("provider_token", signed.Access)
	if signed.Refresh != "" {
		landing.Set("provider_refresh_token", signed.Refresh)
	}
	return withFragment(back.redirect, landing), nil
}
