package config

import (
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// reader collects the first mistake, and the names that it was asked for.
type reader struct {
	values map[string]string
	asked  map[string]bool
	err    error
}

func (r *reader) get(name string) string {
	r.asked[name] = true
	return r.values[name]
}

func (r *reader) wrong(name, why string) {
	if r.err == nil {
		r.err = errors.New(name + " " + why)
	}
}

func (r *reader) text(name, otherwise string) string {
	if v := strings.TrimSpace(r.get(name)); v != "" {
		return v
	}
	return otherwise
}

var providerForm = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)

// providers reads Google, GitHub, and the OpenID providers that GREENROOM_OIDC names.
func (r *reader) providers() []Provider {
	var all []Provider
	add := func(name, prefix, issuer string) {
		p := Provider{Name: name, Issuer: issuer, ClientID: r.text(prefix+"_CLIENT_ID", ""), ClientSecret: r.text(prefix+"_CLIENT_SECRET", "")}
		if (p.ClientID == "") != (p.ClientSecret == "") {
			r.wrong(prefix+"_CLIENT_ID", "must be set together with "+prefix+"_CLIENT_SECRET")
		}
		if p.ClientID != "" {
			all = append(all, p)
		}
	}
	add("google", "GREENROOM_GOOGLE", "https://accounts.google.com")
	add("github", "GREENROOM_GITHUB", "")
	for name := range strings.SplitSeq(r.get("GREENROOM_OIDC"), ",") {
		if name = strings.ToLower(strings.TrimSpace(name)); name == "" {
			continue
		}
		if !providerForm.MatchString(name) || name == "email" || slices.ContainsFunc(all, func(p Provider) bool { return p.Name == name }) {
			r.wrong("GREENROOM_OIDC", fmt.Sprintf("must be names such as acme, each once and parted by commas; %q is none", name))
			continue
		}
		prefix := "GREENROOM_OIDC_" + strings.ToUpper(name)
		if r.text(prefix+"_CLIENT_ID", "") == "" {
			r.wrong(prefix+"_CLIENT_ID", "must be set, because GREENROOM_OIDC names "+name)
		}
		// An issuer is compared letter by letter, so a slash at its end stays.
		issuer := r.text(prefix+"_ISSUER", "")
		r.webURL(prefix+"_ISSUER", "")
		add(name, prefix, issuer)
	}
	return all
}

func (r *reader) key(name string) string {
	v := r.text(name, "")
	if v != "" && (len(v) < 16 || strings.ContainsAny(v, " \t\r\n\"")) {
		r.wrong(name, "must have at least 16 characters and no spaces or quotes")
	}
	return v
}

func (r *reader) listen(name, otherwise string) string {
	v := r.text(name, otherwise)
	if _, port, err := net.SplitHostPort(v); err != nil || port == "" {
		r.wrong(name, fmt.Sprintf("must be an address such as :8080 or 127.0.0.1:8080, not %q", v))
	}
	return v
}

// inside is a listener that the internet must not reach: it has a port of its own.
func (r *reader) inside(name string, c Config) string {
	if r.text(name, "") == "" {
		return ""
	}
	v := r.listen(name, "")
	_, port, _ := net.SplitHostPort(v)
	for public, address := range map[string]string{"GREENROOM_LISTEN": c.Listen, "GREENROOM_LISTEN_HTTP": c.ListenHTTP} {
		if _, taken, _ := net.SplitHostPort(address); port == taken && port != "0" && (c.TLS || public == "GREENROOM_LISTEN") {
			r.wrong(name, "must have another port than "+public+": what it tells is not for everybody; 127.0.0.1:9090 is for this machine alone")
		}
	}
	return v
}

func (r *reader) databaseURL(name string) string {
	v := r.text(name, "")
	if v == "" {
		return v
	}
	if !strings.HasPrefix(v, "postgres://") && !strings.HasPrefix(v, "postgresql://") {
		r.wrong(name, "must begin with postgres:// (leave it empty for SQLite in the data folder)")
	} else if host := unguarded(v, r.values["PGHOST"]); host != "" {
		r.wrong(name, fmt.Sprintf("must say how the connection to %s is protected: add sslmode=verify-full, or sslmode=disable on a network of your own", host))
	}
	return v
}

func (r *reader) webURL(name, otherwise string) string {
	v := strings.TrimRight(r.text(name, otherwise), "/")
	u, err := url.Parse(v)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		r.wrong(name, fmt.Sprintf("must be a web address such as https://courses.example.com, not %q", v))
	}
	return v
}

func (r *reader) smtpURL(name string) string {
	v := r.text(name, "")
	if v == "" {
		return v
	}
	u, err := url.Parse(v)
	if err != nil || (u.Scheme != "smtp" && u.Scheme != "smtps") || u.Hostname() == "" {
		r.wrong(name, "must look like smtp://user:password@host:587 or smtps://user:password@host:465")
	}
	return v
}

// bucket reads the address of S3-compatible storage, which holds a secret: it is not repeated in an error.
func (r *reader) bucket(name string) string {
	v := r.text(name, "")
	if v == "" {
		return v
	}
	u, err := url.Parse(v)
	form := "must look like https://KEY:SECRET@host/bucket/folder?region=us-east-1, with %2F for a slash in the secret"
	if err != nil || u.Host == "" || u.User.Username() == "" || strings.Trim(u.Path, "/") == "" {
		r.wrong(name, form)
	} else if _, secret := u.User.Password(); !secret {
		r.wrong(name, form)
	} else if u.Scheme != "https" && u.Scheme != "s3" && (u.Scheme != "http" || !local(u.Hostname())) {
		r.wrong(name, "must begin with https:// or s3:// (http:// only to this machine)")
	}
	return v
}

func (r *reader) address(name, otherwise string) string {
	v := r.text(name, otherwise)
	if _, err := mail.ParseAddress(v); err != nil {
		r.wrong(name, fmt.Sprintf("must be an e-mail address such as Greenroom <hello@example.com>, not %q", v))
	}
	return v
}

func (r *reader) list(name string) []string {
	var parts []string
	for part := range strings.SplitSeq(r.get(name), ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if u, err := url.Parse(part); err != nil || u.Scheme == "" || u.Host == "" {
			r.wrong(name, fmt.Sprintf("must be web addresses parted by commas; %q is none", part))
		}
		parts = append(parts, part)
	}
	return parts
}

func (r *reader) prefixes(name string) []netip.Prefix {
	var prefixes []netip.Prefix
	for part := range strings.SplitSeq(r.get(name), ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		prefix, err := netip.ParsePrefix(part)
		if err != nil {
			address, single := netip.ParseAddr(part)
			if single != nil {
				r.wrong(name, fmt.Sprintf("must be network addresses such as 10.0.0.0/8 parted by commas; %q is none", part))
				continue
			}
			prefix = netip.PrefixFrom(address, address.BitLen())
		}
		prefixes = append(prefixes, prefix)
	}
	return prefixes
}

func (r *reader) choice(name, otherwise string, allowed ...string) string {
	v := r.text(name, otherwise)
	if v == otherwise || slices.Contains(allowed, v) {
		return v
	}
	r.wrong(name, fmt.Sprintf("must be %s, not %q", strings.Join(allowed, " or "), v))
	return otherwise
}

func (r *reader) flag(name string, otherwise bool, yes, no string) bool {
	fallback := no
	if otherwise {
		fallback = yes
	}
	return r.choice(name, fallback, yes, no) == yes
}

func (r *reader) number(name string, otherwise, least, most int) int {
	v := r.text(name, strconv.Itoa(otherwise))
	n, err := strconv.Atoi(v)
	if err != nil || n < least || n > most {
		r.wrong(name, fmt.Sprintf("must be a number from %d to %d, not %q", least, most, v))
		return otherwise
	}
	return n
}

// days is for how many days something is kept; for ever when it is not set.
func (r *reader) days(name string) time.Duration {
	return time.Duration(r.number(name, 0, 0, 3650)) * 24 * time.Hour
}

// megabytes is how much may be stored, in bytes.
func (r *reader) megabytes(name string, otherwise int) int64 {
	return int64(r.number(name, otherwise, 0, 1_000_000_000)) * 1_000_000
}

func (r *reader) duration(name string, otherwise, most time.Duration) time.Duration {
	v := r.text(name, otherwise.String())
	d, err := time.ParseDuration(v)
	if err != nil || d < 0 || d > most {
		r.wrong(name, fmt.Sprintf("must be a time from 0s to %s such as %s, not %q", most, otherwise, v))
		return otherwise
	}
	return d
}
