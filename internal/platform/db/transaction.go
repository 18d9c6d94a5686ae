package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// transaction is PostgreSQL's side of a Tx that writes. It begins with the first statement, in the same trip where that
// is a batch.
type transaction struct {
	conn  *sql.Conn
	begun bool
	ended bool
}

// begin opens the transaction, unless it is open.
func (t *Tx) begin(ctx context.Context) error {
	if t.pg == nil || t.pg.begun {
		return nil
	}
	err := t.pg.driver(func(on *pgx.Conn) error {
		_, err := on.Exec(ctx, "begin")
		return err
	})
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	t.pg.begun = true
	return nil
}

// commit ends the transaction, and tells whether it is sure that it stands.
func (p *transaction) commit(ctx context.Context) error {
	if !p.begun {
		return nil // nothing was asked of it
	}
	return p.driver(func(on *pgx.Conn) error {
		said, err := on.Exec(ctx, "commit")
		if err != nil {
			return err
		}
		p.ended = true
		if said.String() != "COMMIT" {
			return errors.New("a statement had failed, so all were undone")
		}
		return replicated(on)
	})
}

// undo rolls back what was not committed. A connection that cannot is not used again.
func (p *transaction) undo(ctx context.Context) {
	if !p.begun || p.ended {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectTime)
	defer cancel()
	_ = p.driver(func(on *pgx.Conn) error {
		if _, err := on.Exec(ctx, "rollback"); err != nil {
			return driver.ErrBadConn
		}
		return nil
	})
}

// driver gives the driver's own connection, for what database/sql has no words for.
func (p *transaction) driver(fn func(on *pgx.Conn) error) error {
	return p.conn.Raw(func(on any) error {
		return fn(on.(*stdlib.Conn).Conn()) //nolint:forcetypeassert // the one driver of this pool
	})
}
