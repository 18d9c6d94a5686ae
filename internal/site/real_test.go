package site_test

import (
	"encoding/json"
	"encoding/xml"
	"html"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/site"
	"greenroom/web"
)

// routes are those that anybody may read; every one must come with markup.
var routes = []string{
	"/", "/?category=AI+Tools", "/trending", "/search", "/search?q=film", "/search?category=AI+Tools", "/search?category=AI+Tools&q=film", "/auth", "/auth/reset-password", "/recommendations", "/help-center",
	"/contact", "/investor-relations", "/sponsorships", "/privacy-policy", "/terms-and-conditions",
}

// lines takes the log of many goroutines.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// pages serves the built app over a real installation's data API.
func pages(t testing.TB, s *apptest.Server, version func() int64, log *slog.Logger) *site.Site {
	t.Helper()
	p, err := site.New(site.Options{
		Build: web.Dist(), Data: s.Handler(), Version: version, Log: log,
		Settings: site.Settings{APIKey: s.Keys().Publishable, SiteURL: s.URL},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// get asks until the page comes rendered: on a crowded machine the first visitors may get it without markup.
func get(t testing.TB, h http.Handler, path string) *httptest.ResponseRecorder {
	t.Helper()
	for range 600 {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if !strings.Contains(w.Body.String(), `<div id="root"></div>`) {
			return w
		}
		time.Sleep(100 * time.Millisecond) // a render that failed is tried again after a while
	}
	t.Fatalf("%s was never rendered", path)
	return nil
}

func element(t *testing.T, page, before, after string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, before)
	text, _, end := strings.Cut(rest, after)
	if !ok || !end {
		t.Errorf("no %s", before)
	}
	return html.UnescapeString(text)
}

func TestEveryRouteRendersWithoutAWarning(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		var log lines
		p := pages(t, s, func() int64 { return 1 }, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn})))
		titles := map[string]string{}
		for _, path := range append([]string{"/course/" + firstCourse(t, s).ID}, routes...) {
			w := get(t, p, path)
			page := w.Body.String()
			if w.Code != http.StatusOK || strings.Count(page, "<h1") != 1 {
				t.Errorf("%s: %d, %d main headings", path, w.Code, strings.Count(page, "<h1"))
			}
			title := element(t, page, "<title>", "</title>")
			own, _, _ := strings.Cut(path, "?")
			if other, taken := titles[title]; title == "" || taken && other != own {
				t.Errorf("%s and %s have the title %q", path, other, title)
			}
			titles[title] = own
			if element(t, page, `<meta name="description" content="`, `"`) == "" {
				t.Errorf("%s: no description", path)
			}
			if got := element(t, page, `<link rel="canonical" href="`, `"`); got != s.URL+own {
				t.Errorf("%s: canonical %s", path, got)
			}
			if !strings.Contains(page, `<template id="scripts"><link rel="modulepreload" crossorigin href="/assets/`) {
				t.Errorf("%s: the route's files are not named", path)
			}
		}
		if said := log.String(); said != "" {
			t.Errorf("the log: %s", said)
		}
	})
}

type course struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

func firstCourse(t testing.TB, s *apptest.Server) course {
	t.Helper()
	var found []course
	answer := s.Do(t, "GET", "/rest/v1/courses?select=id,title&order=rating.desc,created_at.desc,id.asc&limit=1", "", "")
	if err := json.Unmarshal([]byte(answer.Body), &found); err != nil || len(found) != 1 {
		t.Fatalf("%v %s", err, answer.Body)
	}
	return found[0]
}

func TestUnknownAddressesAnswer404WithTheAppsPage(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, dbtest.Location(t, db.SQLite), nil, clock.System{})
	for path, want := range map[string]string{
		"/no/such/page":     "Oops! Page not found",
		"/course/none":      "Course not found",
		"/course/" + absent: "Course not found",
	} {
		w := get(t, s.Handler(), path)
		if w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d without %q", path, w.Code, want)
		}
	}
}

const absent = "00000000-0000-4000-8000-000000000000"

// A first visit of the home page has a budget for its HTML, with styles and data in it.
func TestHomePageIsLight(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, dbtest.Location(t, db.SQLite), nil, clock.System{})
	get(t, s.Handler(), "/")
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Accept-Encoding", "br")
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	if n := w.Body.Len(); w.Header().Get("Content-Encoding") != "br" || n > 24_000 {
		t.Errorf("%d bytes as %q, of 24,000", n, w.Header().Get("Content-Encoding"))
	} else {
		t.Logf("%d bytes of 24,000", n)
	}
}

// What an admin writes stands on the pages at once, and stays text whatever it is.
func TestNewCourseIsOnThePagesAtOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		_, token := s.Admin(t, "admin@example.com")
		before := get(t, s.Handler(), "/trending").Body.String()
		title := `</script><script>alert(1)</script> & "Co"`
		body, err := json.Marshal(map[string]any{
			"title": title, "instructor": "<b>Ana</b>", "duration": "1 week", "category": "AI Tools", "thumbnail": "https://pictures.example/a.webp",
			"description": "</SCRIPT><!--", "lessons": 1, "level": "Beginner", "rating": 5,
		})
		if err != nil {
			t.Fatal(err)
		}
		added := s.Do(t, "POST", "/rest/v1/courses?select=id", token, string(body), "Prefer", "return=representation")
		var rows []course
		if err := json.Unmarshal([]byte(added.Body), &rows); err != nil || len(rows) != 1 {
			t.Fatalf("%d %s", added.Status, added.Body)
		}
		for _, path := range []string{"/trending", "/course/" + rows[0].ID} {
			page := get(t, s.Handler(), path).Body.String()
			if !strings.Contains(page, "alert(1)") {
				t.Errorf("%s does not show it", path)
			}
			if strings.Count(page, "<script>") != 1 || // the starter's
				strings.Contains(page, "<b>Ana") {
				t.Errorf("%s: the title became markup", path)
			}
		}
		if strings.Contains(before, "alert(1)") {
			t.Error("it was there before")
		}
		if n := strings.Count(get(t, s.Handler(), "/sitemap.xml").Body.String(), "/course/"); n != 29 {
			t.Errorf("%d courses in the sitemap, want 29", n)
		}
	})
}

func TestSitemapOfTheRealCatalogue(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		w := get(t, s.Handler(), "/sitemap.xml")
		var set struct {
			Pages   []string `xml:"url>loc"`
			Changed []string `xml:"url>lastmod"`
		}
		if err := xml.Unmarshal(w.Body.Bytes(), &set); err != nil || len(set.Pages) != 28+10 || len(set.Changed) != 28 {
			t.Fatalf("%v, %d pages, %d dates", err, len(set.Pages), len(set.Changed))
		}
		for _, day := range set.Changed {
			if at, err := time.Parse(time.DateOnly, day); err != nil || at.Year() < 2024 {
				t.Errorf("a course of %q: %v", day, err)
			}
		}
		for _, page := range set.Pages {
			if w := get(t, s.Handler(), strings.TrimPrefix(page, s.URL)); w.Code != http.StatusOK {
				t.Errorf("%s: %d", page, w.Code)
			}
		}
	})
}

// A cold page: its data out of the database, its markup out of the engine, its bytes packed.
func BenchmarkColdPage(b *testing.B) {
	s := apptest.Start(b, dbtest.Location(b, db.SQLite), nil, clock.System{})
	for _, path := range []string{"/", "/course/" + firstCourse(b, s).ID, "/privacy-policy"} {
		b.Run(strings.ReplaceAll(path, "/", "_"), func(b *testing.B) {
			var version atomic.Int64
			p := pages(b, s, version.Load, slog.New(slog.DiscardHandler))
			first := get(b, p, path)
			b.ReportMetric(float64(first.Body.Len()), "bytes")
			for b.Loop() {
				version.Add(1)
				if w := get(b, p, path); w.Code != http.StatusOK {
					b.Fatal(w.Code)
				}
			}
		})
	}
}
