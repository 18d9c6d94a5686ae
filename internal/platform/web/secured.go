package web

import (
	"maps"
	"net/http"
)

// Secured puts the rules for browsers on every answer, whoever makes it: the mux, a surface, the recovery from a
// panic. They are the strictest; pages and files loosen what they need.
func Secured(next http.Handler, https bool) http.Handler {
	// The values are made once and shared: a handler sets others in their place, and an append copies them.
	rules := http.Header{
		"Cache-Control":           {"no-store"},
		"X-Content-Type-Options":  {"nosniff"},
		"Referrer-Policy":         {"no-referrer"},
		"Content-Security-Policy": {"default-src 'none'; frame-ancestors 'none'"},
	}
	if https {
		rules.Set("Strict-Transport-Security", "max-age=63072000; includeSubDomains")
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		maps.Copy(w.Header(), rules)
		next.ServeHTTP(w, r)
	})
}
