package db_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/migrations"
)

// TestScrubLeavesNothingOfWhatWasDeleted fills pages until they split again and again, which leaves copies of rows in
// the space between two cells.
func TestScrubLeavesNothingOfWhatWasDeleted(t *testing.T) {
	t.Parallel()
	at := dbtest.Location(t, db.SQLite)
	d, err := db.Open(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Migrate(t.Context(), migrations.Files); err != nil {
		t.Fatal(err)
	}
	do := func(fn func(ctx context.Context, tx *db.Tx) error) {
		t.Helper()
		if err := d.Write(t.Context(), fn); err != nil {
			t.Fatal(err)
		}
	}
	const people, every = 4000, 7
	chance := rand.New(rand.NewPCG(1, 2))
	mark := func(i int) string { return fmt.Sprintf("mark%05dx", i) }
	do(func(ctx context.Context, tx *db.Tx) error {
		for i := range people {
			user := fmt.Sprintf("%016x%016x", chance.Uint64(), chance.Uint64())
			_, err := tx.Exec(ctx, `insert into users (id, email, password_hash, app_metadata, user_metadata, created_at, updated_at) values ($1, $2, $3, '', '', 0, 0)`,
				user, fmt.Sprintf("%c@%s", 'a'+chance.IntN(20), mark(i)), mark(i)+strings.Repeat("y", chance.IntN(300)))
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "update users set password_hash = password_hash || $2 where id = $1", user, strings.Repeat("z", chance.IntN(300))); err != nil {
				return err
			}
		}
		return nil
	})
	do(func(ctx context.Context, tx *db.Tx) error {
		for i := 0; i < people; i += every {
			if n, err := tx.Exec(ctx, "delete from users where email like $1", "%@"+mark(i)); err != nil || n != 1 {
				return fmt.Errorf("%d deleted: %w", n, err)
			}
		}
		d.Erased()
		return nil
	})
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(at.Path)
	if err != nil {
		t.Fatal(err)
	}
	left := 0
	for i := 0; i < people; i += every {
		left += strings.Count(string(file), mark(i))
	}
	if left > 0 {
		t.Errorf("%d copies of deleted rows are in the file", left)
	}
	again := dbtest.Reopen(t, at, clock.System{})
	if err := again.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	var kept int
	var whole string
	err = again.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		if err := tx.QueryRow(ctx, "pragma integrity_check").Scan(&whole); err != nil {
			return err
		}
		return tx.QueryRow(ctx, "select count(*) from users").Scan(&kept)
	})
	if want := people - (people+every-1)/every; err != nil || whole != "ok" || kept != want {
		t.Fatalf("%d of %d rows are left, %s, %v", kept, want, whole, err)
	}
}
