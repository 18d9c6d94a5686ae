package db

import (
	"context"
	"database/sql"
	"net/url"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// execMode is the driver's own parameter of an address for how statements are sent.
const execMode = "default_query_exec_mode"

// pooled tells whether a pooler such as pgbouncer stands between us and PostgreSQL: the process that answers is then not
// the one that the connection was opened to.
func pooled(ctx context.Context, pool *sql.DB) (is bool, err error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Close()
	err = conn.Raw(func(on any) error {
		direct := on.(*stdlib.Conn).Conn() //nolint:forcetypeassert // the one driver of this pool
		var answering uint32
		// Not prepared: that is what a pooler may lose.
		err := direct.QueryRow(ctx, "select pg_backend_pid()", pgx.QueryExecModeSimpleProtocol).Scan(&answering)
		is = answering != direct.PgConn().PID()
		return err
	})
	return is, err
}

// saysHow tells whether the operator chose how statements are sent.
func saysHow(address string) bool {
	parsed, err := url.Parse(address)
	return err == nil && parsed.Query().Has(execMode)
}
