package site

import (
	"strings"
	"testing"
)

func TestUnknownPagesAre404(t *testing.T) {
	t.Parallel()
	f := start(t, "http://localhost")
	for _, target := range []string{"/nowhere", "/a/b/c", "/course/7", "/course/00000000-0000-4000-8000-000000000000", "/course/", "/course/a/b", "/teach/a/b", "/learn/a/b", "/learn/a/notes/b", "/learn/" + courseID, "/learn/" + courseID + "/b", "//trending", "/404"} {
		w := f.get("GET", target)
		if w.Code != 404 || !strings.Contains(w.Body.String(), "<h1>Page /") || !strings.Contains(w.Body.String(), `content="noindex"`) {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	if n := f.data.asked.Load(); n != 1 {
		t.Errorf("%d data calls, want 1: only one of these ids can be one", n)
	}
}

func TestOneSpellingOfAnAddress(t *testing.T) {
	t.Parallel()
	f := start(t, "http://localhost")
	for target, want := range map[string]string{
		"/trending/": "/trending", "/Trending?x=1": "/trending?x=1", "/Course/" + courseID + "/": "/course/" + courseID, "/SEARCH/?q=a%26b": "/search?q=a%26b",
	} {
		if w := f.get("GET", target); w.Code != 301 || w.Header().Get("Location") != want {
			t.Errorf("%s: %d to %q, want %q", target, w.Code, w.Header().Get("Location"), want)
		}
	}
	for _, target := range []string{"//evil.example/", "/\\evil.example/", "///", "/%2fevil.example/"} {
		if w := f.get("GET", target); w.Header().Get("Location") != "" {
			t.Errorf("%s leads to %s", target, w.Header().Get("Location"))
		}
	}
}

func TestGatedPagesAreFrames(t *testing.T) {
	t.Parallel()
	f := start(t, "http://localhost")
	for _, target := range append([]string{"/search?q=" + strings.Repeat("x", 201), "/search?q=%ff", "/teach/" + courseID, "/learn/" + courseID + "/notes"}, gatedPaths...) {
		w := f.get("GET", target)
		page := w.Body.String()
		if w.Code != 200 || !strings.Contains(page, `<div id="root"></div>`) || !strings.Contains(page, `"state":null`) ||
			!strings.Contains(page, `content="noindex"`) || !strings.Contains(page, "<title>Page /") {
			t.Errorf("%s: %d %s", target, w.Code, page)
		}
	}
	if page := f.get("GET", "/search").Body.String(); !strings.Contains(page, "<h1>Page /search</h1>") {
		t.Errorf("a frame took the place of the page: %s", page)
	}
}
