package main

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"

	"greenroom/internal/app"
	"greenroom/internal/platform/config"
	"greenroom/internal/platform/safe"
	"greenroom/internal/platform/web"
)

// front is what stands before the site where the server has certificates of its own: TLS, and a port without it that
// answers the authority's questions and sends everybody else to https.
type front struct {
	secure *tls.Config
	ready  func()
	plain  *http.Server
	failed <-chan error
}

// newFront opens the port without TLS. Without GREENROOM_TLS there is no front: a proxy has the certificates.
func newFront(ctx context.Context, c config.Config, a *app.App, exempt func(netip.Addr) bool, log *slog.Logger) (*front, error) {
	if !c.TLS {
		return &front{ready: func() {}}, nil
	}
	site, err := url.Parse(c.SiteURL)
	if err != nil {
		return nil, err
	}
	manager := &autocert.Manager{
		Prompt: autocert.AcceptTOS, HostPolicy: autocert.HostWhitelist(site.Hostname()), Cache: a.Certificates(), Email: c.TLSEmail,
		Client: &acme.Client{DirectoryURL: c.ACMEURL, UserAgent: "greenroom"},
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.ListenHTTP)
	if err != nil {
		return nil, errors.New("GREENROOM_LISTEN_HTTP " + c.ListenHTTP + " cannot be listened on: " + err.Error())
	}
	f := &front{secure: manager.TLSConfig(), ready: func() { safe.Go(log, func() { getReady(ctx, manager, site.Hostname(), log) }) }}
	f.secure.MinVersion = tls.VersionTLS12
	f.plain, f.failed = web.UsualBounds.Serve(listener, nil, manager.HTTPHandler(toHTTPS(c.SiteURL)), exempt, log)
	log.InfoContext(ctx, "redirecting", "address", listener.Addr().String(), "to", c.SiteURL)
	return f, nil
}

// getReady has the certificate before the first visitor comes, who would wait for the authority.
func getReady(ctx context.Context, manager *autocert.Manager, host string, log *slog.Logger) {
	hello := &tls.ClientHelloInfo{ServerName: host, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256}}
	if _, err := manager.GetCertificate(hello); err != nil {
		log.ErrorContext(ctx, "no certificate yet: it is asked for again with every visitor", "host", host, "error", err)
		return
	}
	log.InfoContext(ctx, "certificate ready", "host", host)
}

// toHTTPS sends a reader to the same path of the site, whatever host they asked for. What would be sent again with a body
// is refused: it came unprotected already.
func toHTTPS(site string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "Use https.", http.StatusBadRequest)
			return
		}
		path := "/" + strings.TrimPrefix(r.URL.RequestURI(), "/")   // so that nothing of it can become part of the host
		http.Redirect(w, r, site+path, http.StatusMovedPermanently) //nolint:gosec // to our own site
	})
}

func (f *front) close(ctx context.Context) error {
	if f.plain == nil {
		return nil
	}
	return shut(ctx, f.plain)
}

// ownName lets a command on this machine check the site's certificate though it goes to the machine's own address.
func ownName(c config.Config) http.RoundTripper {
	site, err := url.Parse(c.SiteURL)
	if err != nil {
		return http.DefaultTransport
	}
	return &http.Transport{TLSClientConfig: &tls.Config{ServerName: site.Hostname(), MinVersion: tls.VersionTLS12}}
}
