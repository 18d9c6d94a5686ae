package auth

import (
	"context"
	"testing"

	"greenroom/internal/audit"
	"greenroom/internal/auth/authtest"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/migrations"
)

// TestWhatWasProvenBeforeTheColumnIsKnown takes an installation back to the schema before it, and forward again.
func TestWhatWasProvenBeforeTheColumnIsKnown(t *testing.T) {
	t.Parallel()
	withProvider(t, func(t *testing.T, h *house, o *authtest.Provider) {
		h.IsService = func(token string) bool { return token == serviceKey }
		h.signedUp("nobody@example.com")
		h.signedUp("letter@example.com")
		h.post("/recover", m{"email": "letter@example.com"})
		want(t, h.verify("recovery", "letter@example.com", last[mail.Reset](h).Code), 200, "")
		o.Person = m{"sub": "1", "email": "provider@example.com", "email_verified": true}
		h.arrive(h.depart(o, ""))
		// Connected, verified, and of another address that a pattern would take for the same.
		o.Person = m{"sub": "2", "email": "oxher@example.com", "email_verified": true, "name": `"email":"o_her@example.com"`}
		token := h.signedUp("o_her@example.com").str("access_token")
		want(t, h.withToken("POST", "/token?grant_type=id_token", token, m{"provider": "acme", "id_token": o.Token(""), "link_identity": true}), 200, "")
		want(t, h.operate("POST", "/admin/users", m{"email": "vouched@example.com", "password": password, "email_confirm": true}), 200, "")
		want(t, h.operate("POST", "/admin/users", m{"email": "made@example.com", "password": password}), 200, "")
		h.ConfirmEmail = true
		letter := h.signUpWith("waits@example.com", owners)

		err := h.DB.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			for _, back := range []string{
				"update users set password_hash = (select s.password_hash from sign_ups s where s.address = users.email) where email = 'waits@example.com'",
				"alter table users drop column email_proven_at",
				"drop table sign_ups",
				"delete from schema_migrations where name = '0019_proof'",
			} {
				if _, err := tx.Exec(ctx, back); err != nil {
					return err
				}
			}
			return audit.Record(ctx, tx, audit.Entry{Action: "letter.open", Subject: "nobody@example.com", Result: audit.OK})
		})
		if err != nil {
			t.Fatal(err)
		}
		if applied, err := h.DB.Migrate(t.Context(), migrations.Files); err != nil || len(applied) != 1 {
			t.Fatal(applied, err)
		}
		for email, is := range map[string]int{
			"nobody@example.com": 0, "letter@example.com": 1, "provider@example.com": 1, "o_her@example.com": 0,
			"vouched@example.com": 1, "made@example.com": 0, "waits@example.com": 0,
		} {
			if n := h.count("select count(*) from users where email = $1 and email_proven_at is not null", email); n != is {
				t.Errorf("%s: %d", email, n)
			}
		}
		want(t, h.signIn("waits@example.com", owners), 400, "email_not_confirmed")
		h.follow(letter.Link)
		want(t, h.signIn("waits@example.com", owners), 200, "")
		want(t, h.signIn("made@example.com", password), 400, "email_not_confirmed")
	})
}

// TestWhoAgreedBeforeTheColumnIsKnown takes an installation back in the middle of changes of address, and forward again.
func TestWhoAgreedBeforeTheColumnIsKnown(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, h *house) {
		letters := map[string][2]string{}
		for _, name := range []string{"old", "new", "unknown"} {
			want(t, h.put(h.signedUp(name+"@example.com").str("access_token"), m{"email": name + "@example.org"}), 200, "")
			letters[name] = [2]string{last[mail.EmailChangeOld](h).Link, last[mail.EmailChangeNew](h).Link}
		}
		h.follow(letters["old"][0])
		h.follow(letters["new"][1])
		h.exec("update users set email_change_confirmed_at = created_at where email = 'unknown@example.com'")
		h.exec("alter table users drop column email_change_confirmed_by")
		h.exec("delete from schema_migrations where name = '0046_agreed_by'")
		if applied, err := h.DB.Migrate(t.Context(), migrations.Files); err != nil || len(applied) != 1 {
			t.Fatal(applied, err)
		}
		changed := func(name string) bool {
			return h.count("select count(*) from users where email = $1", name+"@example.org") == 1
		}
		h.follow(letters["old"][1])
		h.follow(letters["new"][0])
		h.follow(letters["unknown"][0])
		if !changed("old") || !changed("new") || changed("unknown") {
			t.Error("who had agreed is mistaken")
		}
		if h.follow(letters["unknown"][1]); !changed("unknown") {
			t.Error("both agreed, and the address is the old one")
		}
	})
}
