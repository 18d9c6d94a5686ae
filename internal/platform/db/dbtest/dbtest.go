// Package dbtest gives tests a real, empty, migrated database of each engine.
package dbtest

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/migrations"
)

// Each runs fn once with SQLite and once with PostgreSQL, in parallel, each on a database of its own.
func Each(t *testing.T, fn func(t *testing.T, d *db.DB)) {
	t.Helper()
	EachClock(t, clock.System{}, fn)
}

// EachClock is Each with a clock that the test moves.
func EachClock(t *testing.T, c clock.Clock, fn func(t *testing.T, d *db.DB)) {
	t.Helper()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			fn(t, Open(t, engine, c))
		})
	}
}

// Open opens an empty migrated database that ends with the test.
func Open(t testing.TB, engine db.Engine, c clock.Clock) *db.DB {
	t.Helper()
	return Reopen(t, Location(t, engine), c)
}

// Location makes an empty database and says where it is, for tests that open it more than once.
func Location(t testing.TB, engine db.Engine) db.Options {
	t.Helper()
	if engine == db.SQLite {
		return db.Options{Path: filepath.Join(t.TempDir(), "greenroom.db")}
	}
	return db.Options{URL: postgresDatabase(t) + Patient}
}

// Patient lets a connection wait for a row for a minute: a busy machine turns nobody away where that is not what is
// tested.
const Patient = "&lock_timeout=60000"

// Reopen opens a location and brings it up to date.
func Reopen(t testing.TB, at db.Options, c clock.Clock) *db.DB {
	t.Helper()
	at.Clock = c
	if at.Wait == 0 {
		at.Wait = time.Minute // as Patient
	}
	ctx := context.Background()
	opened, err := db.Open(ctx, at)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() {
		if err := opened.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	if _, err := opened.Migrate(ctx, migrations.Files); err != nil {
		t.Fatalf("migrate: %v", err)
	}
	return opened
}
