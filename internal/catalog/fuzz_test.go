package catalog

import (
	"strings"
	"testing"
)

// FuzzImport: a file of any bytes gives courses that keep the rules, or an error that names its line.
func FuzzImport(f *testing.F) {
	good := `{"title":"T","instructor":"I","duration":"1 week","category":"AI Tools","thumbnail":"/a.webp","description":"D","lessons":1,"level":"Beginner","rating":4.5}`
	f.Add(good, false)
	f.Add("title,instructor,duration,category,thumbnail,description,lessons,level,rating\nT,I,1 week,AI Tools,/a.webp,D,1,Beginner,4.5\n", true)
	f.Add("\ufefftitle\n\"", true)
	f.Fuzz(func(t *testing.T, text string, sheet bool) {
		format := JSONL
		if sheet {
			format = CSV
		}
		for course, err := range readerOf(strings.NewReader(text), format) {
			if err != nil {
				if !strings.HasPrefix(err.Error(), "line ") {
					t.Fatalf("%v names no line", err)
				}
				return
			}
			if err := course.check(); err != nil || course.ID == "" {
				t.Fatalf("%v passed: %v", course, err)
			}
		}
	})
}

// FuzzSearch: the index finds a text exactly where looking finds it.
func FuzzSearch(f *testing.F) {
	for _, text := range []string{"a", "the", "e ", ", a", "camera", "ai tools", "é", "\u0130", "日本"} {
		f.Add(text)
	}
	list := append(collect(400), foreign()...)
	index, on := indexed(list), shelved(list)
	f.Fuzz(func(t *testing.T, text string) {
		// The API refuses what is no UTF-8, and NUL, before they get here.
		text = strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "\x00", "?")
		text = folded(text)
		if _, total := index.search(wanted{text: []byte(text)}, byRating, 1, 0); total != len(on.plain(text, "", byRating)) {
			t.Fatalf("%q: %d found, not %d", text, total, len(on.plain(text, "", byRating)))
		}
	})
}

func collect(n int) (list []Course) {
	for course := range generated(n) {
		list = append(list, course)
	}
	return list
}
