package auth

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/go-webauthn/webauthn/webauthn"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

var errWrongKey = refuse(422, "mfa_verification_failed", "The security key was not accepted")

// keysOf reads a user's security keys by their factors.
func keysOf(ctx context.Context, tx *db.Tx, user string) (map[string]*webauthn.Credential, error) {
	all := map[string]*webauthn.Credential{}
	err := db.Each(ctx, tx, `select c.factor_id, c.credential_id, c.public_key, c.sign_count, c.transports, c.backup_eligible, c.backed_up
		from mfa_credentials c join mfa_factors f on f.id = c.factor_id where f.user_id = $1`, []any{user}, func(scan func(...any) error) error {
		var factor, name, transports string
		var count int64
		key := &webauthn.Credential{}
		if err := scan(&factor, &name, &key.PublicKey, &count, &transports, &key.Flags.BackupEligible, &key.Flags.BackupState); err != nil {
			return err
		}
		key.Authenticator.SignCount = uint32(count)
		var err error
		if key.ID, err = base64.RawURLEncoding.DecodeString(name); err != nil {
			return fmt.Errorf("name of the key of factor %s: %w", factor, err)
		}
		if err := json.Unmarshal([]byte(transports), &key.Transport); err != nil {
			return fmt.Errorf("transports of the key of factor %s: %w", factor, err)
		}
		all[factor] = key
		return nil
	})
	return all, err
}

// keepKey gives a factor its security key. One that is known already, of whomever, is refused: the unique names decide.
func keepKey(ctx context.Context, tx *db.Tx, f Factor, key *webauthn.Credential) error {
	transports, err := jsonText(append([]string{}, transportNames(key)...))
	if err != nil {
		return err
	}
	n, err := tx.Exec(ctx, `insert into mfa_credentials
			(id, factor_id, credential_id, public_key, sign_count, transports, backup_eligible, backed_up, created_at, last_used_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) on conflict do nothing`,
		id.New(), f.ID, base64.RawURLEncoding.EncodeToString(key.ID), key.PublicKey, int64(key.Authenticator.SignCount), transports,
		key.Flags.BackupEligible, key.Flags.BackupState, db.At(tx.Now))
	if err == nil && n == 0 {
		return errWrongKey
	}
	return err
}

func transportNames(key *webauthn.Credential) (names []string) {
	for _, way := range key.Transport {
		names = append(names, string(way))
	}
	return names
}

// countKey moves a key's counter on. One that stands still or goes back tells of a copy, unless the key never counts.
func countKey(ctx context.Context, tx *db.Tx, f Factor, key *webauthn.Credential) error {
	n, err := tx.Exec(ctx, `update mfa_credentials set sign_count = $2, backed_up = $3, last_used_at = $4
		where factor_id = $1 and (sign_count < $2 or (sign_count = 0 and $2 = 0))`,
		f.ID, int64(key.Authenticator.SignCount), key.Flags.BackupState, db.At(tx.Now))
	if err == nil && n == 0 {
		return errWrongKey
	}
	return err
}
