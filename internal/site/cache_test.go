package site

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/platform/web"
)

func TestParametersThatNobodyReadsMakeNoPages(t *testing.T) {
	t.Parallel()
	f := start(t, "http://localhost")
	for i := range 20 {
		f.get("GET", fmt.Sprintf("/?utm=%d&q=%d", i, i))
	}
	if n := f.data.asked.Load(); n != 1 {
		t.Errorf("%d renders, want 1", n)
	}
	f.get("GET", "/?category=AI+Tools&utm=1")
	f.get("GET", "/?utm=2&category=AI%20Tools")
	if own, passing := f.counts(); own+passing != 2 {
		t.Errorf("%d and %d pages", own, passing)
	}
	f.get("GET", "/search?category=AI+Tools&utm=1")
	f.get("GET", "/search?q=+&category=AI%20Tools")
	f.get("GET", "/search?q=light&category=AI%20Tools")
	f.get("GET", "/search?category=AI+Tools&utm=3&q=light")
	f.get("GET", "/search?q=light")
	if own, passing := f.counts(); own+passing != 5 {
		t.Errorf("%d and %d pages with a category, with a text, and with both", own, passing)
	}
	// A text that looks like both is a text.
	f.get("GET", "/search?q=light%26category%3DAI+Tools")
	f.get("GET", "/search?q=lightAI+Tools")
	if own, passing := f.counts(); own+passing != 7 {
		t.Errorf("%d and %d pages after texts that look like both", own, passing)
	}
}

func TestPageFollowsTheCatalogue(t *testing.T) {
	t.Parallel()
	f := start(t, "http://localhost")
	first := f.get("GET", "/")
	f.data.title.Store("Directing")
	if same := f.get("GET", "/"); same.Body.String() != first.Body.String() {
		t.Error("rendered again without a change")
	}
	f.version.Add(1)
	next := f.get("GET", "/")
	if !strings.Contains(next.Body.String(), "<h1>Directing</h1>") || next.Header().Get("ETag") == first.Header().Get("ETag") {
		t.Errorf("the old page after a change: %s", next.Body)
	}
}

func TestManyVisitorsOneRender(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	f := startWith(t, "http://localhost", testBuild(), gate)
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if w := f.get("GET", "/"); !strings.Contains(w.Body.String(), "<h1>Acting</h1>") {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
	for f.data.asked.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	close(gate)
	all.Wait()
	if n := f.data.asked.Load(); n != 1 {
		t.Errorf("%d renders, want 1", n)
	}
}

// However fast the catalogue changes, a path's page is made one at a time, and nobody gets one from before a change that
// came before them.
func TestQuickChangesDoNotPileUp(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	f := startWith(t, "http://localhost", testBuild(), gate)
	var all sync.WaitGroup
	visit := func() {
		all.Go(func() {
			if w := f.get("GET", "/"); !strings.Contains(w.Body.String(), "<h1>Directing</h1>") {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
	visit()
	for f.data.asked.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	f.data.title.Store("Directing")
	for range 20 {
		f.version.Add(1)
		visit()
	}
	if f.data.asked.Load() > 1 {
		t.Error("two flights of one path")
	}
	close(gate)
	all.Wait()
	if n := f.data.asked.Load(); n > 3 {
		t.Errorf("%d renders for 20 changes", n)
	}
}

// Nobody waits long for a page: with the data away it goes out bare, and the page is kept when it comes.
func TestSlowPageGoesOutBare(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	f := startWith(t, "http://localhost", testBuild(), gate)
	f.wait = 50 * time.Millisecond
	if w := f.get("GET", "/"); w.Code != 200 || !strings.Contains(w.Body.String(), `<div id="root"></div>`) {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	close(gate)
	f.wait = time.Minute
	if w := f.get("GET", "/"); !strings.Contains(w.Body.String(), "<h1>Acting</h1>") {
		t.Errorf("not made after all: %s", w.Body)
	}
	if n := f.data.asked.Load(); n != 1 {
		t.Errorf("%d renders, want 1", n)
	}
}

// The renderer is the slow part, so the status must not depend on it.
func TestCourseThatIsNotThereIs404WhileTheRendererIsBusy(t *testing.T) {
	f := start(t, "https://greenroom.example")
	f.wait = 0
	const gone = "00000000-0000-4000-8000-000000000000"
	for id, want := range map[string]int{courseID: http.StatusOK, gone: http.StatusNotFound} {
		w := f.get("GET", "/course/"+id)
		if w.Code != want || !strings.Contains(w.Body.String(), `<div id="root"></div>`) {
			t.Errorf("%s answered %d, %d is right, with the bare page:\n%s", id, w.Code, want, w.Body)
		}
		if noindex := strings.Contains(w.Body.String(), "noindex"); noindex != (want == http.StatusNotFound) {
			t.Errorf("%s: noindex is %v", id, noindex)
		}
	}
}

func TestCrowdOfNewPagesIsBounded(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	f := startWith(t, "http://localhost", testBuild(), gate)
	f.wait, f.askWithin = 50*time.Millisecond, 50*time.Millisecond
	var all sync.WaitGroup
	for i := range 3 * mostFlights {
		all.Go(func() {
			if w := f.get("GET", fmt.Sprintf("/course/00000000-0000-4000-8000-%012d", i)); w.Code != 200 {
				t.Errorf("%d", w.Code)
			}
		})
	}
	all.Wait()
	if n := f.data.asked.Load(); n > mostFlights {
		t.Errorf("%d pages in the making, want at most %d", n, mostFlights)
	}
	close(gate)
}

// counts tells how many pages are kept.
func (f *fixture) counts() (own, passing int) {
	f.cache.mu.Lock()
	defer f.cache.mu.Unlock()
	return len(f.cache.own.byPath), len(f.cache.passing.byPath)
}

func pageOf(size int) *page {
	return &page{status: 200, content: body{Packed: web.Packed{Plain: make([]byte, size)}}}
}

func TestShelfKeepsWhatWasUsedLast(t *testing.T) {
	t.Parallel()
	s := newShelf(3, 100)
	for _, name := range []string{"a", "b", "c"} {
		s.put(name, 1, pageOf(10))
	}
	s.get("a", 1)
	s.put("d", 1, pageOf(10))
	if s.get("b", 1) != nil || s.get("a", 1) == nil || s.held != 30 {
		t.Errorf("by number: %v, %d bytes", s.byPath, s.held)
	}
	s.put("large", 1, pageOf(85))
	if s.get("large", 1) == nil || s.held > 100 || s.order.Len() != 2 || s.get("a", 1) == nil {
		t.Errorf("by bytes: %v, %d bytes", s.byPath, s.held)
	}
	s.put("huge", 1, pageOf(101))
	if s.get("huge", 1) != nil || s.get("large", 1) == nil {
		t.Error("a page larger than the shelf cleared it")
	}
}

func TestShelfHoldsOneVersionOfAPage(t *testing.T) {
	t.Parallel()
	s := newShelf(10, 1000)
	s.put("a", 2, pageOf(10))
	s.put("a", 1, pageOf(20))
	if s.get("a", 1) != nil || s.get("a", 2) == nil || s.held != 10 {
		t.Errorf("a late render of an older catalogue won: %d bytes", s.held)
	}
	if s.get("a", 3) != nil || s.held != 0 || len(s.byPath) != 0 {
		t.Errorf("an old page stayed: %d bytes", s.held)
	}
}

// Pages that anybody can make up share a small shelf and never push out the site's own.
func TestMadeUpPagesDoNotPushOutReal(t *testing.T) {
	t.Parallel()
	f := start(t, "http://localhost")
	f.get("GET", "/")
	f.get("GET", "/course/"+courseID)
	for i := range passingPages + 50 {
		f.get("GET", fmt.Sprintf("/course/00000000-0000-4000-8000-%012d", i))
	}
	if _, passing := f.counts(); passing != passingPages {
		t.Errorf("%d passing pages kept, want %d", passing, passingPages)
	}
	before := f.data.asked.Load()
	f.get("GET", "/")
	f.get("GET", "/course/"+courseID)
	if f.data.asked.Load() != before {
		t.Error("a real page was pushed out")
	}
}

func BenchmarkKeptPage(b *testing.B) {
	f := start(b, "http://localhost")
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	f.ServeHTTP(httptest.NewRecorder(), r)
	w := &sink{header: http.Header{}}
	b.ReportAllocs()
	for b.Loop() {
		clear(w.header)
		f.ServeHTTP(w, r)
	}
	if w.status != 200 {
		b.Fatal(w.status)
	}
}

// sink is a client that takes everything and keeps nothing.
type sink struct {
	header http.Header
	status int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(status int)      { s.status = status }
func (s *sink) Write(p []byte) (int, error) { return len(p), nil }

// A panic in the making of a page is that page's alone: it goes out bare, and can be made again later.
func TestPanicInAPagesMakingEndsNothingElse(t *testing.T) {
	t.Parallel()
	f := startWith(t, "http://localhost", testBuild(), nil)
	good := f.Site.data
	f.Site.data = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("a row that nobody thought of") })
	if w := f.get("GET", "/"); w.Code != 200 || !strings.Contains(w.Body.String(), `<div id="root"></div>`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if said := f.log.String(); !strings.Contains(said, "a row that nobody thought of") {
		t.Errorf("the log says %s", said)
	}
	f.Site.data = good
	f.version.Add(1)
	if w := f.get("GET", "/"); !strings.Contains(w.Body.String(), "<h1>Acting</h1>") {
		t.Errorf("afterwards: %d %s", w.Code, w.Body)
	}
}
