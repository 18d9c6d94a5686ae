package db

import (
	"context"
	"database/sql/driver"
	"net/url"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
)

// execMode is the driver's own parameter of an address for how statements are sent.
const execMode = "default_query_exec_mode"

// greeting is what a new connection to PostgreSQL is asked first, and what was learnt by it: whether a pooler such as
// pgbouncer stands between. The process that answers is then not the one that the connection was opened to.
type greeting struct {
	readOnly bool
	// chooses says that the operator left open how statements are sent.
	chooses bool
	pooled  atomic.Bool
}

// prepare is asked before a connection is opened. Behind a pooler nothing is prepared on it: a prepared statement stays on a
// connection that the next transaction may not get.
func (g *greeting) prepare(_ context.Context, config *pgx.ConnConfig) error {
	watchReplication(config)
	if g.chooses && g.pooled.Load() {
		config.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
	return nil
}

// say lets the server itself end what this instance no longer waits for, say because the network between them is gone.
// What the operator has set, in the address, for the role or for the server, stays. These are statements and no startup
// parameters, because poolers refuse parameters that they do not know.
func (g *greeting) say(ctx context.Context, conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	bounds := "('statement_timeout', '60s'), ('lock_timeout', '5s'), ('idle_in_transaction_session_timeout', '60s')"
	if g.readOnly {
		bounds += ", ('default_transaction_read_only', 'on')"
	}
	var answering uint32
	var set int
	// Not prepared: that is what a pooler may lose.
	err := conn.QueryRow(ctx, "select pg_backend_pid(), count(set_config(name, value, false)) from (values "+bounds+`) as bounds (name, value)
		where current_setting(name) in ('0', 'off')`, pgx.QueryExecModeSimpleProtocol).Scan(&answering, &set)
	if err == nil && answering != conn.PgConn().PID() {
		g.pooled.Store(true)
		if g.chooses && conn.Config().DefaultQueryExecMode != pgx.QueryExecModeCacheDescribe {
			err = driver.ErrBadConn // the pool opens another at once, which is prepared for it
		}
	}
	if err != nil {
		_ = conn.Close(ctx) // nobody else will: the pool has not seen it yet
	}
	return err
}

// saysHow tells whether the operator chose how statements are sent.
func saysHow(address string) bool {
	parsed, err := url.Parse(address)
	return err == nil && parsed.Query().Has(execMode)
}
