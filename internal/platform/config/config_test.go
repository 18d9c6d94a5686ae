package config_test

import (
	"strings"
	"testing"

	"greenroom/internal/platform/config"
)

func from(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

func TestDefaultsNeedNoSettings(t *testing.T) {
	t.Parallel()
	c, err := config.Load(from(nil))
	if err != nil {
		t.Fatal(err)
	}
	if c.Listen != ":8080" || c.SiteURL != "http://localhost:8080" || c.PasswordMin != 10 || !c.RateLimits || c.ConfirmEmail {
		t.Fatalf("defaults: %+v", c)
	}
	if c.Inbox != c.MailFrom || c.Support != c.MailFrom || c.SecretFile != "data/secret" {
		t.Fatalf("derived defaults: %+v", c)
	}
}

func TestProvidersAreThoseThatAreSet(t *testing.T) {
	t.Parallel()
	c, err := config.Load(from(map[string]string{
		"GREENROOM_GITHUB_CLIENT_ID": "a", "GREENROOM_GITHUB_CLIENT_SECRET": "b",
		"GREENROOM_OIDC": "Acme", "GREENROOM_OIDC_ACME_ISSUER": "https://id.acme.example/", "GREENROOM_OIDC_ACME_CLIENT_ID": "c", "GREENROOM_OIDC_ACME_CLIENT_SECRET": "d",
	}))
	if err != nil || len(c.Providers) != 2 || c.Providers[0].Name != "github" || c.Providers[1] != (config.Provider{Name: "acme", Issuer: "https://id.acme.example/", ClientID: "c", ClientSecret: "d"}) {
		t.Fatalf("%+v, %v", c.Providers, err)
	}
	for _, wrong := range []map[string]string{
		{"GREENROOM_GOOGLE_CLIENT_ID": "a"},
		{"GREENROOM_OIDC": "acme"},
		{"GREENROOM_OIDC": "a-b"},
		{"GREENROOM_OIDC": "acme", "GREENROOM_OIDC_ACME_CLIENT_ID": "c", "GREENROOM_OIDC_ACME_CLIENT_SECRET": "d"},
	} {
		if _, err := config.Load(from(wrong)); err == nil {
			t.Errorf("%v was taken", wrong)
		}
	}
}

func TestWrongSettingIsNamed(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{
		"GREENROOM_LISTEN":          "8080",
		"GREENROOM_DATABASE_URL":    "mysql://x",
		"GREENROOM_SITE_URL":        "localhost",
		"GREENROOM_REDIRECT_URLS":   "nothing",
		"GREENROOM_API_KEY":         "short",
		"GREENROOM_SMTP_URL":        "mail.example.com",
		"GREENROOM_MAIL_FROM":       "nobody",
		"GREENROOM_CONFIRM_EMAIL":   "yes",
		"GREENROOM_PASSWORD_MIN":    "3",
		"GREENROOM_ADMIN_MFA":       "on",
		"GREENROOM_RATE_LIMITS":     "no",
		"GREENROOM_TRUSTED_PROXIES": "10.0.0.0/99",
		"GREENROOM_LOG":             "xml",
	} {
		_, err := config.Load(from(map[string]string{name: value}))
		if err == nil || !strings.HasPrefix(err.Error(), name+" must ") {
			t.Errorf("%s=%s: %v", name, value, err)
		}
	}
}
