package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

// keys gives n names with their values, as they stand in an object.
func keys(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`"k%d":1`, i)
	}
	return strings.Join(list, ",")
}

// What stands behind the first name that no column has is never read: it is no JSON here, and nobody notices.
func TestBodiesAreReadUpToTheFirstUnknownName(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		nope := `~Could not find the 'nope' column of 'books' in the schema cache`
		big := keys(40_000)
		l.check(t, []exchange{
			{"POST", "books", `{"nope":` + strings.Repeat("[", 70), nil, 400, nope, nil},
			{"POST", "books", `[{"title":"a"},{"nope" and no JSON at all`, []string{asAdmin}, 400, nope, nil},
			{"PATCH", "books?id=eq." + book(1), `{"pages":1,"nope"`, []string{asAdmin}, 400, nope, nil},
			{"POST", "books", `[{` + big + `},{` + big, nil, 400, "~PGRST204", nil},
			{"GET", "books?select=id", "", []string{"Prefer: count=exact"}, 200, "~id", []string{"Content-Range: 0-4/5"}},
		})
	})
}

// With columns= other names are read over; a hundred in one object are enough for everybody.
func TestObjectsHoldAHundredNames(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		many := `~An object holds at most 100 names.`
		l.check(t, []exchange{
			{"POST", "books?columns=title", `{"title":"Wide",` + keys(99) + `}`, []string{asAdmin}, 201, "", nil},
			{"POST", "books?columns=title", `{"title":"Wider",` + keys(100) + `}`, []string{asAdmin}, 413, many, nil},
			{"POST", "books?columns=title", `[{` + keys(40_000) + `},{` + keys(40_000), nil, 413, many, nil},
			{"POST", "books", `{"title":{` + keys(101) + `}}`, nil, 413, many, nil},
			{"POST", "books?columns=title", `{"k":1,"title":"Twice","k":2}`, []string{asAdmin}, 400, "~PGRST102", nil},
			{"POST", "books", `[{"title":"a"},` + strings.Repeat(`[],`, 10), nil, 400, "~PGRST102", nil},
			{"GET", "books?select=title&title=like.Wide*", "", nil, 200, `[{"title":"Wide"}]`, nil},
		})
	})
}

// A name that comes twice in columns= or on_conflict= names one column: a key over two is not a key over one of them.
func TestNamedColumnsAreSets(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, l *library) {
		loan := func(n int, stars string) string {
			return `{"user_id":"` + reader + `","book_id":"` + book(n) + `","stars":` + stars + `}`
		}
		merge := "Prefer: resolution=merge-duplicates"
		l.check(t, []exchange{
			{"PATCH", "books?title=eq.Zebra&columns=pages,pages", `{"pages":14}`, []string{asAdmin}, 204, "", []string{"Content-Range: 0-0/*"}},
			{"POST", "books?columns=title,title", `[{"title":"Once"}]`, []string{asAdmin}, 201, "", nil},
			{"POST", "loans", "[" + loan(1, "1") + "," + loan(2, "2") + "]", []string{asReader}, 201, "", nil},
			{"POST", "loans?on_conflict=user_id,user_id", loan(1, "5"), []string{asReader, merge}, 400, "~42P10", nil},
			{"GET", "loans?select=stars&order=stars", "", []string{asReader}, 200, `[{"stars":1},` + "\n " + `{"stars":2}]`, nil},
		})
	})
}
