package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Damage says that a SQLite file is broken, and what to do.
type Damage struct{ Path, Found string }

func (e *Damage) Error() string {
	return fmt.Sprintf("the database file %[1]s is damaged (%[2]s): stop the server, move the file away and run greenroom restore with the newest backup; "+
		"without one, save what can be read with: sqlite3 %[1]s .recover | sqlite3 recovered.db", e.Path, e.Found)
}

// Damaged gives the damage that a check or a statement has found, if any.
func (d *DB) Damaged() *Damage { return d.damaged.Load() }

// Check reads the whole SQLite file and gives a *Damage if its structure is broken. It takes a connection of its own,
// because a large file takes a while.
func (d *DB) Check(ctx context.Context) error {
	if d.Engine != SQLite {
		return nil
	}
	file, err := sql.Open("sqlite", sqliteDSN(d.path, "ro", readerKilobytes))
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	var found string
	err = file.QueryRowContext(ctx, "pragma quick_check(1)").Scan(&found)
	if err == nil && found != "ok" {
		d.damaged.CompareAndSwap(nil, &Damage{d.path, found})
	}
	d.noticeDamage(err)
	if damage := d.Damaged(); damage != nil {
		return damage
	}
	return err
}

// noticeDamage remembers when SQLite says that the file is broken.
func (d *DB) noticeDamage(err error) {
	lite, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return
	}
	switch lite.Code() & 0xff {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		d.damaged.CompareAndSwap(nil, &Damage{d.path, lite.Error()})
	}
}
