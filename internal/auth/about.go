package auth

import (
	"encoding/json"
	"net/http"
)

// providers are the names that a client may ask for in the settings.
var providers = []string{
	"anonymous_users", "apple", "azure", "bitbucket", "discord", "facebook", "figma", "fly", "github", "gitlab", "google",
	"kakao", "keycloak", "linkedin", "linkedin_oidc", "notion", "phone", "slack", "slack_oidc", "snapchat", "spotify", "twitch",
	"twitter", "vercel", "workos", "x", "zoom",
}

// settings tells what is switched on.
func (s *Service) settings(w http.ResponseWriter, _ *http.Request) error {
	external := map[string]bool{"email": true}
	for _, name := range providers {
		external[name] = false
	}
	external["anonymous_users"] = s.Guests
	for name := range s.parties {
		external[name] = true
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"external": external, "disable_signup": false, "mailer_autoconfirm": !s.ConfirmEmail, "phone_autoconfirm": false,
		"sms_provider": "", "saml_enabled": false, "saml_private_key_next_configured": false, "passkeys_enabled": s.PasskeysWork(),
	})
	return nil
}

func (s *Service) health(w http.ResponseWriter, _ *http.Request) error {
	writeJSON(w, http.StatusOK, map[string]string{
		"version": "v2.196.0", "name": "GoTrue", "description": "GoTrue is a user registration and authentication API",
	})
	return nil
}

// keys are the public keys that verify an access token.
func (s *Service) keys(w http.ResponseWriter, _ *http.Request) error {
	text, err := json.Marshal(s.Keys.Public())
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "public, max-age=600")
	_, _ = w.Write(text)
	return nil
}

// off answers an endpoint of what is switched off, with the contract's words for it.
func off(status int, code, message string) handler {
	return func(http.ResponseWriter, *http.Request) error { return refuse(status, code, message) }
}

func jsonText(value any) (string, error) {
	text, err := json.Marshal(value)
	return string(text), err
}
