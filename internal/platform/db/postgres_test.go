package db_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/fault"
	"greenroom/migrations"
)

func TestAFailedCommitIsNoSuccess(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.Postgres, clock.System{})
	run(t, d, "create table halves (id int primary key, other int references halves deferrable initially deferred)")
	ran := false
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		tx.AfterCommit(func() { ran = true })
		_, err := tx.Exec(ctx, "insert into halves values (1, 2)")
		return err
	})
	if !fault.Is(err, fault.Unavailable) || ran || !asks(t, d, "select count(*) = 0 from halves") {
		t.Errorf("a commit that the database refused: %v, hook ran %v", err, ran)
	}
}

// TestACancelledWaitForTheStandbyIsNoSuccess has a primary whose standby is gone: PostgreSQL then reports a success
// that a failover would lose, and only a notice tells.
func TestACancelledWaitForTheStandbyIsNoSuccess(t *testing.T) {
	t.Parallel()
	_, url := dbtest.Own(t)
	other := dbtest.Reopen(t, db.Options{URL: url}, clock.System{})
	d := dbtest.Reopen(t, db.Options{URL: url + "&synchronous_commit=on&application_name=waiter"}, clock.System{})
	err := other.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error { // not in a transaction
		_, err := tx.Exec(ctx, "alter system set synchronous_standby_names = 'nobody'")
		if err == nil {
			_, err = tx.Exec(ctx, "select pg_reload_conf()")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	await(t, d, "select current_setting('synchronous_standby_names') = 'nobody'")
	// Commits wait for the standby only once the checkpointer has read the setting too, so the first may not.
	const waits = "application_name = 'waiter' and wait_event = 'SyncRep'"
	for try := range 1000 {
		answered, ran := make(chan error, 1), false
		go func() {
			answered <- d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				tx.AfterCommit(func() { ran = true })
				return addVersion(ctx, tx, fmt.Sprintf("x%d", try))
			})
		}()
		var err error
		waiting, done := false, false
		for !waiting && !done {
			select {
			case err = <-answered:
				done = true
			case <-time.After(5 * time.Millisecond):
				waiting = asks(t, other, "select coalesce(bool_or(pg_cancel_backend(pid)), false) from pg_stat_activity where "+waits)
			}
		}
		if !waiting {
			if err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := <-answered; !fault.Is(err, fault.Unavailable) || ran {
			t.Errorf("a write that no standby has: %v, hook ran %v", err, ran)
		}
		return
	}
	t.Error("no commit waited for the standby")
}

func TestOneInstanceMigratesWhileTheOthersWait(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.Postgres, clock.System{})
	locked, over, done := make(chan struct{}), make(chan struct{}), make(chan error, 2)
	go func() {
		done <- d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.Exec(ctx, "select pg_advisory_xact_lock(7303014)")
			close(locked)
			<-over
			return err
		})
	}()
	<-locked
	migrated := make(chan error, 1)
	go func() {
		_, err := d.Migrate(t.Context(), withOneMore(t))
		migrated <- err
	}()
	const waits = `select count(*) > 0 from pg_locks where locktype = 'advisory' and not granted
		and database = (select oid from pg_database where datname = current_database())`
	for !asks(t, d, waits) {
		select {
		case err := <-migrated:
			t.Errorf("migrated beside another instance: %v", err)
			migrated <- nil
			close(over)
			return
		default:
			time.Sleep(5 * time.Millisecond)
		}
	}
	close(over)
	if err := errors.Join(<-done, <-migrated); err != nil {
		t.Error(err)
	}
}

// withOneMore are the migrations of a newer version.
func withOneMore(t *testing.T) fs.FS {
	t.Helper()
	newer := fstest.MapFS{"postgres/9999_more.sql": {Data: []byte("create table more (id text primary key)")}}
	names, err := fs.Glob(migrations.Files, "postgres/*.sql")
	for _, name := range names {
		text, failed := fs.ReadFile(migrations.Files, name)
		newer[name], err = &fstest.MapFile{Data: text}, errors.Join(err, failed)
	}
	if err != nil {
		t.Fatal(err)
	}
	return newer
}

func TestInstancesThatStartAtOnceMigrateOnce(t *testing.T) {
	t.Parallel()
	_, url := dbtest.Own(t)
	var wait sync.WaitGroup
	var applied atomic.Int64
	for range 4 {
		wait.Go(func() {
			d, err := db.Open(t.Context(), db.Options{URL: url})
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = d.Close() }()
			names, err := d.Migrate(t.Context(), migrations.Files)
			applied.Add(int64(len(names)))
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	files, err := migrations.Files.ReadDir("postgres")
	if err != nil || applied.Load() != int64(len(files)) {
		t.Errorf("%d migrations were applied, there are %d, %v", applied.Load(), len(files), err)
	}
}

func TestASchemaFromTheFutureIsRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		known := fstest.MapFS{}
		for _, engine := range []string{"sqlite", "postgres"} {
			known[engine+"/0001_first.sql"] = &fstest.MapFile{Data: []byte("create table first_ones (id int)")}
		}
		if _, err := d.Migrate(t.Context(), known); err == nil {
			t.Error("a binary that knows one migration took a database that has them all")
		}
		var begun int
		err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			return tx.QueryRow(ctx, "select count(*) from schema_migrations where name = '0001_first'").Scan(&begun)
		})
		if err != nil || begun != 0 {
			t.Errorf("it began before it refused: %d, %v", begun, err)
		}
		run(t, d, "insert into schema_migrations (name, applied_at) values ('9999_future', $1)", db.At(d.Clock.Now()))
		_, err = d.Migrate(t.Context(), migrations.Files)
		if err == nil || !containsAll(err.Error(), "newer greenroom", "9999_future", "later") {
			t.Errorf("a schema of tomorrow: %v", err)
		}
	})
}
