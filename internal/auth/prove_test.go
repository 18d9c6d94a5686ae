package auth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"greenroom/internal/auth/authtest"
	"greenroom/internal/fn"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/who"
)

// squatted is an account that somebody made with Ada's address: their password, their authenticator app, their account
// at a provider, a change of address and a visit to a provider under way.
type squatted struct {
	strong reply
	phone  authenticator
	visit  trip
	links  []string
	code   string // of a sign-in that is yet to become a session
}

func (h *house) squat(o *authtest.Provider) squatted {
	h.t.Helper()
	token := h.signedUp("ada@example.com").str("access_token")
	person := o.Person
	o.Person = m{"sub": "squatter", "email": "squatter@example.net", "email_verified": true}
	begun := want(h.t, h.get("/user/identities/authorize?provider=acme&skip_http_redirect=true", token), 200, "")
	if landed, _ := h.arrive(h.tripOf(o, begun.str("url"), begun.header.Get("Set-Cookie"))); fragment(h.t, landed).Get("access_token") == "" {
		h.t.Fatalf("not connected: %s", landed)
	}
	got := squatted{phone: h.enrol(token, "the squatter's")}
	got.strong = want(h.t, got.phone.verify(token, 0), 200, "")
	token = got.strong.str("access_token")
	want(h.t, h.put(token, m{"email": "squatter@example.org"}), 200, "")
	got.links = []string{last[mail.EmailChangeNew](h).Link, last[mail.EmailChangeOld](h).Link}
	challenge := url.Values{"code_challenge": {pkce(m{})["code_challenge"].(string)}, "code_challenge_method": {"s256"}}
	landed, _ := h.arrive(h.depart(o, "&"+challenge.Encode()))
	if got.code = landed.Query().Get("code"); got.code == "" {
		h.t.Fatalf("no code: %s", landed)
	}
	o.Person = m{"sub": "squatter's second", "email": "squatter@example.net", "email_verified": true}
	begun = want(h.t, h.get("/user/identities/authorize?provider=acme&skip_http_redirect=true", token), 200, "")
	got.visit = h.tripOf(o, begun.str("url"), begun.header.Get("Set-Cookie"))
	o.Person = person
	return got
}

// shutOut fails unless nothing that the squatter had opens the account any more.
func (h *house) shutOut(o *authtest.Provider, s squatted, owner string) {
	t := h.t
	t.Helper()
	want(t, h.get("/user", s.strong.str("access_token")), 403, "session_not_found")
	want(t, h.refresh(s.strong.str("refresh_token")), 400, "refresh_token_not_found")
	want(t, h.signIn("ada@example.com", password), 400, "invalid_credentials")
	if err := h.atDataAPI(s.strong.str("access_token")); err == nil {
		t.Error("the squatter's token opens the data API")
	}
	for _, link := range s.links {
		if said := fragment(t, h.follow(link)); said.Get("error_code") != "otp_expired" {
			t.Errorf("a change of address is still under way: %v", said)
		}
	}
	if landed, _ := h.arrive(s.visit); strings.Contains(landed.String(), "access_token") {
		t.Errorf("a visit to the provider ended in a session: %s", landed)
	}
	o.Person = m{"sub": "squatter", "email": "squatter@example.net", "email_verified": true}
	landed, _ := h.arrive(h.depart(o, ""))
	if got := h.get("/user", fragment(t, landed).Get("access_token")); got.str("id") == owner || got.str("email") == "ada@example.com" {
		t.Errorf("the squatter's account at the provider opens it: %s", got.text)
	}
	if n := h.count("select count(*) from mfa_factors where user_id = $1", owner); n != 0 {
		t.Errorf("%d factors are left", n)
	}
}

// TestTheFirstProofOfAnAddressMakesTheAccountTheProvers goes each way of proof.
func TestTheFirstProofOfAnAddressMakesTheAccountTheProvers(t *testing.T) {
	t.Parallel()
	for way, prove := range map[string]func(h *house, o *authtest.Provider) string{
		"reset by link": func(h *house, _ *authtest.Provider) string {
			want(h.t, h.post("/recover", m{"email": "ada@example.com"}), 200, "")
			return fragment(h.t, h.follow(last[mail.Reset](h).Link)).Get("access_token")
		},
		"reset by PKCE": func(h *house, _ *authtest.Provider) string {
			want(h.t, h.post("/recover", pkce(m{"email": "ada@example.com"})), 200, "")
			code := h.follow(last[mail.Reset](h).Link).Query().Get("code")
			return want(h.t, h.exchangeCode(code, verifier), 200, "").str("access_token")
		},
		"sign-in code": func(h *house, _ *authtest.Provider) string {
			want(h.t, h.post("/otp", m{"email": "ada@example.com"}), 200, "")
			return want(h.t, h.verify("email", "ada@example.com", last[mail.MagicLink](h).Code), 200, "").str("access_token")
		},
		"provider": func(h *house, o *authtest.Provider) string {
			landed, _ := h.arrive(h.depart(o, ""))
			return fragment(h.t, landed).Get("access_token")
		},
		"ID token": func(h *house, o *authtest.Provider) string {
			return want(h.t, h.post("/token?grant_type=id_token", m{"provider": "acme", "id_token": o.Token("")}), 200, "").str("access_token")
		},
	} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			withProvider(t, func(t *testing.T, h *house, o *authtest.Provider) {
				s := h.squat(o)
				token := prove(h, o)
				user := want(t, h.get("/user", token), 200, "")
				if user.str("email") != "ada@example.com" || user.json["factors"] != nil || user.str("new_email") != "" {
					t.Fatalf("user: %s", user.text)
				}
				told := last[mail.AddressProven](h)
				if told.To != "ada@example.com" || !told.Password || told.Accounts != 1 || told.Factors != 1 || told.Sessions == 0 {
					t.Errorf("told: %+v", told)
				}
				want(t, h.exchangeCode(s.code, verifier), 404, "flow_state_not_found") // before a new password ends it too
				// The owner is not asked for the squatter's second step.
				want(t, h.put(token, m{"password": "the owner's own secret"}), 200, "")
				h.shutOut(o, s, user.str("id"))
				want(t, h.signIn("ada@example.com", "the owner's own secret"), 200, "")
			})
		})
	}
}

func TestASecondProofTakesNothingAway(t *testing.T) {
	t.Parallel()
	withProvider(t, func(t *testing.T, h *house, o *authtest.Provider) {
		h.post("/otp", m{"email": "ada@example.com"})
		token := want(t, h.verify("email", "ada@example.com", last[mail.MagicLink](h).Code), 200, "").str("access_token")
		want(t, h.put(token, m{"password": password}), 200, "")
		phone := h.enrol(token, "phone")
		strong := want(t, phone.verify(token, 0), 200, "")
		letters := h.letters.count()
		h.post("/recover", m{"email": "ada@example.com"})
		want(t, h.verify("recovery", "ada@example.com", last[mail.Reset](h).Code), 200, "")
		h.arrive(h.depart(o, ""))
		want(t, h.get("/user", strong.str("access_token")), 200, "")
		want(t, h.signIn("ada@example.com", password), 200, "")
		if n := h.count("select count(*) from mfa_factors"); n != 1 {
			t.Errorf("%d factors", n)
		}
		if n := h.letters.count() - letters; n != 2 { // the reset's, and that the provider is connected
			t.Errorf("%d letters", n)
		}
	})
}

// TestAnIdentityOfTheAddressItselfStays: what the provider has verified is the owner's, however the proof is given.
func TestAnIdentityOfTheAddressItselfStays(t *testing.T) {
	t.Parallel()
	withProvider(t, func(t *testing.T, h *house, o *authtest.Provider) {
		token := h.signedUp("ada@example.com").str("access_token")
		link := m{"provider": "acme", "id_token": o.Token(""), "link_identity": true}
		want(t, h.withToken("POST", "/token?grant_type=id_token", token, link), 200, "")
		want(t, h.signIn("ada@example.com", password), 200, "") // to connect it is no proof
		h.post("/recover", m{"email": "ada@example.com"})
		got := want(t, h.verify("recovery", "ada@example.com", last[mail.Reset](h).Code), 200, "")
		if identities := got.json["user"].(m)["identities"].([]any); len(identities) != 2 {
			t.Errorf("ways in: %v", identities)
		}
		want(t, h.signIn("ada@example.com", password), 400, "invalid_credentials")
	})
}

// TestAProviderThatHasNotVerifiedAnAddressProvesNothing: anybody may have typed the address there too.
func TestAProviderThatHasNotVerifiedAnAddressProvesNothing(t *testing.T) {
	t.Parallel()
	withProvider(t, func(t *testing.T, h *house, o *authtest.Provider) {
		token := h.signedUp("ada@example.com").str("access_token")
		o.Person = m{"sub": "squatter", "email": "ada@example.com", "email_verified": false}
		grant := m{"provider": "acme", "id_token": o.Token(""), "link_identity": true}
		want(t, h.withToken("POST", "/token?grant_type=id_token", token, grant), 200, "")
		delete(grant, "link_identity")
		token = want(t, h.post("/token?grant_type=id_token", grant), 200, "").str("access_token")
		if h.isProven(token) || h.count("select count(*) from users where email_proven_at is not null") != 0 {
			t.Error("to sign in by it proved the address")
		}
		want(t, h.signIn("ada@example.com", password), 200, "")
		h.post("/recover", m{"email": "ada@example.com"})
		got := want(t, h.verify("recovery", "ada@example.com", last[mail.Reset](h).Code), 200, "")
		if identities := got.json["user"].(m)["identities"].([]any); len(identities) != 1 {
			t.Errorf("ways in after the owner's proof: %v", identities)
		}
		if told := last[mail.AddressProven](h); told.Accounts != 1 {
			t.Errorf("told: %+v", told)
		}
	})
}

// proveAddress asks the function of that name, as the holder of a token.
func (h *house) proveAddress(token string, body any) reply {
	h.t.Helper()
	claims, err := h.Keys.Verify(token, h.issuer, h.clock.Now())
	if err != nil {
		h.t.Fatal(err)
	}
	method, text := http.MethodGet, []byte(nil)
	if body != nil {
		method = http.MethodPost
		if text, err = json.Marshal(body); err != nil {
			h.t.Fatal(err)
		}
	}
	r := httptest.NewRequestWithContext(context.Background(), method, "/functions/v1/prove-address", bytes.NewReader(text))
	r.Header.Set("Content-Type", "application/json")
	actor := who.Actor{Role: who.User, UserID: claims.Subject, SessionID: claims.SessionID, Address: "192.0.2.1"}
	w := httptest.NewRecorder()
	fn.Handler(h.Functions()...).ServeHTTP(w, r.WithContext(who.With(r.Context(), actor)))
	out := reply{status: w.Code, header: w.Header(), text: w.Body.String()}
	_ = json.Unmarshal(w.Body.Bytes(), &out.json)
	return out
}

func (h *house) isProven(token string) bool {
	h.t.Helper()
	return want(h.t, h.proveAddress(token, nil), 200, "").json["proven"] == true
}

// TestNobodyProvesAnAddressWithoutACode is the squatter's try: the account and its password are theirs, the mailbox is not.
func TestNobodyProvesAnAddressWithoutACode(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		for _, asked := range []bool{false, true} {
			if asked {
				want(t, h.get("/reauthenticate", token), 200, "")
			}
			for _, code := range []any{nil, "", " ", "000000"} {
				want(t, h.proveAddress(token, m{"password": password, "code": code}), 403, "reauthentication_not_valid")
			}
		}
		if h.isProven(token) || h.count("select count(*) from users where email_proven_at is not null") != 0 {
			t.Fatal("proven")
		}
	})
}

func TestASignedInPersonProvesTheirAddressByAMailedCode(t *testing.T) {
	t.Parallel()
	withProvider(t, func(t *testing.T, h *house, o *authtest.Provider) {
		phone, strong := h.guarded()
		token := strong.str("access_token")
		o.Person = m{"sub": "other", "email": "other@example.net", "email_verified": true}
		other := want(t, h.withToken("POST", "/token?grant_type=id_token", token, m{"provider": "acme", "id_token": o.Token(""), "link_identity": true}), 200, "")
		weak := want(t, h.signIn("ada@example.com", password), 200, "").str("access_token")
		want(t, h.get("/reauthenticate", token), 200, "")
		code := last[mail.Reauthenticate](h).Code
		want(t, h.proveAddress(token, m{"code": code}), 400, "current_password_required")
		want(t, h.proveAddress(token, m{"code": code, "password": "somebody else's"}), 403, "current_password_invalid")
		for _, not := range []m{{"password": password}, {"password": password, "code": ""}, {"password": password, "code": nil}, {"password": password, "code": wrong(code)}} {
			want(t, h.proveAddress(token, not), 403, "reauthentication_not_valid")
		}
		want(t, h.proveAddress(weak, m{"code": code, "password": password}), 403, "insufficient_aal")
		if h.isProven(token) {
			t.Fatal("proven by a refusal")
		}
		if got := want(t, h.proveAddress(token, m{"code": code, "password": password}), 200, ""); got.json["proven"] != true || !h.isProven(token) {
			t.Fatal(got.text)
		}
		// This session, the password and the second step are the prover's; what else there was goes.
		want(t, h.get("/user", token), 200, "")
		want(t, h.get("/user", weak), 403, "session_not_found")
		want(t, h.get("/user", other.str("access_token")), 403, "session_not_found")
		again := want(t, h.signIn("ada@example.com", password), 200, "").str("access_token")
		h.clock.Advance(2 * time.Minute)
		want(t, phone.verify(again, 0), 200, "")
		if n := h.count("select count(*) from identities where provider <> 'email'"); n != 0 {
			t.Errorf("%d other ways in are left", n)
		}
		if told := last[mail.AddressProven](h); told.Password || told.Factors != 0 || told.Accounts != 1 || told.Sessions != 2 {
			t.Errorf("told: %+v", told)
		}
		// And a reset asks for the second step from now on.
		h.post("/recover", m{"email": "ada@example.com"})
		reset := want(t, h.verify("recovery", "ada@example.com", last[mail.Reset](h).Code), 200, "").str("access_token")
		want(t, h.put(reset, m{"password": "another fine secret"}), 401, "insufficient_aal")
	})
}

func TestACodeForAPasswordProvesTheAddress(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		other := want(t, h.signIn("ada@example.com", password), 200, "").str("access_token")
		want(t, h.get("/reauthenticate", token), 200, "")
		want(t, h.put(token, m{"password": "another fine secret", "nonce": last[mail.Reauthenticate](h).Code}), 200, "")
		if !h.isProven(token) {
			t.Fatal("not proven")
		}
		want(t, h.get("/user", other), 403, "session_not_found")
		want(t, h.signIn("ada@example.com", "another fine secret"), 200, "")
	})
}

// TestWhoeverWasAtAProviderComesBackToAnAccountThatChangedHands: the state was taken before the proof, the identity
// would be connected after it.
func TestWhoeverWasAtAProviderComesBackToAnAccountThatChangedHands(t *testing.T) {
	t.Parallel()
	withProvider(t, func(t *testing.T, h *house, o *authtest.Provider) {
		squatter := h.signedUp("ada@example.org").str("access_token")
		begun := want(t, h.get("/user/identities/authorize?provider=acme&skip_http_redirect=true", squatter), 200, "")
		visit := h.tripOf(o, begun.str("url"), begun.header.Get("Set-Cookie"))
		h.clock.Advance(time.Second)
		o.Meanwhile = func() {
			h.post("/recover", m{"email": "ada@example.org"})
			want(t, h.verify("recovery", "ada@example.org", last[mail.Reset](h).Code), 200, "")
		}
		if landed, _ := h.arrive(visit); landed.Query().Get("error_code") != "bad_oauth_state" {
			t.Errorf("landed at %s", landed)
		}
		if n := h.count("select count(*) from identities"); n != 1 {
			t.Errorf("%d ways in", n)
		}
	})
}

// TestAnUpdateOfAnEndedSessionChangesNothing: a new password is hashed outside of the transaction, and meanwhile the
// account changes hands.
func TestAnUpdateOfAnEndedSessionChangesNothing(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		claims := claimsOf(t, h, h.signedUp("ada@example.com"))
		var squatter caller
		err := h.DB.Read(t.Context(), func(ctx context.Context, tx *db.Tx) (err error) {
			squatter, err = readCaller(ctx, tx, claims.Subject, claims.SessionID)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		h.post("/recover", m{"email": "ada@example.com"})
		owner := want(t, h.verify("recovery", "ada@example.com", last[mail.Reset](h).Code), 200, "").str("access_token")
		err = h.DB.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			_, refused, err := h.apply(ctx, tx, squatter, change{hash: squatter.user.passwordHash}, origin{})
			return errors.Join(refused, err)
		})
		if !errors.Is(err, errNoSession) {
			t.Errorf("the squatter's update: %v", err)
		}
		want(t, h.signIn("ada@example.com", password), 400, "invalid_credentials")
		want(t, h.get("/user", owner), 200, "")
	})
}

func TestWhoVouchesForAnAddress(t *testing.T) {
	t.Parallel()
	each(t, func(o *Options) { operated(o); guests(o) }, func(t *testing.T, h *house) {
		proven := func(email string) bool {
			return h.count("select count(*) from users where email = $1 and email_proven_at is not null", email) == 1
		}
		want(t, h.operate("POST", "/admin/users", m{"email": "vouched@example.com", "password": password, "email_confirm": true}), 200, "")
		want(t, h.operate("POST", "/admin/users", m{"email": "open@example.com", "password": password}), 200, "")
		line := `{"email":"imported@example.com","email_confirmed_at":"2024-05-01T10:00:00Z"}` + "\n" + `{"email":"unconfirmed@example.com"}` + "\n"
		if _, err := h.Import(context.Background(), strings.NewReader(line), "users.jsonl", nil); err != nil {
			t.Fatal(err)
		}
		h.signedUp("signed@example.com")
		want(t, h.put(h.guest().str("access_token"), m{"email": "guest@example.com", "password": password}), 200, "")
		for email, is := range map[string]bool{
			"vouched@example.com": true, "open@example.com": false, "imported@example.com": true, "unconfirmed@example.com": false,
			"signed@example.com": false, "guest@example.com": false,
		} {
			if proven(email) != is {
				t.Errorf("%s is proven: %v", email, !is)
			}
		}
		// A letter of the operator's own user takes nothing away.
		h.post("/otp", m{"email": "vouched@example.com"})
		want(t, h.verify("email", "vouched@example.com", last[mail.MagicLink](h).Code), 200, "")
		want(t, h.signIn("vouched@example.com", password), 200, "")
		// Of a change of address both letters are opened, so the new one is proven and nothing is lost.
		token := want(t, h.signIn("signed@example.com", password), 200, "").str("access_token")
		h.put(token, m{"email": "moved@example.com"})
		old, next := last[mail.EmailChangeOld](h), last[mail.EmailChangeNew](h)
		want(t, h.verify("email_change", "signed@example.com", old.Code), 200, "")
		if proven("signed@example.com") {
			t.Error("half a change proves nothing")
		}
		want(t, h.verify("email_change", "moved@example.com", next.Code), 200, "")
		if !proven("moved@example.com") {
			t.Error("the new address is not proven")
		}
		want(t, h.signIn("moved@example.com", password), 200, "")
	})
}
