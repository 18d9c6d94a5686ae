package auth

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/protocol/webauthncose"
	"github.com/go-webauthn/webauthn/webauthn"

	"greenroom/internal/audit"
)

// keySite is whom a security key signs for: this site, by the operator's setting, whatever a client claims.
type keySite struct {
	*webauthn.WebAuthn
	id, origin string
}

// newKeySite is off where no browser has security keys: on plain HTTP, except at home, and at a bare address.
func newKeySite(name, address string) (keySite, error) {
	u, err := url.Parse(address)
	if err != nil {
		return keySite{}, err
	}
	host := strings.ToLower(u.Hostname())
	home := host == "localhost" || strings.HasSuffix(host, ".localhost")
	if !named(host) || (u.Scheme != "https" && !home) {
		return keySite{}, nil
	}
	site := keySite{id: host, origin: u.Scheme + "://" + strings.ToLower(u.Host)}
	site.WebAuthn, err = webauthn.New(&webauthn.Config{
		RPID: site.id, RPDisplayName: name, RPOrigins: []string{site.origin},
		// The key is a second step: a touch is enough, and we have no use for its maker's certificate.
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementDiscouraged, UserVerification: protocol.VerificationPreferred,
		},
		Timeouts: webauthn.TimeoutsConfig{
			Login:        webauthn.TimeoutConfig{Timeout: questionLife, TimeoutUVD: questionLife},
			Registration: webauthn.TimeoutConfig{Timeout: questionLife, TimeoutUVD: questionLife},
		},
		// Password managers tell properties that nobody asked for.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
	if err != nil {
		return keySite{}, fmt.Errorf("GREENROOM_SITE_URL: %w", err)
	}
	return site, nil
}

// named tells a host's name from a bare address.
func named(host string) bool { return protocol.ValidateRPID(host) == nil }

func (k keySite) on() bool { return k.WebAuthn != nil }

// keyAlgorithms are the signatures that every key has one of.
var keyAlgorithms = []protocol.CredentialParameter{
	{Type: protocol.PublicKeyCredentialType, Algorithm: webauthncose.AlgES256},
	{Type: protocol.PublicKeyCredentialType, Algorithm: webauthncose.AlgEdDSA},
	{Type: protocol.PublicKeyCredentialType, Algorithm: webauthncose.AlgRS256},
}

// keyHolder is a user with the key that a question is about, if there is one yet.
type keyHolder struct {
	*User
	handle []byte
	key    *webauthn.Credential
}

// WebAuthnID is what a key knows its owner by.
func (h keyHolder) WebAuthnID() []byte { return h.handle }

// WebAuthnName is what a browser calls the account.
func (h keyHolder) WebAuthnName() string { return h.Email }

// WebAuthnDisplayName is the person's own name, where they gave one.
func (h keyHolder) WebAuthnDisplayName() string {
	if names := h.UserMetadata.names(); len(names) > 0 {
		return names[0]
	}
	return h.Email
}

// WebAuthnCredentials are the keys that may answer.
func (h keyHolder) WebAuthnCredentials() []webauthn.Credential {
	if h.key == nil {
		return nil
	}
	return []webauthn.Credential{*h.key}
}

func (f Factor) holder(u *User) keyHolder { return keyHolder{u, []byte(u.ID), f.key} }

// The two questions to a security key.
const (
	keyCreate  = "create"
	keyRequest = "request"
)

// asks tells which question a factor is asked: to make a key while it waits for one, else to sign with it. A factor that
// guards an account never takes a new key, not even if its own were lost.
func (f Factor) asks() string {
	if f.Status != verified {
		return keyCreate
	}
	return keyRequest
}

// question makes what the browser hands to a security key, and the nonce in it.
func (k keySite) question(u *User, f Factor) (options any, nonce string, err error) {
	if f.asks() == keyRequest {
		if f.key == nil {
			return nil, "", errWrongKey
		}
		request, session, err := k.BeginLogin(f.holder(u))
		if err != nil {
			return nil, "", fmt.Errorf("ask a security key: %w", err)
		}
		return map[string]any{"type": keyRequest, "credential_options": request}, session.Challenge, nil
	}
	var others []protocol.CredentialDescriptor
	for _, other := range u.Factors {
		if other.key != nil {
			others = append(others, other.key.Descriptor())
		}
	}
	creation, session, err := k.BeginRegistration(f.holder(u), webauthn.WithCredentialParameters(keyAlgorithms), webauthn.WithExclusions(others))
	if err != nil {
		return nil, "", fmt.Errorf("ask for a security key: %w", err)
	}
	return map[string]any{"type": keyCreate, "credential_options": creation}, session.Challenge, nil
}

// keyBody is what a client says of a security key. Whom it signs for is checked, never believed.
type keyBody struct {
	Type     string          `json:"type"`
	RPID     string          `json:"rpId"`
	Origins  []string        `json:"rpOrigins"`
	Response json.RawMessage `json:"credential_response"`
}

func (k keySite) check(in keyBody) error {
	foreign := func(origin string) bool { return !strings.EqualFold(strings.TrimRight(origin, "/"), k.origin) }
	if (in.RPID != "" && !strings.EqualFold(in.RPID, k.id)) || slices.ContainsFunc(in.Origins, foreign) {
		return invalid("Security keys work at " + k.origin + " only: rpId and rpOrigins must be those of the site")
	}
	return nil
}

// keyAnswer is what a security key gave back, read but not judged.
type keyAnswer struct {
	made   *protocol.ParsedCredentialCreationData
	signed *protocol.ParsedCredentialAssertionData
}

// An answer of a real key has some 1 to 8 KB, its public half 77 bytes to 0.6 KB. A longer one would be there to keep us
// calculating: an RSA key's cost grows with the square of its length.
const (
	mostAnswer    = 16 << 10
	mostPublicKey = 1 << 10
)

func (in keyBody) parse(asked string) (got keyAnswer, err error) {
	if in.Type != asked {
		return got, invalid("webauthn.type needs to be " + asked + " for this factor")
	}
	if got, err = readKey(asked, in.Response); err != nil {
		return got, invalid("webauthn.credential_response " + err.Error())
	}
	return got, nil
}

// readKey reads what a browser hands on of a key. An error says what is wrong with it.
func readKey(asked string, response json.RawMessage) (got keyAnswer, err error) {
	if len(response) > mostAnswer {
		return got, errors.New("is too long")
	}
	if asked == keyCreate {
		got.made, err = protocol.ParseCredentialCreationResponseBytes(response)
	} else {
		got.signed, err = protocol.ParseCredentialRequestResponseBytes(response)
	}
	if err != nil {
		return got, errors.New("is not what a browser gives")
	}
	if got.made != nil && len(got.made.Response.AttestationObject.AuthData.AttData.CredentialPublicKey) > mostPublicKey {
		return got, errors.New("holds a key that is too long")
	}
	return got, nil
}

// judge holds an answer against the question: challenge, origin, site, presence, signature, and the owner's finger or
// number where verify requires it. The key that it gives has the counter of this answer; whether that went back is for
// the row to decide, where no two answers meet.
func (k keySite) judge(holder keyHolder, got keyAnswer, nonce string, verify protocol.UserVerificationRequirement) (*webauthn.Credential, error) {
	asked := webauthn.SessionData{Challenge: nonce, RelyingPartyID: k.id, UserID: holder.WebAuthnID(), UserVerification: verify}
	if got.made != nil {
		asked.CredParams = keyAlgorithms
		return k.CreateCredential(holder, asked, got.made)
	}
	if holder.key == nil {
		return nil, errWrongKey
	}
	asked.AllowedCredentialIDs = [][]byte{holder.key.ID}
	key, err := k.ValidateLogin(holder, asked, got.signed)
	if err != nil {
		return nil, err
	}
	key.Authenticator.SignCount = got.signed.Response.AuthenticatorData.Counter
	return key, nil
}

// reason is what the library says of a refused answer, for the operator's log alone.
func reason(err error) string {
	if told, ok := errors.AsType[*protocol.Error](err); ok {
		return audit.Text(told.Details)
	}
	return audit.Text(err.Error())
}
