package site

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestPageIsRenderedWithItsHeadAndData(t *testing.T) {
	t.Parallel()
	f := start(t, "https://greenroom.example/")
	w := f.get("GET", "/course/"+courseID)
	if w.Code != 200 || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("%d %v\n%s", w.Code, w.Header(), f.log.String())
	}
	page := w.Body.String()
	for _, want := range []string{
		`<title>Acting</title>`, `<meta name="description" content="About &#34;Acting&#34;">`,
		`<link rel="canonical" href="https://greenroom.example/course/` + courseID + `">`,
		`<meta property="og:image" content="https://greenroom.example/course/` + courseID + `/card.png?v=`,
		`<meta property="og:image:width" content="1200"><meta property="og:image:height" content="630"><meta property="og:image:alt" content="Acting, a course by `,
		`<script type="application/ld+json">{"@type":"Course","name":"Acting"}</script>`,
		`<link rel="preload" href="/art/a.webp" as="image" fetchpriority="high" imagesrcset="a&#34;b 1x">`,
		`<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/a-1.woff2">`,
		`<link rel="preload" as="image" href="/art/b.webp"/><link rel="preload" href="/art/a.webp"`, `<style>body{color:red}</style><link rel="stylesheet" crossorigin href="/assets/course-1.css">`, `<div id="root"><h1>Acting</h1></div>`,
		`"state":{"title":"Acting","total":28}}</script><template id="scripts">`,
		`<link rel="modulepreload" crossorigin href="/assets/card-1.js"><link rel="modulepreload" crossorigin href="/assets/course-1.js"><script type="module" src="/assets/main-1.js"></script></template><script>` + starter + `</script>`,
		`"providers":[]`, `"supportEmail":"a@b.example"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("missing %s", want)
		}
	}
	if n := strings.Count(page, "/art/b.webp"); n != 1 {
		t.Errorf("a picture is preloaded %d times", n)
	}
	for _, not := range []string{"<title>Greenroom", "base-1.js", "main-1.css", "onload", "lazy-1.woff2", "<!--"} {
		if strings.Contains(page, not) {
			t.Errorf("the page holds %s", not)
		}
	}
	if t.Failed() {
		t.Log(page)
	}
}

func TestDataIsAskedAsAStranger(t *testing.T) {
	t.Parallel()
	f := start(t, "http://localhost")
	f.get("GET", "/", "Authorization", "Bearer secret", "Cookie", "a=b")
	h, ok := f.data.seen.Load("/rest/v1/courses?limit=6")
	if !ok {
		t.Fatal("the page's data was not asked for")
	}
	header := h.(http.Header)
	if header.Get("Authorization")+header.Get("Cookie") != "" || header.Get("Apikey") != "key" || header.Get("Prefer") != "count=exact" {
		t.Fatalf("%v", header)
	}
}

func TestALessonIsAskedForAsAStranger(t *testing.T) {
	t.Parallel()
	f := start(t, "http://localhost")
	page := f.get("GET", "/learn/"+courseID+"/"+courseID+"?preview=1", "Authorization", "Bearer secret").Body.String()
	if want := `<title>POST /functions/v1/lesson {&#34;lesson&#34;:&#34;` + courseID + `&#34;} [application/json] anon</title>`; !strings.Contains(page, want) {
		t.Error(page)
	}
}

// Text out of the database can neither end the data blocks nor become markup.
func TestSecurity55TitlesCannotBreakOut(t *testing.T) {
	t.Parallel()
	f := start(t, "http://localhost")
	f.data.title.Store("</script><script>alert(1)</script>\u2028\"'&<!--")
	page := f.get("GET", "/course/"+courseID).Body.String()
	if n := strings.Count(page, "<script"); n != 4 {
		t.Errorf("%d script elements, want 4: the two data blocks, the app and its starter", n)
	}
	if strings.Count(page, "<script>") != 1 || strings.Contains(page, "<!--") {
		t.Error("markup got through")
	}
	block := regexp.MustCompile(`id="greenroom">(.*?)</script>`).FindStringSubmatch(page)
	if block == nil || strings.ContainsAny(block[1], "<>\u2028") {
		t.Fatalf("data block: %v", block)
	}
	var d data
	if err := json.Unmarshal([]byte(block[1]), &d); err != nil || !strings.Contains(string(d.State), "alert") {
		t.Fatalf("%v, %s", err, d.State)
	}
}

// What people search for is theirs: a failure is logged without it.
func TestSecurity69SearchTextsAreNotLogged(t *testing.T) {
	t.Parallel()
	f := start(t, "http://localhost")
	f.get("GET", "/search?q=burnout")
	if said := f.log.String(); !strings.Contains(said, "page not rendered") || strings.Contains(said, "burnout") {
		t.Errorf("the log: %s", said)
	}
}

// A page that cannot be rendered goes out with its data, for the browser to draw.
func TestFailedRenderFallsBack(t *testing.T) {
	t.Parallel()
	f := start(t, "http://localhost")
	for range 3 {
		w := f.get("GET", "/contact")
		page := w.Body.String()
		if w.Code != 200 || w.Header().Get("Cache-Control") != cacheNever || !strings.Contains(page, `<div id="root"></div>`) ||
			!strings.Contains(page, `"state":{}}`) || !strings.Contains(page, `<style>`) || !strings.Contains(page, `<noscript><meta http-equiv="refresh"`) {
			t.Fatalf("%d %v %s", w.Code, w.Header(), page)
		}
	}
	if n := strings.Count(f.log.String(), "cannot render"); n == 0 || strings.Count(f.log.String(), "page not rendered") != 1 {
		t.Errorf("tried for every visitor: %s", f.log.String())
	}
}

func TestWarmMakesTheHomePage(t *testing.T) {
	t.Parallel()
	f := start(t, "http://localhost")
	f.Warm()
	if w := f.get("GET", "/"); !strings.Contains(w.Body.String(), "<h1>Acting</h1>") || f.data.asked.Load() != 1 {
		t.Errorf("%d renders: %s", f.data.asked.Load(), w.Body)
	}
}

func TestPlansMayOnlyAskTheDataAPI(t *testing.T) {
	t.Parallel()
	f := start(t, "http://localhost")
	if w := f.get("GET", "/trending"); w.Code != 200 || f.data.asked.Load() != 0 {
		t.Errorf("%d, %d calls", w.Code, f.data.asked.Load())
	}
}

// A page that would show a passing failure is left to the browser, which can try again.
func TestFailingDataFallsBack(t *testing.T) {
	t.Parallel()
	f := start(t, "http://localhost")
	w := f.get("GET", "/search?q=x")
	if w.Code != 200 || w.Header().Get("Cache-Control") != cacheNever || !strings.Contains(w.Body.String(), `"state":null}`) {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
}

// While a text is drawn no other page is: one that takes too long is given up early, and not begun again for every visitor.
func TestALessonThatCannotBeDrawnIsTriedOnce(t *testing.T) {
	t.Parallel()
	f := start(t, "http://localhost")
	f.lessonWithin, f.retryAfter, f.engine.limits.time = 50*time.Millisecond, time.Millisecond, time.Hour
	endless := "/learn/00000000-8b86-4d01-b42d-00cf4fc964ff/" + courseID
	failures := func() int { return strings.Count(f.log.String(), "page not rendered") }
	for range 3 {
		if w := f.get("GET", endless); w.Code != 200 || !strings.Contains(w.Body.String(), `<div id="root"></div>`) || !strings.Contains(w.Body.String(), "POST /functions/v1/lesson") {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	// Another page that fails is tried again, so there was time for this one too.
	for failures() < 4 {
		f.get("GET", "/contact")
	}
	f.get("GET", endless)
	if n := strings.Count(f.log.String(), "interrupted"); n != 1 {
		t.Errorf("tried %d times: %s", n, f.log.String())
	}
	if w := f.get("GET", "/"); !strings.Contains(w.Body.String(), "<h1>Acting</h1>") {
		t.Errorf("the home page after it: %s", w.Body)
	}
	f.version.Add(1)
	f.get("GET", endless)
	f.cache.mu.Lock()
	defer f.cache.mu.Unlock()
	if n := strings.Count(f.log.String(), "interrupted"); n != 2 || len(f.cache.failed) != 1 {
		t.Errorf("tried %d times in two versions, and %d failures are kept", n, len(f.cache.failed))
	}
}
