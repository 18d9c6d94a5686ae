package main

import (
	"context"
	"encoding/pem"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"greenroom/internal/platform/db"
)

// registry is the internet's name servers: TXT records by name.
type registry map[string][]string

func (r registry) LookupTXT(ctx context.Context, name string) ([]string, error) {
	if _, bounded := ctx.Deadline(); !bounded {
		return nil, errors.New("this look-up may take for ever")
	}
	if slices.Contains(r["down for"], name) {
		return nil, &net.DNSError{Err: "server misbehaving", Name: name, IsTemporary: true}
	}
	if r["down"] != nil {
		return nil, &net.DNSError{Err: "server misbehaving", Name: name, IsTemporary: true}
	}
	if r[name] == nil {
		return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
	return r[name], nil
}

func TestTheDoctorReadsWhatTheSendersDomainSays(t *testing.T) {
	t.Parallel()
	good := registry{
		"example.org":                      {"site-verification=1", "v=spf1 include:mail.example -all"},
		"selector1._domainkey.example.org": {"v=DKIM1; k=rsa; p=MIIB"},
		"_dmarc.example.org":               {"v=DMARC1; p=quarantine"},
	}
	with := func(name string, texts ...string) registry {
		changed := registry{name: texts}
		for at, all := range good {
			if at != name {
				changed[at] = all
			}
		}
		return changed
	}
	for name, c := range map[string]struct {
		says      registry
		selectors []string
		ill       string // about what there is advice
		advice    string
	}{
		"all is well":             {good, usualSelectors, "", ""},
		"the name is given":       {good, []string{"selector1"}, "", ""},
		"another name is given":   {good, []string{"mine"}, "dkim", "--dkim NAME"},
		"a key that was revoked":  {with("selector1._domainkey.example.org"), usualSelectors, "dkim", "--dkim NAME"},
		"a key that is not told":  {with("down for", "google._domainkey.example.org", "selector1._domainkey.example.org"), usualSelectors, "dkim", "google._domainkey.example.org: "},
		"a key, others not told":  {with("down for", "google._domainkey.example.org"), usualSelectors, "", ""},
		"no spf":                  {with("example.org", "other"), usualSelectors, "spf", "v=spf1"},
		"two spf":                 {with("example.org", "v=spf1 -all", "v=spf1 mx -all"), usualSelectors, "spf", "one TXT record"},
		"everybody may send":      {with("example.org", "v=spf1 +all"), usualSelectors, "spf", "-all"},
		"no dmarc":                {with("_dmarc.example.org"), usualSelectors, "dmarc", "v=DMARC1; p=none"},
		"the names do not answer": {registry{"down": {}}, usualSelectors, "sender", "misbehaving"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, f := range lookAtSender(t.Context(), c.says, "example.org", c.selectors) {
				if ill := f.advice != "" || f.wrong != nil; ill != (f.about == c.ill) || ill && !strings.Contains(f.advice, c.advice) {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

func TestTheDoctorSeesTheCertificateAndTheProxy(t *testing.T) {
	t.Parallel()
	proxy := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(proxy.Close)
	authority := filepath.Join(t.TempDir(), "authority.pem")
	if err := os.WriteFile(authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: proxy.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	trusting := []string{"SSL_CERT_FILE=" + authority, "SSL_CERT_DIR=/nowhere"}
	for name, c := range map[string]struct {
		settings     []string
		tls, proxies string
	}{
		"all is well": {
			append(trusting, "GREENROOM_SITE_URL="+proxy.URL, "GREENROOM_TRUSTED_PROXIES=127.0.0.1"), "ok    tls        the certificate of 127.0.0.1 is good until 2084", "ok    proxies    [127.0.0.1/32]",
		},
		"an authority that nobody knows": {
			[]string{"SSL_CERT_FILE=/nowhere", "SSL_CERT_DIR=/nowhere", "GREENROOM_SITE_URL=" + proxy.URL, "GREENROOM_TRUSTED_PROXIES=127.0.0.1"}, "BAD   tls        browsers will not trust", "look  proxies",
		},
		"another name": {
			append(trusting, "GREENROOM_SITE_URL="+strings.Replace(proxy.URL, "127.0.0.1", "localhost", 1), "GREENROOM_TRUSTED_PROXIES=127.0.0.1"), "BAD   tls        browsers will not trust localhost", "look  proxies",
		},
		"a proxy that is not named": {append(trusting, "GREENROOM_SITE_URL="+proxy.URL), "ok    tls", "look  proxies    one brings the certificate"},
		"everybody is a proxy":      {[]string{"GREENROOM_TRUSTED_PROXIES=0.0.0.0/0"}, "", "look  proxies    everybody"},
		"none":                      {nil, "", "ok    proxies    none"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, db.SQLite, c.settings...)
			p.must(t, "migrate")
			said, _, _ := p.run(t, "doctor")
			if text := line(said, "tls"); !strings.HasPrefix(text, c.tls) || c.tls == "" && text != "" {
				t.Errorf("%q", text)
			}
			if text := line(said, "proxies"); !strings.HasPrefix(text, c.proxies) {
				t.Errorf("%q", text)
			}
		})
	}
}

func TestTheDoctorWarnsOfMetricsForEverybody(t *testing.T) {
	t.Parallel()
	for listen, mark := range map[string]string{"": "look", "127.0.0.1:9090": "ok", "localhost:9090": "ok", "[::1]:9090": "ok", ":9090": "look", "10.1.2.3:9090": "look"} {
		p := newPlace(t, db.SQLite, "GREENROOM_METRICS_LISTEN="+listen)
		p.must(t, "migrate")
		if said, _, _ := p.run(t, "doctor"); !strings.HasPrefix(line(said, "metrics"), mark) {
			t.Errorf("%q: %s", listen, line(said, "metrics"))
		}
	}
}
