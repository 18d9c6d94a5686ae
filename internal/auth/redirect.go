package auth

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// redirects decides where a link in a mail may lead: pages of the site, and what the operator's list names.
type redirects struct {
	site    *url.URL
	allowed []pattern
}

// pattern is one entry of the list, cut at the parts of a URL so that no wildcard can reach from one part into the
// next: "https://*.example.com" can never match a path.
type pattern struct {
	scheme string
	host   *regexp.Regexp
	port   string
	path   *regexp.Regexp
	query  bool
}

func newRedirects(site string, list []string) (redirects, error) {
	u, err := url.Parse(site)
	if err != nil || u.Host == "" {
		return redirects{}, fmt.Errorf("GREENROOM_SITE_URL must be a web address, not %q", site)
	}
	r := redirects{site: u}
	for _, text := range list {
		p, err := newPattern(text)
		if err != nil {
			return redirects{}, err
		}
		r.allowed = append(r.allowed, p)
	}
	return r, nil
}

var patternForm = regexp.MustCompile(`^([a-z][a-z0-9+.-]*)://([^/?#:]*)(:[0-9*]+)?(/[^?#]*)?(\?[^#]*)?$`)

func newPattern(text string) (pattern, error) {
	m := patternForm.FindStringSubmatch(text)
	if m == nil || neverSchemes[m[1]] {
		return pattern{}, fmt.Errorf("GREENROOM_REDIRECT_URLS: %q is not an address like https://app.example.com/**", text)
	}
	path := m[4]
	if path == "" && m[5] == "" {
		path = "/**" // an origin stands for all of its pages
	}
	return pattern{
		scheme: m[1], host: glob(strings.ToLower(m[2])), port: strings.TrimPrefix(m[3], ":"),
		path: glob(path + m[5]), query: m[5] != "",
	}, nil
}

// glob: * is one segment between dots and slashes, ** is any number of them.
func glob(text string) *regexp.Regexp {
	quoted := regexp.QuoteMeta(text)
	quoted = strings.ReplaceAll(quoted, `\*\*`, "\x00")
	quoted = strings.ReplaceAll(quoted, `\*`, "[^./?]*")
	quoted = strings.ReplaceAll(quoted, "\x00", ".*")
	return regexp.MustCompile("^" + quoted + "$")
}

// neverSchemes run or show what they carry instead of leading somewhere.
var neverSchemes = map[string]bool{"javascript": true, "data": true, "vbscript": true, "file": true, "blob": true, "about": true, "view-source": true, "filesystem": true}

// target is where a request wants its link to lead; anything that is not allowed is quietly the site itself.
func (r redirects) target(req *http.Request, given string) string {
	for _, wanted := range []string{given, req.URL.Query().Get("redirect_to"), req.Header.Get("redirect_to")} {
		if wanted != "" {
			return r.allow(wanted)
		}
	}
	return r.allow(req.Header.Get("Referer"))
}

// allow gives the address without its fragment if it is allowed, else the site's.
func (r redirects) allow(wanted string) string {
	wanted, _, _ = strings.Cut(wanted, "#")
	u, ok := plainURL(wanted)
	if !ok {
		return r.site.String()
	}
	if u.Scheme == r.site.Scheme && u.Host == r.site.Host {
		return wanted
	}
	for _, p := range r.allowed {
		if p.matches(u) {
			return wanted
		}
	}
	return r.site.String()
}

func (p pattern) matches(u *url.URL) bool {
	if u.Scheme != p.scheme || !p.host.MatchString(u.Hostname()) || (p.port != u.Port() && p.port != "*") {
		return false
	}
	rest := u.EscapedPath()
	if rest == "" {
		rest = "/"
	}
	if p.query && u.RawQuery != "" {
		rest += "?" + u.RawQuery
	}
	return p.path.MatchString(rest)
}

var hostForm = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:.]+\])?(:[0-9]{1,5})?$`)

// plainURL takes only addresses that every reader, ours and a browser's, understands alike.
func plainURL(text string) (*url.URL, bool) {
	if len(text) > 2048 || strings.ContainsAny(text, "\\<>\"^`{|}") {
		return nil, false
	}
	for i := range len(text) {
		if text[i] <= ' ' || text[i] >= 0x7f {
			return nil, false
		}
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Opaque != "" || u.User != nil || neverSchemes[u.Scheme] {
		return nil, false
	}
	// The scheme is followed by exactly two slashes and the host as it was parsed: no third slash, no %2f, no upper case.
	rest, ok := strings.CutPrefix(text, u.Scheme+"://"+u.Host)
	if !ok || !hostForm.MatchString(u.Host) || (rest != "" && rest[0] != '/' && rest[0] != '?') {
		return nil, false
	}
	if web := u.Scheme == "http" || u.Scheme == "https"; u.Host == "" && web {
		return nil, false
	}
	return u, true
}

// withQuery and withFragment add what the flow has to say to an allowed address.
func withQuery(address string, add url.Values) string {
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	return address + separator + add.Encode()
}

func withFragment(address string, add url.Values) string {
	// The empty sb marks the fragment as one of ours for the client library.
	add.Set("sb", "")
	return address + "#" + add.Encode()
}
