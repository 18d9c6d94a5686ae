// Package accounttest puts people and sessions into a test's database and mints their tokens, for tests whose
// subject is not signing in.
package accounttest

import (
	"context"
	"testing"
	"time"

	"greenroom/internal/key"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// Person is somebody with an account and a session.
type Person struct {
	ID, Email, SessionID string
}

// Add makes a person with a session, whose address is proven.
func Add(t testing.TB, d *db.DB, email string) Person {
	t.Helper()
	p := Person{ID: id.New(), Email: email, SessionID: id.New()}
	err := d.Write(context.Background(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, `insert into users (id, email, email_confirmed_at, email_proven_at, app_metadata, user_metadata, created_at, updated_at)
			values ($1, $2, $3, $3, '{}', '{}', $3, $3)`, p.ID, email, db.At(tx.Now))
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `insert into sessions (id, user_id, aal, amr, user_agent, address, created_at, refreshed_at)
			values ($1, $2, 'aal1', '[]', '', '', $3, $3)`, p.SessionID, p.ID, db.At(tx.Now))
		return err
	})
	if err != nil {
		t.Fatalf("add %s: %v", email, err)
	}
	return p
}

// Token mints an access token for a person's session.
func Token(t testing.TB, keys *key.Set, issuer string, p Person, now time.Time) string {
	t.Helper()
	token, err := keys.Sign(key.Claims{
		Issuer: issuer, Subject: p.ID, Audience: key.Audience, Role: "authenticated", Email: p.Email,
		SessionID: p.SessionID, AAL: "aal1", IssuedAt: now.Unix(), Expires: now.Add(time.Hour).Unix(),
	})
	if err != nil {
		t.Fatalf("mint a token: %v", err)
	}
	return token
}
