package catalog_test

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"greenroom/internal/catalog"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

func installed(t *testing.T, d *db.DB) *catalog.Catalog {
	t.Helper()
	c := catalog.New(d, slog.New(slog.DiscardHandler))
	if err := c.Install(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

func count(t *testing.T, d *db.DB, query string) (n int) {
	t.Helper()
	err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error { return tx.QueryRow(ctx, query).Scan(&n) })
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func exec(t *testing.T, d *db.DB, query string) {
	t.Helper()
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, query)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestBuiltinCoursesShowEveryRule(t *testing.T) {
	t.Parallel()
	list, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 28 {
		t.Errorf("there are %d built-in courses, not 28", len(list))
	}
	perCategory, perLevel := map[string]int{}, map[string]int{}
	top, rest := 0, 0
	ids, soon := map[string]bool{}, map[string]string{}
	for _, c := range list {
		perCategory[c.Category]++
		perLevel[c.Level]++
		if c.Rating >= 4.8 {
			top++
		} else {
			rest++
		}
		ids[c.ID] = true
		if c.ComingSoon {
			soon[c.Title] = c.Category
		}
	}
	if len(ids) != 28 || len(perCategory) != 6 || len(perLevel) != 4 {
		t.Errorf("%d ids, %d categories, %d levels", len(ids), len(perCategory), len(perLevel))
	}
	if top <= 6 || rest <= 12 {
		t.Errorf("%d courses are rated 4.8 or more, %d less", top, rest)
	}
	if !slices.ContainsFunc(catalog.Categories, func(name string) bool { return perCategory[name] > 6 }) {
		t.Errorf("no category has more than six courses: %v", perCategory)
	}
	want := map[string]string{
		"Screenwriting for Streaming": "Content Creation", "Documentary Filmmaking": "Content Creation",
		"Cinematography Masterclass": "Content Creation", "Music Production with AI": "AI Tools",
	}
	if len(soon) != len(want) {
		t.Errorf("coming soon: %v", soon)
	}
	for title, category := range want {
		if soon[title] != category {
			t.Errorf("%s is coming soon in %q, not in %q", title, soon[title], category)
		}
	}
}

// Rows are ordered by rating, then by date: the data alone keeps two neighboring rows of the home page from opening with
// the same picture.
func TestTrendingAndComingSoonOpenWithDifferentCourses(t *testing.T) {
	t.Parallel()
	list, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(list, func(a, b catalog.Course) int {
		return cmp.Or(cmp.Compare(b.Rating, a.Rating), b.CreatedAt.Compare(a.CreatedAt))
	})
	soon := list[slices.IndexFunc(list, func(c catalog.Course) bool { return c.ComingSoon })]
	if soon.Title == list[0].Title {
		t.Errorf("both open with %s", soon.Title)
	}
}

func TestBuiltinCoursesAreInstalledOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		installed(t, d)
		if n := count(t, d, "select count(*) from courses"); n != 28 {
			t.Fatalf("%d courses after the first start", n)
		}
		if n := count(t, d, "select count(*) from courses where awaited and coming_soon"); n != 4 {
			t.Errorf("%d courses are awaited", n)
		}
		exec(t, d, "delete from courses where title = 'Documentary Filmmaking'")
		installed(t, d)
		if n := count(t, d, "select count(*) from courses"); n != 27 {
			t.Errorf("a later start brought a deleted course back: %d courses", n)
		}
	})
}

func TestBuiltinCoursesTellTheirStory(t *testing.T) {
	t.Parallel()
	list, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for _, c := range list {
		if lines := strings.Split(c.Learn, "\n"); len(lines) < 4 || len(lines) > 6 {
			t.Errorf("%s teaches %d things", c.Title, len(lines))
		}
		if !strings.Contains(c.InstructorBio, strings.Fields(c.Instructor)[0]) {
			t.Errorf("%s: the words about %s do not name them", c.Title, c.Instructor)
		}
		for _, text := range append(strings.Split(c.Learn, "\n"), c.Audience, c.Outcome, c.InstructorBio) {
			if strings.TrimSpace(text) == "" || said[text] != "" {
				t.Errorf("%s says %q, as does %s", c.Title, text, said[text])
			}
			said[text] = c.Title
		}
	}
}

// An installation from before the stories: its courses get theirs, except those that somebody changed or told already.
func TestOlderInstallationsGetTheStoriesOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		installed(t, d)
		exec(t, d, "update courses set learn = '', audience = '', outcome = '', instructor_bio = ''")
		exec(t, d, "delete from versions where name = 'course stories installed'")
		exec(t, d, "update courses set lessons = lessons + 1 where title = 'Negotiating Your Rate'")
		exec(t, d, "update courses set audience = 'Everybody' where title = 'Podcasting, End to End'")
		before := count(t, d, "select number from versions where name = 'catalog'")
		installed(t, d)
		if n := count(t, d, "select count(*) from courses where learn <> '' and audience <> '' and outcome <> '' and instructor_bio <> ''"); n != 26 {
			t.Errorf("%d courses have their story, not 26", n)
		}
		if after := count(t, d, "select number from versions where name = 'catalog'"); after == before {
			t.Error("pages that are cached would not tell it")
		}
		exec(t, d, "update courses set learn = '', audience = '', outcome = '', instructor_bio = '' where title = 'Pitching to Producers'")
		installed(t, d)
		if n := count(t, d, "select count(*) from courses where learn = ''"); n != 3 {
			t.Errorf("%d courses are without a story: a later start brought one back", n)
		}
	})
}

func TestStartsTogetherInstallOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		done := make(chan error)
		for range 8 {
			go func() { done <- catalog.New(d, slog.New(slog.DiscardHandler)).Install(t.Context()) }()
		}
		for range 8 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if n := count(t, d, "select count(*) from courses"); n != 28 {
			t.Errorf("%d courses", n)
		}
	})
}

func TestDatabaseWithCoursesGetsNone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		installed(t, d)
		exec(t, d, "delete from versions where name = 'courses installed'")
		exec(t, d, "delete from courses where title <> 'Pitching to Producers'")
		installed(t, d)
		if n := count(t, d, "select count(*) from courses"); n != 1 {
			t.Errorf("%d courses", n)
		}
	})
}
