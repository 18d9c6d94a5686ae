package site

import (
	"net/url"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

// kind says how a path is answered.
type kind int

const (
	public  kind = iota // rendered for everybody and kept
	gated               // a page of one person: only the frame is ours, the browser fills it after the session is known
	unknown             // no route: the app's 404 page
	file                // looks like a file that we do not have
)

// route is a request's address, reduced to what the page depends on. Everything else in the address is dropped, so that
// made-up parameters do not make new pages.
type route struct {
	kind kind
	path string // what the app renders, with its query
	move string // the right spelling of the address, when it was another
}

// publicPaths are the routes that anybody may read, besides the pages of courses, lessons and certificates.
var publicPaths = []string{
	"/", "/trending", "/search", "/auth", "/auth/reset-password", "/recommendations",
	"/help-center", "/contact", "/investor-relations", "/sponsorships", "/privacy-policy", "/terms-and-conditions",
}

var gatedPaths = []string{"/my-list", "/waitlist", "/account", "/settings", "/admin", "/teach", "/learn"}

var kinds = func() map[string]kind {
	m := map[string]kind{}
	for _, p := range publicPaths {
		m[p] = public
	}
	for _, p := range gatedPaths {
		m[p] = gated
	}
	return m
}()

var (
	coursePath = regexp.MustCompile(`^/course/([^/]+)$`)
	studioPath = regexp.MustCompile(`^/teach/[^/.]+$`)
	notesPath  = regexp.MustCompile(`^/learn/[^/.]+/notes$`)
	lessonPath = regexp.MustCompile(`^/learn/([^/]+)/([^/]+)$`)
	// A code is in its one spelling here: who asks otherwise was sent there (internal/certificate).
	certificatePath = regexp.MustCompile(`^/certificate/[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$`)
	uuid            = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
)

// All addresses that the app does not know give one page, and so do all course ids and codes that cannot be one.
const (
	nowhere       = "/404"
	noCourse      = "/course/unknown"
	noCertificate = "/certificate/unknown"
)

// longestQuery is how much of a parameter we render; a longer one is left to the browser.
const longestQuery = 200

// isLesson tells whether the page shows a text of any length that somebody wrote.
func (r route) isLesson() bool { return lessonPath.MatchString(r.path) }

// name is the page's name in the cache. A frame and a page of the same path are two things.
func (r route) name() string {
	if r.kind == gated {
		return "frame " + r.path
	}
	return r.path
}

// pattern names the route of a path for those who count: one of few texts, whatever the path is.
func (r route) pattern(path string) string {
	if _, fixed := kinds[path]; fixed {
		return path
	}
	switch {
	case r.kind == file:
		return "/file"
	case r.move != "":
		return "/moved"
	case r.kind == unknown:
		return nowhere
	case r.kind == gated && studioPath.MatchString(path):
		return "/teach/{course}"
	case notesPath.MatchString(path):
		return "/learn/{course}/notes"
	}
	switch {
	case lessonPath.MatchString(path):
		return "/learn/{course}/{lesson}"
	case isCertificate(path):
		return "/certificate/{code}"
	}
	return "/course/{id}"
}

// place is the path without its query, for the log: what people search for is not written there.
func (r route) place() string {
	place, _, _ := strings.Cut(r.path, "?")
	return place
}

func findRoute(u *url.URL) route {
	p := u.Path
	if p != "/" && strings.HasSuffix(p, "/") || hasUpper(firstSegment(p)) && !isCertificate(p) {
		// The app's router takes both spellings; one address is enough for a page.
		if right := respell(p); findKind(right) != unknown && findKind(right) != file {
			return route{move: (&url.URL{Path: right, RawQuery: u.RawQuery}).String()}
		}
	}
	r := route{kind: findKind(p), path: p}
	switch r.kind {
	case unknown:
		r.path = nowhere
	case gated:
		if studioPath.MatchString(p) {
			r.path = "/teach" // one frame for all of them
		}
		if notesPath.MatchString(p) {
			r.path = "/learn"
		}
	case public:
		if id := coursePath.FindStringSubmatch(p); id != nil && !uuid.MatchString(id[1]) {
			r.path = noCourse
		}
		r.addQuery(u)
	case file:
	}
	return r
}

func findKind(p string) kind {
	if k, ok := kinds[p]; ok {
		return k
	}
	if coursePath.MatchString(p) && utf8.ValidString(p) {
		return public
	}
	if isCertificate(p) {
		return public
	}
	if studioPath.MatchString(p) || notesPath.MatchString(p) {
		return gated
	}
	if ids := lessonPath.FindStringSubmatch(p); ids != nil && uuid.MatchString(ids[1]) && uuid.MatchString(ids[2]) {
		return public
	}
	if name := path.Base(p); strings.Contains(name, ".") || strings.HasPrefix(p, "/assets/") || strings.HasPrefix(p, "/art/") {
		return file
	}
	return unknown
}

func isCertificate(p string) bool { return p == noCertificate || certificatePath.MatchString(p) }

// addQuery keeps the parameters that a route reads.
func (r *route) addQuery(u *url.URL) {
	kept := url.Values{}
	for _, name := range map[string][]string{"/": {"category"}, "/search": {"q", "category"}}[r.path] {
		value := u.Query().Get(name)
		switch {
		case strings.TrimSpace(value) == "":
			continue
		case len(value) > longestQuery || !utf8.ValidString(value):
			r.kind = gated
			return
		}
		kept.Set(name, value)
	}
	if len(kept) > 0 {
		r.path += "?" + kept.Encode()
	}
}

func respell(p string) string {
	p = strings.TrimRight(p, "/")
	if id := strings.LastIndex(p, "/"); id > 0 && strings.EqualFold(p[:id], "/course") {
		return "/course" + p[id:]
	}
	return strings.ToLower(p)
}

func firstSegment(p string) string {
	if rest, ok := strings.CutPrefix(p, "/"); ok {
		if id := strings.Index(rest, "/"); id > 0 && strings.EqualFold(rest[:id], "course") {
			return rest[:id]
		}
		return rest
	}
	return p
}

func hasUpper(s string) bool { return strings.ToLower(s) != s }
