package app

import (
	"io/fs"
	"net/http"
	"net/url"
	"strings"

	"greenroom/internal/auth"
	"greenroom/internal/catalog"
	"greenroom/internal/fn"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/web"
	"greenroom/internal/rest"
	"greenroom/internal/site"
	"greenroom/internal/visitor"
)

// routes is every way into the installation, on one page. docs/routes.md lists them for people.
func (a *App) routes(build fs.FS) (http.Handler, error) {
	data := rest.Handler(a.db, a.domains.tables()...)
	a.data = data
	if a.config.ReplicaURL != "" {
		replica, err := db.OpenReplica(db.Options{URL: a.config.ReplicaURL, Clock: a.db.Clock}, a.log)
		if err != nil {
			return nil, err
		}
		a.replica = replica
		a.close = append(a.close, replica.Close)
		data.Follow(replica, catalog.Shown)
	}
	calls := fn.Handler(a.domains.functions()...)
	pages, err := site.New(site.Options{
		Build: build, Data: data, Calls: calls, Picture: a.domains.lessonPicture, Version: a.domains.catalog.Versions.Current, Log: a.log,
		Settings: site.Settings{
			APIKey: a.keys.Publishable, SiteURL: a.config.SiteURL, SupportEmail: a.supportAddress(),
			Social: site.Social(a.config.Social), ConfirmEmail: a.config.ConfirmEmail, Providers: a.providerNames(),
			Passkeys: a.domains.auth.PasskeysWork(), EmailSignIn: a.config.OffersEmailSignIn(), Guests: a.config.Anonymous,
		},
	})
	if err != nil {
		return nil, err
	}
	a.pages = pages
	a.close = append(a.close, func() error { pages.Close(); return nil })

	mux := http.NewServeMux()
	mux.Handle("GET /healthz", http.HandlerFunc(a.health))
	mux.Handle("GET /readyz", http.HandlerFunc(a.ready))
	mux.Handle("/rest/v1/", a.guard(surface{prefix: "/rest/v1", handler: data, fail: rest.WriteError, badToken: restToken}))
	mux.Handle("/auth/v1/", a.guard(surface{
		prefix: "/auth/v1", handler: a.domains.auth.Handler(), fail: auth.WriteError,
		open: []string{"/verify", "/authorize", "/callback", "/health", "/.well-known/jwks.json"},
	}))
	mux.Handle("/functions/v1/", a.guard(surface{
		prefix: "/functions/v1", handler: calls, fail: fn.WriteError, badToken: fnToken,
	}))
	const unused = "/realtime/v1/"
	mux.Handle(unused, a.guard(surface{prefix: unused, handler: http.HandlerFunc(absent), fail: rest.WriteError}))
	a.domains.visitor.Asset = pages.Asset
	strangers := a.spared(a.domains.visitor.Handler())
	mux.Handle(visitor.Path, strangers)
	mux.Handle(visitor.Path+"/open", strangers)
	mux.Handle(visitor.LeavePath, strangers)
	mux.Handle("/certificate/", a.spared(a.domains.papers.Handler(pages)))
	mux.Handle("/", a.spared(pages))
	answering := web.Logged(web.Recovered(a.showing(a.storing(mux)), a.log, rest.WriteError), a.kept(data), a.requests.Observe, a.log, a.db.Clock, a.deadline)
	return web.Secured(a.leaving(answering), a.secure), nil
}

// Spare turns away, at the connection itself, who comes while the cores stay behind: in the words of the surface, and with the
// headers of all answers. What strangers read again and again is served from memory, which costs hardly more, and who
// asks how the server is gets an answer.
func (a *App) Spare() web.Spare {
	busy := a.cores.Busy()
	canned := func(fail web.Fail, version string) []byte {
		r := &http.Request{Method: http.MethodGet, URL: &url.URL{}, Header: http.Header{}}
		r.Header.Set(auth.VersionHeader, version)
		return web.Canned(web.Secured(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fail(w, r, busy) }), a.secure), r)
	}
	page := canned(func(w http.ResponseWriter, _ *http.Request, err error) { notReady(w, fault.Of(err).Message) }, "")
	data, called := canned(rest.WriteError, ""), canned(fn.WriteError, "")
	signing := map[string][]byte{"": canned(auth.WriteError, ""), auth.FirstVersion: canned(auth.WriteError, auth.FirstVersion)}
	return web.Spare{Late: a.cores.Late, Answer: func(head []byte) []byte {
		method, rest, _ := strings.Cut(string(head), " ")
		path, _, _ := strings.Cut(rest, " ")
		bearer := strings.TrimPrefix(web.HeadValue(head, "Authorization"), "Bearer ")
		kept := method == http.MethodGet && strings.HasPrefix(path, "/rest/v1/") && (bearer == "" || bearer == web.HeadValue(head, "Apikey"))
		if kept || path == "/healthz" || path == "/readyz" || strings.HasPrefix(path, "/storage/v1/") {
			return nil
		}
		answer := page
		switch {
		case strings.HasPrefix(path, "/rest/v1/"):
			answer = data
		case strings.HasPrefix(path, "/functions/v1/"):
			answer = called
		case strings.HasPrefix(path, "/auth/v1/"):
			answer = signing[web.HeadValue(head, auth.VersionHeader)]
		}
		if answer != nil {
			a.cores.TurnedAway()
		}
		return answer
	}}
}

// spared turns visitors away while the cores stay behind.
func (a *App) spared(pages http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pass, err := a.cores.Enter()
		if err != nil {
			web.Quiet(w)
			notReady(w, fault.Of(err).Message)
			return
		}
		defer a.cores.Leave(pass)
		pages.ServeHTTP(w, r)
	})
}

// leaving asks the clients of a server that stops to connect anew, which brings them to another one.
func (a *App) leaving(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.stopping.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// kept answers what strangers read again and again, before a request is made ready for anything else.
func (a *App) kept(data *rest.Data) func(w http.ResponseWriter, r *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		return strings.HasPrefix(r.URL.Path, "/rest/v1/") && a.isStranger(r) && data.Kept(w, r, a.origins.Share)
	}
}

// absent answers for the services of the contract that no feature needs yet.
func absent(w http.ResponseWriter, r *http.Request) {
	rest.WriteError(w, r, fault.New(fault.NotFound, "This service is not part of this installation."))
}
