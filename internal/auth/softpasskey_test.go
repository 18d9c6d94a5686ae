package auth

import (
	"encoding/base64"
	"encoding/json"
	"slices"
)

// softPasskey is a passkey made of software, with the browser that it is in.
type softPasskey struct {
	*softKey
	h  *house
	id string
}

// told is the honest ceremony that a question to a passkey asks for.
func (p softPasskey) told(kind string, question reply) ceremony {
	p.t.Helper()
	options, _ := question.json["options"].(m)
	challenge, _ := options["challenge"].(string)
	if challenge == "" {
		p.t.Fatalf("no question for a passkey: %s", question.text)
	}
	p.counter++
	return ceremony{kind: kind, challenge: challenge, origin: testSite, site: testHost, flags: userPresent | userVerified, counter: p.counter}
}

func (h *house) beginPasskeyOf(token string) reply {
	return h.withToken("POST", "/passkeys/registration/options", token, m{})
}

func (h *house) finishPasskey(token string, question reply, credential m) reply {
	return h.withToken("POST", "/passkeys/registration/verify", token, m{"challenge_id": question.str("challenge_id"), "credential": credential})
}

// make answers the question for a new passkey, after lie has changed what browser and device say.
func (p softPasskey) make(token string, question reply, lie func(*ceremony)) reply {
	p.t.Helper()
	options, _ := question.json["options"].(m)
	user, _ := options["user"].(m)
	name, _ := user["id"].(string)
	handle, err := base64.RawURLEncoding.DecodeString(name)
	if err != nil || len(handle) == 0 {
		p.t.Fatalf("no owner in %s", question.text)
	}
	p.handle = handle
	told := p.told("webauthn.create", question)
	if lie != nil {
		lie(&told)
	}
	return p.h.finishPasskey(token, question, p.made(told))
}

// newPasskey adds a passkey to somebody's account.
func (h *house) newPasskey(token string) softPasskey {
	h.t.Helper()
	p := softPasskey{softKey: newSoftKey(h.t), h: h}
	p.id = want(h.t, p.make(token, want(h.t, h.beginPasskeyOf(token), 200, ""), nil), 200, "").str("id")
	return p
}

func (h *house) askForPasskey() reply {
	return h.post("/passkeys/authentication/options", m{"gotrue_meta_security": m{}})
}

func (h *house) signInWith(question reply, credential m) reply {
	return h.post("/passkeys/authentication/verify", m{"challenge_id": question.str("challenge_id"), "credential": credential})
}

// signIn signs in, after lie has changed what browser and device say.
func (p softPasskey) signIn(lie func(*ceremony)) reply {
	p.t.Helper()
	question := want(p.h.t, p.h.askForPasskey(), 200, "")
	told := p.told("webauthn.get", question)
	if lie != nil {
		lie(&told)
	}
	return p.h.signInWith(question, p.signed(told))
}

// passkeyNames lists the passkeys of an answer.
func passkeyNames(got reply) (names []string) {
	var all []Passkey
	if json.Unmarshal([]byte(got.text), &all) != nil {
		return []string{"no list: " + got.text}
	}
	for _, one := range all {
		names = append(names, one.FriendlyName)
	}
	slices.Sort(names)
	return names
}
