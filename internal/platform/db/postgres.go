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
	pool, at, err := poolOf(o, "GREENROOM_DATABASE_URL", connectTime, false)
	if err != nil {
		return nil, err
	}
	if err := pool.PingContext(ctx); err != nil {
		_ = pool.Close()
		return nil, fmt.Errorf("the database at %s does not answer: %w", at, err)
	}
	return &DB{Engine: Postgres, Clock: o.Clock, read: pool, write: pool, wait: o.Wait, reading: newLine(), writing: newLine()}, nil
}

// poolOf makes the connections to the database of an address, which a setting has, and says where that is. It opens none yet.
func poolOf(o Options, setting string, patience time.Duration, readOnly bool) (pool *sql.DB, at string, err error) {
	config, err := pgx.ParseConfig(o.URL)
	if err != nil {
		// The driver's own text quotes the URL with its password.
		return nil, "", fmt.Errorf("%s is no PostgreSQL address: expected postgres://user:password@host/database", setting)
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = patience
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = cmp.Or(o.Name, serving)
	}
	config.RuntimeParams["timezone"] = "UTC"
	if o.Asked != nil {
		config.Tracer = asked(o.Asked)
	}
	greeted := &greeting{readOnly: readOnly, chooses: !saysHow(o.URL)}
	pool = stdlib.OpenDB(*config, stdlib.OptionBeforeConnect(greeted.prepare), stdlib.OptionAfterConnect(greeted.say))
	pool.SetMaxOpenConns(poolSize())
	pool.SetMaxIdleConns(poolSize())
	pool.SetConnMaxIdleTime(5 * time.Minute)
	return pool, fmt.Sprintf("%s:%d", config.Host, config.Port), nil
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
