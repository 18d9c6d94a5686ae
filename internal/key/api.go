package key

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
)

// API are the two keys that name an application, not a person.
type API struct {
	// Publishable is in every page. It grants nothing by itself.
	Publishable string
	// Service opens the admin endpoints and stays on the operator's machines.
	Service string
}

// OpenAPI takes the keys that are set and makes the others on the first start.
func OpenAPI(ctx context.Context, d *db.DB, box *Box, set API) (API, error) {
	var err error
	if set.Publishable == "" {
		set.Publishable, err = Kept(ctx, d, box, "publishable key", func() string { return "sb_publishable_" + id.Secret() })
	}
	if set.Service == "" && err == nil {
		set.Service, err = Kept(ctx, d, box, "service key", func() string { return "sb_secret_" + id.Secret() })
	}
	return set, err
}

// Role tells what a key stands for.
func (a API) Role(given string) (who.Role, bool) {
	switch {
	case subtle.ConstantTimeCompare([]byte(given), []byte(a.Publishable)) == 1:
		return who.Anonymous, true
	case subtle.ConstantTimeCompare([]byte(given), []byte(a.Service)) == 1:
		return who.Service, true
	}
	return "", false
}

// Kept is a secret of the installation: made once, sealed in the database, the same on every instance.
func Kept(ctx context.Context, d *db.DB, box *Box, name string, make func() string) (string, error) {
	secret, err := found(ctx, d, box, name)
	if err == nil {
		return secret, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return "", err
	}
	err = d.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, "insert into secrets (name, sealed, created_at) values ($1, $2, $3) on conflict (name) do nothing",
			name, box.Seal(name, []byte(make())), db.At(tx.Now))
		return err
	})
	if err != nil {
		return "", err
	}
	if secret, err = found(ctx, d, box, name); errors.Is(err, sql.ErrNoRows) {
		err = errors.New("the secret " + name + " vanished")
	}
	return secret, err
}

// found reads a secret that was made before.
func found(ctx context.Context, d *db.DB, box *Box, name string) (secret string, err error) {
	err = d.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		var sealed []byte
		if err := tx.QueryRow(ctx, "select sealed from secrets where name = $1", name).Scan(&sealed); err != nil {
			return err
		}
		plain, err := box.Open(name, sealed)
		secret = string(plain)
		return err
	})
	return secret, err
}
