package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"greenroom/internal/platform/fault"
)

// Violation says which sort of constraint refused a row.
type Violation int

// The sorts of constraint.
const (
	Unique Violation = iota + 1
	ForeignKey
	NotNull
	Check
)

// ConstraintError is a row that the database refused. PostgreSQL tells the constraint's name, SQLite the
// columns (or, for a check and an index over an expression, the name); the other field is then empty.
type ConstraintError struct {
	Kind       Violation
	Table      string
	Constraint string
	Columns    []string

	cause error
}

func (e *ConstraintError) Error() string { return "constraint: " + e.cause.Error() }
func (e *ConstraintError) Unwrap() error { return e.cause }

// Violates tells whether an error is a violation of this kind.
func Violates(err error, kind Violation) bool {
	found, ok := errors.AsType[*ConstraintError](err)
	return ok && found.Kind == kind
}

func (d *DB) translate(err error) error {
	if d.Engine == SQLite && err != nil {
		d.noticeDamage(err)
	}
	return translate(err)
}

// translate turns a driver's error into one of ours: a refused row, or "try again later".
func translate(err error) error {
	if err == nil {
		return nil
	}
	if _, done := errors.AsType[*fault.Error](err); done {
		return err
	}
	if _, done := errors.AsType[*ConstraintError](err); done {
		return err
	}
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return translatePostgres(err, pg)
	}
	if lite, ok := errors.AsType[*sqlite.Error](err); ok {
		return translateSQLite(err, lite)
	}
	if lost(err) {
		return unavailable(err)
	}
	return err
}

func translatePostgres(err error, pg *pgconn.PgError) error {
	kinds := map[string]Violation{"23505": Unique, "23503": ForeignKey, "23502": NotNull, "23514": Check}
	if kind, ok := kinds[pg.Code]; ok {
		refused := &ConstraintError{Kind: kind, Table: pg.TableName, Constraint: pg.ConstraintName, cause: err}
		if pg.ColumnName != "" {
			refused.Columns = []string{pg.ColumnName}
		}
		return refused
	}
	switch pg.Code[:2] {
	case "08", "53", "57", "58": // connection, resources, operator, system
		return unavailable(err)
	}
	switch pg.Code {
	case "25006", "25P03", "40001", "40P01", "55P03": // read-only standby, idle for too long, serialization, deadlock, lock
		return unavailable(err)
	}
	return err
}

func translateSQLite(err error, lite *sqlite.Error) error {
	// The driver puts its own "constraint failed: " before SQLite's sentence, so the last one counts.
	subject := lite.Error()
	if at := strings.LastIndex(subject, "constraint failed: "); at >= 0 {
		subject = subject[at+len("constraint failed: "):]
	}
	if end := strings.LastIndex(subject, " ("); end >= 0 {
		subject = subject[:end]
	}
	switch lite.Code() {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY:
		return refusedColumns(err, Unique, subject)
	case sqlite3.SQLITE_CONSTRAINT_NOTNULL:
		return refusedColumns(err, NotNull, subject)
	case sqlite3.SQLITE_CONSTRAINT_CHECK:
		return &ConstraintError{Kind: Check, Constraint: subject, cause: err}
	case sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
		return &ConstraintError{Kind: ForeignKey, cause: err}
	}
	switch lite.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return noRoom().Because(err)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_NOMEM:
		return unavailable(err)
	}
	return err
}

// refusedColumns reads "table.a, table.b", or "index 'name'" for an index over an expression.
func refusedColumns(err error, kind Violation, subject string) error {
	refused := &ConstraintError{Kind: kind, cause: err}
	if name, ok := strings.CutPrefix(subject, "index "); ok {
		refused.Constraint = strings.Trim(name, "'")
		return refused
	}
	for part := range strings.SplitSeq(subject, ", ") {
		table, column, _ := strings.Cut(part, ".")
		refused.Table = table
		refused.Columns = append(refused.Columns, column)
	}
	return refused
}

// lost tells whether the connection went away; the write may or may not have happened.
func lost(err error) bool {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, net.ErrClosed) || errors.Is(err, pgconn.ErrConnClosed) {
		return true
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	_, network := errors.AsType[*net.OpError](err)
	return network
}

func unavailable(err error) error {
	return fault.New(fault.Unavailable, "The database cannot answer right now. Please try again.").Because(err)
}
