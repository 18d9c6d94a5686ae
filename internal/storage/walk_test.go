package storage

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"greenroom/internal/platform/db/dbtest"
)

// Pages of every size, both ways, with folders and without, are the list; and each step of them goes by the index.
func TestAListByNameIsReadAlongTheIndex(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		names := []string{"a", "a.b", "a/", "a/1", "a/2/3", "a0", "b/1", "b/2", "b//1", "c", "d/1", "p/a", "p/b/1", "p/b/2", "p/c", "pq"}
		for _, name := range names {
			if w := s.do("admin", "POST", "/object/lessons/"+name, strings.NewReader("text"), "Content-Type", "text/plain"); w.Code != 200 {
				t.Fatalf("%s: %s", name, w.Body)
			}
		}
		for _, prefix := range []string{"", "a", "b/", "p", "p/", "none"} {
			for _, tree := range []bool{false, true} {
				want := []string{}
				for _, name := range names {
					if rest, ok := strings.CutPrefix(name, prefix); ok {
						if at := strings.IndexByte(rest, '/'); tree && at >= 0 {
							name = prefix + rest[:at+1]
						}
						want = append(want, name)
					}
				}
				slices.Sort(want)
				want = slices.Compact(want)
				for _, order := range []string{"asc", "desc"} {
					for limit := 1; limit <= 5; limit++ {
						if got := s.pages(t, prefix, order, tree, limit); !slices.Equal(got, want) {
							t.Errorf("%q %s %v %d: %q instead of %q", prefix, order, tree, limit, got, want)
						}
					}
					slices.Reverse(want)
				}
			}
		}
		for _, order := range []string{"asc", "desc"} {
			dbtest.Searches(t, s.DB, stepQuery+"1 = 1 order by o.name "+order+" limit 100", "lessons", "a", "b")
		}
	})
}

func (s *stage) pages(t *testing.T, prefix, order string, tree bool, limit int) []string {
	t.Helper()
	all, next := []string{}, ""
	for range 100 {
		body, _ := json.Marshal(map[string]any{"prefix": prefix, "limit": limit, "with_delimiter": tree, "sortBy": map[string]string{"column": "name", "order": order}, "cursor": next})
		w := s.do("admin", "POST", "/object/list-v2/lessons", strings.NewReader(string(body)), "Content-Type", "application/json")
		var page struct {
			HasNext          bool
			NextCursor       string
			Folders, Objects []struct{ Name string }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil {
			t.Fatal(err)
		}
		shown := []string{}
		for _, one := range append(page.Folders, page.Objects...) {
			shown = append(shown, one.Name)
		}
		slices.Sort(shown)
		if order == "desc" {
			slices.Reverse(shown)
		}
		all = append(all, shown...)
		if next = page.NextCursor; !page.HasNext {
			return all
		}
	}
	t.Fatal("it has no end")
	return nil
}
