package storage

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// Pages of a folder by time, in both versions, are the folders in it by name and then its files, and go along the index.
func TestAListOfAFolderByTimeIsReadAlongTheIndex(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		names := []string{"c", "a", "p/d", "b/1", "p/e/1", "p/e/2", "p/a", "z", "P/x", "P/e/3", "b//1", "pq", "p/ab", "a/"}
		at := map[string]int{}
		for i, name := range names {
			if i%2 == 0 {
				s.hands.Advance(time.Second)
			}
			at[name] = i / 2
			if w := s.do("admin", "POST", "/object/lessons/"+name, strings.NewReader("text"), "Content-Type", "text/plain"); w.Code != 200 {
				t.Fatal(name, w.Body)
			}
		}
		// want is the list of what begins so, from a position in the names on.
		want := func(begins string, level int, folds bool, order string) (all []string) {
			var files []string
			for _, name := range names {
				if !strings.HasPrefix(name, begins) && (!folds || !strings.HasPrefix(strings.ToLower(name), strings.ToLower(begins))) {
					continue
				}
				if end := strings.IndexByte(name[level:], '/'); end >= 0 {
					all = append(all, name[:level+end+1])
				} else {
					files = append(files, name)
				}
			}
			bare := func(name string) string { return name[level:] }
			slices.SortFunc(all, func(x, y string) int { return cmp.Or(cmp.Compare(bare(x), bare(y)), cmp.Compare(x, y)) })
			if folds {
				all = slices.CompactFunc(all, func(x, y string) bool { return bare(x) == bare(y) })
			}
			slices.SortFunc(files, func(x, y string) int {
				return cmp.Or(map[string]int{"asc": 1, "desc": -1}[order]*cmp.Compare(at[x], at[y]), cmp.Compare(bare(x), bare(y)))
			})
			return append(slices.Compact(all), files...)
		}
		for _, order := range []string{"asc", "desc"} {
			for _, prefix := range []string{"", "p", "p/", "p/a", "b/", "none/"} {
				for limit := 1; limit < 8; limit++ {
					all := want(prefix, len(prefix), false, order)
					if got := s.levelled(t, prefix, order, limit); !slices.Equal(got, all) {
						t.Errorf("second version, %q %s %d: %q instead of %q", prefix, order, limit, got, all)
					}
				}
			}
			for _, c := range [][2]string{{"", ""}, {"p", ""}, {"P/", "A"}, {"", "p"}, {"b", ""}, {"none", ""}} {
				folder := strings.TrimSuffix(c[0], "/") + "/"
				if c[0] == "" {
					folder = ""
				}
				all := want(folder+c[1], len(folder), true, order)
				for offset := 0; offset <= len(all); offset++ {
					for limit := 1; limit < 5; limit++ {
						if got, some := s.positioned(t, c[0], c[1], order, offset, limit), all[offset:min(offset+limit, len(all))]; !slices.EqualFunc(got, some, func(x, y string) bool { return x == y[len(folder):] }) {
							t.Errorf("first version, %q %s %d-%d: %q instead of %q", c, order, offset, limit, got, some)
						}
					}
				}
			}
			for _, column := range []string{"created_at", "updated_at"} {
				b := byTime{bucket: "lessons", condition: "1 = 1", folder: "p/", begins: "p/", column: column, order: order}
				for _, from := range []*cursor{nil, {Name: "p/a"}} {
					query, args := b.query(from, 10)
					dbtest.Searches(t, s.DB, query, args...)
					s.byLevel(t, query, args...)
				}
				dbtest.Searches(t, s.DB, b.nextFolder(), "lessons", "p/", "p/"+beyond)
				s.byLevel(t, b.nextFolder(), "lessons", "p/", "p/"+beyond)
			}
		}
	})
}

// byLevel holds that SQLite, which says so whatever there is, goes by the index of folders.
func (s *stage) byLevel(t *testing.T, query string, args ...any) {
	t.Helper()
	if s.DB.Engine != db.SQLite {
		return
	}
	err := s.DB.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		plan, err := db.Maps(ctx, tx, "explain query plan "+query, args...)
		if !strings.Contains(fmt.Sprint(plan), "storage_objects_level_") {
			t.Errorf("%s: %v", query, plan)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (s *stage) levelled(t *testing.T, prefix, order string, limit int) (all []string) {
	t.Helper()
	for next := ""; ; {
		body, _ := json.Marshal(map[string]any{"prefix": prefix, "limit": limit, "with_delimiter": true, "sortBy": map[string]string{"column": "created_at", "order": order}, "cursor": next})
		var page struct {
			HasNext          bool
			NextCursor       string
			Folders, Objects []struct{ Name string }
		}
		w := s.do("admin", "POST", "/object/list-v2/lessons", strings.NewReader(string(body)), "Content-Type", "application/json")
		if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil || len(all) > 100 {
			t.Fatalf("%v %s", err, w.Body)
		}
		for _, one := range append(page.Folders, page.Objects...) {
			all = append(all, one.Name)
		}
		if next = page.NextCursor; !page.HasNext {
			return all
		}
	}
}

func (s *stage) positioned(t *testing.T, prefix, search, order string, offset, limit int) (got []string) {
	t.Helper()
	body := fmt.Sprintf(`{"prefix":%q,"search":%q,"offset":%d,"limit":%d,"sortBy":{"column":"created_at","order":%q}}`, prefix, search, offset, limit, order)
	w := s.do("admin", "POST", "/object/list/lessons", strings.NewReader(body), "Content-Type", "application/json")
	var lines []struct {
		Name string
		ID   *string
	}
	if err := json.Unmarshal(w.Body.Bytes(), &lines); err != nil {
		t.Fatalf("%s: %s", body, w.Body)
	}
	for _, one := range lines {
		if one.ID == nil {
			one.Name += "/"
		}
		got = append(got, one.Name)
	}
	return got
}
