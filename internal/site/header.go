package site

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
)

// policy is the Content-Security-Policy of every page. Pages are cached, so they carry no nonces: scripts come from our own
// files, and the one inlined script and the one inlined stylesheet are named by their hashes. Style attributes are allowed, because React writes
// computed widths, positions and picture gradients as style="…" and a hash cannot name a value that is not known
// beforehand; an attribute can restyle its own element and load nothing that img-src forbids.
func policy(css string, secure bool) string {
	styles := "style-src 'self'"
	if css != "" {
		styles += " " + hash(css)
	}
	rules := []string{
		"default-src 'self'",
		"script-src 'self' " + hash(starter),
		styles,
		"style-src-attr 'unsafe-inline'",
		"img-src 'self' data: https:",
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

// hash names an inlined text in the policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// setHeaders puts the rules for browsers on an answer.
func (s *Site) setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", s.policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy",
		"accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()")
	if s.secure {
		h.Set("Strict-Transport-Security", "max-age=63072000; includeSubDomains")
	}
}
