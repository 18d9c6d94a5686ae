package app_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"greenroom/internal/app/apptest"
	"greenroom/internal/key"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// kidOf is the key that a token says it is signed with.
func kidOf(t *testing.T, token string) string {
	t.Helper()
	head, _, _ := strings.Cut(token, ".")
	text, err := base64.RawURLEncoding.DecodeString(head)
	var header struct{ Kid string }
	if err != nil || json.Unmarshal(text, &header) != nil || header.Kid == "" {
		t.Fatalf("the token's header is %q, %v", text, err)
	}
	return header.Kid
}

// TestSecurity40RotationUnderLoadFailsNoRequest rotates the signing key beside running instances, as the command does,
// while people refresh on one instance and use what they get on the other.
func TestSecurity40RotationUnderLoadFailsNoRequest(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			at := dbtest.Location(t, engine)
			secret := filepath.Join(t.TempDir(), "secret")
			settings := map[string]string{"GREENROOM_RATE_LIMITS": "off", "GREENROOM_SECRET_FILE": secret, "GREENROOM_SITE_URL": "http://localhost:8080"}
			servers := []*apptest.Server{apptest.Start(t, at, settings, clock.System{})}
			if engine == db.Postgres {
				servers = append(servers, apptest.Start(t, at, settings, clock.System{}))
			}
			first := signUp(t, servers[0], "/auth/v1/signup", "first@example.com")
			before := kidOf(t, first.Access)

			var requests, failed, renewed atomic.Int64
			stop := make(chan struct{})
			var wait sync.WaitGroup
			for i := range 3 {
				someone := signUp(t, servers[0], "/auth/v1/signup", fmt.Sprintf("%d@example.com", i))
				wait.Go(func() {
					for round := i; ; round++ {
						select {
						case <-stop:
							return
						default:
						}
						here, there := servers[round%len(servers)], servers[(round+1)%len(servers)]
						got := here.Do(t, http.MethodPost, "/auth/v1/token?grant_type=refresh_token", "", fmt.Sprintf(`{"refresh_token":%q}`, someone.Refresh))
						requests.Add(1)
						var ok bool
						if someone, ok = memberOf(got); !ok {
							failed.Add(1)
							t.Errorf("refresh: %d %s", got.Status, got.Body)
							return
						}
						if kidOf(t, someone.Access) != before {
							renewed.Add(1)
						}
						for _, path := range []string{"/auth/v1/user", "/rest/v1/user_roles"} {
							requests.Add(1)
							if got := there.Do(t, http.MethodGet, path, someone.Access, ""); got.Status != http.StatusOK {
								failed.Add(1)
								t.Errorf("%s: %d %s", path, got.Status, got.Body)
							}
						}
					}
				})
			}
			rotate(t, at, secret)
			for end := time.Now().Add(30 * time.Second); renewed.Load() < 50 && time.Now().Before(end) && failed.Load() == 0; {
				time.Sleep(20 * time.Millisecond)
			}
			close(stop)
			wait.Wait()
			if failed.Load() != 0 || renewed.Load() == 0 {
				t.Fatalf("of %d requests %d failed, %d tokens carry the new key", requests.Load(), failed.Load(), renewed.Load())
			}
			t.Logf("%d requests, 0 failed, %d tokens of the new key", requests.Load(), renewed.Load())
			for _, s := range servers {
				do(t, s, http.StatusOK, http.MethodGet, "/auth/v1/user", first.Access, "")
				var set struct{ Keys []struct{ Kid string } }
				if err := json.Unmarshal([]byte(do(t, s, http.StatusOK, http.MethodGet, "/auth/v1/.well-known/jwks.json", "", "")), &set); err != nil {
					t.Fatal(err)
				}
				if len(set.Keys) != 2 || (set.Keys[0].Kid != before && set.Keys[1].Kid != before) {
					t.Errorf("the key set has %+v, the older one is %s", set.Keys, before)
				}
			}
		})
	}
}

// rotate does what the command does, in a process of its own.
func rotate(t *testing.T, at db.Options, secret string) {
	t.Helper()
	box, err := key.OpenBox(secret)
	if err != nil {
		t.Fatal(err)
	}
	set, err := key.OpenSet(t.Context(), dbtest.Reopen(t, at, clock.System{}), box, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Rotate(t.Context()); err != nil {
		t.Fatal(err)
	}
}
