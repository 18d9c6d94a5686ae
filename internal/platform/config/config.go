// Package config reads the settings from the environment. A wrong one stops the start with a sentence that
// names it, and so does a name that is none: a typing error must not silently be the default. Nothing else in the
// program looks at the environment.
package config

import (
	"maps"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Config is every setting, checked.
type Config struct {
	Listen         string
	Data           string
	DatabaseURL    string
	ReplicaURL     string
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
	EmailSignIn    string
	Anonymous      bool
	PasswordMin    int
	PasswordList   string
	AdminMFA       bool
	RateLimits     bool
	AuditDays      int
	TrustedProxies []netip.Prefix
	// How long what people leave without an account is kept, and messages; for ever when zero.
	RetainRegistrations, RetainMessages time.Duration
	Drain                               time.Duration
	BackupFolder                        string
	BackupEvery                         time.Duration
	BackupKeep                          int
	BackupS3                            string
	// StorageURL is where stored files are kept; in the data folder when it is empty.
	StorageURL string
	// How many bytes may be stored as files, in all and by one account.
	StorageQuota, StorageUserQuota int64
	// VideoWork says whether this instance prepares videos.
	VideoWork     bool
	TLS           bool
	TLSEmail      string
	ACMEURL       string
	ListenHTTP    string
	ListenMetrics string
	Log           string
	Social        Social
	Providers     []Provider
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

// OffersEmailSignIn tells whether the sign-in page offers a code by email: where the operator says so, or else where mail
// can leave.
func (c Config) OffersEmailSignIn() bool {
	return c.EmailSignIn == "on" || (c.EmailSignIn == "" && c.SMTPURL != "")
}

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
		ReplicaURL:     r.databaseURL("GREENROOM_REPLICA_URL"),
		SiteURL:        r.webURL("GREENROOM_SITE_URL", "http://localhost:8080"),
		RedirectURLs:   r.list("GREENROOM_REDIRECT_URLS"),
		APIKey:         r.key("GREENROOM_API_KEY"),
		ServiceKey:     r.key("GREENROOM_SERVICE_KEY"),
		JWTKeys:        r.text("GREENROOM_JWT_KEYS", ""),
		SMTPURL:        r.smtpURL("GREENROOM_SMTP_URL"),
		MailFrom:       r.address("GREENROOM_MAIL_FROM", "Greenroom <hello@greenroom.example>"),
		ConfirmEmail:   r.flag("GREENROOM_CONFIRM_EMAIL", false, "true", "false"),
		EmailSignIn:    r.choice("GREENROOM_EMAIL_SIGN_IN", "", "on", "off"),
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
		BackupS3:       r.bucket("GREENROOM_BACKUP_S3"),
		Log:            r.choice("GREENROOM_LOG", "", "text", "json"),
		Social: Social{
			Instagram: r.webURL("GREENROOM_SOCIAL_INSTAGRAM", "https://www.instagram.com/greenroom"),
			YouTube:   r.webURL("GREENROOM_SOCIAL_YOUTUBE", "https://www.youtube.com/@greenroom"),
			X:         r.webURL("GREENROOM_SOCIAL_X", "https://x.com/greenroom"),
			LinkedIn:  r.webURL("GREENROOM_SOCIAL_LINKEDIN", "https://www.linkedin.com/company/greenroom"),
		},
	}
	c.StorageURL = r.bucket("GREENROOM_STORAGE_URL")
	c.StorageQuota, c.StorageUserQuota = r.megabytes("GREENROOM_STORAGE_MB", 50_000), r.megabytes("GREENROOM_STORAGE_USER_MB", 20_000)
	c.VideoWork = r.flag("GREENROOM_VIDEO_WORK", true, "on", "off")
	c.RetainRegistrations, c.RetainMessages = r.days("GREENROOM_RETAIN_REGISTRATIONS"), r.days("GREENROOM_RETAIN_MESSAGES")
	if c.ReplicaURL != "" && c.DatabaseURL == "" {
		r.wrong("GREENROOM_REPLICA_URL", "must be the address of a standby of GREENROOM_DATABASE_URL, which is not set")
	}
	c.Providers = r.providers()
	c.Inbox = r.address("GREENROOM_INBOX", c.MailFrom)
	c.Support = r.address("GREENROOM_SUPPORT", c.MailFrom)
	if c.BackupEvery < time.Minute {
		r.wrong("GREENROOM_BACKUP_EVERY", "must be at least 1m")
	}
	if c.BackupS3 != "" && c.BackupFolder == "" {
		c.BackupFolder = filepath.Join(c.Data, "backups") // they are made here before they are sent
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
