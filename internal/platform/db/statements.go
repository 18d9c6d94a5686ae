package db

import (
	"container/list"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
)

// Preparing a statement costs SQLite several times what running it does, so each connection keeps those that it ran last.
// (PostgreSQL's driver does the same by itself.) SQLite prepares a kept statement anew when the schema has changed, so
// nothing here can become untrue. The bound is by connection: the writer's and a few readers'.
const (
	mostStatements = 128
	// mostStatementText leaves out what is made for one time only, such as a batch of hundreds of keys.
	mostStatementText = 8 << 10
)

// openKeeping opens a SQLite file whose connections keep their statements.
func openKeeping(dsn string, asked func(string)) (*sql.DB, error) {
	plain, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(keeping{plain, asked}), nil
}

// keeping makes connections that keep their statements.
type keeping struct {
	driver.Connector
	asked func(statement string)
}

func (k keeping) Connect(ctx context.Context) (driver.Conn, error) {
	made, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	plain, ok := made.(plainConn)
	if !ok {
		return nil, fmt.Errorf("a connection of %T cannot keep statements", made)
	}
	return &keeper{plainConn: plain, asked: k.asked, byText: map[string]*list.Element{}, recent: list.New()}, nil
}

// plainConn is what database/sql wants of a connection.
type plainConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// keeper is a connection with its statements. Like every connection it is one goroutine's at a time.
type keeper struct {
	plainConn
	byText map[string]*list.Element
	recent *list.List // of *kept, the last used first
	asked  func(statement string)
}

type kept struct {
	text string
	stmt preparedStmt
	// busy says that rows of it are being read: a second run would begin them anew.
	busy bool
}

type preparedStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// ExecContext runs a statement, prepared before if it is one that is kept.
func (c *keeper) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if c.asked != nil {
		c.asked(query)
	}
	found, err := c.find(ctx, query)
	if err != nil {
		return nil, err
	}
	if found == nil {
		return c.plainConn.ExecContext(ctx, query, args)
	}
	return found.stmt.ExecContext(ctx, args)
}

// QueryContext is ExecContext for rows.
func (c *keeper) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if c.asked != nil {
		c.asked(query)
	}
	found, err := c.find(ctx, query)
	if err != nil {
		return nil, err
	}
	if found == nil {
		return c.plainConn.QueryContext(ctx, query, args)
	}
	rows, err := found.stmt.QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	found.busy = true
	return &keptRows{rows, found}, nil
}

// Close ends the statements and the connection.
func (c *keeper) Close() error {
	var err error
	for at := c.recent.Front(); at != nil; at = at.Next() {
		err = errors.Join(err, at.Value.(*kept).stmt.Close()) //nolint:forcetypeassert // nothing else is in the list
	}
	c.recent.Init()
	clear(c.byText)
	return errors.Join(err, c.plainConn.Close())
}

// find gives the prepared statement of a text; nil for one that is not kept, or whose rows are being read.
func (c *keeper) find(ctx context.Context, text string) (*kept, error) {
	if at, there := c.byText[text]; there {
		c.recent.MoveToFront(at)
		found := at.Value.(*kept) //nolint:forcetypeassert // nothing else is in the list
		if found.busy {
			return nil, nil //nolint:nilnil // not to be had is no error
		}
		return found, nil
	}
	if !worthKeeping(text) {
		return nil, nil //nolint:nilnil // not to be had is no error
	}
	made, err := c.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	stmt, ok := made.(preparedStmt)
	if !ok {
		return nil, errors.Join(fmt.Errorf("a statement of %T cannot be kept", made), made.Close())
	}
	found := &kept{text: text, stmt: stmt}
	c.byText[text] = c.recent.PushFront(found)
	return found, c.forgetOldest()
}

// forgetOldest makes room, but not of a statement that is in use.
func (c *keeper) forgetOldest() error {
	at := c.recent.Back()
	for c.recent.Len() > mostStatements && at != nil {
		old, before := at.Value.(*kept), at.Prev() //nolint:forcetypeassert // nothing else is in the list
		if !old.busy {
			c.recent.Remove(at)
			delete(c.byText, old.text)
			if err := old.stmt.Close(); err != nil {
				return err
			}
		}
		at = before
	}
	return nil
}

// worthKeeping tells what runs again and again. A pragma may act when it is prepared, and a schema changes once; the one
// that only looks at the log comes after every group of writes.
func worthKeeping(text string) bool {
	if len(text) > mostStatementText {
		return false
	}
	if text == lookAtLog {
		return true
	}
	verb, _, _ := strings.Cut(strings.TrimLeft(text, " \t\n"), " ")
	switch verb {
	case "select", "insert", "update", "delete", "with", "begin", "commit", "rollback", "savepoint", "release":
		return true
	}
	return false
}

// keptRows give their statement back when they are closed.
type keptRows struct {
	driver.Rows
	of *kept
}

func (r *keptRows) Close() error {
	r.of.busy = false
	return r.Rows.Close()
}
