package mail

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
)

func TestForgettingReadsNoWholeTable(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for i, whose := range []string{id.New(), "ada@example.com", "ada@example.com"} {
			dbtest.Searches(t, d, "delete from outbox where "+forgetting[i], whose)
		}
		dbtest.Searches(t, d, findNotice, "ada@example.com", "reset", "ada@example.com")
		dbtest.Sweeps(t, d, old(d.Clock.Now()), id.New(), id.New())
	})
}

// TestAFileGoesWithItsLetter puts files into the folder beside an outbox that knows one of them.
func TestAFileGoesWithItsLetter(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOutbox(t, d, newBox(t), &journal{})
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			return o.Enqueue(ctx, tx, Reset{To: "ada@example.com", Link: "https://greenroom.example/x"})
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := o.drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		known, err := filepath.Glob(filepath.Join(o.folder, "*.eml"))
		if err != nil || len(known) != 1 {
			t.Fatal(known, err)
		}
		put := func(name string, age time.Duration) string {
			t.Helper()
			path := filepath.Join(o.folder, name)
			if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
			then := d.Clock.Now().Add(-age)
			if err := os.Chtimes(path, then, then); err != nil {
				t.Fatal(err)
			}
			return path
		}
		orphan, draft := put("20260101T000000.000000Z-"+id.New()+".eml", 0), put(draftPrefix+"1", 2*oldDraft)
		foreign, fresh := put("notes.eml", 0), put(draftPrefix+"2", 0)
		is := func(there bool, paths ...string) {
			t.Helper()
			if err := o.tidy(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, path := range paths {
				if _, err := os.Stat(path); (err == nil) != there {
					t.Errorf("%s: %v", path, err)
				}
			}
		}
		is(true, known[0], foreign, fresh)
		is(false, orphan, draft)
		if err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error { return o.Forget(ctx, tx, "", "Ada@Example.com") }); err != nil {
			t.Fatal(err)
		}
		is(false, known[0])
	})
}
