package storage

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"greenroom/internal/platform/db/dbtest"
)

// Pages of the first version are the list, however names are written; and each step of them goes by the index.
func TestAListWithoutCaseIsReadAlongTheIndex(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		names := []string{"a", "A/1", "a/2", "a/3/4", "aB/1", "Ab/2", "ab/3", "a-b", "a.txt", "a b/1", "a0", "B", "b/1", "b/1/2", "b//1", "c!", "C/x", "c/x", "cc", "P/Q/1", "p/q/2", "p/r", "P/s", "z"}
		for _, name := range names {
			if w := s.do("admin", "POST", "/object/lessons/"+name, strings.NewReader("text"), "Content-Type", "text/plain"); w.Code != 200 {
				t.Fatalf("%s: %s", name, w.Body)
			}
		}
		for _, prefix := range []string{"", "a", "B", "p", "P/q", "none"} {
			for _, search := range []string{"", "a", "C", "q"} {
				want := expectedList(names, prefix, search)
				for _, order := range []string{"asc", "desc"} {
					for limit := 1; limit <= len(want)+1; limit += 2 {
						for offset := 0; offset <= len(want); offset++ {
							got := s.listed1(t, prefix, search, order, offset, limit)
							if some := want[offset:min(offset+limit, len(want))]; !slices.Equal(got, some) {
								t.Fatalf("%q %q %s %d-%d: %q instead of %q", prefix, search, order, offset, limit, got, some)
							}
						}
					}
					slices.Reverse(want)
				}
			}
		}
		for _, order := range []string{"asc", "desc"} {
			dbtest.Searches(t, s.DB, newFolded("lessons", "1 = 1", order, "", "").query(100), "lessons", "a", "b", "a", "")
			for _, column := range []string{"created_at", "updated_at"} {
				query, args := wantedList{begin: cursor{Column: column, Order: order}}.timeQuery("lessons", "1 = 1")
				dbtest.Searches(t, s.DB, query, args...)
			}
		}
	})
}

// expectedList is a list as the contract describes it, of all names.
func expectedList(names []string, prefix, search string) []string {
	if prefix != "" {
		prefix += "/"
	}
	want := []string{}
	for _, name := range names {
		if !strings.HasPrefix(strings.ToLower(name), strings.ToLower(prefix+search)) {
			continue
		}
		shown, _, folder := strings.Cut(name[len(prefix):], "/")
		want = append(want, map[bool]string{true: shown + "/", false: shown}[folder])
	}
	// Of two that are the same but for case, files come before folders.
	slices.SortFunc(want, func(a, b string) int {
		bare := func(name string) string { return strings.ToLower(strings.TrimSuffix(name, "/")) }
		return cmp.Or(cmp.Compare(bare(a), bare(b)), cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), cmp.Compare(a, b))
	})
	return slices.Compact(want)
}

func (s *stage) listed1(t *testing.T, prefix, search, order string, offset, limit int) []string {
	t.Helper()
	body := fmt.Sprintf(`{"prefix":%q,"search":%q,"offset":%d,"limit":%d,"sortBy":{"column":"name","order":%q}}`, prefix, search, offset, limit, order)
	w := s.do("admin", "POST", "/object/list/lessons", strings.NewReader(body), "Content-Type", "application/json")
	var lines []struct {
		Name string
		ID   *string
	}
	if err := json.Unmarshal(w.Body.Bytes(), &lines); err != nil {
		t.Fatalf("%s: %s", body, w.Body)
	}
	got := []string{}
	for _, one := range lines {
		if one.ID == nil {
			one.Name += "/"
		}
		got = append(got, one.Name)
	}
	return got
}

// A letter that is another without case, and longer, as the Kelvin sign is a k, lists what that other does.
func TestAListOfAFolderThatIsLongerThanItsName(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		for _, name := range []string{"c/k/a", "c/K/b", "c/k/d/e", "c/i/f", "c/k", "k"} {
			s.do("admin", "POST", "/object/lessons/"+name, strings.NewReader("text"), "Content-Type", "text/plain")
		}
		for prefix, want := range map[string]string{
			"c/\u212a": `"a" "b" "d"`, "c/\u212a/": `"a" "b" "d"`, "C/\u212a/\u212a": "", "c/\u0130": `"f"`, "\u212a": "", "c/\u017f": "", "c/\u1e9e": "", "c\t\u212a": `"a" "b" "d"`,
		} {
			for _, column := range []string{"name", "created_at"} {
				body := fmt.Sprintf(`{"prefix":%q,"sortBy":{"column":%q}}`, prefix, column)
				w := s.do("admin", "POST", "/object/list/lessons", strings.NewReader(body), "Content-Type", "application/json")
				var lines []struct{ Name string }
				if err := json.Unmarshal(w.Body.Bytes(), &lines); err != nil {
					t.Errorf("%s: %d %s", body, w.Code, w.Body)
				}
				names := []string{}
				for _, one := range lines {
					names = append(names, strconv.Quote(one.Name))
				}
				slices.Sort(names)
				if got := strings.Join(names, " "); got != want {
					t.Errorf("%s: %s instead of %s", body, got, want)
				}
			}
		}
	})
}

// Whatever is asked for, a name that the index finds for it begins with the folder.
func FuzzFolded(f *testing.F) {
	for _, seed := range [][3]string{{"c/k/", "", "c/K/a"}, {"c/\u212a/", "", "c/k/a"}, {"c/\u0130/", "\u212a", "C/i/k"}, {"", "\u212a", "k"}, {"a\t", "b", "a/b"}, {"\u1e9e/", "", "ss/a"}} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, folder, search, name string) {
		w := newFolded("lessons", "1 = 1", "asc", folded(folder), folded(folder+search))
		if at := folded(name); !isKey(name) || at < w.low || at >= w.high {
			return
		}
		if len(name) < w.level || folded(name[:w.level]) != folded(folder) {
			t.Errorf("%q is found below %q, which is %d long", name, folder, w.level)
		}
	})
}

func TestTheNextWayToWriteAName(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"ab/", "AB0", "Ab/"},
		{"ab/", "Zed", "aB/"},
		{"ab/", "ab0", ""},
		{"ab/", "", "AB/"},
		{"ab/", "a", "aB/"},
		{"a-1/", "A-1", "A-1/"},
		{"a-1/", "A-2", "a-1/"},
		{"a-1/", "b", ""},
	} {
		got, ok := nextForm(c[0], c[1])
		if got != c[2] || ok != (c[2] != "") {
			t.Errorf("after %q: %q %v instead of %q", c[1], got, ok, c[2])
		}
	}
}

// Pages by time are the list, also where several have the same.
func TestAListByTimeIsReadAlongTheIndex(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		for i, name := range []string{"c", "a", "p/d", "b", "p/e", "p/a", "z"} {
			if i%2 == 0 {
				s.hands.Advance(time.Second)
			}
			s.do("admin", "POST", "/object/lessons/"+name, strings.NewReader("text"), "Content-Type", "text/plain")
		}
		for order, want := range map[string][]string{"asc": {"a", "c", "b", "p/d", "p/a", "p/e", "z"}, "desc": {"z", "p/a", "p/e", "b", "p/d", "a", "c"}} {
			for _, prefix := range []string{"", "p/"} {
				some := slices.DeleteFunc(slices.Clone(want), func(name string) bool { return !strings.HasPrefix(name, prefix) })
				for limit := 1; limit < 9; limit++ {
					if got := s.byTime(t, prefix, order, limit); !slices.Equal(got, some) {
						t.Errorf("%q %s %d: %q instead of %q", prefix, order, limit, got, some)
					}
				}
			}
		}
	})
}

func (s *stage) byTime(t *testing.T, prefix, order string, limit int) (all []string) {
	t.Helper()
	for next := ""; ; {
		body, _ := json.Marshal(map[string]any{"prefix": prefix, "limit": limit, "sortBy": map[string]string{"column": "created_at", "order": order}, "cursor": next})
		var page struct {
			HasNext    bool
			NextCursor string
			Objects    []struct{ Name string }
		}
		w := s.do("admin", "POST", "/object/list-v2/lessons", strings.NewReader(string(body)), "Content-Type", "application/json")
		if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil || len(all) > 100 {
			t.Fatalf("%v %s", err, w.Body)
		}
		for _, one := range page.Objects {
			all = append(all, one.Name)
		}
		if next = page.NextCursor; !page.HasNext {
			return all
		}
	}
}
