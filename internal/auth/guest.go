package auth

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"greenroom/internal/audit"
	"greenroom/internal/key"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/limit"
)

// newGuest is somebody without a name, not stored yet: whoever holds the session is all that is known of them.
func newGuest(data metadata, now time.Time) *User {
	u := &User{
		ID: id.New(), Aud: key.Audience, Role: key.Audience, AppMetadata: metadata{}, UserMetadata: metadata{},
		Identities: []Identity{}, CreatedAt: now, UpdatedAt: now, IsAnonymous: true,
	}
	maps.Copy(u.UserMetadata, data)
	return u
}

// signUpAsGuest opens an account for somebody who gives no address, where the operator allows it.
func (s *Service) signUpAsGuest(w http.ResponseWriter, r *http.Request, data metadata) error {
	if !s.Guests {
		return refuse(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")
	}
	if err := data.check(); err != nil {
		return err
	}
	from := originOf(r)
	if err := s.Limits.Allow(r.Context(), limit.GuestPerAddress.By(from.address)); err != nil {
		return err
	}
	var got issued
	err := s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		u := newGuest(data, tx.Now)
		if _, err := addUser(ctx, tx, u); err != nil {
			return err
		}
		if err := audit.Record(ctx, tx, from.entry(u.ID, "user.sign_up", "guest", audit.OK)); err != nil {
			return err
		}
		var err error
		got, err = openSession(ctx, tx, u, "anonymous", from)
		return err
	})
	if err != nil {
		return err
	}
	return s.answer(w, r, got, nil)
}

var errGuest = refuse(403, "no_authorization", "Anonymous user not allowed to perform these actions")

// nameGuest makes a guest, or who came by a provider alone, the holder of an address: what they kept stays
// theirs, and from now on they can come back by it. proven is when they showed that the address is theirs; zero where
// that is not asked for.
func (s *Service) nameGuest(ctx context.Context, tx *db.Tx, u *User, email string, proven time.Time) error {
	_, err := tx.Exec(ctx, `update users set email = $2, email_confirmed_at = $3, email_proven_at = $4, new_email = null, email_change_sent_at = null,
		email_change_confirmed_at = null, is_anonymous = false, updated_at = $3 where id = $1`, u.ID, email, db.At(tx.Now), db.At(proven))
	if db.Violates(err, db.Unique) {
		return errEmailExists
	}
	if err != nil {
		return err
	}
	u.Email, u.NewEmail, u.IsAnonymous = email, "", false
	tx.AfterCommit(func() { s.forget(u.ID) })
	if !slices.ContainsFunc(u.Identities, func(one Identity) bool { return one.Provider == "email" }) {
		err := addIdentity(ctx, tx, Identity{
			IdentityID: id.New(), ID: u.ID, UserID: u.ID, IdentityData: metadata{}, Provider: "email",
			LastSignInAt: tx.Now, CreatedAt: tx.Now, UpdatedAt: tx.Now,
		})
		if err != nil {
			return err
		}
	}
	for name, value := range map[string]any{"email": email, "email_verified": true, "phone_verified": false, "sub": u.ID} {
		u.UserMetadata.set(name, value)
	}
	if err := u.storeAddress(ctx, tx); err != nil {
		return err
	}
	return storeProviders(ctx, tx, u.ID)
}

// knowGuest is for a guest who connected a way in: they have a name now, and the address that the provider verified.
func (s *Service) knowGuest(ctx context.Context, tx *db.Tx, user string, p profile) error {
	u, err := userBy(ctx, tx, "id", user)
	if err != nil || !u.IsAnonymous {
		return err
	}
	var email, confirmed any
	if p.verified && p.email != "" {
		email, confirmed = p.email, db.At(tx.Now)
	}
	_, err = tx.Exec(ctx, `update users set email = $2, email_confirmed_at = $3, email_proven_at = $3, new_email = null, email_change_sent_at = null,
		email_change_confirmed_at = null, is_anonymous = false where id = $1`, user, email, confirmed)
	if db.Violates(err, db.Unique) {
		return errEmailExists
	}
	tx.AfterCommit(func() { s.forget(user) })
	return err
}
