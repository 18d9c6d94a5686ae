package auth

import (
	"context"
	"encoding/json"
	"errors"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
)

// Admit brings in one account of the reference service, as its table has it, and says whether it was not here yet.
func (s *Service) Admit(ctx context.Context, tx *db.Tx, cells map[string]string) (added bool, err error) {
	row := rowOf(cells)
	if row.DeletedAt != "" {
		return false, nil
	}
	var a newcomer
	if a.user, a.bannedUntil, err = row.user(tx.Now); err != nil {
		return false, unfit(err)
	}
	return importOne(ctx, tx, a)
}

// AdmitIdentity brings in one of the accounts elsewhere that an account here is opened by. The one of its password comes with
// the account itself.
func (s *Service) AdmitIdentity(ctx context.Context, tx *db.Tx, cells map[string]string) (added bool, err error) {
	provider, subject := cells["provider"], cells["provider_id"]
	user, known := id.Parse(cells["user_id"])
	data, errData := readMetadata(json.RawMessage(cells["identity_data"]))
	created, errCreated := readTime(cells["created_at"])
	last, errLast := readTime(cells["last_sign_in_at"])
	switch err := errors.Join(errData, errCreated, errLast); {
	case err != nil:
		return false, unfit(err)
	case provider == "email":
		return false, nil
	case provider == "" || subject == "" || !known:
		return false, fault.New(fault.Invalid, "it has no provider, no provider_id or no user_id")
	}
	var owner, here bool
	err = tx.QueryRow(ctx, "select exists (select 1 from users where id = $1), exists (select 1 from identities where provider = $2 and provider_id = $3)",
		user, provider, subject).Scan(&owner, &here)
	switch {
	case err != nil || here:
		return false, err
	case !owner:
		return false, fault.New(fault.NotFound, "its account is not here")
	}
	if created.IsZero() {
		created = tx.Now
	}
	err = addIdentity(ctx, tx, Identity{IdentityID: id.New(), UserID: user, Provider: provider, ID: subject, IdentityData: data, LastSignInAt: last, CreatedAt: created})
	if err != nil {
		return false, err
	}
	return true, storeProviders(ctx, tx, user)
}

// unfit says of a row that it cannot come in.
func unfit(err error) error {
	if f, ok := asFailure(err); ok {
		return fault.New(fault.Invalid, f.message)
	}
	return fault.New(fault.Invalid, err.Error())
}
