package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"path/filepath"
	"testing"

	"modernc.org/sqlite"
)

// counting counts what SQLite is asked to prepare.
type counting struct {
	driver.Connector
	prepared *int
}

func (c counting) Connect(ctx context.Context) (driver.Conn, error) {
	made, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return countingConn{made.(plainConn), c.prepared}, nil
}

type countingConn struct {
	plainConn
	prepared *int
}

func (c countingConn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	*c.prepared++
	return c.plainConn.PrepareContext(ctx, text)
}

func openCounting(t *testing.T) (conn *sql.Conn, prepared *int) {
	t.Helper()
	plain, err := sqlite.NewConnector(sqliteDSN(filepath.Join(t.TempDir(), "test.db"), "rwc", cacheKilobytes))
	if err != nil {
		t.Fatal(err)
	}
	prepared = new(int)
	pool := sql.OpenDB(keeping{Connector: counting{plain, prepared}})
	t.Cleanup(func() {
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
	if conn, err = pool.Conn(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	mustExec(t, conn, "create table things (n integer, name text unique)")
	return conn, prepared
}

func mustExec(t *testing.T, conn *sql.Conn, text string, args ...any) {
	t.Helper()
	if _, err := conn.ExecContext(t.Context(), text, args...); err != nil {
		t.Fatal(err)
	}
}

func TestStatementIsPreparedOnce(t *testing.T) {
	t.Parallel()
	conn, prepared := openCounting(t)
	for n := range 20 {
		mustExec(t, conn, "savepoint job")
		mustExec(t, conn, "insert into things (n, name) values ($1, $2)", n, fmt.Sprint(n))
		mustExec(t, conn, "release savepoint job")
		var name string
		if err := conn.QueryRowContext(t.Context(), "select name from things where n = $1", n).Scan(&name); err != nil || name != fmt.Sprint(n) {
			t.Fatalf("got %q, %v", name, err)
		}
	}
	if *prepared != 4 {
		t.Errorf("%d statements were prepared, of four", *prepared)
	}
}

func TestKeptStatementSurvivesAnErrorAndAChangeOfTheSchema(t *testing.T) {
	t.Parallel()
	conn, _ := openCounting(t)
	const add, look = "insert into things (n, name) values ($1, $2)", "select * from things where n = $1"
	mustExec(t, conn, add, 1, "one")
	if _, err := conn.ExecContext(t.Context(), add, 2, "one"); err == nil {
		t.Error("a duplicate was stored")
	}
	mustExec(t, conn, add, 2, "two")
	columns := func() int {
		rows, err := conn.QueryContext(t.Context(), look, 2)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		names, err := rows.Columns()
		if err != nil || !rows.Next() || rows.Err() != nil {
			t.Fatal(err, rows.Err())
		}
		return len(names)
	}
	before := columns()
	mustExec(t, conn, "alter table things add column more text")
	if after := columns(); before != 2 || after != 3 {
		t.Errorf("%d columns, then %d", before, after)
	}
}

func TestStatementWhoseRowsAreReadRunsASecondTime(t *testing.T) {
	t.Parallel()
	conn, _ := openCounting(t)
	for n := range 3 {
		mustExec(t, conn, "insert into things (n) values ($1)", n)
	}
	const all = "select n from things order by n"
	var seen []int
	outer, err := conn.QueryContext(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	defer outer.Close()
	for outer.Next() {
		var n, first int
		if err := outer.Scan(&n); err != nil {
			t.Fatal(err)
		}
		if err := conn.QueryRowContext(t.Context(), all).Scan(&first); err != nil || first != 0 {
			t.Fatalf("the inner rows begin with %d, %v", first, err)
		}
		seen = append(seen, n)
	}
	if err := outer.Err(); err != nil || fmt.Sprint(seen) != "[0 1 2]" {
		t.Errorf("the outer rows were %v, %v", seen, err)
	}
}

func TestKeptStatementsAreBounded(t *testing.T) {
	t.Parallel()
	conn, prepared := openCounting(t)
	for n := range 3 * mostStatements {
		mustExec(t, conn, fmt.Sprintf("insert into things (n) values (%d)", n))
	}
	err := conn.Raw(func(on any) error {
		if held := on.(*keeper); held.recent.Len() != mostStatements || len(held.byText) != mostStatements {
			t.Errorf("%d statements are kept, %d by text", held.recent.Len(), len(held.byText))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	before := *prepared
	mustExec(t, conn, fmt.Sprintf("insert into things (n) values (%d)", 3*mostStatements-1))
	if *prepared != before {
		t.Error("the newest statement was not kept")
	}
}
