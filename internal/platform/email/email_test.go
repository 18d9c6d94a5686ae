package email_test

import (
	"context"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/email"
)

func TestKeyLowersTheLettersOfASCIIAlone(t *testing.T) {
	t.Parallel()
	for address, key := range map[string]string{
		"Ada.K@Example.COM": "ada.k@example.com", "ad\u212a@example.com": "ad\u212a@example.com", "Ärzte@Example.com": "Ärzte@example.com",
		"\u017fam@example.com": "\u017fam@example.com", "İ@example.com": "İ@example.com", "[@`{": "[@`{", "\xff": "\xff",
	} {
		if got := email.Key(address); got != key {
			t.Errorf("%q became %q", address, got)
		}
	}
}

// TestKeyIsWhatTheDatabaseSays compares it with lower() on columns as ours are.
func TestKeyIsWhatTheDatabaseSays(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, address := range []string{"Ada@Example.COM", "ad\u212a@example.com", "Ärzte@Example.com", "\u017fAM@example.com"} {
			err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				_, err := tx.Exec(ctx, "insert into secrets (name, sealed, created_at) values ($1, $2, $3)", address, []byte{}, db.At(tx.Now))
				if err != nil {
					return err
				}
				var lower string
				err = tx.QueryRow(ctx, "select lower(name) from secrets where name = $1", address).Scan(&lower)
				if lower != email.Key(address) {
					t.Errorf("%q is %q here and %q in the database", address, email.Key(address), lower)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestAnotherSpellingIsNotComposed(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{"ada@example.com": true, "é@example.com": true, "e\u0301@example.com": false, "ad\u212a@example.com": false} {
		if email.Composed(address) != want {
			t.Errorf("%q", address)
		}
	}
}
