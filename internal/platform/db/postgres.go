package db

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"greenroom/internal/platform/fault"
)

// serving is the name of a server's connections.
const serving = "greenroom"

const connectTime = 5 * time.Second

// poolSize is how many connections an instance opens to PostgreSQL.
func poolSize() int { return max(8, 4*runtime.GOMAXPROCS(0)) }

func openPostgres(ctx context.Context, o Options) (*DB, error) {
	config, err := pgx.ParseConfig(o.URL)
	if err != nil {
		// The driver's own text quotes the URL with its password.
		return nil, fmt.Errorf("GREENROOM_DATABASE_URL is no PostgreSQL address: expected postgres://user:password@host/database")
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTime
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = cmp.Or(o.Name, serving)
	}
	config.RuntimeParams["timezone"] = "UTC"
	if o.Asked != nil {
		config.Tracer = asked(o.Asked)
	}
	var greeted greeting
	pool := openPool(config, &greeted)
	if err := pool.PingContext(ctx); err != nil {
		_ = pool.Close()
		return nil, fmt.Errorf("the database at %s:%d does not answer: %w", config.Host, config.Port, err)
	}
	if greeted.pooled.Load() && !saysHow(o.URL) {
		// A prepared statement stays on a connection that the next transaction may not get.
		_ = pool.Close()
		config.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
		pool = openPool(config, &greeted)
	}
	return &DB{Engine: Postgres, Clock: o.Clock, read: pool, write: pool, wait: o.Wait, reading: newLine(), writing: newLine()}, nil
}

func openPool(config *pgx.ConnConfig, greeted *greeting) *sql.DB {
	pool := stdlib.OpenDB(*config, stdlib.OptionBeforeConnect(watchReplication), stdlib.OptionAfterConnect(greeted.say))
	pool.SetMaxOpenConns(poolSize())
	pool.SetMaxIdleConns(poolSize())
	pool.SetConnMaxIdleTime(5 * time.Minute)
	return pool
}

func (d *DB) tryPostgres(ctx context.Context, fn func(ctx context.Context, tx *Tx) error) error {
	conn, err := d.connect(ctx, d.write, d.writing)
	if err != nil {
		return err
	}
	defer conn.Close()
	tx := &Tx{Engine: Postgres, Now: d.Clock.Now(), on: conn, pg: &transaction{conn: conn}}
	defer tx.pg.undo(ctx)
	if err := fn(ctx, tx); err != nil {
		return err
	}
	if err := tx.Send(ctx, &Batch{}); err != nil { // what waits for a statement that never came
		return err
	}
	begun := time.Now() //nolint:forbidigo // how long a commit takes is no business time
	err = tx.pg.commit(ctx)
	d.committed.count(1, time.Since(begun))
	if err != nil && !errors.Is(err, errUnsure) {
		return err
	}
	if err != nil {
		// The commit may have happened before the answer was lost: the caller must treat it as unknown.
		return fault.New(fault.Unavailable, "The change could not be confirmed. Please try again.").Because(err)
	}
	if failed := tx.committed(); failed != nil {
		panic(failed)
	}
	return nil
}

// Alone refuses a PostgreSQL database that a server has open; a SQLite file is claimed when it is opened (Exclusive).
func (d *DB) Alone(ctx context.Context) error {
	if d.Engine != Postgres {
		return nil
	}
	return d.Read(ctx, func(ctx context.Context, tx *Tx) error {
		var others int
		err := tx.QueryRow(ctx, "select count(*) from pg_stat_activity where datname = current_database() and application_name = $1", serving).Scan(&others)
		if err == nil && others > 0 {
			err = fmt.Errorf("a server has this database open (%d connections): stop it first", others)
		}
		return err
	})
}
