package auth

import (
	"net/http"
	"strings"
)

// Audience says whom an endpoint is for. Everyone is checked by the verb itself: what a bad token means differs.
type Audience string

// The audiences of the service.
const (
	Anyone Audience = "anyone"
	Users  Audience = "signed-in users"
	Admins Audience = "holders of the service key"
)

// Route is one endpoint.
type Route struct {
	Method, Path string
	For          Audience
	verb         handler
}

type handler func(w http.ResponseWriter, r *http.Request) error

// Routes is the page of all endpoints. What the contract knows and we do not serve answers as switched off.
func (s *Service) Routes() []Route {
	return []Route{
		{"POST", "/signup", Anyone, s.onBeat(s.signUp)},
		{"POST", "/token", Anyone, s.token},
		{"POST", "/recover", Anyone, s.onBeat(s.recover)},
		{"POST", "/resend", Anyone, s.onBeat(s.resend)},
		{"POST", "/otp", Anyone, s.onBeat(s.otp)},
		{"POST", "/magiclink", Anyone, s.onBeat(s.otp)},
		{"GET", "/verify", Anyone, s.showVerify},
		{"POST", "/verify", Anyone, s.verify},
		{"GET", "/settings", Anyone, s.settings},
		{"GET", "/health", Anyone, s.health},
		{"GET", "/.well-known/jwks.json", Anyone, s.keys},

		{"GET", "/user", Users, s.showUser},
		{"PUT", "/user", Users, s.updateUser},
		{"GET", "/reauthenticate", Users, s.reauthenticate},
		{"POST", "/logout", Users, s.logout},

		{"GET", "/authorize", Anyone, s.authorize},
		{"GET", "/callback", Anyone, s.callback},
		{"POST", "/callback", Anyone, s.callback},
		{"GET", "/user/identities/authorize", Users, s.connect},
		{"DELETE", "/user/identities/{id}", Users, s.disconnect},
		{"POST", "/factors", Users, s.enrol},
		{"POST", "/factors/{id}/challenge", Users, s.challengeFactor},
		{"POST", "/factors/{id}/verify", Users, s.verifyFactor},
		{"DELETE", "/factors/{id}", Users, s.unenrol},
		{"GET", "/factors/recovery-codes", Users, s.recoveryStatus},
		{"POST", "/factors/recovery-codes", Users, s.makeCodes},
		{"POST", "/factors/recovery-codes/regenerate", Users, s.makeCodesAnew},
		{"POST", "/factors/recovery-codes/verify", Users, s.useRecoveryCode},
		{"DELETE", "/factors/recovery-codes", Users, s.removeCodes},
		{"POST", "/sso", Anyone, off(http.StatusNotFound, "saml_provider_disabled", "SAML 2.0 is disabled")},
		{"POST", "/passkeys/authentication/options", Anyone, s.withPasskeys(s.askPasskey)},
		{"POST", "/passkeys/authentication/verify", Anyone, s.withPasskeys(s.signInByPasskey)},
		{"POST", "/passkeys/registration/options", Users, s.withPasskeys(s.beginPasskey)},
		{"POST", "/passkeys/registration/verify", Users, s.withPasskeys(s.addPasskey)},
		{"GET", "/passkeys", Users, s.listPasskeys},
		{"PATCH", "/passkeys/{id}", Users, s.renamePasskey},
		{"DELETE", "/passkeys/{id}", Users, s.deletePasskey},

		{"POST", "/invite", Admins, s.forOperator(s.invite)},
		{"GET", "/admin/users", Admins, s.forOperator(s.listUsers)},
		{"POST", "/admin/users", Admins, s.forOperator(s.createUser)},
		{"GET", "/admin/users/{id}", Admins, s.forOperator(s.getUser)},
		{"PUT", "/admin/users/{id}", Admins, s.forOperator(s.changeUser)},
		{"DELETE", "/admin/users/{id}", Admins, s.forOperator(s.deleteUser)},
		{"GET", "/admin/users/{id}/factors", Admins, s.forOperator(s.userFactors)},
		{"DELETE", "/admin/users/{id}/factors/{factor}", Admins, s.forOperator(s.deleteUserFactor)},
		{"GET", "/admin/users/{id}/passkeys", Admins, s.forOperator(s.userPasskeys)},
		{"DELETE", "/admin/users/{id}/passkeys/{passkey}", Admins, s.forOperator(s.deleteUserPasskey)},
		{"POST", "/admin/generate_link", Admins, s.forOperator(s.generateLink)},
		{"", "/admin/", Admins, s.forOperator(absent)},
	}
}

// Handler answers everything below Prefix.
func (s *Service) Handler() http.Handler {
	mux := http.NewServeMux()
	for _, route := range s.Routes() {
		mux.HandleFunc(strings.TrimSpace(route.Method+" "+Prefix+route.Path), func(w http.ResponseWriter, r *http.Request) {
			if missed, ok := w.(*methods); ok {
				w = missed.ResponseWriter // it was a hit
			}
			if err := route.verb(w, r); err != nil {
				WriteError(w, r, err)
			}
		})
	}
	// Unknown paths get the contract's text and wrong methods nothing.
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { mux.ServeHTTP(&methods{ResponseWriter: w}, r) })
}

// methods drops the body of the mux's 405.
type methods struct {
	http.ResponseWriter
	silent bool
}

func (m *methods) WriteHeader(status int) {
	if m.silent = status == http.StatusMethodNotAllowed; m.silent {
		m.Header().Del("Content-Type")
	}
	m.ResponseWriter.WriteHeader(status)
}

func (m *methods) Write(text []byte) (int, error) {
	if m.silent {
		return len(text), nil
	}
	return m.ResponseWriter.Write(text)
}
