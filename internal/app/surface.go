package app

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"greenroom/internal/account"
	"greenroom/internal/key"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/web"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
)

// mostBody is the backstop for bodies: each surface has a lower bound of its own and says so in its dialect.
const mostBody = 4 << 20

// surface is one of the APIs: a prefix, what answers behind it, and the dialect in which it fails.
type surface struct {
	prefix  string
	handler http.Handler
	fail    web.Fail
	// open are the paths below the prefix that need no API key, because a browser or a mail opens them.
	open []string
	// badToken words what is wrong with a bearer token. Without it the edge does not look at tokens: in the auth
	// service a bad one is an error on some paths only.
	badToken func(err error) error
}

// guard is the way of an API request from the edge to its surface.
func (a *App) guard(s surface) http.Handler {
	checked := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pass, err := a.cores.Enter()
		if err != nil {
			web.Quiet(w)
			s.fail(w, r, err)
			return
		}
		defer a.cores.Leave(pass)
		// Whoever is refused before they are known is logged with their address.
		stranger := who.Actor{Role: who.Anonymous, Address: a.addresses.Of(r)}
		role, err := a.application(s, r)
		if err != nil {
			rest.WriteError(w, as(r, stranger), err) // the gateway's own words, before any surface
			return
		}
		actor, err := a.identify(s, r, who.Actor{Role: role, Address: stranger.Address})
		if err != nil {
			s.fail(w, as(r, stranger), err)
			return
		}
		if r.Body != nil && r.Body != http.NoBody {
			r.Body = http.MaxBytesReader(w, r.Body, mostBody)
		}
		inner := as(r, actor)
		s.handler.ServeHTTP(w, inner)
		if inner.Pattern != "" { // the surface knows its own routes better than the mux before it
			r.Pattern = inner.Pattern
		}
	})
	return a.origins.Shared(web.Recovered(checked, a.log, s.fail))
}

func as(r *http.Request, actor who.Actor) *http.Request {
	return r.WithContext(who.With(r.Context(), actor))
}

// identify finds the person behind the token. Without one the caller is the application itself.
func (a *App) identify(s surface, r *http.Request, actor who.Actor) (who.Actor, error) {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if s.badToken == nil || !ok {
		return actor, nil
	}
	if role, known := a.keys.Role(token); known {
		actor.Role = role
		return actor, nil
	}
	claims, err := a.tokens.Verify(token, a.issuer, a.db.Clock.Now())
	if err != nil {
		return actor, s.badToken(err)
	}
	person, err := a.accounts.Caller(r.Context(), claims)
	if errors.Is(err, account.ErrSessionEnded) {
		return actor, s.badToken(err)
	}
	person.Address = actor.Address
	return person, err
}

// application checks the key that names the calling application.
func (a *App) application(s surface, r *http.Request) (who.Role, error) {
	path := strings.TrimPrefix(r.URL.Path, s.prefix)
	if slices.Contains(s.open, path) {
		return who.Anonymous, nil
	}
	given := r.Header.Get("Apikey")
	if given == "" {
		given = r.URL.Query().Get("apikey")
	}
	if given == "" {
		return "", rest.NoAPIKey
	}
	role, ok := a.keys.Role(given)
	if !ok {
		return "", rest.BadAPIKey
	}
	if role == who.Service && s.badToken != nil {
		// The secret key speaks for itself only as a bearer; as an apikey it names the application.
		return who.Anonymous, nil
	}
	return role, nil
}

// isStranger tells whether a request comes with the application's own key and nobody behind it.
func (a *App) isStranger(r *http.Request) bool {
	given, bearer := r.Header["Apikey"], r.Header["Authorization"]
	if len(given) != 1 || len(bearer) > 1 {
		return false
	}
	if len(bearer) == 1 && strings.TrimPrefix(bearer[0], "Bearer ") != given[0] {
		return false
	}
	role, known := a.keys.Role(given[0])
	return known && role == who.Anonymous
}

// restToken words a bad token for the data API, fnToken for the functions.
func restToken(err error) error {
	switch {
	case errors.Is(err, account.ErrSessionEnded):
		return rest.StaleToken("JWT session has ended")
	case errors.Is(err, key.ErrExpired):
		return rest.StaleToken("JWT expired")
	case errors.Is(err, key.ErrEarly):
		return rest.StaleToken("JWT not yet valid")
	case errors.Is(err, key.ErrFuture):
		return rest.StaleToken("JWT issued at future")
	case errors.Is(err, key.ErrAudience):
		return rest.StaleToken("JWT not in audience")
	case errors.Is(err, key.ErrSignature):
		return rest.BadToken("No suitable key or wrong key type")
	}
	return rest.BadToken("JWT could not be decoded")
}

func fnToken(err error) error {
	return fault.New(fault.Unauthenticated, "Invalid JWT").Because(err)
}
