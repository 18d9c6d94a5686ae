// Package auth speaks the protocol of Supabase Auth (GoTrue) under /auth/v1: signing up and in, staying signed in,
// recovering an account. The official client library works against it unmodified.
//
// routes.go is the page of all endpoints; each verb has a file named after it (signup.go, refresh.go, recover.go).
// A verb checks its input, asks the limits, does what is slow (the password hash), and then writes in one
// transaction, letters and audit trail included. Tokens, codes and links are stored as hashes only.
package auth

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"greenroom/internal/account"
	"greenroom/internal/audit"
	"greenroom/internal/key"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/limit"
)

// Options say what to serve and with whom to work.
type Options struct {
	DB       *db.DB
	Keys     *key.Set
	Accounts *account.Directory
	Limits   *limit.Limits
	// Enqueue puts a letter into the outbox.
	Enqueue func(ctx context.Context, tx *db.Tx, letter mail.Letter) error
	// Providers are the places elsewhere that people may sign in with.
	Providers []Provider
	// IsService tells whether a bearer is the service key, which opens the endpoints of the operator.
	IsService func(token string) bool
	// Keepers are the domains that hold rows about people.
	Keepers []Keeper
	// Box seals the secrets of second steps.
	Box *key.Box
	// Pepper keys the hashes of six-digit codes, which a hash alone would not hide. The same on every instance.
	Pepper []byte

	// SiteName and SiteURL are what nobody may build a password of; links lead to the latter.
	SiteName, SiteURL string
	RedirectURLs      []string
	// ConfirmEmail asks new users to confirm their address before they can sign in.
	ConfirmEmail bool
	// Guests lets people in who give no address.
	Guests bool
	// NoEmailSignIn sends nobody a link or code that signs in.
	NoEmailSignIn bool
	// PasswordMin is the shortest password; PasswordList a file of further passwords that nobody may choose.
	PasswordMin  int
	PasswordList string
	// Hashing is the cost of a password hash; zero is what a production server should take.
	Hashing Cost
	Log     *slog.Logger
}

// Service answers /auth/v1.
type Service struct {
	Options
	issuer    string
	hasher    *hasher
	rules     rules
	redirects redirects
	parties   map[string]*party
	keySite   keySite
	refusals  audit.Pile
	beat      time.Duration
	shown     shown
	// asked counts the questions to passkeys since the start.
	asked atomic.Uint64
}

// How long things live.
const (
	accessLife  = time.Hour
	idleLife    = 30 * 24 * time.Hour
	sessionLife = 90 * 24 * time.Hour
	linkLife    = time.Hour
	codeLife    = 10 * time.Minute
	// exchangeLife is for the code that a link turns into, between the redirect and the client's next call.
	exchangeLife = 5 * time.Minute
	// reuseWindow forgives tabs and instances that refresh with one token at once.
	reuseWindow = 10 * time.Second
	// freshFor is how long after signing in a password may be changed without a mailed code.
	freshFor = 24 * time.Hour
	// sureFor is how long somebody is sure to be who they were when they showed it. What leaves a door open, or shuts
	// one, asks for no less.
	sureFor = 10 * time.Minute
)

// Prefix is where the service is mounted.
const Prefix = "/auth/v1"

// New makes the service, or says which setting is wrong.
func New(o Options) (*Service, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if len(o.Pepper) == 0 {
		return nil, errors.New("auth needs a pepper for its codes")
	}
	s := &Service{Options: o, issuer: o.SiteURL + Prefix, hasher: newHasher(o.Hashing), beat: answerBeat}
	var err error
	if s.rules, err = newRules(o); err != nil {
		return nil, err
	}
	s.parties = map[string]*party{}
	for _, p := range o.Providers {
		s.parties[p.Name] = s.newParty(p)
	}
	if s.redirects, err = newRedirects(o.SiteURL, o.RedirectURLs); err != nil {
		return nil, err
	}
	s.keySite, err = newKeySite(o.SiteName, o.SiteURL)
	return s, err
}

// answerBeat is the rhythm in which answers leave that must not tell, by the time they took, whether an address is
// known: longer than the work of either case, so that both leave on the same beat.
const answerBeat = 50 * time.Millisecond

// onBeat runs a verb and waits for the next beat after it began.
func (s *Service) onBeat(verb handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		tick := time.NewTicker(s.beat)
		defer tick.Stop()
		held := &holder{ResponseWriter: w}
		err := verb(held, r)
		select {
		case <-tick.C: // a beat that went by during the work counts only if it is the newest
		default:
		}
		select {
		case <-tick.C:
		case <-r.Context().Done():
		}
		if err == nil {
			held.release()
		}
		return err
	}
}

// holder keeps an answer back until it is released.
type holder struct {
	http.ResponseWriter
	status int
	body   []byte
}

func (h *holder) WriteHeader(status int) { h.status = status }

func (h *holder) Write(text []byte) (int, error) {
	h.body = append(h.body, text...)
	return len(text), nil
}

func (h *holder) release() {
	h.ResponseWriter.WriteHeader(h.status)
	_, _ = h.ResponseWriter.Write(h.body)
}
