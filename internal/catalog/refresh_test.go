package catalog_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"greenroom/internal/catalog"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

func running(t *testing.T, d *db.DB) *catalog.Catalog {
	t.Helper()
	c := installed(t, d)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.Run(ctx)
	}()
	t.Cleanup(func() { stop(); <-done })
	return c
}

// eventually waits until the condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("not within a minute: " + what)
		}
	}
}

func finds(t *testing.T, c *catalog.Catalog, text string, want int) func() bool {
	return func() bool {
		_, total, ok := c.Find(t.Context(), text, 24, 0)
		return ok && total == want
	}
}

func TestChangeIsSearchableOnEveryInstanceWithinASecond(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			at := dbtest.Location(t, engine)
			here := running(t, dbtest.Reopen(t, at, clock.System{}))
			d := dbtest.Reopen(t, at, clock.System{})
			there := running(t, d)
			eventually(t, "both know the built-in courses", func() bool {
				return finds(t, here, "self-tape", 1)() && finds(t, there, "self-tape", 1)()
			})

			course := "11111111-1111-4111-8111-111111111111"
			write(t, d, there, course, `insert into courses (id, title, instructor, duration, category, thumbnail, description, lessons, level, rating, created_at)
				values ($1, 'Puppetry for Streamers', 'A', '1 week', 'AI Tools', '/art/x.webp', 'D', 1, 'Beginner', 4.5, $2)`, course, db.At(d.Clock.Now()))
			if !finds(t, there, "puppetry", 1)() {
				t.Error("the instance that wrote does not find it at once")
			}
			eventually(t, "the other instance finds the new course", finds(t, here, "puppetry", 1))

			write(t, d, there, course, "update courses set title = 'Marionettes' where id = $1", course)
			eventually(t, "the other instance finds the new title only", func() bool {
				return finds(t, here, "puppetry", 0)() && finds(t, here, "marionettes", 1)()
			})

			write(t, d, there, course, "delete from courses where id = $1", course)
			eventually(t, "the other instance no longer finds it", finds(t, here, "marionettes", 0))
		})
	}
}

func write(t *testing.T, d *db.DB, c *catalog.Catalog, course, query string, args ...any) {
	t.Helper()
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		if _, err := tx.Exec(ctx, query, args...); err != nil {
			return err
		}
		return c.Touch(ctx, tx, course)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestUndoneChangeRaisesNoVersion(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := installed(t, d)
		if err := c.Versions.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
		before := c.Versions.Current()
		_ = d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			if err := c.Raise(ctx, tx); err != nil {
				t.Error(err)
			}
			return context.Canceled
		})
		if err := c.Versions.Look(t.Context()); err != nil || c.Versions.Current() != before {
			t.Errorf("the version rose from %d to %d (%v)", before, c.Versions.Current(), err)
		}
	})
}

func TestVersionRisesAtTheCommit(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := installed(t, d)
		before, changed := c.Versions.Watch()
		if err := d.Write(t.Context(), c.Raise); err != nil {
			t.Fatal(err)
		}
		select {
		case <-changed:
		default:
			t.Error("the watcher was not told")
		}
		if c.Versions.Current() <= before {
			t.Error("the version did not rise")
		}
	})
}

func TestManyChangesBuildTheIndexAnew(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := running(t, d)
		eventually(t, "the index is there", finds(t, c, "self-tape", 1))
		var lines strings.Builder
		lines.WriteString("title,instructor,duration,category,thumbnail,description,lessons,level,rating\n")
		for range 4500 {
			lines.WriteString("Imported,Someone,2 weeks,AI Tools,/art/x.webp,Text,3,Beginner,4.1\n")
		}
		n, err := catalog.New(d, slog.New(slog.DiscardHandler)).Import(t.Context(), strings.NewReader(lines.String()), catalog.CSV, nil)
		if err != nil || n != 4500 {
			t.Fatalf("%d imported: %v", n, err)
		}
		eventually(t, "all are found", finds(t, c, "imported", 4500))
		if !finds(t, c, "", 4528)() {
			t.Error("the whole catalogue is not 4,528 courses")
		}
	})
}
