package catalog_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"greenroom/internal/catalog"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/who"
	"greenroom/internal/rest"
	"greenroom/internal/rest/resttest"
)

const newCourse = `{"title":"Puppetry for Streamers","instructor":"Ada Kovač","duration":"3 weeks","category":"AI Tools",` +
	`"thumbnail":"https://example.org/p.webp","description":"Strings, rods and a camera.","lessons":9,"level":"Beginner","rating":4.5}`

var admin = resttest.Admin(id.New(), "admin@example.org")

func TestOnlyAdminsWriteCourses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		api := rest.Handler(d, installed(t, d).Tables()...)
		user := resttest.Signed(id.New(), "user@example.org")
		for _, caller := range []struct {
			who     who.Actor
			refused int
		}{{resttest.Stranger, http.StatusUnauthorized}, {user, http.StatusForbidden}} {
			resttest.Call(t, api, caller.who, "POST", "/courses", newCourse).Want(t, caller.refused, "42501")
			resttest.Call(t, api, caller.who, "PATCH", "/courses?rating=gt.0", `{"title":"x"}`).Want(t, http.StatusNoContent, "")
			resttest.Call(t, api, caller.who, "DELETE", "/courses?rating=gt.0", "").Want(t, http.StatusNoContent, "")
			if rows := resttest.Call(t, api, caller.who, "GET", "/courses?title=neq.x", "").Rows(t); len(rows) != 28 {
				t.Errorf("%d courses are left", len(rows))
			}
		}
		resttest.Call(t, api, admin, "POST", "/courses", newCourse).Want(t, http.StatusCreated, "")
		resttest.Call(t, api, admin, "PATCH", "/courses?title=eq.Puppetry+for+Streamers", `{"lessons":10}`).Want(t, http.StatusNoContent, "")
		rows := resttest.Call(t, api, resttest.Stranger, "GET", "/courses?lessons=eq.10", "").Rows(t)
		if len(rows) != 1 || rows[0]["coming_soon"] != false || rows[0]["launch_at"] != nil || rows[0]["rating"] != 4.5 || rows[0]["learn"] != "" {
			t.Errorf("the new course reads %v", rows)
		}
		resttest.Call(t, api, admin, "DELETE", "/courses?lessons=eq.10", "").Want(t, http.StatusNoContent, "")
	})
}

func TestCourseThatBreaksARuleIsRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		api := rest.Handler(d, installed(t, d).Tables()...)
		for from, to := range map[string]string{
			`"Puppetry for Streamers"`:   `"  "`,
			`"Ada Kovač"`:                `"` + strings.Repeat("é", 101) + `"`,
			`"3 weeks"`:                  `""`,
			`AI Tools`:                   `Cooking`,
			`https://example.org/p.webp`: `data:text/html,x`,
			`"lessons":9`:                `"lessons":-1`,
			`Beginner`:                   `Expert`,
			`"rating":4.5`:               `"rating":4.55`,
			`4.5`:                        `5.1`,
			`"lessons"`:                  `"learn":"` + strings.Repeat("é", 2001) + `","lessons"`,
		} {
			resttest.Call(t, api, admin, "POST", "/courses", strings.Replace(newCourse, from, to, 1)).Want(t, http.StatusBadRequest, "23514")
		}
		resttest.Call(t, api, admin, "POST", "/courses", strings.Replace(newCourse, `"Beginner"`, "null", 1)).Want(t, http.StatusBadRequest, "23502")
		resttest.Call(t, api, admin, "PATCH", "/courses?rating=gt.0", `{"title":" "}`).Want(t, http.StatusBadRequest, "23514")
		if n := count(t, d, "select count(*) from courses where title <> ' '"); n != 28 {
			t.Errorf("%d courses after refused writes", n)
		}
	})
}

func TestEveryWriteRaisesTheVersion(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := installed(t, d)
		api := rest.Handler(d, c.Tables()...)
		number := c.Versions.Current()
		for _, call := range [][3]string{
			{"POST", "/courses", newCourse},
			{"PATCH", "/courses?title=eq.Puppetry+for+Streamers", `{"lessons":10}`},
			{"DELETE", "/courses?title=eq.Puppetry+for+Streamers", ""},
		} {
			resttest.Call(t, api, admin, call[0], call[1], call[2])
			if c.Versions.Current() != number+1 {
				t.Errorf("%s moved the version from %d to %d", call[0], number, c.Versions.Current())
			}
			number = c.Versions.Current()
		}
		resttest.Call(t, api, admin, "PATCH", "/courses?title=eq.Nothing", `{"lessons":10}`)
		resttest.Call(t, api, admin, "POST", "/courses", strings.Replace(newCourse, "AI Tools", "Cooking", 1))
		if c.Versions.Current() != number {
			t.Error("a write that changed nothing raised the version")
		}
	})
}

func TestLaunchIsToldOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := installed(t, d)
		var told []string
		c.Launched = func(_ context.Context, _ *db.Tx, course catalog.Course) error {
			told = append(told, course.Title)
			return nil
		}
		api := rest.Handler(d, c.Tables()...)
		patch := func(title, body string) {
			resttest.Call(t, api, admin, "PATCH", "/courses?title=eq."+url.QueryEscape(title), body).Want(t, http.StatusNoContent, "")
		}
		patch("Documentary Filmmaking", `{"lessons":43}`)
		patch("Pitching to Producers", `{"coming_soon":false}`)
		if len(told) != 0 {
			t.Errorf("told of %v without a launch", told)
		}
		patch("Documentary Filmmaking", `{"coming_soon":false}`)
		patch("Documentary Filmmaking", `{"coming_soon":false}`)
		if !slices.Equal(told, []string{"Documentary Filmmaking"}) {
			t.Errorf("told of %v", told)
		}
		patch("Documentary Filmmaking", `{"coming_soon":true}`)
		patch("Documentary Filmmaking", `{"coming_soon":false}`)
		if len(told) != 2 {
			t.Errorf("told of %v", told)
		}
	})
}

// A star in the text is a star: it finds the one title that has it, by the index and by the database alike.
func TestSearchForAStarFindsStars(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		byDatabase := rest.Handler(d, installed(t, d).Tables()...)
		c := running(t, d)
		byMemory := rest.Handler(d, c.Tables()...)
		eventually(t, "the index is there", finds(t, c, "self-tape", 1))
		for _, api := range []http.Handler{byDatabase, byMemory} {
			if rows := resttest.Call(t, api, resttest.Stranger, "GET", searchPath("*", ""), "").Rows(t); len(rows) != 0 {
				t.Errorf("%d courses without a star are found", len(rows))
			}
		}
		resttest.Call(t, byMemory, admin, "POST", "/courses", strings.Replace(newCourse, "for Streamers", "in Five * Theatres", 1)).Want(t, http.StatusCreated, "")
		for _, text := range []string{"*", "five *", "* THEATRES"} {
			for _, api := range []http.Handler{byDatabase, byMemory} {
				if rows := resttest.Call(t, api, resttest.Stranger, "GET", searchPath(text, ""), "").Rows(t); len(rows) != 1 {
					t.Errorf("%q finds %d courses", text, len(rows))
				}
			}
		}
	})
}

// People write "self tape" and "self-tape" for the same thing. A hyphen alone is looked for as it is.
func TestSearchTakesAHyphenForASpace(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		installed(t, d)
		c := running(t, d)
		api := rest.Handler(d, c.Tables()...)
		eventually(t, "the index is there", finds(t, c, "self-tape", 1))
		hyphens := count(t, d, "select count(*) from courses where title || instructor || category || description like '%-%'")
		for text, want := range map[string]int{
			"self-tape lab": 1, "self tape lab": 1, "Self-Tape-Lab": 1, "the self ": 1, "the self-": 1, "selftape": 0,
			"side-hustle": 1, "SIDE HUSTLE to": 1, "-": hyphens, " - ": 0,
		} {
			got := resttest.Call(t, api, resttest.Stranger, "GET", searchPath(text, "&limit=24"), "", "Prefer: count=exact")
			if of := got.Header.Get("Content-Range"); !strings.HasSuffix(of, fmt.Sprintf("/%d", want)) {
				t.Errorf("%q: %s, not %d", text, of, want)
			}
		}
	})
}

// An upsert by id adds a course, changes it, or leaves it, as it asks; for admins alone, and by the same rules.
func TestCoursesAreUpsertedByID(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		api := rest.Handler(d, installed(t, d).Tables()...)
		key := id.New()
		course := func(title string) string {
			return `{"id":"` + key + `",` + strings.Replace(newCourse[1:], "Puppetry for Streamers", title, 1)
		}
		upsert := func(as who.Actor, body, resolution string) resttest.Answer {
			return resttest.Call(t, api, as, "POST", "/courses?select=id,title,lessons", body, "Prefer: return=representation, resolution="+resolution)
		}
		user := resttest.Signed(id.New(), "user@example.org")
		upsert(user, course("Theirs"), "merge-duplicates").Want(t, http.StatusForbidden, "42501")
		added := upsert(admin, course("First"), "merge-duplicates").Want(t, http.StatusCreated, "")
		if want := `[{"id":"` + key + `","title":"First","lessons":9}]`; added.Body != want {
			t.Errorf("added %s", added.Body)
		}
		changed := upsert(admin, course("Second"), "merge-duplicates").Want(t, http.StatusOK, "")
		if rows := changed.Rows(t); len(rows) != 1 || rows[0]["title"] != "Second" || rows[0]["id"] != key {
			t.Errorf("changed %s", changed.Body)
		}
		if left := upsert(admin, course("Third"), "ignore-duplicates").Want(t, http.StatusCreated, ""); left.Body != "[]" {
			t.Errorf("ignored %s", left.Body)
		}
		upsert(admin, strings.Replace(course("Fourth"), `"lessons":9`, `"lessons":-1`, 1), "merge-duplicates").Want(t, http.StatusBadRequest, "23514")
		upsert(user, course("Theirs"), "ignore-duplicates").Want(t, http.StatusForbidden, "42501")
		resttest.Call(t, api, admin, "POST", "/courses", course("Fifth")).Want(t, http.StatusConflict, "23505")
		resttest.Call(t, api, admin, "PATCH", "/courses?id=eq."+key, `{"id":"`+id.New()+`"}`).Want(t, http.StatusForbidden, "42501")
		if n := count(t, d, "select count(*) from courses where title = 'Second'"); n != 1 || count(t, d, "select count(*) from courses") != 29 {
			t.Errorf("%d courses are the second", n)
		}
	})
}

func searchPath(text, more string) string {
	literal := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`, `*`, `\*`).Replace(text)
	quoted := `"*` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(literal) + `*"`
	var parts []string
	for _, column := range []string{"title", "instructor", "category", "description"} {
		parts = append(parts, column+".ilike."+quoted)
	}
	return "/courses?or=" + url.QueryEscape("("+strings.Join(parts, ",")+")") + more
}

func TestSearchFromMemoryAnswersAsTheDatabaseDoes(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		byDatabase := rest.Handler(d, installed(t, d).Tables()...)
		c := running(t, d)
		byMemory := rest.Handler(d, c.Tables()...)
		eventually(t, "the index is there", finds(t, c, "self-tape", 1))
		for _, order := range []string{"&order=rating.desc,created_at.desc,id.asc", "&order=created_at.desc,id.asc"} {
			for _, text := range []string{"", "a", "SELF", "the", "camera", "AI Tools", "'", "%", "_", "week", "&", "nothing holds this", `"`, `\`, "*", "f*"} {
				for _, page := range []string{"&limit=24", "&limit=5&offset=5", "&limit=5&offset=500", "&limit=0", "&select=id,title&limit=3", "&category=eq.AI+Tools&limit=24", "&category=eq.ai+tools", "&category=eq.&limit=3"} {
					path := searchPath(text, order+page)
					want := resttest.Call(t, byDatabase, resttest.Stranger, "GET", path, "", "Prefer: count=exact")
					got := resttest.Call(t, byMemory, resttest.Stranger, "GET", path, "", "Prefer: count=exact")
					if got.Status != want.Status || got.Body != want.Body || got.Header.Get("Content-Range") != want.Header.Get("Content-Range") {
						t.Errorf("%s: %d %s %s, from the database %d %s %s", path, got.Status, got.Header.Get("Content-Range"), got.Body,
							want.Status, want.Header.Get("Content-Range"), want.Body)
					}
				}
			}
		}
		// What the index was not told of, it cannot know: this proves that it is the index that answers.
		exec(t, d, "delete from courses where rating < 4.8")
		for more, want := range map[string]string{"": "0-0/28", "&category=eq.AI+Tools": "0-0/4"} {
			got := resttest.Call(t, byMemory, resttest.Stranger, "GET", searchPath("", "&limit=1"+more), "", "Prefer: count=exact")
			if got.Header.Get("Content-Range") != want {
				t.Errorf("%s: the database answered: %s", more, got.Header.Get("Content-Range"))
			}
		}
	})
}
