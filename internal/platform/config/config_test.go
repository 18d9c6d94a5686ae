package config_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"greenroom/internal/platform/config"
)

func TestDefaultsNeedNoSettings(t *testing.T) {
	t.Parallel()
	c, err := config.Load(nil)
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
	c, err := config.Load(map[string]string{
		"GREENROOM_GITHUB_CLIENT_ID": "a", "GREENROOM_GITHUB_CLIENT_SECRET": "b",
		"GREENROOM_OIDC": "Acme", "GREENROOM_OIDC_ACME_ISSUER": "https://id.acme.example/", "GREENROOM_OIDC_ACME_CLIENT_ID": "c", "GREENROOM_OIDC_ACME_CLIENT_SECRET": "d",
	})
	if err != nil || len(c.Providers) != 2 || c.Providers[0].Name != "github" || c.Providers[1] != (config.Provider{Name: "acme", Issuer: "https://id.acme.example/", ClientID: "c", ClientSecret: "d"}) {
		t.Fatalf("%+v, %v", c.Providers, err)
	}
	for _, wrong := range []map[string]string{
		{"GREENROOM_GOOGLE_CLIENT_ID": "a"},
		{"GREENROOM_OIDC": "acme"},
		{"GREENROOM_OIDC": "a-b"},
		{"GREENROOM_OIDC": "acme", "GREENROOM_OIDC_ACME_CLIENT_ID": "c", "GREENROOM_OIDC_ACME_CLIENT_SECRET": "d"},
	} {
		if _, err := config.Load(wrong); err == nil {
			t.Errorf("%v was taken", wrong)
		}
	}
}

func TestWrongSettingIsNamed(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{
		"GREENROOM_LISTEN":          "8080",
		"GREENROOM_DATABASE_URL":    "mysql://x",
		"GREENROOM_REPLICA_URL":     "postgres:///greenroom",
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
		"GREENROOM_DRAIN":           "5",
		"GREENROOM_BACKUP_S3":       "https://key@storage.example/bucket",
		"GREENROOM_RETAIN_MESSAGES": "a year",
		"GREENROOM_LOG":             "xml",
	} {
		_, err := config.Load(map[string]string{name: value})
		if err == nil || !strings.HasPrefix(err.Error(), name+" must ") {
			t.Errorf("%s=%s: %v", name, value, err)
		}
	}
}

func TestUnknownSettingIsNamedWithTheNearest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		set  map[string]string
		said string
	}{
		{map[string]string{"GREENROOM_CONFIRM_EMIAL": "true"}, "GREENROOM_CONFIRM_EMIAL is not a setting: the closest one is GREENROOM_CONFIRM_EMAIL"},
		{map[string]string{"GREENROOM_RATELIMITS": ""}, "GREENROOM_RATELIMITS is not a setting: the closest one is GREENROOM_RATE_LIMITS"},
		{map[string]string{"greenroom_listen": ":80"}, "greenroom_listen is not a setting"},
		{map[string]string{"GREENROOM_METRIC_LISTEN": ":9090"}, "GREENROOM_METRIC_LISTEN is not a setting: the closest one is GREENROOM_METRICS_LISTEN"},
		{map[string]string{"GREENROOM_OIDC_ACME_ISSUER": "https://id.example"}, "GREENROOM_OIDC_ACME_ISSUER is not a setting: GREENROOM_OIDC names no such provider"},
		{map[string]string{
			"GREENROOM_OIDC": "acme", "GREENROOM_OIDC_ACME_ISSUER": "https://id.example", "GREENROOM_OIDC_ACME_CLIENT_SECRET": "s",
			"GREENROOM_OIDC_ACME_CLIENTID": "c",
		}, "GREENROOM_OIDC_ACME_CLIENTID is not a setting: the closest one is GREENROOM_OIDC_ACME_CLIENT_ID"},
	} {
		if _, err := config.Load(c.set); err == nil || !strings.HasPrefix(err.Error(), c.said) {
			t.Errorf("%v: %v", c.set, err)
		}
	}
	// What an orchestrator sets for a service of that name, and what is not ours, stops nothing.
	if _, err := config.Load(map[string]string{
		"GREENROOM_PORT": "tcp://10.0.0.1:80", "GREENROOM_SERVICE_HOST": "10.0.0.1", "GREENROOM_SERVICE_PORT": "80", "GREENROOM_SERVICE_PORT_HTTP": "80",
		"GREENROOM_PORT_80_TCP": "tcp://10.0.0.1:80", "GREENROOM_PORT_80_TCP_ADDR": "10.0.0.1", "HOME": "/root",
	}); err != nil {
		t.Error(err)
	}
}

func TestSecurity67MetricsHaveAPortOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, set := range []map[string]string{
		{"GREENROOM_METRICS_LISTEN": "127.0.0.1:8080"},
		{"GREENROOM_METRICS_LISTEN": ":9090", "GREENROOM_LISTEN": "10.0.0.1:9090"},
		{"GREENROOM_METRICS_LISTEN": ":80", "GREENROOM_TLS": "auto", "GREENROOM_SITE_URL": "https://courses.example.com"},
		{"GREENROOM_METRICS_LISTEN": "9090"},
	} {
		if _, err := config.Load(set); err == nil || !strings.HasPrefix(err.Error(), "GREENROOM_METRICS_LISTEN must ") {
			t.Errorf("%v: %v", set, err)
		}
	}
	for _, set := range []map[string]string{
		nil,
		{"GREENROOM_METRICS_LISTEN": "127.0.0.1:9090"},
		{"GREENROOM_METRICS_LISTEN": ":80"},
		{"GREENROOM_METRICS_LISTEN": "127.0.0.1:0", "GREENROOM_LISTEN": "127.0.0.1:0"},
	} {
		if c, err := config.Load(set); err != nil || c.ListenMetrics != set["GREENROOM_METRICS_LISTEN"] {
			t.Errorf("%v: %q %v", set, c.ListenMetrics, err)
		}
	}
}

func TestReadmeHasEverySettingAndNoOther(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "| GREENROOM_") {
			listed = append(listed, regexp.MustCompile(`GREENROOM_[A-Z0-9_]+`).FindAllString(strings.Split(line, "|")[1], -1)...)
		}
	}
	slices.Sort(listed)
	if !slices.Equal(listed, config.Names()) {
		t.Errorf("README: %v\nsettings: %v", listed, config.Names())
	}
}

func TestDatabaseOverANetworkSaysHowItIsGuarded(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"postgres://u:secret@db.example.com/greenroom", "postgresql://u:secret@10.0.0.7:5432/greenroom?connect_timeout=3",
		"postgres://u:secret@localhost:5432,db.example.com:5432/greenroom", "postgres://u:secret@[2001:db8::1]:5432/greenroom",
		"postgres://u:secret@/greenroom?host=db.example.com", "postgres://u:secret@localhost/greenroom?host=/run,db.example.com",
		"postgres://u:secret@db.example.com/greenroom?sslmode=",
	} {
		_, err := config.Load(map[string]string{"GREENROOM_DATABASE_URL": address})
		if err == nil || !strings.Contains(err.Error(), "sslmode=verify-full") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, address := range []string{
		"postgres://u:secret@db.example.com,other.example.com/greenroom?sslmode=verify-full", "postgres://u@db.example.com/g?sslmode=disable",
		"postgres://localhost/greenroom", "postgres://u@127.0.0.1:5433/greenroom", "postgres://u@[::1]:5432,127.0.0.2/greenroom",
		"postgres://u@/greenroom?host=/var/run/postgresql", "postgres://u@%2Fvar%2Frun%2Fpostgresql/greenroom", "postgres:///greenroom",
	} {
		if _, err := config.Load(map[string]string{"GREENROOM_DATABASE_URL": address}); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := config.Load(map[string]string{"GREENROOM_DATABASE_URL": "postgres:///greenroom", "PGHOST": "db.example.com"}); err == nil {
		t.Error("the host that the driver takes from its own variable was not looked at")
	}
}

func TestACodeByEmailIsOfferedWhereMailCanLeave(t *testing.T) {
	t.Parallel()
	const server = "smtp://mail.example.com:587"
	for _, c := range []struct {
		setting, smtp string
		want          bool
	}{
		{"", "", false}, {"", server, true}, {"on", "", true}, {"off", server, false},
	} {
		got, err := config.Load(map[string]string{"GREENROOM_EMAIL_SIGN_IN": c.setting, "GREENROOM_SMTP_URL": c.smtp})
		if err != nil || got.OffersEmailSignIn() != c.want {
			t.Errorf("%q with %q: %v %v", c.setting, c.smtp, got.OffersEmailSignIn(), err)
		}
	}
	if _, err := config.Load(map[string]string{"GREENROOM_EMAIL_SIGN_IN": "maybe"}); err == nil {
		t.Error("maybe is taken")
	}
}
