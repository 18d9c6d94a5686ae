package auth

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

const serviceKey = "sb_secret_of_the_tests"

func operated(o *Options) { o.IsService = func(token string) bool { return token == serviceKey } }

func (h *house) operate(method, path string, body any) reply {
	return h.send(request{method: method, path: path, token: serviceKey, body: body})
}

func TestTheOperatorMakesChangesAndDeletesUsers(t *testing.T) {
	t.Parallel()
	each(t, operated, func(t *testing.T, h *house) {
		given := id.New()
		made := want(t, h.operate("POST", "/admin/users", m{
			"id": given, "email": "Ada@Example.com", "password": password, "email_confirm": true,
			"user_metadata": m{"name": "Ada"}, "app_metadata": m{"plan": "gold"},
		}), 200, "")
		if made.str("id") != given || made.str("email") != "ada@example.com" || made.str("user_metadata", "name") != "Ada" ||
			made.str("app_metadata", "plan") != "gold" || made.str("app_metadata", "provider") != "email" || made.str("email_confirmed_at") == "" {
			t.Fatalf("made: %s", made.text)
		}
		want(t, h.operate("POST", "/admin/users", m{"email": "ada@example.com"}), 422, "email_exists")
		want(t, h.operate("POST", "/admin/users", m{"id": given, "email": "other@example.com"}), 422, "email_exists")
		for _, body := range []m{
			{},
			{"email": "nobody"},
			{"email": "a@example.com", "id": "x"},
			{"email": "a@example.com", "ban_duration": "long"},
			{"email": "a@example.com", "role": "postgres"},
			{"email": "a@example.com", "password_hash": "plain"},
		} {
			want(t, h.operate("POST", "/admin/users", body), 400, "validation_failed")
		}
		want(t, h.operate("POST", "/admin/users", m{"email": "a@example.com", "password": "short"}), 422, "weak_password")

		session := want(t, h.signIn("ada@example.com", password), 200, "")
		changed := want(t, h.operate("PUT", "/admin/users/"+given, m{
			"email": "ada@example.org", "user_metadata": m{"name": nil, "age": 36}, "app_metadata": m{"plan": "iron"},
		}), 200, "")
		if changed.str("email") != "ada@example.org" || changed.str("user_metadata", "name") != "" || changed.str("app_metadata", "plan") != "iron" {
			t.Errorf("changed: %s", changed.text)
		}
		want(t, h.operate("PUT", "/admin/users/"+given, m{"password": "another fine secret"}), 200, "")
		want(t, h.refresh(session.str("refresh_token")), 400, "refresh_token_not_found")
		session = want(t, h.signIn("ada@example.org", "another fine secret"), 200, "")

		want(t, h.operate("PUT", "/admin/users/"+given, m{"ban_duration": "24h"}), 200, "")
		want(t, h.get("/user", session.str("access_token")), 403, "user_banned")
		want(t, h.signIn("ada@example.org", "another fine secret"), 400, "user_banned")
		want(t, h.operate("PUT", "/admin/users/"+given, m{"ban_duration": "none"}), 200, "")
		session = want(t, h.signIn("ada@example.org", "another fine secret"), 200, "")

		want(t, h.operate("GET", "/admin/users/x", nil), 404, "validation_failed")
		want(t, h.operate("GET", "/admin/users/"+id.New(), nil), 404, "user_not_found")
		want(t, h.operate("DELETE", "/admin/users/"+given, m{"should_soft_delete": false}), 200, "")
		want(t, h.operate("DELETE", "/admin/users/"+given, nil), 404, "user_not_found")
		want(t, h.get("/user", session.str("access_token")), 403, "user_not_found")
		want(t, h.operate("GET", "/admin/oauth/clients", nil), 404, "feature_disabled")
	})
}

func TestTheOperatorTurnsPages(t *testing.T) {
	t.Parallel()
	each(t, operated, func(t *testing.T, h *house) {
		for i := range 5 {
			want(t, h.operate("POST", "/admin/users", m{"email": fmt.Sprintf("user%d@example.com", i)}), 200, "")
			h.clock.Advance(time.Second)
		}
		got := want(t, h.operate("GET", "/admin/users?page=2&per_page=2", nil), 200, "")
		users, _ := got.json["users"].([]any)
		if len(users) != 2 || users[0].(m)["email"] != "user2@example.com" || got.header.Get("X-Total-Count") != "5" {
			t.Fatalf("page 2: %s", got.text)
		}
		if link := got.header.Get("Link"); !strings.Contains(link, `?page=3&per_page=2>; rel="next"`) || !strings.Contains(link, `?page=3&per_page=2>; rel="last"`) {
			t.Errorf("links: %s", link)
		}
		got = want(t, h.operate("GET", "/admin/users?page=&per_page=&filter=USER3", nil), 200, "")
		if users, _ := got.json["users"].([]any); len(users) != 1 || strings.Contains(got.header.Get("Link"), "next") {
			t.Errorf("filtered: %s", got.text)
		}
		want(t, h.operate("GET", "/admin/users?page=-1", nil), 400, "validation_failed")
	})
}

func TestInvitationsAndGeneratedLinks(t *testing.T) {
	t.Parallel()
	each(t, operated, func(t *testing.T, h *house) {
		invited := want(t, h.operate("POST", "/invite", m{"email": "ada@example.com", "data": m{"name": "Ada"}}), 200, "")
		if invited.str("invited_at") == "" || invited.str("user_metadata", "name") != "Ada" {
			t.Errorf("invited: %s", invited.text)
		}
		landed := fragment(t, h.follow(last[mail.Invite](h).Link))
		if landed.Get("access_token") == "" || landed.Get("type") != "invite" {
			t.Errorf("landed with %v", landed)
		}
		want(t, h.operate("POST", "/invite", m{"email": "ada@example.com"}), 422, "email_exists")
		letters := h.letters.count()
		generate := func(body m) reply { return h.operate("POST", "/admin/generate_link", body) }
		link := want(t, generate(m{"type": "recovery", "email": "ada@example.com", "redirect_to": "https://evil.example"}), 200, "")
		if link.str("redirect_to") != testSite || link.str("id") != invited.str("id") || link.str("verification_type") != "recovery" {
			t.Errorf("link: %s", link.text)
		}
		want(t, h.post("/verify", m{"type": "recovery", "token_hash": link.str("hashed_token")}), 200, "")
		link = want(t, generate(m{"type": "magiclink", "email": "new@example.com"}), 200, "")
		want(t, h.verify(link.str("verification_type"), "new@example.com", link.str("email_otp")), 200, "")
		link = want(t, generate(m{"type": "signup", "email": "bob@example.com", "password": password}), 200, "")
		fragmentOf := fragment(t, h.follow(link.str("action_link")))
		if fragmentOf.Get("access_token") == "" {
			t.Errorf("landed with %v", fragmentOf)
		}
		want(t, h.signIn("bob@example.com", password), 200, "")
		for _, k := range []string{"email_change_current", "email_change_new"} {
			link = want(t, generate(m{"type": k, "email": "bob@example.com", "new_email": "bob@example.org"}), 200, "")
			want(t, h.post("/verify", m{"type": "email_change", "token_hash": link.str("hashed_token")}), 200, "")
		}
		want(t, h.signIn("bob@example.org", password), 200, "")
		want(t, generate(m{"type": "recovery", "email": "nobody@example.com"}), 404, "user_not_found")
		want(t, generate(m{"type": "signup", "email": "ada@example.com", "password": password}), 422, "email_exists")
		want(t, generate(m{"type": "smoke", "email": "ada@example.com"}), 400, "validation_failed")
		if n := h.letters.count() - letters; n != 1 { // that the address was changed
			t.Errorf("%d letters left", n)
		}
	})
}

func TestTheOperatorTakesALostFactorAway(t *testing.T) {
	t.Parallel()
	each(t, operated, func(t *testing.T, h *house) {
		phone, strong := h.guarded()
		user := strong.str("user", "id")
		if got := want(t, h.operate("GET", "/admin/users/"+user+"/factors", nil), 200, ""); !strings.Contains(got.text, phone.id) || strings.Contains(got.text, "secret") {
			t.Errorf("factors: %s", got.text)
		}
		want(t, h.operate("DELETE", "/admin/users/"+user+"/factors/"+phone.id, nil), 200, "")
		if got := want(t, h.operate("GET", "/admin/users/"+user+"/factors", nil), 200, ""); got.text != "[]" {
			t.Errorf("factors: %s", got.text)
		}
		if claims := claimsOf(t, h, want(t, h.refresh(strong.str("refresh_token")), 200, "")); claims.AAL != "aal1" {
			t.Errorf("still %s", claims.AAL)
		}
	})
}

func TestOnlyTheServiceKeyOpensTheOperatorsEndpoints(t *testing.T) {
	t.Parallel()
	each(t, operated, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		for _, route := range h.Routes() {
			if route.For != Admins || route.Method == "" {
				continue
			}
			path := strings.NewReplacer("{id}", id.New(), "{factor}", id.New()).Replace(route.Path)
			for given, code := range map[string]string{token: "not_admin", "garbage": "bad_jwt"} {
				want(t, h.send(request{method: route.Method, path: path, token: given, body: m{}}), 403, code)
			}
			want(t, h.send(request{method: route.Method, path: path, body: m{}}), 401, "no_authorization")
		}
	})
}

func TestImportKeepsPasswords(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		hash, err := bcrypt.GenerateFromPassword([]byte("old secret"), bcrypt.MinCost)
		if err != nil {
			t.Fatal(err)
		}
		known := id.New()
		table := "instance_id,id,email,encrypted_password,email_confirmed_at,raw_user_meta_data,created_at,banned_until\n" +
			"x," + known + ",Ada@example.com," + string(hash) + `,2024-05-01 10:00:00.123456+00,"{""name"": ""Ada""}",2024-04-30 09:00:00+00,` + "\n" +
			"x," + id.New() + ",bob@example.com,,2024-05-01 10:00:00+00,,2024-04-30 09:00:00+00,\n"
		n, err := h.Import(context.Background(), strings.NewReader(table), "users.csv", nil)
		if err != nil || n != (Imported{Added: 2, Passwordless: 1}) {
			t.Fatalf("%+v, %v", n, err)
		}
		if n, err := h.Import(context.Background(), strings.NewReader(table), "users.csv", nil); err != nil || n != (Imported{Known: 2}) {
			t.Errorf("again: %+v, %v", n, err)
		}
		session := want(t, h.signIn("ada@example.com", "old secret"), 200, "")
		if session.str("user", "id") != known || session.str("user", "user_metadata", "name") != "Ada" {
			t.Errorf("came in as %s", session.text)
		}
		h.upgraded("ada@example.com")
		lines := `{"id":"` + id.New() + `","email":"eve@example.com","encrypted_password":"` + string(hash) + `","email_confirmed_at":"2024-05-01T10:00:00Z","raw_user_meta_data":{"name":"Eve"}}` + "\n"
		if n, err := h.Import(context.Background(), strings.NewReader(lines+"{\n"), "users.jsonl", nil); err == nil || n.Added != 1 || !strings.Contains(err.Error(), "account 2") {
			t.Errorf("%+v, %v", n, err)
		}
		want(t, h.signIn("eve@example.com", "old secret"), 200, "")
		banned := strings.NewReplacer("eve@", "mallory@", `"email_confirmed_at"`, `"banned_until":"2999-01-01T00:00:00Z","email_confirmed_at"`, `"id"`, `"_"`).Replace(lines)
		if n, err := h.Import(context.Background(), strings.NewReader(banned), "users.jsonl", nil); err != nil || n.Added != 1 {
			t.Errorf("%+v, %v", n, err)
		}
		want(t, h.signIn("mallory@example.com", "old secret"), 400, "user_banned")
		if _, err := h.Import(context.Background(), strings.NewReader(""), "users.xml", nil); err == nil {
			t.Error("a foreign format was taken")
		}
	})
}

// upgraded fails unless the user's hash is today's.
func (h *house) upgraded(email string) {
	h.t.Helper()
	err := h.DB.Read(context.Background(), func(ctx context.Context, tx *db.Tx) error {
		u, err := userBy(ctx, tx, "email", email)
		if err == nil && !strings.HasPrefix(u.passwordHash, "$argon2id$") {
			h.t.Errorf("the hash is still %.8s", u.passwordHash)
		}
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

func TestAUserOfTheOperatorHasJustTheMetadataThatWasGiven(t *testing.T) {
	t.Parallel()
	each(t, operated, func(t *testing.T, h *house) {
		given := m{"email": "ada@example.com", "password": password, "email_confirm": true, "id": "7f3b1f7e-8c3c-4b0e-9d5e-0a6b1c2d3e4f", "user_metadata": m{"name": "Ada", "gone": nil}}
		made := want(t, h.operate("POST", "/admin/users", given), 200, "")
		bare := want(t, h.operate("POST", "/admin/users", m{"email": "bob@example.com"}), 200, "")
		same := func(got reply, expected string) {
			t.Helper()
			if text, _ := json.Marshal(got.json["user_metadata"]); string(text) != expected {
				t.Errorf("got %s, want %s", text, expected)
			}
		}
		same(made, `{"name":"Ada"}`)
		same(bare, `{}`)
		same(want(t, h.operate("PUT", "/admin/users/"+made.str("id"), m{"email": "countess@example.com"}), 200, ""), `{"name":"Ada"}`)
		same(want(t, h.operate("PUT", "/admin/users/"+bare.str("id"), m{"email_confirm": true}), 200, ""), `{}`)
		data := made.json["identities"].([]any)[0].(m)["identity_data"].(m)
		if data["sub"] != made.str("id") || data["email"] != "ada@example.com" || data["email_verified"] != true {
			t.Errorf("the identity knows %v", data)
		}
		// Somebody who signed up keeps their address there, as it is now.
		carl := h.signedUp("carl@example.com").str("user", "id")
		if got := want(t, h.operate("PUT", "/admin/users/"+carl, m{"email": "karl@example.com"}), 200, ""); got.str("user_metadata", "email") != "karl@example.com" {
			t.Error(got.text)
		}
	})
}

func TestASignUpDoesNotTakeThePlaceOfTheOperatorsAccount(t *testing.T) {
	t.Parallel()
	each(t, operated, func(t *testing.T, h *house) {
		made := want(t, h.operate("POST", "/admin/users", m{"email": "teacher@example.com", "app_metadata": m{"team": "staff"}}), 200, "").str("id")
		want(t, h.post("/signup", m{"email": "teacher@example.com", "password": password}), 422, "user_already_exists")
		if h.count("select count(*) from users where id = $1", made) != 1 {
			t.Error("a stranger's sign-up deleted the operator's account")
		}
		// An account that a sign-in link made is the operator's once the operator has changed it.
		want(t, h.post("/otp", m{"email": "guest@example.com"}), 200, "")
		found := want(t, h.operate("GET", "/admin/users?filter=guest", nil), 200, "").json["users"].([]any)[0].(m)["id"].(string)
		want(t, h.operate("PUT", "/admin/users/"+found, m{"app_metadata": m{"team": "staff"}}), 200, "")
		want(t, h.post("/signup", m{"email": "guest@example.com", "password": password}), 422, "user_already_exists")
	})
}

// TestAnOtherAddressFromTheOperatorCutsTheFormerOneOff is about a mailbox that is no longer the owner's.
func TestAnOtherAddressFromTheOperatorCutsTheFormerOneOff(t *testing.T) {
	t.Parallel()
	each(t, operated, func(t *testing.T, h *house) {
		session := h.signedUp("ada@old.example")
		h.proven("ada@old.example")
		h.post("/recover", m{"email": "ada@old.example"})
		reset := last[mail.Reset](h).Link
		h.post("/recover", pkce(m{"email": "ada@old.example"}))
		want(t, h.put(session.str("access_token"), m{"email": "mallory@evil.example"}), 200, "")
		current, next := last[mail.EmailChangeOld](h), last[mail.EmailChangeNew](h)
		got := want(t, h.operate("PUT", "/admin/users/"+session.str("user", "id"), m{"email": "ada@new.example"}), 200, "")
		if got.str("email") != "ada@new.example" || got.str("new_email") != "" || got.str("email_change_sent_at") != "" {
			t.Fatal(got.text)
		}
		for _, link := range []string{reset, current.Link, next.Link} {
			if said := fragment(t, h.follow(link)); said.Get("error_code") != "otp_expired" {
				t.Errorf("a letter from before opens: %v", said)
			}
		}
		want(t, h.get("/user", session.str("access_token")), 403, "session_not_found")
		if n := h.count("select count(*) from flow_states"); n != 0 {
			t.Errorf("%d flows are still under way", n)
		}
		want(t, h.signIn("ada@new.example", password), 200, "")

		// A change of anything else ends nothing.
		session = want(t, h.signIn("ada@new.example", password), 200, "")
		want(t, h.operate("PUT", "/admin/users/"+session.str("user", "id"), m{"email": "ada@new.example", "user_metadata": m{"name": "Ada"}}), 200, "")
		want(t, h.get("/user", session.str("access_token")), 200, "")
	})
}

// TestALetterIsOpenedByItsOwnAddressAlone looks at a letter that outlived the address it went to.
func TestALetterIsOpenedByItsOwnAddressAlone(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		session := h.signedUp("ada@old.example")
		h.post("/recover", m{"email": "ada@old.example"})
		reset := last[mail.Reset](h)
		want(t, h.put(session.str("access_token"), m{"email": "countess@example.org"}), 200, "")
		current, next := last[mail.EmailChangeOld](h), last[mail.EmailChangeNew](h)
		h.exec("update users set email = 'ada@new.example', new_email = 'other@example.org'")
		for _, link := range []string{reset.Link, current.Link, next.Link} {
			if said := fragment(t, h.follow(link)); said.Get("error_code") != "otp_expired" {
				t.Errorf("it opens: %v", said)
			}
		}
		want(t, h.verify("recovery", "ada@old.example", reset.Code), 403, "otp_expired")
	})
}
