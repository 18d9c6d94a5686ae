package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"greenroom/internal/account/accounttest"
	"greenroom/internal/app/apptest"
)

func TestAPIKeyIsNeeded(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		for _, c := range []struct {
			name, path, key string
			status          int
			body            string
		}{
			{"none", "/rest/v1/courses", "", 401, "No API key found in request"},
			{"wrong", "/rest/v1/courses", "nonsense", 401, "Invalid API key"},
			{"in the query", "/rest/v1/courses?limit=1&apikey=" + s.Keys().Publishable, "", 200, ""},
			{"functions", "/functions/v1/nope", "", 401, "No API key found in request"},
			{"auth", "/auth/v1/settings", "", 401, "No API key found in request"},
			{"health is open", "/auth/v1/health", "", 200, "GoTrue"},
			{"keys are open", "/auth/v1/.well-known/jwks.json", "", 200, `"keys"`},
			{"realtime is absent", "/realtime/v1/websocket", s.Keys().Publishable, 404, "not part of this installation"},
			{"storage needs none", "/storage/v1/status", "", 200, ""},
			{"storage refuses a wrong one", "/storage/v1/status", "nonsense", 401, "Invalid API key"},
		} {
			answer := s.Do(t, http.MethodGet, c.path, "", "", "apikey", c.key)
			if answer.Status != c.status || !strings.Contains(answer.Body, c.body) {
				t.Errorf("%s: %d %s", c.name, answer.Status, answer.Body)
			}
		}
	})
}

func TestSecurity31ForeignTokensAreRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		person, good := s.Person(t, "ada@example.com")
		now := s.DB().Clock.Now()
		for _, c := range []struct{ name, token, code string }{
			{"nonsense", "nonsense", "PGRST301"},
			{"another signature", good[:len(good)-8] + "AAAAAAAA", "PGRST301"},
			{"expired", accounttest.Token(t, s.Tokens(), s.Issuer(), person, now.Add(-2*time.Hour)), "PGRST303"},
			{"another issuer", accounttest.Token(t, s.Tokens(), "https://elsewhere/auth/v1", person, now), "PGRST303"},
			{"no such session", accounttest.Token(t, s.Tokens(), s.Issuer(), accounttest.Person{ID: person.ID, SessionID: person.ID}, now), "PGRST303"},
		} {
			answer := s.Do(t, http.MethodGet, "/rest/v1/courses?limit=1", c.token, "")
			if answer.Status != 401 || !strings.Contains(answer.Body, c.code) || !strings.HasPrefix(answer.Header.Get("WWW-Authenticate"), "Bearer") {
				t.Errorf("%s: %d %s", c.name, answer.Status, answer.Body)
			}
		}
		if answer := s.Do(t, http.MethodGet, "/rest/v1/courses?limit=1", good, ""); answer.Status != 200 {
			t.Errorf("the good token: %d %s", answer.Status, answer.Body)
		}
		if answer := s.Do(t, http.MethodGet, "/rest/v1/courses?limit=1", s.Keys().Publishable, ""); answer.Status != 200 {
			t.Errorf("the key as a token: %d %s", answer.Status, answer.Body)
		}
	})
}

func TestSecurity66SizesAreBounded(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		if answer := s.Do(t, http.MethodGet, "/rest/v1/courses?title=eq."+strings.Repeat("a", 17<<10), "", ""); answer.Status != http.StatusRequestURITooLong {
			t.Errorf("a long address: %d %s", answer.Status, answer.Body)
		}
		big := `{"name":"` + strings.Repeat("a", 2<<20) + `"}`
		for _, path := range []string{"/rest/v1/course_waitlist", "/auth/v1/signup", "/functions/v1/send-notification-email"} {
			if answer := s.Do(t, http.MethodPost, path, "", big); answer.Status != http.StatusRequestEntityTooLarge {
				t.Errorf("%s: a large body: %d %.200s", path, answer.Status, answer.Body)
			}
		}
	})
}

func TestSecurity63HeadersAreOnEveryAnswer(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		for _, c := range [][2]string{
			{"GET", "/"},
			{"GET", "/nope"},
			{"GET", "/robots.txt"},
			{"GET", "/assets/none.js"},
			{"POST", "/"},
			{"TRACE", "/"},
			{"GET", "/rest/v1/courses"},
			{"GET", "/rest/v1/nope"},
			{"GET", "/rest/v1"},
			{"OPTIONS", "/rest/v1/courses"},
			{"TRACE", "/rest/v1/courses"},
			{"GET", "/auth/v1/user"},
			{"GET", "/auth/v1"},
			{"GET", "/auth/v1/verify?token=x&type=signup"},
			{"GET", "/functions/v1/nope"},
			{"GET", "/storage/v1"},
			{"GET", "//twice"},
			{"GET", "/up/../down"},
			{"GET", "/healthz"},
			{"POST", "/healthz"},
			{"GET", "/readyz"},
		} {
			path := c[0] + " " + c[1]
			answer := s.Do(t, c[0], c[1], "", "")
			if answer.Header.Get("X-Content-Type-Options") != "nosniff" || answer.Header.Get("Content-Security-Policy") == "" ||
				answer.Header.Get("Referrer-Policy") == "" || answer.Header.Get("X-Request-Id") == "" {
				t.Errorf("%s: %d %v", path, answer.Status, answer.Header)
			}
		}
	})
}

func TestSecurity63TransportIsStrictBehindHTTPS(t *testing.T) {
	t.Parallel()
	apptest.Each(t, map[string]string{"GREENROOM_SITE_URL": "https://courses.example.com"}, func(t *testing.T, s *apptest.Server) {
		for _, path := range []string{"/", "/rest/v1/courses", "/healthz"} {
			if got := s.Do(t, http.MethodGet, path, "", "").Header.Get("Strict-Transport-Security"); !strings.Contains(got, "max-age=63072000; includeSubDomains") {
				t.Errorf("%s: %q", path, got)
			}
		}
	})
}

func TestSecurity64ErrorsCanBeReadByAllowedPagesOnly(t *testing.T) {
	t.Parallel()
	apptest.Each(t, map[string]string{"GREENROOM_REDIRECT_URLS": "https://app.example.com/welcome"}, func(t *testing.T, s *apptest.Server) {
		for origin, want := range map[string]string{"https://app.example.com": "https://app.example.com", "https://evil.example": ""} {
			answer := s.Do(t, http.MethodGet, "/rest/v1/nope", "", "", "Origin", origin)
			if got := answer.Header.Get("Access-Control-Allow-Origin"); got != want || answer.Status != 404 {
				t.Errorf("%s: %d %q", origin, answer.Status, got)
			}
		}
		preflight := s.Do(t, http.MethodOptions, "/rest/v1/courses", "", "", "Origin", "https://app.example.com", "apikey", "")
		if preflight.Status != http.StatusNoContent || !strings.Contains(preflight.Header.Get("Access-Control-Allow-Headers"), "apikey") {
			t.Errorf("preflight: %d %v", preflight.Status, preflight.Header)
		}
	})
}

func TestSecurity64SimpleRequestsChangeNothing(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
			answer := s.Do(t, http.MethodPost, "/rest/v1/course_waitlist", "", `{"name":"N","email":"n@example.com","course_title":"`+workshop+`"}`, "Content-Type", kind)
			if answer.Status < 400 || answer.Status >= 500 {
				t.Errorf("%s: %d %s", kind, answer.Status, answer.Body)
			}
		}
	})
}

func TestSecurity67NothingInternalIsPublic(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		for _, path := range []string{
			"/debug/pprof/", "/debug/vars", "/metrics", "/.git/HEAD", "/.git/config", "/.env", "/server-status", "/web/dist/server/render.js",
			"/server/render.js", "/assets/", "/assets/index.js.map", "/greenroom.db", "/data/greenroom.db", "/secret", "/wp-login.php", "/admin.php",
			"/rest/v1/users", "/rest/v1/sessions", "/rest/v1/secrets", "/rest/v1/signing_keys", "/rest/v1/schema_migrations", "/rest/v1/sqlite_master", "/rest/v1/pg_user",
		} {
			if answer := s.Do(t, http.MethodGet, path, "", ""); answer.Status != 404 {
				t.Errorf("%s: %d", path, answer.Status)
			}
		}
		if answer := s.Do(t, "TRACE", "/", "", ""); answer.Status != http.StatusMethodNotAllowed {
			t.Errorf("TRACE: %d", answer.Status)
		}
	})
}

func TestReadyUntilStopping(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		if answer := s.Do(t, http.MethodGet, "/readyz", "", ""); answer.Status != 200 {
			t.Errorf("ready: %d %s", answer.Status, answer.Body)
		}
		s.Stopping()
		if answer := s.Do(t, http.MethodGet, "/readyz", "", ""); answer.Status != 503 {
			t.Errorf("stopping: %d", answer.Status)
		}
		if answer := s.Do(t, http.MethodGet, "/healthz", "", ""); answer.Status != 200 {
			t.Errorf("health: %d", answer.Status)
		}
	})
}
