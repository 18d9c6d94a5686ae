package site

import (
	"net/http"
	"strings"

	"greenroom/internal/platform/web"
)

// policy is the Content-Security-Policy of every page. Pages are cached, so they carry no nonces: scripts come from our own
// files, and the one inlined script and the one inlined stylesheet are named by their hashes. Style attributes are allowed,
// because React writes computed widths, positions and picture gradients as style="…" and a hash cannot name a value that is
// not known beforehand; an attribute can restyle its own element and load nothing that img-src forbids.
func policy(css string, secure bool) string {
	styles := "style-src 'self'"
	if css != "" {
		styles += " " + web.PolicyHash(css)
	}
	rules := []string{
		"default-src 'self'",
		"script-src 'self' " + web.PolicyHash(starter),
		styles,
		"style-src-attr 'unsafe-inline'",
		"img-src 'self' data: https:",
		// A player feeds a film to the browser piece by piece, through an address that it makes itself.
		"media-src 'self' blob:",
		"font-src 'self'",
		"connect-src 'self'",
		"manifest-src 'self'",
		"object-src 'none'",
		"base-uri 'none'",
		"frame-src 'none'",
		"frame-ancestors 'none'",
		"form-action 'self'",
	}
	if secure {
		rules = append(rules, "upgrade-insecure-requests")
	}
	return strings.Join(rules, "; ")
}

// setHeaders puts the rules that are the pages' own on an answer, over those of all answers.
func (s *Site) setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", s.policy)
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy",
		"accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()")
}
