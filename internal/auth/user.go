package auth

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"greenroom/internal/key"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// metadata is a JSON object whose values are kept as they were given.
type metadata map[string]json.RawMessage

// User is an account as the contract shows it.
type User struct {
	ID                     string     `json:"id"`
	Aud                    string     `json:"aud"`
	Role                   string     `json:"role"`
	Email                  string     `json:"email"`
	EmailConfirmedAt       time.Time  `json:"email_confirmed_at,omitzero"`
	InvitedAt              time.Time  `json:"invited_at,omitzero"`
	Phone                  string     `json:"phone"`
	ConfirmationSentAt     time.Time  `json:"confirmation_sent_at,omitzero"`
	ConfirmedAt            time.Time  `json:"confirmed_at,omitzero"`
	RecoverySentAt         time.Time  `json:"recovery_sent_at,omitzero"`
	NewEmail               string     `json:"new_email,omitempty"`
	EmailChangeSentAt      time.Time  `json:"email_change_sent_at,omitzero"`
	ReauthenticationSentAt time.Time  `json:"reauthentication_sent_at,omitzero"`
	LastSignInAt           time.Time  `json:"last_sign_in_at,omitzero"`
	AppMetadata            metadata   `json:"app_metadata"`
	UserMetadata           metadata   `json:"user_metadata"`
	Factors                []Factor   `json:"factors,omitempty"`
	Identities             []Identity `json:"identities"`
	CreatedAt              time.Time  `json:"created_at"`
	UpdatedAt              time.Time  `json:"updated_at"`
	BannedUntil            time.Time  `json:"banned_until,omitzero"`
	IsAnonymous            bool       `json:"is_anonymous"`

	passwordHash string
	// provenAt is when somebody first showed that the address is theirs; zero while nobody has.
	provenAt time.Time
	// several says that more than one password was chosen before a letter was opened; byLink that whoever asked for a
	// sign-in link made the account.
	several, byLink bool
}

// Identity is one way to sign in. The contract swaps the names: identity_id is the row's, id the provider's.
type Identity struct {
	IdentityID   string    `json:"identity_id"`
	ID           string    `json:"id"`
	UserID       string    `json:"user_id"`
	IdentityData metadata  `json:"identity_data"`
	Provider     string    `json:"provider"`
	LastSignInAt time.Time `json:"last_sign_in_at,omitzero"`
	CreatedAt    time.Time `json:"created_at"`
	UpdatedAt    time.Time `json:"updated_at"`
	Email        string    `json:"email,omitempty"`
}

func (u *User) confirmed() bool            { return !u.EmailConfirmedAt.IsZero() }
func (u *User) banned(now time.Time) bool  { return u.BannedUntil.After(now) }
func (u *User) names() (own []string)      { return append(u.UserMetadata.names(), u.Email, u.NewEmail) }
func (m metadata) set(name string, to any) { m[name], _ = json.Marshal(to) }

// renew brings a value up to date that the object has; an operator may have made the user without it.
func (m metadata) renew(name string, to any) {
	if _, there := m[name]; there {
		m.set(name, to)
	}
}

// names are what a person calls themselves, as far as we are told.
func (m metadata) names() []string {
	var found []string
	for _, field := range []string{"name", "full_name", "first_name", "last_name", "display_name", "user_name", "preferred_username", "nickname"} {
		var text string
		if json.Unmarshal(m[field], &text) == nil && text != "" {
			found = append(found, text)
		}
	}
	return found
}

// newUser is somebody who signs up with an address, not stored yet.
func newUser(email string, data metadata, now time.Time, confirmed bool) *User {
	u := &User{
		ID: id.New(), Aud: key.Audience, Role: key.Audience, Email: email,
		AppMetadata: metadata{}, UserMetadata: metadata{}, CreatedAt: now, UpdatedAt: now,
	}
	u.AppMetadata.set("provider", "email")
	u.AppMetadata.set("providers", []string{"email"})
	maps.Copy(u.UserMetadata, data)
	if confirmed {
		u.EmailConfirmedAt, u.ConfirmedAt = now, now
	}
	known := metadata{}
	for name, value := range map[string]any{"email": email, "email_verified": confirmed, "phone_verified": false, "sub": u.ID} {
		u.UserMetadata.set(name, value)
		known.set(name, value)
	}
	u.Identities = []Identity{{
		IdentityID: id.New(), ID: u.ID, UserID: u.ID, IdentityData: known, Provider: "email",
		LastSignInAt: now, CreatedAt: now, UpdatedAt: now, Email: email,
	}}
	return u
}

// addUser stores a new user; false when the address is taken.
func addUser(ctx context.Context, tx *db.Tx, u *User) (bool, error) {
	app, user, err := u.metadataText()
	if err != nil {
		return false, err
	}
	n, err := tx.Exec(ctx, `insert into users
			(id, email, password_hash, email_confirmed_at, email_proven_at, app_metadata, user_metadata, is_anonymous, made_by_link, created_at, updated_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) on conflict (email) do nothing`,
		u.ID, orNull(u.Email), orNull(u.passwordHash), db.At(u.EmailConfirmedAt), db.At(u.provenAt), app, user, u.IsAnonymous, u.byLink, db.At(u.CreatedAt))
	if err != nil || n == 0 {
		return false, err
	}
	for _, one := range u.Identities {
		if err := addIdentity(ctx, tx, one); err != nil {
			return false, err
		}
	}
	return true, nil
}

// orNull is how an absent text is stored.
func orNull(text string) sql.NullString { return sql.NullString{String: text, Valid: text != ""} }

func addIdentity(ctx context.Context, tx *db.Tx, one Identity) error {
	data, err := json.Marshal(one.IdentityData)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `insert into identities (id, user_id, provider, provider_id, identity_data, last_sign_in_at, created_at, updated_at)
		values ($1, $2, $3, $4, $5, $6, $7, $7)`,
		one.IdentityID, one.UserID, one.Provider, one.ID, string(data), db.At(one.LastSignInAt), db.At(one.CreatedAt))
	return err
}

func (u *User) metadataText() (app, user string, err error) {
	appText, err := json.Marshal(u.AppMetadata)
	if err != nil {
		return "", "", err
	}
	userText, err := json.Marshal(u.UserMetadata)
	return string(appText), string(userText), err
}

// userBy reads a user by id or by email, with identities; sql.ErrNoRows when there is none.
func userBy(ctx context.Context, tx *db.Tx, column, value string) (*User, error) {
	var query string
	switch column {
	case "id":
		query = userByID
	case "email":
		query = userByEmail
	default:
		return nil, fmt.Errorf("users are not found by %s", column)
	}
	var found userReader
	if err := db.Each(ctx, tx, query, []any{value}, found.each); err != nil {
		return nil, err
	}
	return found.finish(ctx, tx)
}

// holdUser keeps a user's row until the commit. Whatever changes an account takes this row first, so that no two
// changes wait for each other in a circle.
func holdUser(ctx context.Context, tx *db.Tx, user string) error {
	_, err := tx.Exec(ctx, "update users set updated_at = updated_at where id = $1", user)
	return err
}

// heldBy takes the row of an address's user and reads it then; nil without one.
func heldBy(ctx context.Context, tx *db.Tx, email string) (*User, error) {
	if _, err := tx.Exec(ctx, "update users set updated_at = updated_at where email = $1", email); err != nil {
		return nil, err
	}
	return found(userBy(ctx, tx, "email", email))
}

// found reads a user who may not exist: nil without one.
func found(u *User, err error) (*User, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil //nolint:nilnil // nobody is an answer here: unknown people must be treated like known ones
	}
	return u, err
}
