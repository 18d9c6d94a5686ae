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

// keyColumns are what every table of keys has of a key; keyRow reads them.
const keyColumns = "c.credential_id, c.public_key, c.sign_count, c.transports, c.backup_eligible, c.backed_up"

type keyRow struct {
	key              webauthn.Credential
	name, transports string
	count            int64
}

func (r *keyRow) into() []any {
	return []any{&r.name, &r.key.PublicKey, &r.count, &r.transports, &r.key.Flags.BackupEligible, &r.key.Flags.BackupState}
}

func (r *keyRow) read() (_ *webauthn.Credential, err error) {
	r.key.Authenticator.SignCount = uint32(r.count)
	if r.key.ID, err = base64.RawURLEncoding.DecodeString(r.name); err != nil {
		return nil, fmt.Errorf("name of a key: %w", err)
	}
	if err := json.Unmarshal([]byte(r.transports), &r.key.Transport); err != nil {
		return nil, fmt.Errorf("transports of a key: %w", err)
	}
	return &r.key, nil
}

// keyName is how a key is stored and found.
func keyName(id []byte) string { return base64.RawURLEncoding.EncodeToString(id) }

// keysOf reads a user's security keys by their factors.
func keysOf(ctx context.Context, tx *db.Tx, user string) (map[string]*webauthn.Credential, error) {
	all := map[string]*webauthn.Credential{}
	err := db.Each(ctx, tx, "select c.factor_id, "+keyColumns+" from mfa_credentials c join mfa_factors f on f.id = c.factor_id where f.user_id = $1",
		[]any{user}, func(scan func(...any) error) (err error) {
			var factor string
			var row keyRow
			if err := scan(append([]any{&factor}, row.into()...)...); err != nil {
				return err
			}
			if all[factor], err = row.read(); err != nil {
				return fmt.Errorf("factor %s: %w", factor, err)
			}
			return nil
		})
	return all, err
}

// keepKey gives a factor its security key. One that is known already, of whomever, is refused: the unique names decide.
func keepKey(ctx context.Context, tx *db.Tx, f Factor, key *webauthn.Credential) error {
	transports, err := transportsOf(key)
	if err != nil {
		return err
	}
	n, err := tx.Exec(ctx, `insert into mfa_credentials
			(id, factor_id, credential_id, public_key, sign_count, transports, backup_eligible, backed_up, created_at, last_used_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) on conflict do nothing`,
		id.New(), f.ID, keyName(key.ID), key.PublicKey, int64(key.Authenticator.SignCount), transports,
		key.Flags.BackupEligible, key.Flags.BackupState, db.At(tx.Now))
	if err == nil && n == 0 {
		return errWrongKey
	}
	return err
}

// transportsOf is how a key says that it can be reached, as it is stored.
func transportsOf(key *webauthn.Credential) (string, error) {
	names := []string{}
	for _, way := range key.Transport {
		names = append(names, string(way))
	}
	return jsonText(names)
}

// moveOn moves a key's counter on. One that stands still or goes back tells of a copy, unless the key never counts.
const moveOn = " set sign_count = $2, backed_up = $3, last_used_at = $4 where (sign_count < $2 or (sign_count = 0 and $2 = 0)) and "

func countKey(ctx context.Context, tx *db.Tx, f Factor, key *webauthn.Credential) error {
	n, err := tx.Exec(ctx, "update mfa_credentials"+moveOn+"factor_id = $1", f.ID, int64(key.Authenticator.SignCount), key.Flags.BackupState, db.At(tx.Now))
	if err == nil && n == 0 {
		return errWrongKey
	}
	return err
}
