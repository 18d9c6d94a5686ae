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
	names, err := fs.Glob(files, string(d.Engine)+"/*.sql")
	if err != nil {
		return nil, err
	}
	if err := d.startMigrations(ctx); err != nil {
		return nil, fmt.Errorf("prepare migrations: %w", err)
	}
	if err := d.refuseNewer(ctx, names); err != nil {
		return nil, err
	}
	var applied []string
	for _, file := range names {
		name := strings.TrimSuffix(path.Base(file), ".sql")
		text, err := fs.ReadFile(files, file)
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

// refuseNewer stops an old binary from writing into a schema that it does not know.
func (d *DB) refuseNewer(ctx context.Context, files []string) error {
	known := map[string]bool{}
	for _, file := range files {
		known[strings.TrimSuffix(path.Base(file), ".sql")] = true
	}
	return d.Read(ctx, func(ctx context.Context, tx *Tx) error {
		return Each(ctx, tx, "select name from schema_migrations order by name", nil, func(scan func(...any) error) error {
			var name string
			if err := scan(&name); err != nil {
				return err
			}
			if !known[name] {
				return fmt.Errorf("the database was migrated by a newer greenroom (%s): run that version or a later one", name)
			}
			return nil
		})
	})
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
func (d *DB) Pending(ctx context.Context, files fs.FS) (names []string, err error) {
	known, err := d.migrations(ctx)
	if err != nil {
		return nil, err
	}
	all, err := fs.Glob(files, string(d.Engine)+"/*.sql")
	for _, file := range all {
		if name := strings.TrimSuffix(path.Base(file), ".sql"); !slices.Contains(known, name) {
			names = append(names, name)
		}
	}
	return names, err
}
