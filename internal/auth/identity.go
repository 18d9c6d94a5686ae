package auth

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"greenroom/internal/audit"
	"greenroom/internal/mail"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// identify finds the account behind a provider's profile: the one that it is connected with, the caller's own when
// they asked to connect it, the one with the same address if the provider has verified that, or a new one.
func (s *Service) identify(ctx context.Context, tx *db.Tx, provider string, p profile, linkTo string, from origin) (*User, error) {
	var owner string
	err := tx.QueryRow(ctx, "select user_id from identities where provider = $1 and provider_id = $2", provider, p.subject).Scan(&owner)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	if linkTo != "" && owner != "" && owner != linkTo {
		return nil, refuse(422, "identity_already_exists", "Identity is already linked to another user")
	}
	if owner == "" {
		if owner, err = s.welcome(ctx, tx, provider, p, linkTo, from); err != nil {
			return nil, err
		}
	}
	if err := holdUser(ctx, tx, owner); err != nil {
		return nil, err
	}
	data, err := json.Marshal(p.data)
	if err != nil {
		return nil, err
	}
	_, err = tx.Exec(ctx, "update identities set identity_data = $3, last_sign_in_at = $4, updated_at = $4 where provider = $1 and provider_id = $2",
		provider, p.subject, string(data), db.At(tx.Now))
	if err != nil {
		return nil, err
	}
	u, err := userBy(ctx, tx, "id", owner)
	if err != nil {
		return nil, err
	}
	if u.banned(tx.Now) {
		return nil, refuse(403, "user_banned", "User is banned")
	}
	if linkTo != "" || !p.verified || p.email != u.Email {
		return u, nil
	}
	if err := s.prove(ctx, tx, u, evidence{by: provider}, from); err != nil {
		return nil, err
	}
	return userBy(ctx, tx, "id", owner)
}

// welcome connects a profile that is new here, and gives its user.
func (s *Service) welcome(ctx context.Context, tx *db.Tx, provider string, p profile, linkTo string, from origin) (string, error) {
	one := Identity{IdentityID: id.New(), ID: p.subject, IdentityData: p.data, Provider: provider, LastSignInAt: tx.Now, CreatedAt: tx.Now, UpdatedAt: tx.Now}
	if linkTo != "" {
		if err := s.attach(ctx, tx, linkTo, one, from); err != nil {
			return "", err
		}
		return linkTo, s.knowGuest(ctx, tx, linkTo, p)
	}
	if p.email == "" || !p.verified {
		// Whoever can name an address at a provider does not own it.
		return "", refuse(422, "provider_email_needs_verification", "Unverified email with "+provider+". Please verify the email with the provider first.")
	}
	u, err := found(userBy(ctx, tx, "email", p.email))
	if err != nil {
		return "", err
	}
	if u != nil {
		return u.ID, s.attach(ctx, tx, u.ID, one, from)
	}
	u = newUser(p.email, p.data, tx.Now, true)
	one.UserID, u.provenAt = u.ID, tx.Now
	u.Identities = []Identity{one}
	u.AppMetadata.set("provider", provider)
	u.AppMetadata.set("providers", []string{provider})
	added, err := addUser(ctx, tx, u)
	if err != nil || !added {
		return "", orExists(err)
	}
	return u.ID, audit.Record(ctx, tx, from.entry(u.ID, "user.sign_up", p.email, audit.OK))
}

func (s *Service) attach(ctx context.Context, tx *db.Tx, user string, one Identity, from origin) error {
	if err := holdUser(ctx, tx, user); err != nil {
		return err
	}
	one.UserID = user
	if err := addIdentity(ctx, tx, one); err != nil {
		if db.Violates(err, db.Unique) {
			return refuse(422, "identity_already_exists", "Identity is already linked")
		}
		return err
	}
	if err := audit.Record(ctx, tx, from.entry(user, "identity.connect", one.Provider, audit.OK)); err != nil {
		return err
	}
	u, err := userBy(ctx, tx, "id", user)
	if err != nil {
		return err
	}
	if err := s.tell(ctx, tx, u, mail.IdentityConnected{To: u.Email, Provider: one.Provider}); err != nil {
		return err
	}
	return storeProviders(ctx, tx, user)
}

// tell lets the owner know by letter, if there is an address to write to.
func (s *Service) tell(ctx context.Context, tx *db.Tx, u *User, letter mail.Letter) error {
	if u.Email == "" {
		return nil
	}
	return s.Enqueue(ctx, tx, letter)
}

// storeProviders writes the list of ways in where the contract repeats it.
func storeProviders(ctx context.Context, tx *db.Tx, user string) error {
	u, err := userBy(ctx, tx, "id", user)
	if err != nil {
		return err
	}
	var names []string
	for _, one := range u.Identities {
		if !slices.Contains(names, one.Provider) {
			names = append(names, one.Provider)
		}
	}
	u.AppMetadata.set("provider", names[0])
	u.AppMetadata.set("providers", names)
	app, _, err := u.metadataText()
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "update users set app_metadata = $2 where id = $1", user, app)
	return err
}

// mayChangeWaysIn asks for the second step: whoever came in by a password alone must not leave a door of their own open,
// nor shut the owner's. For the same reason it takes somebody who has just shown who they are.
func (c caller) mayChangeWaysIn(now time.Time) error {
	if c.user.guarded() && !c.session.strong() {
		return refuse(403, "insufficient_aal", "AAL2 session is required to change the ways to sign in when MFA is enabled.")
	}
	return c.sure(now)
}

// disconnect takes one of several ways in away.
func (s *Service) disconnect(w http.ResponseWriter, r *http.Request) error {
	c, err := s.caller(r)
	if err != nil {
		return err
	}
	wanted, ok := id.Parse(r.PathValue("id"))
	if !ok {
		return refuse(404, "validation_failed", "identity_id must be an UUID")
	}
	from := originOf(r)
	err = s.write(r.Context(), func(ctx context.Context, tx *db.Tx) error {
		now, err := recall(ctx, tx, c)
		if err != nil {
			return err
		}
		if err := now.mayChangeWaysIn(tx.Now); err != nil {
			return err
		}
		at := slices.IndexFunc(now.user.Identities, func(one Identity) bool { return one.IdentityID == wanted })
		switch {
		case at < 0:
			return refuse(422, "identity_not_found", "Identity doesn't exist")
		case len(now.user.Identities) < 2:
			return refuse(422, "single_identity_not_deletable", "User must have at least 1 identity after unlinking")
		}
		if _, err := tx.Exec(ctx, "delete from identities where id = $1", wanted); err != nil {
			return err
		}
		if now.user.Identities[at].Provider == "email" {
			if _, err := tx.Exec(ctx, "update users set password_hash = null where id = $1", now.user.ID); err != nil {
				return err
			}
		}
		if err := audit.Record(ctx, tx, from.entry(now.user.ID, "identity.disconnect", now.user.Identities[at].Provider, audit.OK)); err != nil {
			return err
		}
		if err := s.tell(ctx, tx, now.user, mail.IdentityDisconnected{To: now.user.Email, Provider: now.user.Identities[at].Provider}); err != nil {
			return err
		}
		return storeProviders(ctx, tx, now.user.ID)
	})
	if err != nil {
		return err
	}
	return empty(w)
}
