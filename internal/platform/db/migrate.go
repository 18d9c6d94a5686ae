package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// migrationLock is the PostgreSQL advisory lock that lets one instance migrate while the others wait.
const migrationLock = 7303014

// Migrate brings the schema up to date, one transaction a file, and returns the names that it applied.
func (d *DB) Migrate(ctx context.Context, files fs.FS) ([]string, error) {
	names, err := d.known(files)
	if err != nil {
		return nil, err
	}
	if done, err := d.migrations(ctx); err == nil && isSubset(names, done) {
		return nil, refuseNewer(done, names) // as at nearly every start
	}
	if err := d.startMigrations(ctx); err != nil {
		return nil, fmt.Errorf("prepare migrations: %w", err)
	}
	done, err := d.migrations(ctx)
	if err == nil {
		err = refuseNewer(done, names)
	}
	if err != nil {
		return nil, err
	}
	var applied []string
	for _, name := range names {
		text, err := fs.ReadFile(files, string(d.Engine)+"/"+name+".sql")
		if err != nil {
			return applied, err
		}
		fresh, err := d.migrateOne(ctx, name, string(text))
		if err != nil {
			return applied, fmt.Errorf("migration %s: %w", name, err)
		}
		if fresh {
			applied = append(applied, name)
		}
	}
	return applied, nil
}

func (d *DB) startMigrations(ctx context.Context) error {
	return d.writeSlowly(ctx, func(ctx context.Context, tx *Tx) error {
		if err := lockMigrations(ctx, tx); err != nil {
			return err
		}
		moment := "timestamptz"
		if tx.Engine == SQLite {
			moment = "integer"
		}
		_, err := tx.Exec(ctx, "create table if not exists schema_migrations (name text primary key, applied_at "+moment+" not null)")
		return err
	})
}

func (d *DB) migrateOne(ctx context.Context, name, text string) (fresh bool, err error) {
	err = d.writeSlowly(ctx, func(ctx context.Context, tx *Tx) error {
		if err := lockMigrations(ctx, tx); err != nil {
			return err
		}
		var found string
		err := tx.QueryRow(ctx, "select name from schema_migrations where name = $1", name).Scan(&found)
		if err == nil {
			return nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if _, err := tx.Exec(ctx, text); err != nil {
			return err
		}
		fresh = true
		_, err = tx.Exec(ctx, "insert into schema_migrations (name, applied_at) values ($1, $2)", name, At(tx.Now))
		return err
	})
	return fresh, err
}

// known are the names of this binary's migrations, in their order.
func (d *DB) known(files fs.FS) ([]string, error) {
	names, err := fs.Glob(files, string(d.Engine)+"/*.sql")
	for i := range names {
		names[i] = strings.TrimSuffix(path.Base(names[i]), ".sql")
	}
	return names, err
}

func isSubset(names, of []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(of, name) })
}

// refuseNewer stops an old binary from writing into a schema that it does not know.
func refuseNewer(done, known []string) error {
	for _, name := range done {
		if !slices.Contains(known, name) {
			return fmt.Errorf("the database was migrated by a newer greenroom (%s): run that version or a later one", name)
		}
	}
	return nil
}

func lockMigrations(ctx context.Context, tx *Tx) error {
	if tx.Engine != Postgres {
		return nil
	}
	// A migration takes as long as it takes, and so does waiting for another instance's.
	if _, err := tx.Exec(ctx, "set local statement_timeout = 0; set local lock_timeout = 0"); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "select pg_advisory_xact_lock($1)", migrationLock)
	return err
}

// Pending are the migrations that a database lacks.
func (d *DB) Pending(ctx context.Context, files fs.FS) ([]string, error) {
	done, err := d.migrations(ctx)
	if err != nil {
		return nil, err
	}
	names, err := d.known(files)
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(done, name) }), err
}
