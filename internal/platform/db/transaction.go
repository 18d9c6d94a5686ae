package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// transaction is PostgreSQL's side of a Tx that writes. It begins with the first statement, in the same trip where that
// is a batch.
type transaction struct {
	conn  *sql.Conn
	begun bool
	ended bool
	// ahead are statements that wait for the next one; last are those that can wait for the commit.
	ahead Batch
	last  []*pgx.QueuedQuery
}

// Last runs a statement of which nothing is asked but that it stands: on PostgreSQL with the commit, or with whatever is
// asked before. Its failure is that of the write.
func (t *Tx) Last(ctx context.Context, query string, args ...any) error {
	if t.pg == nil {
		_, err := t.Exec(ctx, query, args...)
		return err
	}
	t.pg.last = append(t.pg.last, &pgx.QueuedQuery{SQL: query, Arguments: args})
	return nil
}

// ready opens the transaction, unless it is open, and sends what waits.
func (t *Tx) ready(ctx context.Context) error {
	if t.pg == nil {
		return nil
	}
	if len(t.pg.ahead.steps) > 0 {
		return t.Send(ctx, &Batch{})
	}
	if t.pg.begun && len(t.pg.last) == 0 {
		return nil
	}
	return t.pg.driver(func(on *pgx.Conn) error {
		if len(t.pg.last) > 0 {
			return t.pg.send(ctx, on, &pgx.Batch{}, nil)
		}
		_, err := on.Exec(ctx, "begin")
		t.pg.begun = err == nil
		return err
	})
}

// send runs a batch after what has to come before it, and lets read have its results.
func (p *transaction) send(ctx context.Context, on *pgx.Conn, b *pgx.Batch, read func(results pgx.BatchResults) error) (err error) {
	before := p.last
	if !p.begun {
		before = append([]*pgx.QueuedQuery{{SQL: "begin"}}, before...)
	}
	b.QueuedQueries, p.last = append(before, b.QueuedQueries...), nil
	p.begun = true // or nobody knows: it is rolled back in any case
	results := on.SendBatch(ctx, b)
	defer func() {
		if closing := results.Close(); err == nil {
			err = closing
		}
	}()
	for range before {
		if _, err := results.Exec(); err != nil {
			return err
		}
	}
	if read == nil {
		return nil
	}
	return read(results)
}

// errUnsure says that a commit may or may not have happened.
var errUnsure = errors.New("the commit is not confirmed")

// commit ends the transaction.
func (p *transaction) commit(ctx context.Context) error {
	if !p.begun && len(p.last) == 0 {
		return nil // nothing was asked of it
	}
	return p.driver(func(on *pgx.Conn) error {
		said, committing, err := p.sendCommit(ctx, on)
		if _, refused := errors.AsType[*pgconn.PgError](err); refused && !committing {
			return err // by a statement before the commit
		}
		p.ended = err == nil
		if err == nil && said.String() != "COMMIT" {
			err = errors.New("a statement had failed, so all were undone")
		}
		if err == nil {
			err = replicated(on)
		}
		if err != nil {
			return errors.Join(errUnsure, err)
		}
		return nil
	})
}

// sendCommit commits, after what waited for it; committing says that all of that went well.
func (p *transaction) sendCommit(ctx context.Context, on *pgx.Conn) (said pgconn.CommandTag, committing bool, err error) {
	if len(p.last) == 0 {
		said, err = on.Exec(ctx, "commit")
		return said, true, err
	}
	b := &pgx.Batch{}
	b.Queue("commit")
	err = p.send(ctx, on, b, func(results pgx.BatchResults) (err error) {
		committing = true
		said, err = results.Exec()
		return err
	})
	return said, committing, err
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
