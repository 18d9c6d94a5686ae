package auth

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

func TestEachCheckOfAPasskeysAnswer(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		ada := h.signedUp("ada@example.com")
		p := h.newPasskey(ada.str("access_token"))
		want(t, p.signIn(nil), 200, "")
		sessions := h.count("select count(*) from sessions")
		tries := map[string]func(*ceremony){
			"no finger, face or number": func(c *ceremony) { c.flags &^= userVerified },
			"meant for a registration":  func(c *ceremony) { c.kind = "webauthn.create" },
			"became backupable":         func(c *ceremony) { c.flags |= backupable },
			"counter standing still":    func(c *ceremony) { c.counter = 2 },
			"counter of a copy":         func(c *ceremony) { c.counter = 1 },
			"counter begun again":       func(c *ceremony) { c.counter = 0 },
			"one bit of the signature":  func(c *ceremony) { c.signed = func(s []byte) []byte { s[len(s)-1] ^= 1; return s } },
			"no signature":              func(c *ceremony) { c.signed = func([]byte) []byte { return nil } },
		}
		maps.Copy(tries, lies)
		said := map[string]bool{}
		for name, lie := range tries {
			got := p.signIn(lie)
			if got.status != 400 || got.code() != "webauthn_verification_failed" {
				t.Errorf("%s: %d %s", name, got.status, got.text)
			}
			said[got.text] = true
		}
		// Nobody's passkey, another one under this one's name, this one under another name, one that names somebody else or nobody.
		impostor := func(change func(*softPasskey)) {
			t.Helper()
			other := softPasskey{softKey: newSoftKey(t), h: h}
			other.counter, other.handle = 100, p.handle
			change(&other)
			said[want(t, other.signIn(nil), 400, "webauthn_verification_failed").text] = true
		}
		bob := h.signedUp("bob@example.com")
		impostor(func(*softPasskey) {})
		impostor(func(o *softPasskey) { o.softKey.id = p.softKey.id })
		impostor(func(o *softPasskey) { o.private = p.private })
		theirs := func(o *softPasskey) { o.private, o.softKey.id = p.private, p.softKey.id }
		impostor(func(o *softPasskey) { theirs(o); o.handle = passkeyHandle(bob.str("user", "id")) })
		impostor(func(o *softPasskey) { theirs(o); o.handle = []byte(ada.str("user", "id")) })
		impostor(func(o *softPasskey) { theirs(o); o.handle = nil })
		if len(said) != 1 {
			t.Errorf("refusals differ, which tells who has a passkey: %q", slices.Collect(maps.Keys(said)))
		}
		if n := h.count("select count(*) from sessions") - sessions; n != 1 { // Bob's
			t.Errorf("%d sessions were opened", n)
		}
		if n := h.count("select sum(times) from audit_entries where action = 'session.try' and subject = 'passkey' and result <> 'ok'"); n != len(tries)+6 {
			t.Errorf("%d tries are in the trail, not %d", n, len(tries)+6)
		}
		want(t, p.signIn(nil), 200, "")
	})
}

func TestEachCheckOfANewPasskey(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		p := softPasskey{softKey: newSoftKey(t), h: h}
		tries := maps.Clone(lies)
		tries["no finger, face or number"] = func(c *ceremony) { c.flags &^= userVerified }
		tries["meant for a sign-in"] = func(c *ceremony) { c.kind = "webauthn.get" }
		for name, lie := range tries {
			if got := p.make(token, want(t, h.beginPasskeyOf(token), 200, ""), lie); got.status != 400 || got.code() != "webauthn_verification_failed" {
				t.Errorf("%s: %d %s", name, got.status, got.text)
			}
		}
		question := want(t, h.beginPasskeyOf(token), 200, "")
		want(t, p.make(token, question, nil), 200, "")
		want(t, p.make(token, question, nil), 400, "webauthn_challenge_not_found")
		// One passkey is on one account, and there once; its device is told which it has.
		bob := h.signedUp("bob@example.com").str("access_token")
		for _, one := range []string{token, bob} {
			want(t, p.make(one, want(t, h.beginPasskeyOf(one), 200, ""), nil), 422, "webauthn_credential_exists")
		}
		excluded := want(t, h.beginPasskeyOf(token), 200, "").json["options"].(m)["excludeCredentials"].([]any)
		if len(excluded) != 1 || excluded[0].(m)["id"] != base64url(p.softKey.id) {
			t.Errorf("excluded: %v", excluded)
		}
		if n := h.count("select count(*) from passkeys"); n != 1 {
			t.Errorf("%d passkeys are kept", n)
		}
		// A security key's second step and a passkey of one phone do not take each other's place.
		strong := want(t, h.enrolKey(token, "phone").verify(token), 200, "")
		if named := passkeyHandle(strong.str("user", "id")); bytes.Equal(named, []byte(strong.str("user", "id"))) {
			t.Errorf("a passkey names its owner as a security key does: %s", named)
		}
	})
}

func TestAQuestionToAPasskeyIsAnsweredInTimeByItsOwnerAndInForm(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		token := h.signedUp("ada@example.com").str("access_token")
		p := h.newPasskey(token)
		old := want(t, h.askForPasskey(), 200, "")
		h.clock.Advance(questionLife - time.Second)
		want(t, h.signInWith(old, p.signed(p.told("webauthn.get", old))), 200, "")
		old, begun := want(t, h.askForPasskey(), 200, ""), want(t, h.beginPasskeyOf(token), 200, "")
		h.clock.Advance(questionLife)
		want(t, h.signInWith(old, p.signed(p.told("webauthn.get", old))), 400, "webauthn_challenge_expired")
		want(t, softPasskey{softKey: newSoftKey(t), h: h}.make(token, begun, nil), 400, "webauthn_challenge_expired")

		// A wrong answer uses its question up, and what was good once is not good twice.
		question := want(t, h.askForPasskey(), 200, "")
		told := p.told("webauthn.get", question)
		told.origin = "https://evil.example"
		want(t, h.signInWith(question, p.signed(told)), 400, "webauthn_verification_failed")
		want(t, h.signInWith(question, p.signed(p.told("webauthn.get", question))), 400, "webauthn_challenge_not_found")
		question = want(t, h.askForPasskey(), 200, "")
		good := p.signed(p.told("webauthn.get", question))
		token = want(t, h.signInWith(question, good), 200, "").str("access_token")
		want(t, h.signInWith(question, good), 400, "webauthn_challenge_not_found")
		want(t, h.signInWith(want(t, h.askForPasskey(), 200, ""), good), 400, "webauthn_verification_failed")

		// Another person's question, another session's, and one for the other purpose.
		bob := h.signedUp("bob@example.com").str("access_token")
		question = want(t, h.beginPasskeyOf(token), 200, "")
		fresh := softPasskey{softKey: newSoftKey(t), h: h}
		want(t, fresh.make(bob, question, nil), 400, "webauthn_challenge_not_found")
		want(t, fresh.make(want(t, h.signIn("ada@example.com", password), 200, "").str("access_token"), question, nil), 400, "webauthn_challenge_not_found")
		want(t, h.signInWith(question, p.signed(p.told("webauthn.get", question))), 400, "webauthn_challenge_not_found")
		asked := want(t, h.askForPasskey(), 200, "")
		want(t, h.finishPasskey(token, asked, fresh.made(fresh.told("webauthn.create", asked))), 400, "webauthn_challenge_not_found")
		want(t, fresh.make(token, question, nil), 200, "")
		// A session has one question at a time, and takes it along.
		question = want(t, h.beginPasskeyOf(token), 200, "")
		newer := want(t, h.beginPasskeyOf(token), 200, "")
		want(t, softPasskey{softKey: newSoftKey(t), h: h}.make(token, question, nil), 400, "webauthn_challenge_not_found")
		want(t, h.logout(token, "?scope=local"), 204, "")
		if n := h.count("select count(*) from passkey_challenges where id = $1", newer.str("challenge_id")); n != 0 {
			t.Error("the question outlives its session")
		}

		for _, body := range []m{{}, {"challenge_id": "x", "credential": good}, {"challenge_id": asked.str("challenge_id")}, {"challenge_id": asked.str("challenge_id"), "credential": nil}} {
			want(t, h.post("/passkeys/authentication/verify", body), 400, "validation_failed")
		}
		long := maps.Clone(good)
		long["padding"] = strings.Repeat("A", mostAnswer)
		for _, bad := range []m{{}, {"id": "x", "rawId": "y", "type": "public-key"}, long} {
			want(t, h.signInWith(asked, bad), 400, "webauthn_verification_failed")
		}
		want(t, h.withToken("POST", "/passkeys/registration/options", "", m{}), 401, "no_authorization")
	})
}

func TestAPasskeysAnswerWorksOnceOverAllInstances(t *testing.T) {
	t.Parallel()
	eachPair(t, nil, func(t *testing.T, pair [2]*house) {
		p := pair[0].newPasskey(pair[0].signedUp("ada@example.com").str("access_token"))
		for _, counts := range []bool{true, false} {
			// The question comes from one instance, and passkeys that are synced never count.
			question := want(t, pair[1].askForPasskey(), 200, "")
			told := p.told("webauthn.get", question)
			if !counts {
				pair[0].exec("update passkeys set sign_count = 0")
				told.counter = 0
			}
			signed := p.signed(told)
			good, others := fifty(pair, func(h *house, _ int) reply { return h.signInWith(question, signed) }, accepted)
			if good != 1 || others["400 webauthn_challenge_not_found"] != 49 {
				t.Errorf("of fifty uses of one answer %d went through, the others got %v", good, others)
			}
		}
	})
}

func TestACopiedPasskeyIsRefusedOverAllInstances(t *testing.T) {
	t.Parallel()
	eachPair(t, nil, func(t *testing.T, pair [2]*house) {
		p := pair[0].newPasskey(pair[0].signedUp("ada@example.com").str("access_token"))
		// Fifty questions, answered with one and the same counter.
		var questions []reply
		for range 50 {
			questions = append(questions, want(t, pair[0].askForPasskey(), 200, ""))
		}
		answers := make([]m, len(questions))
		for i, question := range questions {
			told := p.told("webauthn.get", question)
			told.counter = 7
			answers[i] = p.signed(told)
		}
		good, others := fifty(pair, func(h *house, i int) reply { return h.signInWith(questions[i], answers[i]) }, accepted)
		if good != 1 || others["400 webauthn_verification_failed"] != 49 {
			t.Errorf("of fifty copies %d came in, the others got %v", good, others)
		}
	})
}

func TestTenPasskeysAreTheMostUnderConcurrency(t *testing.T) {
	t.Parallel()
	eachPair(t, nil, func(t *testing.T, pair [2]*house) {
		token := pair[0].signedUp("ada@example.com").str("access_token")
		for range mostPasskeys - 1 {
			pair[0].newPasskey(token)
		}
		tokens, questions, made := make([]string, 50), make([]reply, 50), make([]m, 50)
		for i := range tokens {
			tokens[i] = want(t, pair[0].signIn("ada@example.com", password), 200, "").str("access_token")
			questions[i] = want(t, pair[i%2].beginPasskeyOf(tokens[i]), 200, "")
			p := softPasskey{softKey: newSoftKey(t), h: pair[0]}
			made[i] = p.made(p.told("webauthn.create", questions[i]))
		}
		good, others := fifty(pair, func(h *house, i int) reply { return h.finishPasskey(tokens[i], questions[i], made[i]) }, accepted)
		if good != 1 || others["422 too_many_passkeys"] != 49 {
			t.Errorf("%d of fifty tenth passkeys were kept, the others got %v", good, others)
		}
	})
}

func TestTheOldestQuestionsToPasskeysGiveWay(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		fill := func(from, to int) {
			made := fmt.Sprintf("with recursive n (i) as (select %d union all select i + 1 from n where i < %d) ", from, to) +
				"select '00000000-0000-4000-8000-' || substr('00000000000' || cast(i as text), -12), 'request', 'x', $1, $1 from n"
			if h.DB.Engine == db.Postgres {
				made = fmt.Sprintf("select gen_random_uuid(), 'request', 'x', $1, $1 from generate_series(%d, %d)", from, to)
			}
			h.exec("insert into passkey_challenges (id, kind, nonce, created_at, expires_at) "+made, db.At(h.clock.Now().Add(time.Minute)))
		}
		waiting := func(most int) {
			t.Helper()
			if n := h.count("select count(*) from passkey_challenges"); n > most {
				t.Errorf("%d questions wait", n)
			}
		}
		fill(1, mostPasskeyQuestions+2*passkeyQuestionsLook)
		want(t, h.askForPasskey(), 200, "") // the first after a start looks
		waiting(mostPasskeyQuestions + 1)
		for range passkeyQuestionsLook {
			want(t, h.askForPasskey(), 200, "")
		}
		waiting(mostPasskeyQuestions + 1)
		if n := h.count("select count(*) from passkey_challenges where nonce <> 'x'"); n != passkeyQuestionsLook+1 {
			t.Errorf("%d of the newest are left", n)
		}
		// Who asks does not wait for all of them to be sorted.
		dbtest.Searches(t, h.DB, dropOldest, 200, mostPasskeyQuestions)
		plan := h.plan(dropOldest, 200, mostPasskeyQuestions)
		if strings.Contains(plan, "Sort") || strings.Contains(plan, "TEMP B-TREE") || !strings.Contains(plan, "passkey_challenges_session_id_idx") {
			t.Errorf("the oldest are found by sorting: %s", plan)
		}
	})
}

// plan tells how the database would answer.
func (h *house) plan(query string, args ...any) (plan string) {
	h.t.Helper()
	explain := "explain query plan "
	err := h.DB.Write(h.t.Context(), func(ctx context.Context, tx *db.Tx) error {
		if h.DB.Engine == db.Postgres {
			explain = "explain "
			// A table without statistics looks small enough to sort; the question is whether it has to be.
			if _, err := tx.Exec(ctx, "set local enable_sort = off"); err != nil {
				return err
			}
		}
		steps, err := db.Maps(ctx, tx, explain+query, args...)
		plan = fmt.Sprint(steps)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return plan
}
