package catalog_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"greenroom/internal/catalog"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

func TestExportedCatalogueImportsAsItWas(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := installed(t, d)
		exec(t, d, `update courses set description = 'Quotes " and, commas
and lines — 日本' where title = 'Pitching to Producers'`)
		for _, format := range []catalog.Format{catalog.CSV, catalog.JSONL} {
			var first, second bytes.Buffer
			n, err := c.Export(t.Context(), &first, format)
			if err != nil || n != 28 {
				t.Fatalf("%s: %d exported: %v", format, n, err)
			}
			exec(t, d, "delete from courses where rating > 4.5")
			exec(t, d, "update courses set title = 'changed'")
			if n, err := c.Import(t.Context(), bytes.NewReader(first.Bytes()), format, nil); err != nil || n != 28 {
				t.Fatalf("%s: %d imported: %v", format, n, err)
			}
			if _, err := c.Export(t.Context(), &second, format); err != nil {
				t.Fatal(err)
			}
			if first.String() != second.String() {
				t.Errorf("%s: the second export differs from the first", format)
			}
		}
	})
}

// interrupting is a file at whose second reading somebody presses Ctrl-C.
type interrupting struct {
	*strings.Reader
	interrupt func()
	again     bool
}

func (f *interrupting) Seek(offset int64, whence int) (int64, error) {
	f.again = whence == io.SeekStart
	return f.Reader.Seek(offset, whence)
}

func (f *interrupting) Read(p []byte) (int, error) {
	if f.again {
		f.interrupt()
	}
	return f.Reader.Read(p)
}

func TestAnInterruptedImportSaysSo(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := installed(t, d)
		for range 20 { // what was read before it may be passed on or not
			ctx, cancel := context.WithCancel(t.Context())
			file := &interrupting{Reader: strings.NewReader("title,instructor,duration,category,thumbnail,description,lessons,level,rating\n" +
				"T,I,1 week,AI Tools,/a.webp,D,1,Beginner,4.5\n"), interrupt: cancel}
			if n, err := c.Import(ctx, file, catalog.CSV, nil); !errors.Is(err, context.Canceled) || n != 0 {
				t.Errorf("%d courses came in, %v", n, err)
			}
		}
	})
}

func TestFileWithoutStoriesTakesNoneAway(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := installed(t, d)
		list, err := catalog.Builtin()
		if err != nil {
			t.Fatal(err)
		}
		file := "id,title,instructor,duration,category,thumbnail,description,lessons,level,rating,learn\n" +
			list[0].ID + ",Anew,I,1 week,AI Tools,/a.webp,D,1,Beginner,4.5,\n" +
			list[1].ID + ",Anew,I,1 week,AI Tools,/a.webp,D,1,Beginner,4.5,Something else\n"
		if _, err := c.Import(t.Context(), strings.NewReader(file), catalog.CSV, nil); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{list[0].Learn, "Something else"} {
			if n := count(t, d, "select count(*) from courses where title = 'Anew' and outcome <> '' and learn = '"+strings.ReplaceAll(want, "'", "''")+"'"); n != 1 {
				t.Errorf("%d courses teach %q", n, want)
			}
		}
	})
}

func TestEmptyCatalogueExportsItsHeader(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := installed(t, d)
		exec(t, d, "delete from courses")
		var out bytes.Buffer
		if n, err := c.Export(t.Context(), &out, catalog.CSV); n != 0 || err != nil || !strings.HasPrefix(out.String(), "id,title,") {
			t.Errorf("%d, %v, %q", n, err, out.String())
		}
	})
}

func TestBrokenLineIsNamed(t *testing.T) {
	t.Parallel()
	good := `{"title":"T","instructor":"I","duration":"1 week","category":"AI Tools","thumbnail":"/a.webp","description":"D","lessons":1,"level":"Beginner","rating":4.5}`
	head := "title,instructor,duration,category,thumbnail,description,lessons,level,rating\n"
	row := "T,I,1 week,AI Tools,/a.webp,D,1,Beginner,"
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := installed(t, d)
		for _, broken := range []struct {
			format catalog.Format
			text   string
			line   string
		}{
			{catalog.JSONL, good + "\n\n" + strings.Replace(good, "4.5", "5.1", 1), "line 3: Rating"},
			{catalog.JSONL, good + "\n" + strings.Replace(good, "4.5", "4.55", 1), "line 2: Rating"},
			{catalog.JSONL, strings.Replace(good, `"T"`, `" "`, 1), "line 1: Title is required."},
			{catalog.JSONL, strings.Replace(good, "AI Tools", "Cooking", 1), "line 1: Category"},
			{catalog.JSONL, strings.Replace(good, "Beginner", "Expert", 1), "line 1: Level"},
			{catalog.JSONL, strings.Replace(good, `"lessons":1`, `"lessons":-1`, 1), "line 1: Lessons"},
			{catalog.JSONL, strings.Replace(good, "/a.webp", "javascript:alert(1)", 1), "line 1: Thumbnail"},
			{catalog.JSONL, strings.Replace(good, "/a.webp", "http://x.org/a.webp", 1), "line 1: Thumbnail"},
			{catalog.JSONL, strings.Replace(good, "/a.webp", "//x.org/a.webp", 1), "line 1: Thumbnail"},
			{catalog.JSONL, strings.Replace(good, `"title":"T"`, `"id":"7","title":"T"`, 1), "line 1: the id"},
			{catalog.JSONL, `{"nope":1}`, "line 1: "},
			{catalog.JSONL, `{`, "line 1: "},
			{catalog.CSV, "nope\n1\n", "line 1: the column"},
			{catalog.CSV, head + row + "4.5\n" + row + "NaN\n", "line 3: Rating"},
			{catalog.CSV, head + row + "four\n", "line 2: rating"},
			{catalog.CSV, head + "T,I\n", "line 2: "},
			{catalog.CSV, head + row + "4.5\n\"", "line 3: "},
			{catalog.CSV, head + strings.Replace(row, "T,", "\xff,", 1) + "4.5\n", "line 2: Title holds bytes"},
			{catalog.JSONL, strings.Replace(good, `"T"`, `"\u0000"`, 1), "line 1: Title holds bytes"},
		} {
			n, err := c.Import(t.Context(), strings.NewReader(broken.text), broken.format, nil)
			if err == nil || !strings.HasPrefix(err.Error(), broken.line) || n != 0 {
				t.Errorf("%q: %d imported, %v", broken.text, n, err)
			}
		}
		// The good lines before a broken one were not stored either.
		if n, err := c.Export(t.Context(), io.Discard, catalog.CSV); err != nil || n != 28 {
			t.Errorf("%d courses afterwards, %v", n, err)
		}
	})
}

func TestFileNameTellsTheFormat(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]catalog.Format{"a.csv": catalog.CSV, "x/B.JSONL": catalog.JSONL, "c.xml": "", "csv": ""} {
		if got, err := catalog.FormatOf(name); got != want || (err == nil) != (want != "") {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
}

// A server's writes go on while another process imports: they all succeed, and they come between the import's
// transactions and not only before and after all of them.
func TestServerKeepsWritingBesideAnImport(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			at := dbtest.Location(t, engine)
			claims := at
			claims.Exclusive = true // as a server does: a file that nobody serves is written to without pauses
			server := dbtest.Reopen(t, claims, clock.System{})
			c := installed(t, dbtest.Reopen(t, at, clock.System{}))
			var over atomic.Bool
			between := map[int]bool{} // how many courses were there at each write
			done := make(chan struct{})
			go func() {
				defer close(done)
				for !over.Load() {
					err := server.Write(context.Background(), func(ctx context.Context, tx *db.Tx) error {
						if _, err := tx.Exec(ctx, "insert into versions (name, number) values ('beside', 1) on conflict (name) do update set number = versions.number + 1"); err != nil {
							return err
						}
						var courses int
						err := tx.QueryRow(ctx, "select count(*) from courses").Scan(&courses)
						between[courses] = true
						return err
					})
					if err != nil {
						t.Errorf("a write beside the import: %v", err)
					}
				}
			}()
			importMany(t, c, 5000)
			over.Store(true)
			<-done
			if len(between) < 8 {
				t.Errorf("the server wrote only at %d moments of the import: %v", len(between), between)
			}
		})
	}
}
