package auth

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"greenroom/internal/mail"
)

func TestSignUpOpensAnAccountAndASession(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		got := want(t, h.post("/signup", m{"email": "Ada@Example.com", "password": password, "data": m{"name": "Ada", "n": 12345678901234567}, "code_challenge": nil, "gotrue_meta_security": m{}}), 200, "")
		if got.json["token_type"] != "bearer" || got.json["expires_in"] != 3600.0 || len(got.str("refresh_token")) < 22 || got.json["expires_at"] != float64(start.Unix()+3600) {
			t.Fatalf("session: %s", got.text)
		}
		user := got.json["user"].(m)
		if user["email"] != "ada@example.com" || user["aud"] != "authenticated" || user["role"] != "authenticated" || user["phone"] != "" || user["is_anonymous"] != false {
			t.Fatalf("user: %s", got.text)
		}
		if !reflect.DeepEqual(user["app_metadata"], m{"provider": "email", "providers": []any{"email"}}) || !strings.Contains(got.text, `"n":12345678901234567`) {
			t.Fatalf("metadata: %s", got.text)
		}
		identity := user["identities"].([]any)[0].(m)
		if identity["id"] != user["id"] || identity["user_id"] != user["id"] || identity["provider"] != "email" || identity["identity_id"] == user["id"] {
			t.Fatalf("identity: %v", identity)
		}
		again := want(t, h.get("/user", got.str("access_token")), 200, "")
		if again.str("id") != user["id"] || again.str("email_confirmed_at") != "2026-03-01T12:00:00Z" || again.str("user_metadata", "name") != "Ada" {
			t.Fatalf("read again: %s", again.text)
		}
		claims, err := h.Keys.Verify(got.str("access_token"), testSite+"/auth/v1", h.clock.Now())
		if err != nil || claims.Subject != user["id"] || claims.AAL != "aal1" || claims.SessionID == "" || !strings.Contains(string(claims.AMR), `"password"`) {
			t.Fatalf("claims: %+v, %v", claims, err)
		}
		want(t, h.post("/signup", m{"email": "ADA@example.com", "password": password + "x"}), 422, "user_already_exists")
		want(t, h.signIn("ada@example.com", password), 200, "")
		if h.letters.count() != 0 {
			t.Fatal("a letter was sent")
		}
	})
}

func TestSignUpRefusals(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		for _, c := range []struct {
			body   any
			status int
			code   string
		}{
			{m{}, 422, "anonymous_provider_disabled"},
			{m{"password": password}, 422, "anonymous_provider_disabled"},
			{m{"email": "ada@example.com"}, 400, "validation_failed"},
			{m{"email": "ada@example.com", "password": ""}, 400, "validation_failed"},
			{m{"email": "not an address", "password": password}, 400, "validation_failed"},
			{m{"email": "not an address", "password": "short"}, 422, "weak_password"},
			{m{"email": "ada@example.com", "phone": "+1", "password": password}, 400, "validation_failed"},
			{m{"phone": "+123456789", "password": password}, 400, "phone_provider_disabled"},
			{m{"email": "ada@example.com", "password": password, "code_challenge": strings.Repeat("a", 43)}, 400, "validation_failed"},
			{m{"email": "ada@example.com", "password": password, "code_challenge": "short", "code_challenge_method": "s256"}, 400, "validation_failed"},
			{m{"email": "ada@example.com", "password": password, "code_challenge": strings.Repeat("a", 43), "code_challenge_method": "md5"}, 400, "validation_failed"},
			{m{"email": "ada@example.com", "password": password, "data": m{"a": "x\x00y"}}, 400, "validation_failed"},
			{m{"email": "ada@example.com", "password": password, "data": m{"a": m{"b\x00": []any{1}}}}, 400, "validation_failed"},
			{m{"email": "ada@example.com", "password": password, "data": m{"a": strings.Repeat("x", 9000)}}, 400, "validation_failed"},
			{m{"email": "ada@example.com\x00", "password": password}, 400, "validation_failed"},
			{m{"email": "ada@example.com", "password": "nul\x00in the middle"}, 400, "validation_failed"},
			{m{"email": 7, "password": password}, 400, "bad_json"},
			{m{"email": "ada@example.com", "password": password, "data": "text"}, 400, "bad_json"},
			{`{"email":`, 400, "bad_json"},
			{`[]`, 400, "bad_json"},
			{`null`, 400, "bad_json"},
			{``, 400, "bad_json"},
			{`{"email":"` + strings.Repeat("x", 2<<20) + `"}`, 413, "request_entity_too_large"},
		} {
			if got := h.post("/signup", c.body); got.status != c.status || got.code() != c.code {
				t.Errorf("%.120v: %d %.200s", c.body, got.status, got.text)
			}
		}
		form := h.send(request{method: "POST", path: "/signup", body: m{"email": "ada@example.com", "password": password}, header: map[string]string{"Content-Type": "text/plain"}})
		want(t, form, 400, "bad_json")
		if n := h.count("select count(*) from users"); n != 0 {
			t.Fatalf("%d users", n)
		}
	})
}

func TestErrorsComeInBothFormats(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		body := m{"email": "ada@example.com", "password": "short"}
		newer := h.post("/signup", body)
		if newer.text != `{"code":"weak_password","message":"Password should be at least 10 characters.","weak_password":{"reasons":["length"]}}` ||
			newer.header.Get(VersionHeader) != FirstVersion || newer.header.Get("X-Sb-Error-Code") != "" {
			t.Errorf("%s %v", newer.text, newer.header)
		}
		for _, version := range []string{"", "2023-12-31", "yesterday", "9999-99-99"} {
			older := h.send(request{method: "POST", path: "/signup", body: body, header: map[string]string{VersionHeader: version}})
			if older.text != `{"code":422,"error_code":"weak_password","msg":"Password should be at least 10 characters.","weak_password":{"reasons":["length"]}}` ||
				older.header.Get(VersionHeader) != "" || older.header.Get("X-Sb-Error-Code") != "weak_password" {
				t.Errorf("%q: %s %v", version, older.text, older.header)
			}
		}
		plain := h.get("/user", "")
		if plain.text != `{"code":"no_authorization","message":"This endpoint requires a valid Bearer token"}` || plain.header.Get("X-Sb-Error-Code") != "no_authorization" || plain.status != 401 {
			t.Errorf("%s %v", plain.text, plain.header)
		}
	})
}

func TestSignUpWithConfirmationSendsALetter(t *testing.T) {
	t.Parallel()
	each(t, confirmed, func(t *testing.T, h *house) {
		got := want(t, h.post("/signup?redirect_to=https://app.example.org/in", m{"email": "ada@example.com", "password": password}), 200, "")
		if got.json["access_token"] != nil || got.str("id") == "" || got.str("confirmation_sent_at") == "" || got.json["email_confirmed_at"] != nil {
			t.Fatal(got.text)
		}
		want(t, h.signIn("ada@example.com", password), 400, "email_not_confirmed")
		want(t, h.signIn("ada@example.com", password+"x"), 400, "invalid_credentials")
		landed := h.follow(last[mail.Confirm](h).Link)
		said := fragment(t, landed)
		if landed.Host != "app.example.org" || said.Get("type") != "signup" || !said.Has("sb") {
			t.Fatal(landed)
		}
		user := want(t, h.get("/user", said.Get("access_token")), 200, "")
		if user.str("id") != got.str("id") || user.str("confirmed_at") == "" || user.json["user_metadata"].(m)["email_verified"] != true {
			t.Fatal(user.text)
		}
		want(t, h.signIn("ada@example.com", password), 200, "")
	})
}

func TestSecurity13SignUpDoesNotTellThatAnAddressIsTaken(t *testing.T) {
	t.Parallel()
	each(t, confirmed, func(t *testing.T, h *house) {
		h.post("/signup", m{"email": "ada@example.com", "password": password})
		h.follow(last[mail.Confirm](h).Link)
		h.post("/signup", m{"email": "bob@example.com", "password": password}) // never confirmed
		bob := h.count("select count(*) from users")
		shapes := map[string]string{}
		ids := map[string]bool{}
		for _, email := range []string{"ada@example.com", "bob@example.com", "new@example.com"} {
			got := want(t, h.post("/signup", m{"email": email, "password": "another long secret", "data": m{"name": "X"}}), 200, "")
			ids[got.str("id")] = true
			shapes[email] = strings.ReplaceAll(shape(got.json), email, "?")
		}
		if shapes["ada@example.com"] != shapes["new@example.com"] || shapes["bob@example.com"] != shapes["new@example.com"] || len(ids) != 3 {
			t.Fatalf("%v", shapes)
		}
		if last[mail.AlreadyRegistered](h).To != "ada@example.com" {
			t.Fatal("the owner was not told")
		}
		if n := h.count("select count(*) from users"); n != bob+1 {
			t.Fatalf("%d users", n)
		}
		want(t, h.signIn("ada@example.com", password), 200, "")
		for _, email := range []string{"ada@example.com", "bob@example.com", "new@example.com"} {
			want(t, h.signIn(email, "another long secret"), 400, "email_not_confirmed")
			want(t, h.signIn(email, "a third long secret"), 400, "invalid_credentials")
		}
	})
}

// shape is an answer without what differs from call to call.
func shape(value any) string {
	switch v := value.(type) {
	case map[string]any:
		names := []string{}
		for name, part := range v {
			if strings.HasSuffix(name, "id") || name == "sub" {
				part = "id"
			}
			names = append(names, name+":"+shape(part))
		}
		slices.Sort(names)
		return "{" + strings.Join(names, ",") + "}"
	case []any:
		parts := []string{}
		for _, part := range v {
			parts = append(parts, shape(part))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	text, _ := json.Marshal(value)
	return string(text)
}

func TestUnopenedSignInLinkDoesNotBlockTheAddress(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		want(t, h.post("/otp", m{"email": "ada@example.com"}), 200, "")
		link := last[mail.MagicLink](h).Link
		h.signedUp("ada@example.com")
		if said := fragment(t, h.follow(link)); said.Get("error_code") != "otp_expired" {
			t.Fatal("the stranger's link opened the new account")
		}
		want(t, h.signIn("ada@example.com", password), 200, "")
	})
}

func FuzzBody(f *testing.F) {
	f.Add([]byte(`{"email":"a@b.c","password":"x","data":{"a":[1,{"b":null}]},"code_challenge":null}`))
	f.Add([]byte(`{"data":{"a":"\u0000"}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var in signUpBody
		if parseBody(text, &in) != nil {
			return
		}
		if in.Data.check() == nil {
			out, err := json.Marshal(in.Data)
			if err != nil || strings.Contains(string(out), `\u0000`) && !strings.Contains(string(out), `\\u0000`) {
				t.Fatalf("%q was taken as %s: %v", text, out, err)
			}
		}
		_ = in.challenge.check()
	})
}
