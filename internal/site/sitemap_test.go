package site

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ids answers the sitemap's questions as the data API does, about as many courses as a test wants.
type ids []string

func (list ids) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	from, _ := strconv.Atoi(q.Get("offset"))
	if after, ok := strings.CutPrefix(q.Get("id"), "gt."); ok {
		from, _ = slices.BinarySearch(list, after)
		if from < len(list) && list[from] == after {
			from++
		}
	}
	limit, _ := strconv.Atoi(q.Get("limit"))
	rows := []map[string]string{}
	for _, id := range list[min(from, len(list)):min(from+limit, len(list))] {
		rows = append(rows, map[string]string{"id": id, "created_at": "2026-11-02T23:30:00+00:00"})
	}
	if r.Header.Get("Prefer") == "count=exact" {
		w.Header().Set("Content-Range", fmt.Sprintf("0-0/%d", len(list)))
	}
	_ = json.NewEncoder(w).Encode(rows)
}

func manyIDs(n int) ids {
	list := make(ids, n)
	for i := range list {
		list[i] = fmt.Sprintf("%08d-0000-4000-8000-000000000000", i+1)
	}
	return list
}

type urlset struct {
	XMLName  xml.Name
	Pages    []string `xml:"url>loc"`
	Changed  []string `xml:"url>lastmod"`
	Sitemaps []string `xml:"sitemap>loc"`
}

func readMap(t *testing.T, f *fixture, target string) urlset {
	t.Helper()
	w := f.get("GET", target)
	if w.Code != 200 || w.Header().Get("Content-Type") != "application/xml; charset=utf-8" {
		t.Fatalf("%s: %d %v %s", target, w.Code, w.Header(), w.Body)
	}
	var set urlset
	if err := xml.Unmarshal(w.Body.Bytes(), &set); err != nil {
		t.Fatal(err)
	}
	return set
}

func TestSmallSitemapIsOneList(t *testing.T) {
	t.Parallel()
	f := start(t, "https://greenroom.example/a&b")
	f.Site.data = manyIDs(2500)
	set := readMap(t, f, "/sitemap.xml")
	if set.XMLName.Local != "urlset" || len(set.Pages) != 2500+len(publicPaths)-2 {
		t.Fatalf("%s with %d pages", set.XMLName.Local, len(set.Pages))
	}
	if set.Pages[0] != "https://greenroom.example/a&b/" || slices.Contains(set.Pages, "https://greenroom.example/a&b/auth") {
		t.Errorf("%v", set.Pages[:12])
	}
	if len(set.Changed) != 2500 || set.Changed[0] != "2026-11-02" {
		t.Errorf("%d dates, %v", len(set.Changed), set.Changed[:1])
	}
	f.Site.data = manyIDs(3)
	if n := len(readMap(t, f, "/sitemap.xml").Pages); n < 2500 {
		t.Error("written again without a change")
	}
	f.version.Add(1)
	if n := len(readMap(t, f, "/sitemap.xml").Pages); n > 20 {
		t.Errorf("%d pages after the change", n)
	}
}

// Every course is in exactly one part, also when the last part is full to the brim.
func TestLargeSitemapComesInParts(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2001, 3999, 4000, 4001} {
		f := start(t, "https://greenroom.example")
		f.sitemaps.size = 1000
		f.Site.data = manyIDs(n)
		index := readMap(t, f, "/sitemap.xml")
		if index.XMLName.Local != "sitemapindex" || len(index.Sitemaps) != (n+999)/1000 {
			t.Fatalf("%d courses: %s with %d parts", n, index.XMLName.Local, len(index.Sitemaps))
		}
		seen := map[string]int{}
		for _, part := range index.Sitemaps {
			for _, page := range readMap(t, f, strings.TrimPrefix(part, "https://greenroom.example")).Pages {
				seen[page]++
			}
		}
		if len(seen) != n+len(publicPaths)-2 {
			t.Errorf("%d courses: %d addresses", n, len(seen))
		}
		for page, times := range seen {
			if times != 1 {
				t.Errorf("%s is named %d times", page, times)
			}
		}
	}
}

func TestSitemapSaysWhenItCannot(t *testing.T) {
	t.Parallel()
	f := start(t, "http://localhost")
	f.Site.data = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "{}", 500) })
	w := f.get("GET", "/sitemap.xml")
	if w.Code != 503 || w.Header().Get("Retry-After") == "" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	for _, target := range []string{"/sitemaps/", "/sitemaps/x.xml", "/sitemaps/" + courseID, "/sitemaps/" + courseID + "/a.xml"} {
		if w := f.get("GET", target); w.Code != 404 {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
}

func TestRobotsNameTheSitemap(t *testing.T) {
	t.Parallel()
	f := start(t, "https://greenroom.example")
	text := f.get("GET", "/robots.txt").Body.String()
	for _, want := range []string{"User-agent: *\n", "Disallow: /admin\n", "Sitemap: https://greenroom.example/sitemap.xml\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in %s", want, text)
		}
	}
}
