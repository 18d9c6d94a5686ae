package db

import (
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// unreplicated marks a connection whose commit may not have reached the standby.
const unreplicated = "greenroom: unreplicated"

// watchReplication notes the one notice that means "maybe not replicated": PostgreSQL reports success after a cancelled
// wait for the synchronous standby, and that success may be lost in a failover.
func watchReplication(config *pgx.ConnConfig) {
	config.OnNotice = func(conn *pgconn.PgConn, notice *pgconn.Notice) {
		if strings.Contains(notice.Message, "canceling wait for synchronous replication") {
			conn.CustomData()[unreplicated] = true
		}
	}
}

// replicated gives an error if the commit before may not have reached the standby.
func replicated(conn *pgx.Conn) error {
	marks := conn.PgConn().CustomData()
	if marks[unreplicated] == nil {
		return nil
	}
	delete(marks, unreplicated)
	return errors.New("the wait for the standby was cancelled")
}
