// Package config reads the settings from the environment. A wrong one stops the start with a sentence that
// names it, and so does a name that is none: a typing error must not silently be the default. Nothing else in the
// program looks at the environment.
package config

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Config is every setting, checked.
type Config struct {
	Listen         string
	Data           string
	DatabaseURL    string
	SiteURL        string
	RedirectURLs   []string
	APIKey         string
	ServiceKey     string
	JWTKeys        string
	SecretFile     string
	SMTPURL        string
	MailFrom       string
	Inbox          string
	Support        string
	ConfirmEmail   bool
	Anonymous      bool
	PasswordMin    int
	PasswordList   string
	AdminMFA       bool
	RateLimits     bool
	AuditDays      int
	TrustedProxies []netip.Prefix
	Drain          time.Duration
	BackupFolder   string
	BackupEvery    time.Duration
	BackupKeep     int
	TLS            bool
	TLSEmail       string
	ACMEURL        string
	ListenHTTP     string
	ListenMetrics  string
	Log            string
	Social         Social
	Providers      []Provider
}

// Provider is a place elsewhere that people may sign in with. GitHub has no issuer.
type Provider struct{ Name, Issuer, ClientID, ClientSecret string }

// Social are the product's pages elsewhere, for the footer.
type Social struct {
	Instagram string `json:"instagram"`
	YouTube   string `json:"youtube"`
	X         string `json:"x"`
	LinkedIn  string `json:"linkedin"`
}

// Database is the SQLite file in the data folder.
func (c Config) Database() string { return filepath.Join(c.Data, "greenroom.db") }

// AuditKept is how long an entry of the audit trail lives.
func (c Config) AuditKept() time.Duration { return time.Duration(c.AuditDays) * 24 * time.Hour }

// MailFolder is where letters go when no SMTP server is set.
func (c Config) MailFolder() string { return filepath.Join(c.Data, "mail") }

// Environment makes the settings of os.Environ ready for Load.
func Environment(pairs []string) map[string]string {
	values := map[string]string{}
	for _, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		values[name] = value
	}
	return values
}

// Load reads the settings. What it asks for is what there is: the check for unknown names and the README's table
// go by that.
func Load(values map[string]string) (Config, error) {
	r := reader{values: values, asked: map[string]bool{}}
	c := r.load()
	if wrong := r.unknown(); wrong != nil {
		return c, wrong // it may well be the reason for the other mistake
	}
	return c, r.err
}

// Names are all settings, but for those of the providers that GREENROOM_OIDC names.
func Names() []string {
	r := reader{asked: map[string]bool{}}
	r.load()
	return slices.Sorted(maps.Keys(r.asked))
}

func (r *reader) load() Config {
	c := Config{
		TLS:            r.flag("GREENROOM_TLS", false, "auto", "off"),
		Data:           r.text("GREENROOM_DATA", "./data"),
		DatabaseURL:    r.databaseURL("GREENROOM_DATABASE_URL"),
		SiteURL:        r.webURL("GREENROOM_SITE_URL", "http://localhost:8080"),
		RedirectURLs:   r.list("GREENROOM_REDIRECT_URLS"),
		APIKey:         r.key("GREENROOM_API_KEY"),
		ServiceKey:     r.key("GREENROOM_SERVICE_KEY"),
		JWTKeys:        r.text("GREENROOM_JWT_KEYS", ""),
		SMTPURL:        r.smtpURL("GREENROOM_SMTP_URL"),
		MailFrom:       r.address("GREENROOM_MAIL_FROM", "Greenroom <hello@greenroom.example>"),
		ConfirmEmail:   r.flag("GREENROOM_CONFIRM_EMAIL", false, "true", "false"),
		Anonymous:      r.flag("GREENROOM_ANONYMOUS", false, "on", "off"),
		PasswordMin:    r.number("GREENROOM_PASSWORD_MIN", 10, 8, 64),
		PasswordList:   r.text("GREENROOM_PASSWORD_LIST", ""),
		AdminMFA:       r.flag("GREENROOM_ADMIN_MFA", false, "required", "optional"),
		RateLimits:     r.flag("GREENROOM_RATE_LIMITS", true, "on", "off"),
		AuditDays:      r.number("GREENROOM_AUDIT_DAYS", 90, 1, 3650),
		TrustedProxies: r.prefixes("GREENROOM_TRUSTED_PROXIES"),
		Drain:          r.duration("GREENROOM_DRAIN", 5*time.Second, 5*time.Minute),
		BackupFolder:   r.text("GREENROOM_BACKUP_DIR", ""),
		BackupEvery:    r.duration("GREENROOM_BACKUP_EVERY", 24*time.Hour, 31*24*time.Hour),
		BackupKeep:     r.number("GREENROOM_BACKUP_KEEP", 14, 1, 1000),
		Log:            r.choice("GREENROOM_LOG", "", "text", "json"),
		Social: Social{
			Instagram: r.webURL("GREENROOM_SOCIAL_INSTAGRAM", "https://www.instagram.com/greenroom"),
			YouTube:   r.webURL("GREENROOM_SOCIAL_YOUTUBE", "https://www.youtube.com/@greenroom"),
			X:         r.webURL("GREENROOM_SOCIAL_X", "https://x.com/greenroom"),
			LinkedIn:  r.webURL("GREENROOM_SOCIAL_LINKEDIN", "https://www.linkedin.com/company/greenroom"),
		},
	}
	c.Providers = r.providers()
	c.Inbox = r.address("GREENROOM_INBOX", c.MailFrom)
	c.Support = r.address("GREENROOM_SUPPORT", c.MailFrom)
	if c.BackupEvery < time.Minute {
		r.wrong("GREENROOM_BACKUP_EVERY", "must be at least 1m")
	}
	port := ":8080"
	if c.TLS {
		port = ":443"
	}
	c.Listen = r.listen("GREENROOM_LISTEN", port)
	c.ListenHTTP = r.listen("GREENROOM_LISTEN_HTTP", ":80")
	c.ListenMetrics = r.inside("GREENROOM_METRICS_LISTEN", c)
	c.TLSEmail = r.text("GREENROOM_TLS_EMAIL", "")
	c.ACMEURL = r.webURL("GREENROOM_ACME_URL", "https://acme-v02.api.letsencrypt.org/directory")
	if c.TLS && !strings.HasPrefix(c.SiteURL, "https://") {
		r.wrong("GREENROOM_SITE_URL", "must begin with https:// where GREENROOM_TLS is auto")
	}
	c.SecretFile = r.text("GREENROOM_SECRET_FILE", filepath.Join(c.Data, "secret"))
	return c
}

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

func (r *reader) duration(name string, otherwise, most time.Duration) time.Duration {
	v := r.text(name, otherwise.String())
	d, err := time.ParseDuration(v)
	if err != nil || d < 0 || d > most {
		r.wrong(name, fmt.Sprintf("must be a time from 0s to %s such as %s, not %q", most, otherwise, v))
		return otherwise
	}
	return d
}
