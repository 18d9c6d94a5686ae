package db_test

import (
	"context"
	"errors"
	"testing"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/migrations"
)

// damage makes a database with many rows, closes it, and breaks pages in the middle of its file.
func damage(t *testing.T, at db.Options) {
	t.Helper()
	d, err := db.Open(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Migrate(t.Context(), migrations.Files); err != nil {
		t.Fatal(err)
	}
	err = d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, `with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000)
			insert into versions (name, number) select 'row ' || i || hex(randomblob(200)), i from n`)
		return err
	})
	if err := errors.Join(err, d.Check(t.Context()), d.Close()); err != nil {
		t.Fatal(err)
	}
	dbtest.Damage(t, at)
}

func TestADamagedFileIsNoticed(t *testing.T) {
	t.Parallel()
	at := dbtest.Location(t, db.SQLite)
	damage(t, at)
	d := dbtest.Reopen(t, at, clock.System{})
	err := d.Check(t.Context())
	if _, ok := errors.AsType[*db.Damage](err); !ok || d.Damaged() == nil || !containsAll(err.Error(), at.Path, "backup", ".recover") {
		t.Errorf("a damaged file: %v", err)
	}
}

// What a check has not found yet, a statement may.
func TestAStatementThatMeetsDamageIsRemembered(t *testing.T) {
	t.Parallel()
	at := dbtest.Location(t, db.SQLite)
	damage(t, at)
	d := dbtest.Reopen(t, at, clock.System{})
	err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, "select number from versions where number >= 0", nil, func(func(...any) error) error { return nil })
	})
	if err == nil || d.Damaged() == nil {
		t.Errorf("a read of damaged pages: %v, noticed %v", err, d.Damaged())
	}
}
