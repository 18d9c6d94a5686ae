// Package site serves the pages and the app's files. A page is rendered once per path and catalogue version by the app's own
// code, inside the server, as a stranger sees it; after that a request costs a look-up. Personal parts appear when the
// app takes over in the browser. When a render fails or the engine is busy, the page goes out with its data but
// without its markup, and the browser draws it: slower for that one visitor, and never an error.
package site

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"greenroom/internal/platform/safe"
)

// Settings are what the app in the browser is told at its start. All of it is public.
type Settings struct {
	APIKey       string   `json:"apiKey"`
	SiteURL      string   `json:"siteUrl"`
	SupportEmail string   `json:"supportEmail"`
	Social       Social   `json:"social"`
	ConfirmEmail bool     `json:"confirmEmail"`
	Providers    []string `json:"providers"`
	// Passkeys tells whether browsers have passkeys for this site; EmailSignIn and Guests what the operator allows.
	Passkeys    bool `json:"passkeys"`
	EmailSignIn bool `json:"emailSignIn"`
	Guests      bool `json:"guests"`
}

// Social are the product's pages elsewhere.
type Social struct {
	Instagram string `json:"instagram"`
	YouTube   string `json:"youtube"`
	X         string `json:"x"`
	LinkedIn  string `json:"linkedin"`
}

// Options is what the pages are made from.
type Options struct {
	// Build is the built app: client/ and server/render.js.br. It may be empty; every page then says what to do.
	Build    fs.FS
	Settings Settings
	// Data answers /rest/v1; the pages ask it as strangers.
	Data http.Handler
	// Calls answers /functions/v1, of which the pages ask what anybody may see of lessons and certificates.
	Calls http.Handler
	// Picture gives what the video of a lesson shows before it plays, if anybody may see it; no tag where there is none. It may be nil.
	Picture func(ctx context.Context, lesson string) (tag string, read func(context.Context) ([]byte, error), err error)
	// Version is the catalogue's: it changes with everything that a page may show.
	Version func() int64
	Log     *slog.Logger
}

// The costs of pages. A render takes some 30 ms, so a visitor waits for waitFor and gets the page without its markup. The
// render goes on for whoever comes next: on a small or a busy machine the first one, which reads the script, takes seconds.
var engineLimits = limits{time: 15 * time.Second, memory: 256 << 20, queue: 16, idle: 30 * time.Second}

const (
	waitFor    = time.Second
	askWithin  = 5 * time.Second
	makeWithin = 30 * time.Second
	retryAfter = 5 * time.Second
	// What a text costs is up to who wrote it, and while it is drawn no other page is.
	lessonWithin = 2 * time.Second
	ownPages     = 4096
	ownBytes     = 128 << 20
	passingPages = 256
	passingBytes = 16 << 20
	mostFlights  = 16
)

// Site is the handler of everything that is not an API.
type Site struct {
	settings Settings
	siteURL  string
	secure   bool
	policy   string
	template *template // nil without a build
	assets   map[string]asset
	engine   *engine
	cache    *cache
	data     http.Handler
	calls    http.Handler
	picture  func(ctx context.Context, lesson string) (tag string, read func(context.Context) ([]byte, error), err error)
	version  func() int64
	log      *slog.Logger
	sitemaps *sitemaps
	cards    *cards
	wait     time.Duration // how long a visitor waits for a page in the making
	// How long a visitor whose page is not there yet waits for the data API to say whether there is such a course.
	askWithin time.Duration
	// What the page of a lesson may cost, and when a page that failed is tried again.
	lessonWithin, retryAfter time.Duration

	open   context.Context // ends with Close
	shut   context.CancelFunc
	making safe.Group
}

// New reads the build. Close ends what it starts.
func New(o Options) (*Site, error) {
	siteURL := strings.TrimRight(o.Settings.SiteURL, "/")
	if u, err := url.Parse(siteURL); err != nil || u.Host == "" {
		return nil, fmt.Errorf("the site's address %q is not a URL", siteURL)
	}
	o.Settings.SiteURL = siteURL
	if o.Settings.Providers == nil {
		o.Settings.Providers = []string{}
	}
	s := &Site{
		settings: o.Settings, siteURL: siteURL, secure: strings.HasPrefix(siteURL, "https://"),
		data: o.Data, calls: o.Calls, picture: o.Picture, version: o.Version, log: o.Log,
		cache:    newCache(newShelf(ownPages, ownBytes), newShelf(passingPages, passingBytes), mostFlights),
		sitemaps: newSitemaps(), cards: newCards(), wait: waitFor, askWithin: askWithin,
		lessonWithin: lessonWithin, retryAfter: retryAfter,
	}
	s.open, s.shut = context.WithCancel(context.Background())
	if err := s.load(o.Build); err != nil {
		s.shut()
		return nil, fmt.Errorf("the web build cannot be used (run make build): %w", err)
	}
	return s, nil
}

func (s *Site) load(build fs.FS) error {
	client, err := fs.Sub(build, "client")
	if err != nil {
		return err
	}
	s.template, err = readTemplate(client)
	if errors.Is(err, fs.ErrNotExist) && isEmpty(client) {
		s.policy = policy("", s.secure)
		s.log.Warn("the web app is not built, so there are no pages; run make build")
		return nil
	}
	if err != nil {
		return err
	}
	if s.assets, err = findAssets(client); err != nil {
		return err
	}
	const script = "server/render.js"
	if _, err := fs.Stat(build, script+packedSuffix); err != nil {
		return err
	}
	s.engine = newEngine(func() (string, error) {
		text, err := readPlain(build, script)
		return string(text), err
	}, engineLimits, s.log)
	s.policy = policy(s.template.css, s.secure)
	return nil
}

func isEmpty(client fs.FS) bool {
	_, err := fs.Stat(client, "index.html")
	return errors.Is(err, fs.ErrNotExist)
}

// Close stops what is in the making. It is called after the last request.
func (s *Site) Close() {
	s.shut()
	if s.engine != nil {
		s.engine.Close()
	}
	s.making.Wait()
}

// Warm makes the home page before the first visitor asks for it: loading the script takes longer than rendering.
func (s *Site) Warm() {
	if s.template != nil {
		s.find(route{kind: public, path: "/"}, s.version())
	}
}

// ServeHTTP answers a page, a file of the app, a share card, the sitemap or robots.txt.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.setHeaders(w.Header())
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		s.plain(w, http.StatusMethodNotAllowed, "This address can only be read.")
		return
	}
	if s.serveMap(w, r) || s.serveCard(w, r) {
		r.Pattern = "/file"
		return
	}
	if a, ok := s.assets[r.URL.Path]; ok {
		r.Pattern = "/file"
		a.serve(w, r)
		return
	}
	rt := findRoute(r.URL)
	r.Pattern = rt.pattern(r.URL.Path)
	switch {
	case rt.move != "":
		w.Header().Set("Cache-Control", cacheHour)
		http.Redirect(w, r, rt.move, http.StatusMovedPermanently)
	case rt.kind == file:
		s.plain(w, http.StatusNotFound, "There is no such file.")
	case s.template == nil:
		s.unbuilt(w, r)
	default:
		s.servePage(w, r, rt)
	}
}

func (s *Site) servePage(w http.ResponseWriter, r *http.Request, rt route) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	version := s.version()
	p, f := s.find(rt, version) //nolint:contextcheck // a page in the making belongs to all who want it, not to this visitor
	if p == nil && f != nil {
		p, f = s.await(r.Context(), rt, version, f)
	}
	if p == nil {
		s.serveBare(w, r, rt, f)
		return
	}
	w.Header().Set("Cache-Control", cacheCheck)
	p.content.write(w, r, p.status)
}

// find looks the page up, or has it made. The making does not belong to this visitor: it goes on when they leave.
func (s *Site) find(rt route, version int64) (*page, *flight) {
	return s.cache.find(rt.name(), version, func(f *flight) {
		s.making.Go(func() { s.fly(rt, f) })
	})
}

func (s *Site) fly(rt route, f *flight) {
	ctx, cancel := context.WithTimeout(s.open, makeWithin)
	defer cancel()
	var p *page
	err := safe.Try(func() (err error) {
		p, err = s.make(ctx, rt, f)
		return err
	})
	if err != nil {
		s.log.Error("page not rendered", "path", rt.place(), "error", err)
		// A text that cannot be drawn cannot be drawn later: the next try comes with the next version of it.
		if !rt.isLesson() || !errors.Is(err, errScript) {
			time.AfterFunc(s.retryAfter, safe.Func(s.log, func() { s.cache.forget(rt.name(), f.version) }))
		}
	}
	s.cache.land(rt.name(), f, p)
}

// await gives the page if it comes in time, and otherwise the flight that was waited for last. A page from before the
// change that this visitor may know of is not the one: after it, theirs is made.
func (s *Site) await(ctx context.Context, rt route, version int64, f *flight) (*page, *flight) {
	late := time.NewTimer(s.wait)
	defer late.Stop()
	for {
		select {
		case <-f.done:
		case <-late.C:
			return nil, f
		case <-ctx.Done():
			return nil, f
		}
		if f.version >= version {
			return f.page, f
		}
		p, next := s.find(rt, s.version()) //nolint:contextcheck // as in servePage
		if p != nil || next == nil {
			return p, next
		}
		f = next
	}
}

// reload asks a browser that runs no scripts to come back: by then the page is likely rendered.
const reload = `<noscript><meta http-equiv="refresh" content="2"></noscript>`

// serveBare answers with the page that the browser draws: the same frame, the data if it is there, and no markup.
func (s *Site) serveBare(w http.ResponseWriter, r *http.Request, rt route, f *flight) {
	d := data{Settings: s.settings}
	if f != nil && f.version == s.version() && rt.kind == public {
		// The app starts from the answers, whether they come with markup or not.
		d.State = f.known()
	}
	bare := rendered{Title: "Greenroom", Canonical: rt.path}
	status := http.StatusOK
	if rt.kind != public {
		bare.Robots = "noindex"
	}
	if rt.path == nowhere || rt.path == noCertificate || s.isNoCourse(r.Context(), rt) {
		status, bare.Canonical, bare.Robots = http.StatusNotFound, "", "noindex"
	}
	head, err := bare.head(s.siteURL)
	if err == nil {
		head += reload
		var content []byte
		if content, err = s.template.fill(head, "", "", d); err == nil {
			w.Header().Set("Cache-Control", cacheNever)
			plainBody(content).write(w, r, status)
			return
		}
	}
	s.log.Error("page not written", "path", rt.place(), "error", err)
	s.plain(w, http.StatusInternalServerError, "This page cannot be shown.")
}

// isNoCourse tells whether the route is that of a course that is not there. The data API knows without the renderer; where
// it cannot say soon, the browser will.
func (s *Site) isNoCourse(ctx context.Context, rt route) bool {
	course := coursePath.FindStringSubmatch(rt.path)
	if course == nil || rt.path == noCourse {
		return rt.path == noCourse
	}
	ctx, cancel := context.WithTimeout(ctx, s.askWithin)
	defer cancel()
	return errors.Is(s.row(ctx, "courses", "id", url.Values{"id": {"eq." + course[1]}}, &struct{}{}), errNoRow)
}

func (s *Site) plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Cache-Control", cacheNever)
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	http.Error(w, text, status)
}

// unbuilt is every page of a binary that was compiled without the app.
func (s *Site) unbuilt(w http.ResponseWriter, r *http.Request) {
	const text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Greenroom is not built</title></head>
<body><h1>Greenroom is not built</h1>
<p>This server runs, but it was compiled without the web app. Run <code>make build</code> and start it again.</p></body></html>
`
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", cacheNever)
	plainBody([]byte(text)).write(w, r, http.StatusServiceUnavailable)
}
