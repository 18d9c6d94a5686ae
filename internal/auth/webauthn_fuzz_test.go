package auth

import (
	"encoding/base64"
	"encoding/json"
	"testing"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
)

// FuzzAKeysAnswer: whatever comes in place of a key's answer is refused, and never more than that.
func FuzzAKeysAnswer(f *testing.F) {
	site, err := newKeySite("Greenroom", testSite)
	if err != nil {
		f.Fatal(err)
	}
	key := newSoftKey(f)
	nonce := base64url(make([]byte, 32))
	part := func(answer m, name string) []byte {
		text, _ := answer["response"].(m)[name].(string)
		bytes, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil {
			f.Fatal(err)
		}
		return bytes
	}
	told := ceremony{kind: "webauthn.create", challenge: nonce, origin: testSite, site: testHost, counter: 1} // with nobody there
	made := key.made(told)
	told.kind = "webauthn.get"
	signed := key.signed(told)
	f.Add(part(made, "clientDataJSON"), part(made, "attestationObject"), []byte{})
	f.Add(part(signed, "clientDataJSON"), part(signed, "authenticatorData"), part(signed, "signature"))
	u := newUser("ada@example.com", nil, start, true)
	known := Factor{FactorType: factorKey, Status: verified, key: &webauthn.Credential{ID: key.id, PublicKey: key.publicKey()}}
	f.Fuzz(func(t *testing.T, client, object, signature []byte) {
		text, err := json.Marshal(m{"id": base64url(key.id), "rawId": base64url(key.id), "type": "public-key", "response": m{
			"clientDataJSON": base64url(client), "attestationObject": base64url(object),
			"authenticatorData": base64url(object), "signature": base64url(signature),
		}})
		if err != nil {
			t.Fatal(err)
		}
		for _, factor := range []Factor{{FactorType: factorKey}, known} {
			got, err := keyBody{Type: factor.asks(), Response: text}.parse(factor.asks())
			if err != nil {
				continue
			}
			if _, err := site.judge(factor.holder(u), got, nonce, protocol.VerificationPreferred); err == nil && factor.asks() == keyRequest {
				t.Fatalf("taken: %s", text)
			}
		}
	})
}
