package auth

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/auth/authtest"
)

// withProvider opens a house beside an OpenID provider.
func withProvider(t *testing.T, fn func(t *testing.T, h *house, o *authtest.Provider)) {
	t.Helper()
	o := map[string]*authtest.Provider{}
	for _, engine := range []string{"sqlite", "postgres"} {
		o[engine] = authtest.NewProvider(t)
	}
	next := make(chan *authtest.Provider, 2)
	next <- o["sqlite"]
	next <- o["postgres"]
	each(t, func(opts *Options) {
		provider := <-next
		opts.Providers = []Provider{{Name: "acme", Issuer: provider.URL, ClientID: authtest.ClientID, ClientSecret: "secret"}}
	}, func(t *testing.T, h *house) {
		for _, one := range o {
			if one.URL == h.Providers[0].Issuer {
				one.Now = h.clock.Now
				fn(t, h, one)
			}
		}
	})
}

// trip is a browser on its way to the provider.
type trip struct{ state, code, cookie string }

func (h *house) depart(o *authtest.Provider, query string) trip {
	h.t.Helper()
	got := want(h.t, h.send(request{method: "GET", path: "/authorize?provider=acme" + query}), 302, "")
	return h.tripOf(o, got.header.Get("Location"), got.header.Get("Set-Cookie"))
}

// tripOf signs in at the provider, which sends the browser back with a code.
func (h *house) tripOf(o *authtest.Provider, address, cookie string) trip {
	h.t.Helper()
	u, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(address, o.URL+"/authorize?") || u.Query().Get("code_challenge_method") != "S256" || u.Query().Get("nonce") == "" {
		h.t.Fatalf("sent to %s, %v", address, err)
	}
	value, _, _ := strings.Cut(cookie, ";")
	if !strings.HasPrefix(cookie, "__Host-greenroom-provider=") || !strings.Contains(cookie, "; Path=/;") || !strings.Contains(cookie, "; Secure") ||
		strings.Contains(cookie, "Domain") || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Lax") {
		h.t.Errorf("cookie: %s", cookie)
	}
	return trip{u.Query().Get("state"), o.Consent(u.Query()), value}
}

func (h *house) arrive(b trip) (landed *url.URL, status int) {
	h.t.Helper()
	got := h.send(request{method: "GET", path: "/callback?" + url.Values{"state": {b.state}, "code": {b.code}}.Encode(), header: map[string]string{"Cookie": b.cookie}})
	landed, err := url.Parse(got.header.Get("Location"))
	if err != nil || got.header.Get("Location") == "" {
		h.t.Fatalf("%d %s: %v", got.status, got.text, err)
	}
	return landed, got.status
}

func TestAProviderOpensAnAccount(t *testing.T) {
	t.Parallel()
	withProvider(t, func(t *testing.T, h *house, o *authtest.Provider) {
		landed, _ := h.arrive(h.depart(o, "&redirect_to="+url.QueryEscape(testSite+"/account")))
		token := fragment(t, landed).Get("access_token")
		if landed.Path != "/account" || token == "" || fragment(t, landed).Get("provider_token") != "at" {
			t.Fatalf("landed at %s", landed)
		}
		user := want(t, h.get("/user", token), 200, "")
		if user.str("email") != "ada@example.com" || user.str("app_metadata", "provider") != "acme" || user.str("user_metadata", "name") != "Ada" || user.str("email_confirmed_at") == "" {
			t.Errorf("user: %s", user.text)
		}
		// The same person again, with the client's own PKCE.
		verifier := strings.Repeat("v", 43)
		sum := sha256.Sum256([]byte(verifier))
		landed, _ = h.arrive(h.depart(o, "&code_challenge_method=s256&code_challenge="+base64.RawURLEncoding.EncodeToString(sum[:])))
		code := landed.Query().Get("code")
		want(t, h.post("/token?grant_type=pkce", m{"auth_code": code, "code_verifier": strings.Repeat("w", 43)}), 400, "bad_code_verifier")
		again := want(t, h.post("/token?grant_type=pkce", m{"auth_code": code, "code_verifier": verifier}), 200, "")
		want(t, h.post("/token?grant_type=pkce", m{"auth_code": code, "code_verifier": verifier}), 404, "flow_state_not_found")
		if again.str("provider_token") != "at" || again.str("provider_refresh_token") != "rt" {
			t.Errorf("the provider's tokens are lost: %s", again.text)
		}
		if again.str("user", "id") != user.str("id") || h.count("select count(*) from users") != 1 {
			t.Errorf("again: %s", again.text)
		}
		if settings := want(t, h.get("/settings", ""), 200, ""); settings.json["external"].(m)["acme"] != true {
			t.Errorf("settings: %s", settings.text)
		}
	})
}

// TestSecurity42StateBelongsToOneBrowserOnce covers missing, altered, foreign, second and late states.
func TestAProviderThatIsDownSendsBackToThePage(t *testing.T) {
	t.Parallel()
	each(t, func(opts *Options) {
		opts.Providers = []Provider{{Name: "acme", Issuer: "http://127.0.0.1:1", ClientID: "a", ClientSecret: "secret"}}
	}, func(t *testing.T, h *house) {
		got := want(t, h.send(request{method: "GET", path: "/authorize?provider=acme&redirect_to=" + url.QueryEscape(testSite+"/auth")}), 302, "")
		landed, err := url.Parse(got.header.Get("Location"))
		if err != nil || landed.Path != "/auth" || landed.Query().Get("error_code") != "unexpected_failure" || fragment(t, landed).Get("error") != "temporarily_unavailable" {
			t.Errorf("sent to %s, %v", landed, err)
		}
	})
}

func TestSecurity42StateBelongsToOneBrowserOnce(t *testing.T) {
	t.Parallel()
	withProvider(t, func(t *testing.T, h *house, o *authtest.Provider) {
		refused := func(b trip, code, when string) {
			t.Helper()
			landed, status := h.arrive(b)
			if status != 303 || landed.Query().Get("error_code") != code || strings.Contains(landed.String(), "access_token") {
				t.Errorf("%s: %d %s", when, status, landed)
			}
		}
		mine, theirs := h.depart(o, ""), h.depart(o, "")
		refused(trip{"", mine.code, mine.cookie}, "bad_oauth_callback", "no state")
		refused(trip{mine.state + "x", mine.code, mine.cookie}, "bad_oauth_state", "an altered state")
		refused(trip{theirs.state, theirs.code, mine.cookie}, "bad_oauth_state", "somebody else's state")
		refused(trip{mine.state, mine.code, ""}, "bad_oauth_state", "another browser")
		if landed, _ := h.arrive(mine); fragment(t, landed).Get("access_token") == "" {
			t.Fatalf("the right one: %s", landed)
		}
		refused(mine, "bad_oauth_state", "a second use")
		late := h.depart(o, "")
		h.clock.Advance(10 * time.Minute)
		refused(late, "bad_oauth_state", "after ten minutes")

		many := h.depart(o, "")
		var wait sync.WaitGroup
		statuses := make(chan int, 50)
		for range 50 {
			wait.Go(func() { _, status := h.arrive(many); statuses <- status })
		}
		wait.Wait()
		close(statuses)
		good := 0
		for status := range statuses {
			if status == http.StatusFound {
				good++
			}
		}
		if good != 1 {
			t.Errorf("%d of fifty uses of one state went through", good)
		}
	})
}

// TestSecurity44EachCheckOfAnIDToken makes one thing wrong at a time, on both ways in.
func TestSecurity44EachCheckOfAnIDToken(t *testing.T) {
	t.Parallel()
	withProvider(t, func(t *testing.T, h *house, o *authtest.Provider) {
		nonce := "the app's nonce"
		sum := sha256.Sum256([]byte(nonce))
		grant := func() reply {
			return h.post("/token?grant_type=id_token", m{"provider": "acme", "id_token": o.Token(hex.EncodeToString(sum[:])), "nonce": nonce})
		}
		for name, spoil := range map[string]func(authtest.Claims){
			"signature": nil,
			"issuer":    func(c m) { c["iss"] = "https://elsewhere.example" },
			"audience":  func(c m) { c["aud"] = "another app" },
			"nonce":     func(c m) { c["nonce"] = "another" },
			"no nonce":  func(c m) { delete(c, "nonce") },
			"expired":   func(c m) { c["exp"] = h.clock.Now().Add(-time.Minute).Unix() },
			"nobody":    func(c m) { delete(c, "sub") },
		} {
			o.Spoil, o.Forge = spoil, spoil == nil
			landed, _ := h.arrive(h.depart(o, ""))
			if landed.Query().Get("error_code") != "unexpected_failure" || strings.Contains(landed.String(), "access_token") {
				t.Errorf("%s wrong: %s", name, landed)
			}
			if got := grant(); got.status != 400 || got.str("error") == "" {
				t.Errorf("%s wrong, as a grant: %d %s", name, got.status, got.text)
			}
		}
		if n := h.count("select count(*) from users"); n != 0 {
			t.Fatalf("%d accounts were opened", n)
		}
		o.Spoil, o.Forge = nil, false
		want(t, grant(), 200, "")
		want(t, h.post("/token?grant_type=id_token", m{"provider": "google", "id_token": "x"}), 400, "validation_failed")
		if got := h.post("/token?grant_type=id_token", m{"provider": "acme"}); got.status != 400 || got.str("error_description") != "id_token required" {
			t.Errorf("no token: %s", got.text)
		}
	})
}

// TestSecurity45NoTakeoverThroughAnAddress: an unverified one links nothing, and a verified one gives the account to
// its owner alone.
func TestSecurity45NoTakeoverThroughAnAddress(t *testing.T) {
	t.Parallel()
	withProvider(t, func(t *testing.T, h *house, o *authtest.Provider) {
		stranger := h.signedUp("ada@example.com") // nobody has shown yet that the address is theirs
		for _, never := range []any{false, "false", nil} {
			o.Person["email_verified"] = never
			landed, _ := h.arrive(h.depart(o, ""))
			if landed.Query().Get("error_code") != "provider_email_needs_verification" {
				t.Errorf("verified %v: %s", never, landed)
			}
		}
		want(t, h.get("/user", stranger.str("access_token")), 200, "")
		o.Person["email_verified"] = true
		landed, _ := h.arrive(h.depart(o, ""))
		owner := want(t, h.get("/user", fragment(t, landed).Get("access_token")), 200, "")
		if owner.str("id") != stranger.str("user", "id") {
			t.Errorf("owner: %s", owner.text)
		}
		want(t, h.get("/user", stranger.str("access_token")), 403, "session_not_found")
		want(t, h.signIn("ada@example.com", password), 400, "invalid_credentials")

		// Somebody who has shown it keeps password and sessions.
		h.signedUp("bob@example.com")
		h.proven("bob@example.com")
		bob := want(t, h.signIn("bob@example.com", password), 200, "")
		o.Person = m{"sub": "43", "email": "bob@example.com", "email_verified": true}
		h.arrive(h.depart(o, ""))
		want(t, h.get("/user", bob.str("access_token")), 200, "")
		want(t, h.signIn("bob@example.com", password), 200, "")
	})
}

func TestAClientHasSomethingToSayToTheProvider(t *testing.T) {
	t.Parallel()
	withProvider(t, func(t *testing.T, h *house, _ *authtest.Provider) {
		asked := url.Values{
			"provider": {"acme"}, "scopes": {"calendar email"}, "prompt": {"consent"}, "login_hint": {"ada@example.com"}, "client_id": {"evil"},
			"redirect_uri": {"https://evil.example"}, "state": {"mine"}, "nonce": {"mine"}, "response_type": {"token"}, "request_uri": {"https://evil.example"},
		}
		got := want(t, h.send(request{method: "GET", path: "/authorize?" + asked.Encode()}), 302, "")
		u, err := url.Parse(got.header.Get("Location"))
		if err != nil {
			t.Fatal(err)
		}
		q := u.Query()
		if q.Get("scope") != "openid email profile calendar" || q.Get("prompt") != "consent" || q.Get("login_hint") != "ada@example.com" {
			t.Errorf("said to the provider: %v", q)
		}
		if q.Get("client_id") != authtest.ClientID || q.Get("redirect_uri") != testSite+Prefix+"/callback" || q.Get("state") == "mine" ||
			q.Get("nonce") == "mine" || q.Get("response_type") != "code" || q.Has("request_uri") || q.Has("provider") {
			t.Errorf("a client changed the request: %v", q)
		}
	})
}

func TestAccountsAreConnectedAndDisconnected(t *testing.T) {
	t.Parallel()
	withProvider(t, func(t *testing.T, h *house, o *authtest.Provider) {
		session := h.signedUp("ada@example.org")
		token := session.str("access_token")
		connect := func(token string) *url.URL {
			t.Helper()
			got := want(t, h.get("/user/identities/authorize?provider=acme&skip_http_redirect=true", token), 200, "")
			landed, _ := h.arrive(h.tripOf(o, got.str("url"), got.header.Get("Set-Cookie")))
			return landed
		}
		h.clock.Advance(time.Second)
		o.Person["email_verified"] = false // connecting asks the caller, not the address
		if landed := connect(token); fragment(t, landed).Get("access_token") == "" {
			t.Fatalf("landed at %s", landed)
		}
		user := want(t, h.get("/user", token), 200, "")
		identities, _ := user.json["identities"].([]any)
		if len(identities) != 2 || !strings.Contains(user.text, `"providers":["email","acme"]`) || user.str("email") != "ada@example.org" {
			t.Fatalf("user: %s", user.text)
		}
		stranger := h.signedUp("eve@example.org").str("access_token")
		if landed := connect(stranger); landed.Query().Get("error_code") != "identity_already_exists" {
			t.Errorf("a taken identity: %s", landed)
		}
		of := identities[1].(m)["identity_id"].(string)
		want(t, h.withToken("DELETE", "/user/identities/"+of, stranger, nil), 422, "identity_not_found")
		want(t, h.withToken("DELETE", "/user/identities/"+of, token, nil), 200, "")
		want(t, h.withToken("DELETE", "/user/identities/"+identities[0].(m)["identity_id"].(string), token, nil), 422, "single_identity_not_deletable")
		want(t, h.get("/user/identities/authorize?provider=google", token), 400, "validation_failed")
	})
}

func TestGitHubSpeaksOAuthAlone(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	verified := true
	mux.HandleFunc("POST /login/oauth/access_token", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"access_token":"gh","token_type":"bearer"}`))
	})
	mux.HandleFunc("GET /user", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"id":7,"login":"ada","avatar_url":"https://example.com/a.png"}`))
	})
	mux.HandleFunc("GET /user/emails", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer gh" {
			w.WriteHeader(http.StatusUnauthorized)
		}
		_ = json.NewEncoder(w).Encode([]m{{"email": "old@example.com", "verified": true}, {"email": "Ada@example.com", "primary": true, "verified": verified}})
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	each(t, func(o *Options) {
		o.Providers = []Provider{{Name: "github", ClientID: "a", ClientSecret: "b", GitHub: server.URL, GitHubAPI: server.URL}}
	}, func(t *testing.T, h *house) {
		got := want(t, h.send(request{method: "GET", path: "/authorize?provider=github"}), 302, "")
		u, _ := url.Parse(got.header.Get("Location"))
		cookie, _, _ := strings.Cut(got.header.Get("Set-Cookie"), ";")
		landed, _ := h.arrive(trip{u.Query().Get("state"), "code", cookie})
		user := want(t, h.get("/user", fragment(t, landed).Get("access_token")), 200, "")
		if user.str("email") != "ada@example.com" || user.str("user_metadata", "name") != "ada" {
			t.Errorf("user: %s", user.text)
		}
	})
}

// TestSecurity26WaysInChangeBehindTheSecondStep: a provider's account that a thief of the password connected would
// outlive the password.
func TestSecurity26WaysInChangeBehindTheSecondStep(t *testing.T) {
	t.Parallel()
	withProvider(t, func(t *testing.T, h *house, o *authtest.Provider) {
		phone, strong := h.guarded()
		weak := want(t, h.signIn("ada@example.com", password), 200, "").str("access_token")
		of := strong.json["user"].(map[string]any)["identities"].([]any)[0].(map[string]any)["identity_id"].(string)
		want(t, h.get("/user/identities/authorize?provider=acme&skip_http_redirect=true", weak), 403, "insufficient_aal")
		link := m{"provider": "acme", "id_token": o.Token(""), "link_identity": true}
		want(t, h.withToken("POST", "/token?grant_type=id_token", weak, link), 403, "insufficient_aal")
		want(t, h.withToken("DELETE", "/user/identities/"+of, weak, nil), 403, "insufficient_aal")
		h.clock.Advance(2 * time.Minute)
		token := want(t, phone.verify(weak, 0), 200, "").str("access_token")
		want(t, h.withToken("POST", "/token?grant_type=id_token", token, link), 200, "")
		want(t, h.withToken("DELETE", "/user/identities/"+of, token, nil), 200, "")
	})
}

func TestAPasswordChangeEndsVisitsToProviders(t *testing.T) {
	t.Parallel()
	withProvider(t, func(t *testing.T, h *house, o *authtest.Provider) {
		thief := h.signedUp("ada@example.org").str("access_token")
		owner := want(t, h.signIn("ada@example.org", password), 200, "").str("access_token")
		begun := want(t, h.get("/user/identities/authorize?provider=acme&skip_http_redirect=true", thief), 200, "")
		visit := h.tripOf(o, begun.str("url"), begun.header.Get("Set-Cookie"))
		want(t, h.put(owner, m{"password": "another fine secret"}), 200, "")
		if landed, _ := h.arrive(visit); landed.Query().Get("error_code") != "bad_oauth_state" {
			t.Errorf("landed at %s", landed)
		}
		if n := h.count("select count(*) from identities"); n != 1 {
			t.Errorf("%d ways in", n)
		}
	})
}
