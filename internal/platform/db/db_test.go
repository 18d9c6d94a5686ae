package db_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/safe"
)

func addVersion(ctx context.Context, tx *db.Tx, name string) error {
	_, err := tx.Exec(ctx, "insert into versions (name, number) values ($1, 0)", name)
	return err
}

func countVersions(t *testing.T, d *db.DB, like string) int {
	t.Helper()
	var n int
	err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		return tx.QueryRow(ctx, "select count(*) from versions where name like $1", like).Scan(&n)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// run executes a statement, in a transaction of its own.
func run(t *testing.T, d *db.DB, statement string, args ...any) {
	t.Helper()
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, statement, args...)
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// asks gives the answer to a question.
func asks(t *testing.T, d *db.DB, question string, args ...any) (yes bool) {
	t.Helper()
	err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error { return tx.QueryRow(ctx, question, args...).Scan(&yes) })
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return yes
}

// await asks until the answer is yes.
func await(t *testing.T, d *db.DB, question string, args ...any) {
	t.Helper()
	for !asks(t, d, question, args...) {
		time.Sleep(5 * time.Millisecond)
	}
}

func containsAll(text string, parts ...string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}

func TestParametersMayComeInAnyOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var a, b, c string
		err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			return tx.QueryRow(ctx, "select cast($2 as text), cast($1 as text), cast($2 as text)", "one", "two").Scan(&a, &b, &c)
		})
		if err != nil || a != "two" || b != "one" || c != "two" {
			t.Fatalf("got %q %q %q, %v", a, b, c, err)
		}
	})
}

func TestTimeComesBackToTheMicrosecond(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		moment := time.Date(2026, 2, 3, 4, 5, 6, 123456000, time.UTC)
		var back, none db.Time
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			key := id.New()
			_, err := tx.Exec(ctx, "insert into signing_keys (id, sealed, created_at) values ($1, $2, $3)", key, []byte{1}, db.At(moment))
			if err != nil {
				return err
			}
			return tx.QueryRow(ctx, "select created_at, retired_at from signing_keys where id = $1", key).Scan(&back, &none)
		})
		if err != nil || !back.Equal(moment) || !none.IsZero() {
			t.Fatalf("got %v %v, %v", back, none, err)
		}
	})
}

func TestFailedWriteLeavesNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		refused := errors.New("refused")
		ran := false
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			tx.AfterCommit(func() { ran = true })
			return errors.Join(addVersion(ctx, tx, "x"), refused)
		})
		if !errors.Is(err, refused) || countVersions(t, d, "x") != 0 || ran {
			t.Fatalf("err %v, rows %d, hook ran %v", err, countVersions(t, d, "x"), ran)
		}
	})
}

func TestSavepointUndoesOnlyItself(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			if err := addVersion(ctx, tx, "kept"); err != nil {
				return err
			}
			inner := tx.Savepoint(ctx, func() error { return addVersion(ctx, tx, "kept") })
			if !db.Violates(inner, db.Unique) {
				t.Errorf("a repeated key gave %v", inner)
			}
			return addVersion(ctx, tx, "also")
		})
		if err != nil || countVersions(t, d, "kept") != 1 || countVersions(t, d, "also") != 1 {
			t.Fatal("the transaction did not survive its savepoint", err)
		}
	})
}

func TestWritesAtOnceAreAllKept(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var wait sync.WaitGroup
		for i := range 200 {
			wait.Go(func() {
				err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
					if err := addVersion(ctx, tx, fmt.Sprintf("w%d", i)); err != nil {
						return err
					}
					if i%3 == 0 { // every third one fails and must not harm its neighbours in the group
						return addVersion(ctx, tx, fmt.Sprintf("w%d", i))
					}
					return nil
				})
				if failed := err != nil; failed != (i%3 == 0) {
					t.Errorf("write %d: %v", i, err)
				}
			})
		}
		wait.Wait()
		if n := countVersions(t, d, "w%"); n != 133 {
			t.Fatalf("%d rows, want 133", n)
		}
	})
}

func TestPanicInAWriteHarmsNobodyElse(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic did not reach its caller")
				}
			}()
			_ = d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				_ = addVersion(ctx, tx, "boom")
				panic("boom")
			})
		}()
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error { return addVersion(ctx, tx, "after") })
		if err != nil || countVersions(t, d, "boom") != 0 || countVersions(t, d, "after") != 1 {
			t.Fatal("the writer did not survive", err)
		}
	})
}

func TestConstraintErrorsTellWhichSort(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, c := range []struct {
			query string
			args  []any
			want  db.Violation
		}{
			{"insert into versions (name, number) values ('catalog', 0)", nil, db.Unique},
			{"insert into versions (name, number) values ('v', null)", nil, db.NotNull},
			{"insert into saved_courses (id, user_id, course_id, created_at) values ($1, $1, $1, $2)", []any{id.New(), db.At(d.Clock.Now())}, db.ForeignKey},
			{"insert into user_roles (id, user_id, role, created_at) values ($1, $1, 'king', $2)", []any{id.New(), db.At(d.Clock.Now())}, db.Check},
		} {
			err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				_, err := tx.Exec(ctx, c.query, c.args...)
				return err
			})
			if !db.Violates(err, c.want) {
				t.Errorf("%s: %v", c.query, err)
			}
		}
	})
}

func TestConstraintErrorsTellWhere(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for query, want := range map[string][]string{ // what SQLite tells, what PostgreSQL tells
			"insert into versions (name, number) values ('catalog', 0)":                                           {"versions  [name]", "versions versions_pkey []"},
			"insert into versions (name, number) values ('v', null)":                                              {"versions  [number]", "versions  [number]"},
			"insert into user_roles (id, user_id, role, created_at) select id, id, 'king', created_at from users": {" user_roles_role_check []", "user_roles user_roles_role_check []"},
		} {
			err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				_, err := tx.Exec(ctx, `insert into users (id, app_metadata, user_metadata, created_at, updated_at) values ($1, '', '', $2, $2)`,
					id.New(), db.At(tx.Now))
				if err == nil {
					_, err = tx.Exec(ctx, query)
				}
				return err
			})
			refused, ok := errors.AsType[*db.ConstraintError](err)
			if !ok {
				t.Fatalf("%s: %v", query, err)
			}
			got := fmt.Sprintf("%s %s %v", refused.Table, refused.Constraint, refused.Columns)
			if expected := want[map[db.Engine]int{db.SQLite: 0, db.Postgres: 1}[d.Engine]]; got != expected {
				t.Errorf("%s: got %q, want %q", query, got, expected)
			}
		}
	})
}

func TestSecondServerOnOneFileIsRefused(t *testing.T) {
	t.Parallel()
	at := dbtest.Location(t, db.SQLite)
	at.Exclusive = true
	dbtest.Reopen(t, at, clock.System{})
	if second, err := db.Open(t.Context(), at); err == nil {
		_ = second.Close()
		t.Fatal("two servers opened one file")
	}
	beside := at
	beside.Exclusive = false
	dbtest.Reopen(t, beside, clock.System{})
}

// What waits for a commit runs after it, in the writer's own goroutine on SQLite: the write stands, its caller is told,
// and the writer goes on.
func TestPanicAfterTheCommitIsTheCallersAlone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		others := 0
		err := safe.Try(func() error {
			return d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
				tx.AfterCommit(func() { panic("nobody listens") })
				tx.AfterCommit(func() { others++ })
				return addVersion(ctx, tx, "stands")
			})
		})
		if err == nil || !strings.Contains(err.Error(), "nobody listens") || others != 1 {
			t.Errorf("the caller was told %v, and %d others ran", err, others)
		}
		if err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error { return addVersion(ctx, tx, "next") }); err != nil {
			t.Fatal(err)
		}
		if countVersions(t, d, "stands") != 1 || countVersions(t, d, "next") != 1 {
			t.Error("a write is missing")
		}
	})
}
