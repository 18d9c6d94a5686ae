package key

import (
	"context"
	"database/sql"
	"errors"

	"golang.org/x/crypto/acme/autocert"

	"greenroom/internal/platform/db"
)

// Certificates keeps what the certificate authority gave us, sealed in the database: every instance has the same, can
// answer the authority's question to another, and a backup holds them.
type Certificates struct {
	DB  *db.DB
	Box *Box
}

func (c Certificates) place(name string) string { return "certificate " + name }

// Get gives what is kept under a name.
func (c Certificates) Get(ctx context.Context, name string) ([]byte, error) {
	var sealed []byte
	err := c.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		return tx.QueryRow(ctx, "select sealed from secrets where name = $1", c.place(name)).Scan(&sealed)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, autocert.ErrCacheMiss
	}
	if err != nil {
		return nil, err
	}
	return c.Box.Open(c.place(name), sealed)
}

// Put keeps something under a name.
func (c Certificates) Put(ctx context.Context, name string, data []byte) error {
	return c.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, `insert into secrets (name, sealed, created_at) values ($1, $2, $3)
			on conflict (name) do update set sealed = excluded.sealed, created_at = excluded.created_at`,
			c.place(name), c.Box.Seal(c.place(name), data), db.At(tx.Now))
		return err
	})
}

// Delete forgets a name.
func (c Certificates) Delete(ctx context.Context, name string) error {
	return c.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, "delete from secrets where name = $1", c.place(name))
		return err
	})
}
