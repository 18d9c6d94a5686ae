package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	netmail "net/mail"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"greenroom/internal/mail"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/config"
)

// soonOver is how long before its end a certificate that nobody renewed is told of: authorities renew from 30 days on.
const soonOver = 14 * 24 * time.Hour

// nameTime bounds one question to a name server: some twenty are asked.
const nameTime = 3 * time.Second

// usualSelectors are the names under which the DKIM keys of many mail providers stand. Only the provider knows its own.
var usualSelectors = []string{
	"default", "dkim", "mail", "smtp", "google", "selector1", "selector2", "k1", "k2", "s1", "s2", "key1", "fm1", "pm", "mta", "mandrill", "zoho", "sig1", "protonmail", "scph0125",
}

func lookAtMail(ctx context.Context, c config.Config, selectors []string) []finding {
	if c.SMTPURL == "" {
		return []finding{{about: "mail", said: "emails are written as files into " + c.MailFolder(), advice: "Nobody gets them: set GREENROOM_SMTP_URL."}}
	}
	ctx, cancel := context.WithTimeout(ctx, 2*lookTime)
	defer cancel()
	all := []finding{{about: "mail", said: "the server takes our emails", wrong: mail.Reach(ctx, c.SMTPURL)}}
	from, err := netmail.ParseAddress(c.MailFrom)
	if err != nil {
		return append(all, finding{about: "sender", wrong: err})
	}
	_, domain, _ := strings.Cut(from.Address, "@")
	return append(all, lookAtSender(ctx, net.DefaultResolver, domain, selectors)...)
}

// texts is the part of the internet's name servers that says what a domain tells of itself.
type texts interface {
	LookupTXT(ctx context.Context, name string) ([]string, error)
}

// lookAtSender asks what the domain of our address tells those who get our emails: who may send for it (SPF), with which
// key they are signed (DKIM), and what to do with the others (DMARC).
func lookAtSender(ctx context.Context, names texts, domain string, selectors []string) []finding {
	spf, err := textsOf(ctx, names, domain, "v=spf1")
	if err != nil {
		return []finding{{about: "sender", said: "the name server does not answer for " + domain, advice: err.Error()}}
	}
	all := []finding{{about: "spf", said: strings.Join(spf, " ")}}
	switch {
	case len(spf) == 0:
		all[0].said, all[0].advice = domain+" does not say who may send for it", "Emails land among spam: add the TXT record with v=spf1 that your mail provider names."
	case len(spf) > 1:
		all[0].advice = "There are several, and so none counts: make one TXT record of them."
	case strings.Contains(spf[0], "+all") || strings.HasSuffix(spf[0], " all"):
		all[0].advice = "It lets everybody send for " + domain + ": end it with -all or ~all."
	}
	policy := lookAtPolicy(ctx, names, domain) // before the many look-ups for a key, which may use up the time
	return append(all, lookAtKey(ctx, names, domain, selectors), policy)
}

func lookAtKey(ctx context.Context, names texts, domain string, selectors []string) finding {
	var first error
	for _, selector := range selectors {
		keys, err := textsOf(ctx, names, selector+"._domainkey."+domain, "p=")
		if len(keys) > 0 {
			return finding{about: "dkim", said: "there is a key under " + selector + "._domainkey." + domain}
		}
		if first == nil {
			first = err
		}
	}
	if first != nil {
		return finding{about: "dkim", said: "no key of " + domain + " was found, and the name server did not answer for all names", advice: first.Error()}
	}
	return finding{
		about: "dkim", said: "no key of " + domain + " was found under " + strings.Join(selectors, ", "),
		advice: "Ask your mail provider under which name (selector) its key stands, add that TXT record, and try greenroom doctor --dkim NAME.",
	}
}

func lookAtPolicy(ctx context.Context, names texts, domain string) finding {
	found, err := textsOf(ctx, names, "_dmarc."+domain, "v=DMARC1")
	switch {
	case err != nil:
		return finding{about: "dmarc", said: "the name server does not answer for _dmarc." + domain, advice: err.Error()}
	case len(found) == 0:
		return finding{
			about: "dmarc", said: "there is no v=DMARC1 at _dmarc." + domain,
			advice: "Large mailboxes refuse senders without it: add a TXT record there, to begin with v=DMARC1; p=none; rua=mailto:you@" + domain,
		}
	}
	return finding{about: "dmarc", said: found[0]}
}

// textsOf gives the TXT records with a mark. A name that does not exist has none.
func textsOf(ctx context.Context, names texts, name, mark string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, nameTime)
	defer cancel()
	all, err := names.LookupTXT(ctx, name)
	if failed, ok := errors.AsType[*net.DNSError](err); err != nil && (!ok || !failed.IsNotFound) {
		return nil, err
	}
	return slices.DeleteFunc(all, func(text string) bool { return !strings.Contains(text, mark) }), nil
}

// lookAtCertificate asks for the one that visitors see: ours on this machine, or that of the proxy behind the site's name.
func lookAtCertificate(ctx context.Context, c config.Config) finding {
	site, err := url.Parse(c.SiteURL)
	if err != nil || site.Scheme != "https" {
		return finding{}
	}
	f := finding{about: "tls"}
	address := net.JoinHostPort(site.Hostname(), cmp.Or(site.Port(), "443"))
	if c.TLS {
		address = here(c.Listen)
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	conn, err := (&tls.Dialer{Config: &tls.Config{ServerName: site.Hostname(), MinVersion: tls.VersionTLS12}}).DialContext(ctx, "tcp", address)
	if err != nil {
		f.said, f.advice = "the certificate could not be seen at "+address, err.Error()
		if judged, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
			f.wrong, f.advice = fmt.Errorf("browsers will not trust %s: %w", address, judged.Err), advise(judged.Err, c)
		}
		return f
	}
	defer func() { _ = conn.Close() }()
	ends := conn.(*tls.Conn).ConnectionState().PeerCertificates[0].NotAfter //nolint:forcetypeassert // what a TLS dialer gives
	f.said = "the certificate of " + site.Hostname() + " is good until " + ends.Format(time.DateOnly)
	if ends.Sub(clock.System{}.Now()) < soonOver {
		f.advice = "It should have been renewed by now. " + advise(nil, c)
	}
	return f
}

func advise(err error, c config.Config) string {
	if _, ok := errors.AsType[x509.HostnameError](err); ok {
		return "Its names and GREENROOM_SITE_URL must agree."
	}
	if c.TLS {
		return "Ports 80 and 443 must be open to the internet, and the site's name must lead to this machine; the log says \"no certificate yet\"."
	}
	return "The proxy before the server has it: look there."
}

// lookAtProxies goes to the site as a visitor does, and looks whether a proxy that must be there is named.
func lookAtProxies(ctx context.Context, c config.Config) finding {
	f := finding{about: "proxies", said: "none is named, and none is needed"}
	behind := strings.HasPrefix(c.SiteURL, "https://") && !c.TLS
	if slices.ContainsFunc(c.TrustedProxies, func(p netip.Prefix) bool { return p.Bits() == 0 }) {
		f.said, f.advice = "everybody is trusted as one", "Whoever likes can claim any address and has no limits: name the proxy's own address in GREENROOM_TRUSTED_PROXIES."
		return f
	}
	if len(c.TrustedProxies) > 0 {
		f.said = fmt.Sprintf("%v", c.TrustedProxies)
	}
	if behind && len(c.TrustedProxies) == 0 {
		f.said, f.advice = "one brings the certificate and is not named", "All visitors count as one for the limits: set GREENROOM_TRUSTED_PROXIES to the address that the proxy comes from, such as 127.0.0.1."
		return f
	}
	if !behind {
		return f
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	if err := asks(ctx, http.DefaultClient, c.SiteURL+"/readyz"); err != nil {
		f.advice = "The server is not reached through " + c.SiteURL + ": " + err.Error()
	}
	return f
}

func lookAtMetrics(c config.Config) finding {
	if c.ListenMetrics == "" {
		return finding{about: "metrics", said: "are not told", advice: "GREENROOM_METRICS_LISTEN=127.0.0.1:9090 lets Prometheus watch and call you (deploy/alerts.yml)."}
	}
	f := finding{about: "metrics", said: "are told at " + c.ListenMetrics}
	host, _, _ := net.SplitHostPort(c.ListenMetrics)
	if address := net.ParseIP(host); host != "localhost" && (address == nil || !address.IsLoopback()) {
		f.advice = "Whoever reaches that can read them, and take profiles: let a firewall keep the internet away, or listen on 127.0.0.1."
	}
	return f
}

// asks succeeds if the address answers that it is well.
func asks(ctx context.Context, client *http.Client, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
	if err == nil && answer.StatusCode != http.StatusOK {
		err = errors.New("not ready: " + strings.TrimSpace(string(text)))
	}
	return err
}

// here is where a listener is reached from its own machine.
func here(listen string) string {
	host, port, _ := net.SplitHostPort(listen)
	if host == "" || host == "0.0.0.0" || host == "::" {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}
