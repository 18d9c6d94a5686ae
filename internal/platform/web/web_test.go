package web_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/web"
)

func TestSecurity15ForgedHeadersDoNotChangeTheAddress(t *testing.T) {
	t.Parallel()
	trusted := web.Addresses{netip.MustParsePrefix("10.0.0.0/8")}
	for _, c := range []struct {
		name      string
		addresses web.Addresses
		peer      string
		forwarded []string
		want      string
	}{
		{"no proxy is trusted", nil, "203.0.113.9:1", []string{"1.2.3.4"}, "203.0.113.9"},
		{"a stranger forwards", trusted, "203.0.113.9:1", []string{"1.2.3.4"}, "203.0.113.9"},
		{"the proxy forwards", trusted, "10.0.0.1:1", []string{"203.0.113.7"}, "203.0.113.7"},
		{"the client forges in front", trusted, "10.0.0.1:1", []string{"1.2.3.4, 203.0.113.7, 10.0.0.2"}, "203.0.113.7"},
		{"two header lines", trusted, "10.0.0.1:1", []string{"1.2.3.4", "203.0.113.7"}, "203.0.113.7"},
		{"nonsense", trusted, "10.0.0.1:1", []string{"hello"}, "10.0.0.1"},
		{"mapped IPv4", nil, "[::ffff:203.0.113.9]:1", nil, "203.0.113.9"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = c.peer
		for _, line := range c.forwarded {
			r.Header.Add("X-Forwarded-For", line)
		}
		for _, other := range []string{"Forwarded", "X-Real-IP", "CF-Connecting-IP"} {
			r.Header.Set(other, "9.9.9.9")
		}
		if got := c.addresses.Of(r); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestSecurity64OnlyAllowedOriginsMayRead(t *testing.T) {
	t.Parallel()
	handler := web.OriginsOf("https://courses.example.com/app", "http://localhost:5173").Shared(http.NotFoundHandler())
	for origin, allowed := range map[string]bool{
		"https://courses.example.com": true, "http://localhost:5173": true,
		"https://evil.example": false, "https://courses.example.com.evil.example": false, "http://courses.example.com": false, "null": false,
	} {
		for _, method := range []string{http.MethodGet, http.MethodOptions} {
			r := httptest.NewRequest(method, "/rest/v1/courses", nil)
			r.Header.Set("Origin", origin)
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			if got := w.Header().Get("Access-Control-Allow-Origin") == origin; got != allowed {
				t.Errorf("%s %s: allowed %v", method, origin, got)
			}
			if w.Header().Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("%s: credentials are allowed", origin)
			}
		}
	}
}

func TestPanicIsAnsweredAndLoggedOnce(t *testing.T) {
	t.Parallel()
	var lines bytes.Buffer
	log := slog.New(slog.NewJSONHandler(&lines, nil))
	fail := func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusInternalServerError) }
	handler := web.Logged(web.Recovered(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("boom") }), log, fail), nil, nil, log, clock.System{}, time.Minute)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/x?token=secret", nil))
	if w.Code != http.StatusInternalServerError || w.Header().Get("X-Request-Id") == "" {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	if strings.Count(lines.String(), "\n") != 2 || strings.Contains(lines.String(), "secret") {
		t.Fatalf("the log:\n%s", lines.String())
	}
}
