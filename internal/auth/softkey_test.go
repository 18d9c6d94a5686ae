package auth

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"slices"
	"testing"
)

const testHost = "courses.example.com"

// softKey is a security key made of software: one ES256 key, a counter, and what it may get wrong.
type softKey struct {
	t       testing.TB
	private *ecdsa.PrivateKey
	id      []byte
	counter uint32
	// cose takes the place of the key's own public half.
	cose []byte
	// handle names the owner, where the key is a passkey; aaguid is what made it.
	handle []byte
	aaguid [16]byte
}

func newSoftKey(t testing.TB) *softKey {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	id := make([]byte, 32)
	_, _ = rand.Read(id)
	return &softKey{t: t, private: private, id: id}
}

// ceremony is what a browser and a key put together; a test changes it to tell lies.
type ceremony struct {
	kind, challenge, origin, site string
	flags                         byte
	counter                       uint32
	crossOrigin                   bool
	signed                        func(signature []byte) []byte
}

const (
	userPresent  = 1
	userVerified = 4
	backupable   = 8
	backedUp     = 16
	keyAttached  = 64
)

func base64url(bytes []byte) string { return base64.RawURLEncoding.EncodeToString(bytes) }

func (c ceremony) clientData() []byte {
	text, err := json.Marshal(m{"type": c.kind, "challenge": c.challenge, "origin": c.origin, "crossOrigin": c.crossOrigin})
	if err != nil {
		panic(err)
	}
	return text
}

func (c ceremony) authenticatorData(attached []byte) []byte {
	site := sha256.Sum256([]byte(c.site))
	return slices.Concat(site[:], []byte{c.flags}, binary.BigEndian.AppendUint32(nil, c.counter), attached)
}

// honest is the ceremony that a question asks for, at this site.
func (k *softKey) honest(question reply) ceremony {
	k.t.Helper()
	kind := map[string]string{"create": "webauthn.create", "request": "webauthn.get"}[question.str("webauthn", "type")]
	options, _ := question.json["webauthn"].(map[string]any)["credential_options"].(map[string]any)["publicKey"].(map[string]any)
	challenge, _ := options["challenge"].(string)
	if kind == "" || challenge == "" {
		k.t.Fatalf("no question for a key: %s", question.text)
	}
	k.counter++
	return ceremony{kind: kind, challenge: challenge, origin: testSite, site: testHost, flags: userPresent, counter: k.counter}
}

// cbor writes the few shapes of CBOR that keys use.
func cborHead(major byte, n int) []byte {
	switch {
	case n < 24:
		return []byte{major<<5 | byte(n)}
	case n < 256:
		return []byte{major<<5 | 24, byte(n)}
	default:
		return binary.BigEndian.AppendUint16([]byte{major<<5 | 25}, uint16(n))
	}
}

func cborBytes(b []byte) []byte   { return slices.Concat(cborHead(2, len(b)), b) }
func cborText(text string) []byte { return slices.Concat(cborHead(3, len(text)), []byte(text)) }

// publicKey is the key in COSE's form: EC2, ES256, P-256, x, y.
func (k *softKey) publicKey() []byte {
	if k.cose != nil {
		return k.cose
	}
	point, err := k.private.PublicKey.Bytes()
	if err != nil {
		k.t.Fatal(err)
	}
	return slices.Concat([]byte{0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21}, cborBytes(point[1:33]), []byte{0x22}, cborBytes(point[33:65]))
}

// made answers the question for a new key.
func (k *softKey) made(c ceremony) m {
	attached := slices.Concat(k.aaguid[:], binary.BigEndian.AppendUint16(nil, uint16(len(k.id))), k.id, k.publicKey())
	c.flags |= keyAttached
	object := slices.Concat([]byte{0xa3}, cborText("fmt"), cborText("none"), cborText("attStmt"), []byte{0xa0},
		cborText("authData"), cborBytes(c.authenticatorData(attached)))
	return m{
		"id": base64url(k.id), "rawId": base64url(k.id), "type": "public-key", "clientExtensionResults": m{}, "authenticatorAttachment": "cross-platform",
		"response": m{"clientDataJSON": base64url(c.clientData()), "attestationObject": base64url(object), "transports": []string{"usb"}},
	}
}

// signed answers the question to a known key.
func (k *softKey) signed(c ceremony) m {
	k.t.Helper()
	data, client := c.authenticatorData(nil), c.clientData()
	clientHash := sha256.Sum256(client)
	digest := sha256.Sum256(slices.Concat(data, clientHash[:]))
	signature, err := ecdsa.SignASN1(rand.Reader, k.private, digest[:])
	if err != nil {
		k.t.Fatal(err)
	}
	if c.signed != nil {
		signature = c.signed(signature)
	}
	response := m{"clientDataJSON": base64url(client), "authenticatorData": base64url(data), "signature": base64url(signature)}
	if k.handle != nil {
		response["userHandle"] = base64url(k.handle)
	}
	return m{
		"id": base64url(k.id), "rawId": base64url(k.id), "type": "public-key", "clientExtensionResults": m{}, "authenticatorAttachment": "cross-platform",
		"response": response,
	}
}

// keyFactor is a factor with a security key in somebody's hand.
type keyFactor struct {
	h   *house
	id  string
	key *softKey
}

func (h *house) enrolKey(token, name string) keyFactor {
	h.t.Helper()
	got := want(h.t, h.withToken("POST", "/factors", token, m{"factor_type": "webauthn", "friendly_name": name}), 200, "")
	return keyFactor{h, got.str("id"), newSoftKey(h.t)}
}

var atHome = m{"rpId": testHost, "rpOrigins": []string{testSite}}

func (f keyFactor) challenge(token string) reply {
	f.h.t.Helper()
	return want(f.h.t, f.h.withToken("POST", "/factors/"+f.id+"/challenge", token, m{"factorId": f.id, "webauthn": atHome}), 200, "")
}

func (f keyFactor) answer(token, challenge, kind string, response m) reply {
	return f.h.withToken("POST", "/factors/"+f.id+"/verify", token, m{
		"challenge_id": challenge,
		"webauthn":     m{"type": kind, "rpId": testHost, "rpOrigins": []string{testSite}, "credential_response": response},
	})
}

// respond answers a question, after lie has changed what browser and key say.
func (f keyFactor) respond(token string, question reply, lie func(*ceremony)) reply {
	f.h.t.Helper()
	told := f.key.honest(question)
	if lie != nil {
		lie(&told)
	}
	if question.str("webauthn", "type") == "create" {
		return f.answer(token, question.str("id"), "create", f.key.made(told))
	}
	return f.answer(token, question.str("id"), "request", f.key.signed(told))
}

func (f keyFactor) verify(token string) reply {
	f.h.t.Helper()
	return f.respond(token, f.challenge(token), nil)
}

// keyed makes Ada's account with a security key and gives its strong session.
func (h *house) keyed() (keyFactor, reply) {
	h.t.Helper()
	token := h.signedUp("ada@example.com").str("access_token")
	key := h.enrolKey(token, "yellow key")
	return key, want(h.t, key.verify(token), 200, "")
}
