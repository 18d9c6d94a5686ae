package catalog_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"greenroom/internal/catalog"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/rest"
	"greenroom/internal/rest/resttest"
)

const everyCourse = "00000000-0000-0000-0000-000000000000"

func puppetry(t *testing.T, d *db.DB, c *catalog.Catalog, noted string) (course string) {
	t.Helper()
	course = "11111111-1111-4111-8111-111111111111"
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, `insert into courses (id, title, instructor, duration, category, thumbnail, description, lessons, level, rating, created_at)
			values ($1, 'Puppetry for Streamers', 'A', '1 week', 'AI Tools', '/art/x.webp', 'D', 1, 'Beginner', 4.5, $2)`, course, db.At(tx.Now))
		if err != nil {
			return err
		}
		return c.Touch(ctx, tx, noted)
	})
	if err != nil {
		t.Fatal(err)
	}
	return course
}

func TestSearchesGoOnFromTheLastIndexWhileItIsBuiltAnew(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := running(t, d)
		api := rest.Handler(d, c.Tables()...)
		eventually(t, "the index is there", finds(t, c, "self-tape", 1))
		release := c.HoldTurn()
		course := puppetry(t, d, c, everyCourse) // so only a build shows it
		var all sync.WaitGroup
		for i := range 64 { // more than there are connections
			all.Go(func() {
				text, want := "self-tape", "0-0/1"
				if i%2 == 0 {
					text, want = "puppetry", "*/0"
				}
				answer := resttest.Call(t, api, resttest.Stranger, "GET", searchPath(text, "&limit=24"), "", "Prefer: count=exact")
				if got := answer.Header.Get("Content-Range"); answer.Status != http.StatusOK || got != want {
					t.Errorf("%s: %d %s %s", text, answer.Status, got, answer.Body)
				}
			})
		}
		if answer := resttest.Call(t, api, resttest.Stranger, "GET", "/courses?select=title&id=eq."+course, ""); answer.Body != `[{"title":"Puppetry for Streamers"}]` {
			t.Errorf("read by its id: %d %s", answer.Status, answer.Body)
		}
		all.Wait()
		release()
		eventually(t, "the new index shows it", finds(t, c, "puppetry", 1))
	})
}

func TestChangesAreSeenAtOnceWhileTheIndexIsBuiltAnew(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := running(t, d)
		eventually(t, "the index is there", finds(t, c, "self-tape", 1))
		release := c.HoldTurn()
		importMany(t, c, 4500)
		eventually(t, "all are found without a build", finds(t, c, "imported", 4500))
		course := puppetry(t, d, c, "11111111-1111-4111-8111-111111111111")
		eventually(t, "the new course is found without a build", finds(t, c, "puppetry", 1))
		release()
		eventually(t, "the index is built anew", func() bool { return c.OnTop() < 4500 })
		write(t, d, c, course, "delete from courses where id = $1", course)
		eventually(t, "the deleted course is gone", finds(t, c, "puppetry", 0))
		if !finds(t, c, "imported", 4500)() {
			t.Error("the build lost courses")
		}
	})
}

func importMany(t *testing.T, c *catalog.Catalog, n int) {
	t.Helper()
	lines := "title,instructor,duration,category,thumbnail,description,lessons,level,rating\n" +
		strings.Repeat("Imported,Someone,2 weeks,AI Tools,/art/x.webp,Text,3,Beginner,4.1\n", n)
	if got, err := c.Import(t.Context(), strings.NewReader(lines), catalog.CSV, nil); err != nil || got != n {
		t.Fatalf("%d imported: %v", got, err)
	}
}

// oddReads make the database look at every course.
var oddReads = []string{
	"title=ilike.*a*", "title=ilike.*a%25_b*", "title=like.*a*", "title=not.ilike.*a*", "thumbnail=ilike.*a*",
	"or=(title.ilike.*a*,instructor.ilike.*b*)", "or=(id.eq." + everyCourse + ",and(rating.gte.1,description.like.*x*))", "and=(title.ilike.*a*,id.neq." + everyCourse + ")",
	"description=eq.x", "duration=not.is.null", "level=eq.Beginner", "launch_at=is.null",
	"order=description.asc", "order=rating.desc,title.asc", "order=rating.desc,created_at.asc", "or=(title.ilike.*a*,instructor.ilike.*a*,category.ilike.*a*,description.ilike.*a*)&order=lessons.asc",
	"order=rating.desc&title=neq.x&category=neq.y", "title=neq.x", "title=not.eq.x", "category=isdistinct.x", "rating=not.gte.4", "title=is.null", "coming_soon=is.not_null", "coming_soon=not.is.true",
	"or=(title.eq.x,category.eq.y)", "or=(rating.gte.4,rating.lt.1)&order=rating.desc", "rating=gte.0&rating=gte.1", "category=gte.a&order=rating.desc", "category=in.(a,b)&order=rating.desc",
	"category=eq.x&order=title.asc", "title=eq.x&order=rating.desc", "category=eq.x&coming_soon=is.false&order=rating.desc", "id=neq." + everyCourse + "&id=neq." + everyCourse,
	"id=in.(" + everyCourse + ")&title=ilike.*a*", "id=in.(" + everyCourse + ")&or=(title.ilike.*a*,title.ilike.*b*)",
}

// oddCounts are served as long as nobody asks how many there are in all.
var oddCounts = []string{
	"id=neq." + everyCourse, "category=eq.AI+Tools&id=neq." + everyCourse + "&order=rating.desc,created_at.desc,id.asc&limit=6",
}

// servedCounts go along an index.
var servedCounts = []string{
	"limit=1", "order=created_at.desc,id.asc&limit=24", "category=eq.AI+Tools&order=rating.desc&limit=1", "coming_soon=is.true&limit=1", "rating=gte.4&limit=1", "id=in.(" + everyCourse + ")&title=neq.x",
}

// servedReads are those of the app's pages, and others that an index serves.
var servedReads = []string{
	"", "coming_soon=is.false&order=coming_soon.asc", "category=in.(a,b)", "order=rating.desc,created_at.desc,id.asc&limit=24", "order=rating.asc", "order=id.asc&id=gt." + everyCourse, "order=created_at.desc,id.asc",
	"rating=gte.4.8&order=rating.desc,created_at.desc,id.asc&limit=6", "coming_soon=is.true&order=rating.desc,created_at.desc,id.asc",
	"category=eq.AI+Tools&id=neq." + everyCourse + "&order=rating.desc,created_at.desc,id.asc", "id=in.(" + everyCourse + ")&order=title.asc,rating.asc",
	"id=eq." + everyCourse + "&description=ilike.*x*", "title=eq.Nothing", "order=title.asc", "instructor=eq.Nobody&id=neq." + everyCourse + "&order=rating.desc,created_at.desc,id.asc&limit=3",
}

func TestReadsThatLookAtEveryCourseWaitForATurn(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := installed(t, d)
		c.TurnWithin(time.Millisecond)
		api := rest.Handler(d, c.Tables()...)
		ask := func(query string, header ...string) resttest.Answer {
			return resttest.Call(t, api, resttest.Stranger, "GET", "/courses?select=id&"+query, "", header...)
		}
		const counted = "Prefer: count=exact"
		release := c.HoldTurn()
		for _, query := range append(oddReads, strings.TrimPrefix(searchPath("a", ""), "/courses?")) {
			if answer := ask(query); answer.Status != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") != "1" {
				t.Errorf("%s: %d %s", query, answer.Status, answer.Body)
			}
		}
		for _, query := range oddCounts {
			if answer := ask(query, counted); answer.Status != http.StatusServiceUnavailable {
				t.Errorf("%s, counted: %d %s", query, answer.Status, answer.Body)
			}
		}
		for _, query := range slices.Concat(servedReads, oddCounts) {
			if answer := ask(query); answer.Status != http.StatusOK {
				t.Errorf("%s: %d %s", query, answer.Status, answer.Body)
			}
		}
		for _, query := range servedCounts {
			if answer := ask(query, counted); answer.Status != http.StatusOK && answer.Status != http.StatusPartialContent {
				t.Errorf("%s, counted: %d %s", query, answer.Status, answer.Body)
			}
		}
		release()
		for _, query := range oddReads {
			ask(query).Want(t, http.StatusOK, "")
		}
	})
}

func TestOneReadAtATimeLooksAtEveryCourse(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := installed(t, d)
		c.TurnWithin(time.Minute)
		tables := c.Tables()
		answer := tables[0].Answer
		var now, turns atomic.Int64
		tables[0].Answer = func(ctx context.Context, q rest.Query) (*rest.Page, func(), error) {
			page, done, err := answer(ctx, q)
			if page != nil || done == nil || err != nil {
				return page, done, err
			}
			turns.Add(1)
			if n := now.Add(1); n > 1 {
				t.Errorf("%d at once", n)
			}
			return nil, func() { now.Add(-1); done() }, nil
		}
		api := rest.Handler(d, tables...)
		var all sync.WaitGroup
		for i := range 16 {
			all.Go(func() {
				for _, path := range []string{searchPath(fmt.Sprintf("a%d", i), ""), "/courses?" + oddReads[i%len(oddReads)]} {
					if answer := resttest.Call(t, api, resttest.Stranger, "GET", path, ""); answer.Status != http.StatusOK {
						t.Errorf("%s: %d %s", path, answer.Status, answer.Body)
					}
				}
			})
		}
		all.Wait()
		if turns.Load() != 32 {
			t.Errorf("%d turns, not 32", turns.Load())
		}
	})
}
