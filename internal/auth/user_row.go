package auth

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"greenroom/internal/key"
	"greenroom/internal/platform/db"
)

// A user is read with the identities in one statement, a row for each, because an account is read at every sign-in and
// refresh. Few have second steps: whether there are any is in the row, and they are a statement of their own.
const (
	userFields = `u.id, u.email, u.password_hash, u.email_confirmed_at, u.email_proven_at, u.several_sign_ups, u.invited_at,
			u.confirmation_sent_at, u.recovery_sent_at, u.new_email, u.email_change_sent_at, u.reauthentication_sent_at, u.last_sign_in_at,
			u.app_metadata, u.user_metadata, u.is_anonymous, u.banned_until, u.created_at, u.updated_at,
			exists (select 1 from mfa_factors f where f.user_id = u.id),
			i.id, i.provider, i.provider_id, i.identity_data, i.last_sign_in_at, i.created_at, i.updated_at`
	userFrom    = "select " + userFields + " from users u left join identities i on i.user_id = u.id where "
	userByID    = userFrom + "u.id = $1 order by i.created_at, i.id"
	userByEmail = userFrom + "u.email = $1 order by i.created_at, i.id"
	userByToken = "select s.id, s.refreshed_at, " + userFields + `
		from refresh_tokens t join sessions s on s.id = t.session_id join users u on u.id = s.user_id
		left join identities i on i.user_id = u.id where t.token_hash = $1 order by i.created_at, i.id`
)

// userReader makes a user of the rows of userFields.
type userReader struct {
	row  userRow
	user *User
}

// each takes one row.
func (r *userReader) each(scan func(into ...any) error) (err error) {
	if err := scan(r.row.into()...); err != nil {
		return err
	}
	if r.user == nil {
		if r.user, err = r.row.read(); err != nil {
			return err
		}
	}
	return r.row.addIdentity(r.user)
}

// finish gives the user with second steps, or sql.ErrNoRows.
func (r *userReader) finish(ctx context.Context, tx *db.Tx) (*User, error) {
	if r.user == nil {
		return nil, sql.ErrNoRows
	}
	var err error
	if r.row.factors {
		r.user.Factors, err = factorsOf(ctx, tx, r.user.ID)
	}
	return r.user, err
}

// userRow is a row of userFields.
type userRow struct {
	user                                                              User
	email, hash, newEmail                                             sql.NullString
	app, data                                                         string
	confirmed, proven, invited, confirmSent, recoverySent, changeSent db.Time
	reauthSent, signedIn, banned, created, updated                    db.Time
	factors                                                           bool
	identityID, provider, providerID, identityData                    sql.NullString
	identitySignedIn, identityCreated, identityUpdated                db.Time
}

func (r *userRow) into() []any {
	u := &r.user
	return []any{
		&u.ID, &r.email, &r.hash, &r.confirmed, &r.proven, &u.several, &r.invited, &r.confirmSent, &r.recoverySent, &r.newEmail,
		&r.changeSent, &r.reauthSent, &r.signedIn, &r.app, &r.data, &u.IsAnonymous, &r.banned, &r.created, &r.updated, &r.factors,
		&r.identityID, &r.provider, &r.providerID, &r.identityData, &r.identitySignedIn, &r.identityCreated, &r.identityUpdated,
	}
}

// read gives the user without identities and factors.
func (r *userRow) read() (*User, error) {
	u := r.user
	u.Aud, u.Role, u.Identities = key.Audience, key.Audience, []Identity{}
	if err := errors.Join(json.Unmarshal([]byte(r.app), &u.AppMetadata), json.Unmarshal([]byte(r.data), &u.UserMetadata)); err != nil {
		return nil, fmt.Errorf("metadata of user %s: %w", u.ID, err)
	}
	u.Email, u.passwordHash, u.NewEmail = r.email.String, r.hash.String, r.newEmail.String
	u.EmailConfirmedAt, u.ConfirmedAt, u.InvitedAt = r.confirmed.Time, r.confirmed.Time, r.invited.Time
	u.ConfirmationSentAt, u.RecoverySentAt, u.EmailChangeSentAt = r.confirmSent.Time, r.recoverySent.Time, r.changeSent.Time
	u.ReauthenticationSentAt, u.LastSignInAt, u.BannedUntil = r.reauthSent.Time, r.signedIn.Time, r.banned.Time
	u.provenAt, u.CreatedAt, u.UpdatedAt = r.proven.Time, r.created.Time, r.updated.Time
	return &u, nil
}

// addIdentity adds the row's identity, if it has one.
func (r *userRow) addIdentity(u *User) error {
	if !r.identityID.Valid {
		return nil
	}
	one := Identity{
		IdentityID: r.identityID.String, UserID: u.ID, Provider: r.provider.String, ID: r.providerID.String,
		LastSignInAt: r.identitySignedIn.Time, CreatedAt: r.identityCreated.Time, UpdatedAt: r.identityUpdated.Time,
	}
	if err := json.Unmarshal([]byte(r.identityData.String), &one.IdentityData); err != nil {
		return fmt.Errorf("identity %s: %w", one.IdentityID, err)
	}
	_ = json.Unmarshal(one.IdentityData["email"], &one.Email)
	u.Identities = append(u.Identities, one)
	return nil
}
