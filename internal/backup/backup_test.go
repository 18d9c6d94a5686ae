package backup

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/storage/disk"
)

func quiet(string, int) {}

// every puts a row with a value of every kind into tables that refer to one another.
func every(t *testing.T, d *db.DB, who int) {
	t.Helper()
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		user, course := fmt.Sprintf("00000000-0000-4000-8000-%012d", who), fmt.Sprintf("10000000-0000-4000-8000-%012d", who)
		for _, one := range []struct {
			query string
			args  []any
		}{
			{
				"insert into users (id, email, app_metadata, user_metadata, is_anonymous, created_at, updated_at) values ($1, $2, '{}', $3, $4, $5, $5)",
				[]any{user, fmt.Sprintf("%d@example.com", who), `{"name":"Zoë \u0000 \"x\""}`, who%2 == 0, db.At(tx.Now)},
			},
			{"insert into signing_keys (id, sealed, created_at) values ($1, $2, $3)", []any{course, []byte{0, 1, 255, byte(who)}, db.At(tx.Now)}},
			{
				"insert into courses (id, title, instructor, description, duration, category, thumbnail, lessons, level, rating, coming_soon, created_at) values ($1, $2, 'I', 'D', '1h', 'C', '', 3, 'All Levels', $3, $4, $5)",
				[]any{course, "Öffentlich ✓\nzweite Zeile", 4.0 + float64(who%2)/2, who%2 == 1, db.At(tx.Now)},
			},
			{"insert into saved_courses (id, user_id, course_id, created_at) values ($1, $1, $2, $3)", []any{user, course, db.At(tx.Now)}},
		} {
			if _, err := tx.Exec(ctx, one.query, one.args...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestABackupGoesBackIntoEitherDatabase(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for i := range 3 {
			every(t, d, i)
		}
		many(t, d, 2*500+1) // two full batches, and one more
		file := filepath.Join(t.TempDir(), "a.db")
		made, err := Make(t.Context(), d, disk.Folder{}, file)
		if err != nil || made.Rows < 1010 || made.Bytes == 0 {
			t.Fatalf("%+v %v", made, err)
		}
		for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
			at := dbtest.Location(t, engine)
			got, saved, err := Restore(t.Context(), file, Place{DB: at, Objects: disk.Folder{}}, false, t.TempDir(), quiet)
			if err != nil || got.Rows != made.Rows || saved != "" {
				t.Fatalf("into %s: %+v %q %v", engine, got, saved, err)
			}
			back := dbtest.Reopen(t, at, clock.System{})
			again := filepath.Join(t.TempDir(), "b.db")
			if _, err := Make(t.Context(), back, disk.Folder{}, again); err != nil {
				t.Fatal(err)
			}
			same(t, file, again)
		}
	})
}

// many adds small rows.
func many(t *testing.T, d *db.DB, n int) {
	t.Helper()
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, `with recursive n (i) as (select 1 union all select i + 1 from n where i < $1)
			insert into versions (name, number) select 'row ' || i, i from n`, n)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// same holds that two backups have the same rows, by a way of comparing that the copy does not use.
func same(t *testing.T, one, other string) {
	t.Helper()
	read := func(path string) (all []string) {
		d := dbtest.Reopen(t, db.Options{Path: path}, clock.System{})
		err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			for _, query := range []string{
				"select id || email || user_metadata || is_anonymous || typeof(is_anonymous) || created_at || typeof(created_at) from users order by id",
				"select id || hex(sealed) || typeof(sealed) from signing_keys order by id",
				"select id || title || lessons || rating || typeof(rating) || coming_soon || created_at from courses order by id",
				"select id || user_id || course_id || created_at from saved_courses order by id",
				"select name || number from versions order by name",
			} {
				err := db.Each(ctx, tx, query, nil, func(scan func(...any) error) error {
					var text string
					err := scan(&text)
					all = append(all, text)
					return err
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	left, right := read(one), read(other)
	if len(left) == 0 || strings.Join(left, "\n") != strings.Join(right, "\n") {
		t.Errorf("%d and %d rows:\n%q\n%q", len(left), len(right), left, right)
	}
}

func TestNothingAcknowledgedBeforeABackupIsMissingInIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var next, acknowledged atomic.Int64
		stop := make(chan struct{})
		var writers sync.WaitGroup
		for range 4 {
			writers.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					n := next.Add(1)
					err := d.Write(context.Background(), func(ctx context.Context, tx *db.Tx) error {
						_, err := tx.Exec(ctx, "insert into versions (name, number) values ($1, $2)", fmt.Sprint("n", n), n)
						return err
					})
					if err != nil {
						t.Error(err)
						return
					}
					acknowledged.Add(1)
				}
			})
		}
		for i := range 5 {
			for acknowledged.Load() < int64(20*(i+1)) {
				time.Sleep(time.Millisecond)
			}
			before := acknowledged.Load()
			file := filepath.Join(t.TempDir(), "a.db")
			if _, err := Make(t.Context(), d, disk.Folder{}, file); err != nil {
				t.Fatal(err)
			}
			b := dbtest.Reopen(t, db.Options{Path: file}, clock.System{})
			if found, err := b.Rows(t.Context(), "versions"); err != nil || int64(found["versions"]) < before {
				t.Errorf("%d acknowledged, %d in the backup, %v", before, found["versions"], err)
			}
		}
		close(stop)
		writers.Wait()
	})
}

func TestRestoreOverwritesNothingByAccident(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		every(t, d, 1)
		file := filepath.Join(t.TempDir(), "a.db")
		if _, err := Make(t.Context(), d, disk.Folder{}, file); err != nil {
			t.Fatal(err)
		}
		if _, err := Make(t.Context(), d, disk.Folder{}, file); err == nil || !strings.Contains(err.Error(), "overwrites nothing") {
			t.Errorf("a backup in the place of another: %v", err)
		}
		at := dbtest.Location(t, d.Engine)
		t.Run("while it is served", func(t *testing.T) {
			served := at
			served.Exclusive = true
			every(t, dbtest.Reopen(t, served, clock.System{}), 7)
			if _, _, err := Restore(t.Context(), file, Place{DB: at, Objects: disk.Folder{}}, true, t.TempDir(), quiet); err == nil || !strings.Contains(err.Error(), "stop it first") {
				t.Error(err)
			}
		})
		kept := t.TempDir()
		if _, _, err := Restore(t.Context(), file, Place{DB: at, Objects: disk.Folder{}}, false, kept, quiet); err == nil || !strings.Contains(err.Error(), "users: 1") {
			t.Errorf("into a database in use: %v", err)
		}
		_, saved, err := Restore(t.Context(), file, Place{DB: at, Objects: disk.Folder{}}, true, kept, quiet)
		if err != nil || saved == "" {
			t.Fatalf("%q %v", saved, err)
		}
		before := dbtest.Reopen(t, db.Options{Path: saved}, clock.System{})
		var email string
		err = before.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			return tx.QueryRow(ctx, "select email from users").Scan(&email)
		})
		if err != nil || email != "7@example.com" {
			t.Errorf("what was there before is not kept: %q %v", email, err)
		}
	})
}

// A sketch in the way of what is copied after it is dropped by that, so it must not be compared. And where instances keep files is
// another place after a restore.
func TestABackupWithSketchesIsRestored(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite, clock.System{})
	every(t, d, 1)
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, "insert into course_waitlist (id, course_title, name, email, created_at) values ('20000000-0000-4000-8000-000000000001', 'T', 'N', 'w@example.com', 5)")
		if err == nil {
			_, err = tx.Exec(ctx, "insert into sketches (table_name, begins, ends, parts) values ('course_waitlist', 0, 9, x'00')")
		}
		if err == nil {
			_, err = tx.Exec(ctx, "insert into storage_places (id, seen_at) values ('20000000-0000-4000-8000-000000000001', 5)")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "a.db")
	if _, err := Make(t.Context(), d, disk.Folder{}, file); err != nil {
		t.Fatal(err)
	}
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		at := dbtest.Location(t, engine)
		if _, _, err := Restore(t.Context(), file, Place{DB: at, Objects: disk.Folder{}}, false, t.TempDir(), quiet); err != nil {
			t.Errorf("into %s: %v", engine, err)
		}
		places := -1
		err := dbtest.Reopen(t, at, clock.System{}).Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			return tx.QueryRow(ctx, "select count(*) from storage_places").Scan(&places)
		})
		if err != nil || places != 0 {
			t.Errorf("into %s: %d places, %v", engine, places, err)
		}
	}
}

// TestABrokenIndexIsNoticed damages pages that no row is read from.
func TestABrokenIndexIsNoticed(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite, clock.System{})
	for i := range 200 {
		every(t, d, i)
	}
	file := filepath.Join(t.TempDir(), "a.db")
	if _, err := Make(t.Context(), d, disk.Folder{}, file); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const page, leafOfIndex = 4096, 0x0a
	broken := 0
	for at := page; at < len(content); at += page {
		if content[at] == leafOfIndex && content[at+4] > 0 { // with entries
			for i := at + 8; i < at+64; i++ {
				content[i] ^= 0xff
			}
			broken++
		}
	}
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Restore(t.Context(), file, Place{DB: dbtest.Location(t, db.SQLite), Objects: disk.Folder{}}, false, t.TempDir(), quiet); broken == 0 || err == nil {
		t.Errorf("%d pages broken: %v", broken, err)
	}
}

func TestADamagedBackupIsRefused(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite, clock.System{})
	for i := range 50 {
		every(t, d, i)
	}
	file := filepath.Join(t.TempDir(), "a.db")
	if _, err := Make(t.Context(), d, disk.Folder{}, file); err != nil {
		t.Fatal(err)
	}
	dbtest.Damage(t, db.Options{Path: file})
	text := filepath.Join(t.TempDir(), "b.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, one := range []string{file, text, filepath.Join(t.TempDir(), "missing.db")} {
		at := dbtest.Location(t, db.SQLite)
		if _, _, err := Restore(t.Context(), one, Place{DB: at, Objects: disk.Folder{}}, false, t.TempDir(), quiet); err == nil {
			t.Errorf("%s was restored", one)
		}
		if _, err := os.Stat(at.Path); err == nil {
			t.Error("a refused backup made a database")
		}
	}
}

func TestBackupsComeWhenTheyAreDueAndOldOnesGo(t *testing.T) {
	t.Parallel()
	hands := clock.NewManual(time.Date(2026, 11, 16, 5, 0, 0, 0, time.UTC))
	dbtest.EachClock(t, hands, func(t *testing.T, d *db.DB) {
		own := clock.NewManual(hands.Now())
		d.Clock = own
		s := Schedule{Folder: filepath.Join(t.TempDir(), "backups"), Every: 24 * time.Hour, Keep: 2}
		make := func() bool {
			t.Helper()
			made, err := s.MakeDue(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			return made.File != ""
		}
		if !make() || make() {
			t.Error("the first is due at once, the second is not")
		}
		if err := os.WriteFile(filepath.Join(s.Folder, "greenroom-mine.db"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			own.Advance(23 * time.Hour)
			if make() {
				t.Error("it came an hour early")
			}
			own.Advance(time.Hour)
			if !make() {
				t.Error("it did not come")
			}
		}
		names, err := s.names(own.Now())
		if err != nil || strings.Join(names, " ") != "greenroom-20261118T050000Z.db greenroom-20261119T050000Z.db" {
			t.Errorf("%q %v", names, err)
		}
		if _, err := os.Stat(filepath.Join(s.Folder, "greenroom-mine.db")); err != nil {
			t.Error("somebody's own file is gone")
		}
		if err := os.WriteFile(filepath.Join(s.Folder, "greenroom-20991231T000000Z.db"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if own.Advance(24 * time.Hour); !make() {
			t.Error("a name of the future stops the schedule")
		}
		if left, err := os.ReadDir(s.Folder); err != nil || len(left) != 4 { // two backups, somebody's own and the future's
			t.Errorf("%v is left, %v", left, err)
		}
	})
}

// TestABackupIsPrivateFromItsFirstByte looks into the folder while a backup is made.
func TestABackupIsPrivateFromItsFirstByte(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		many(t, d, 5000)
		folder := t.TempDir()
		if err := os.Chmod(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() {
			_, err := Make(context.Background(), d, disk.Folder{}, filepath.Join(folder, "a.db"))
			done <- err
		}()
		for {
			entries, err := os.ReadDir(folder)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if about, err := e.Info(); err == nil && about.Mode().Perm()&0o077 != 0 {
					t.Fatalf("%s has mode %s", e.Name(), about.Mode())
				}
			}
			select {
			case err := <-done:
				if err != nil {
					t.Fatal(err)
				}
				if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
					t.Errorf("%v is left, %v", left, err)
				}
				return
			default:
			}
		}
	})
}

// TestTablesOfOthersStayWhereTheyAre has one in the file, as Litestream makes them: a backup of it must not fail to come back.
func TestTablesOfOthersStayWhereTheyAre(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite, clock.System{})
	every(t, d, 1)
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		if _, err := tx.Exec(ctx, "create table _litestream_seq (id integer primary key, seq integer)"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "insert into _litestream_seq (id, seq) values (1, 7)")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "a.db")
	if _, err := Make(t.Context(), d, disk.Folder{}, file); err != nil {
		t.Fatal(err)
	}
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		if _, _, err := Restore(t.Context(), file, Place{DB: dbtest.Location(t, engine), Objects: disk.Folder{}}, false, t.TempDir(), quiet); err != nil {
			t.Errorf("into %s: %v", engine, err)
		}
	}
}
