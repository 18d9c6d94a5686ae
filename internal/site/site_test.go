package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"greenroom/internal/platform/web"
	"greenroom/internal/platform/who"
)

const courseID = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"

// pageScript stands for the app where a test needs a page that behaves in a certain way.
const pageScript = `
globalThis.greenroom = {
  plan(path, answers) {
    const known = answers === undefined ? {} : JSON.parse(answers);
    if (path.startsWith('/course/') && path !== '/course/unknown') {
      const id = path.slice(8);
      const needs = [{ key: 'course', url: '/rest/v1/courses?id=eq.' + id }];
      if (known.course?.body.length) needs.push({ key: 'more', url: '/rest/v1/courses?category=eq.x', count: true });
      return JSON.stringify(needs);
    }
    if (path === '/') return JSON.stringify([{ key: 'row', url: '/rest/v1/courses?limit=6', count: true }]);
    if (path.startsWith('/learn/')) return JSON.stringify([{ key: 'lesson', url: '/functions/v1/lesson', body: { lesson: path.split('/')[3] } }]);
    if (path === '/trending') return JSON.stringify([{ key: 'secret', url: '/auth/v1/user' }]);
    if (/^\/search\?q=(burnout|x)$/.test(path)) return JSON.stringify([{ key: 'down', url: '/rest/v1/down' + path.slice(7) }]);
    return '[]';
  },
  render(path, text) {
    const { settings, answers } = JSON.parse(text);
    if (path === '/contact') throw new Error('cannot render');
    if (path.startsWith('/learn/00000000')) for (;;) {}
    const course = answers.course?.body[0];
    const row = answers.row?.body[0] ?? answers.lesson?.body;
    const missing = path === '/404' || (path.startsWith('/course/') && !course);
    const title = course?.title ?? row?.title ?? 'Page ' + path;
    return JSON.stringify({
      status: missing ? 404 : 200, title, description: 'About "' + title + '"', canonical: path,
      html: (course ? '<link rel="preload" as="image" href="/art/b.webp"/>' : '') + '<h1>' + title.replace(/&/g, '&amp;').replace(/</g, '&lt;') + '</h1>', state: { title, total: answers.row?.total ?? answers.more?.total ?? null },
      jsonld: course ? { '@type': 'Course', name: title } : null, image: course ? path + '/card.png' : '/elsewhere.png', page: course ? 'course' : '',
      preload: [{ rel: 'preload', as: 'image', href: '/art/a.webp', imageSrcSet: 'a"b 1x', onload: 'x()', fetchPriority: 'high' }, { as: 'image', href: '/art/b.webp' }],
    });
  },
};`

func testBuild() fs.FS {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	packed := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: web.Pack([]byte(text)).Brotli} }
	return fstest.MapFS{
		"client/index.html": file(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Greenroom</title><!--head-->
<link rel="stylesheet" crossorigin href="/assets/main-1.css"></head>
<body><div id="root"><!--app--></div><!--state--><script type="module" src="/assets/main-1.js"></script></body></html>`),
		"client/.vite/manifest.json": file(`{
			"index.html":{"file":"assets/main-1.js","isEntry":true,"imports":["_base.js"],"assets":["assets/b-1.woff2","assets/a-1.woff2"]},
			"_base.js":{"file":"assets/base-1.js"},
			"_card.js":{"file":"assets/card-1.js","imports":["_base.js","src/routes/course.tsx"]},
			"src/routes/course.tsx":{"file":"assets/course-1.js","imports":["index.html","_card.js"],"assets":["assets/lazy-1.woff2"],"css":["assets/course-1.css"]}}`),
		"client/assets/main-1.css":    file("body{color:red}\n"),
		"client/assets/main-1.js.br":  packed("console.log(1)"),
		"client/assets/main-1.js.map": file("{}"),
		"client/assets/a-1.woff2":     file("font"),
		"client/art/a.webp":           file("picture"),
		"client/favicon.svg":          file("<svg/>"),
		"server/render.js.br":         packed(pageScript),
	}
}

// courses answers as the data API does, for the few questions of pageScript.
type courses struct {
	title atomic.Value
	// category, when set, is that of the course.
	category atomic.Value
	asked    atomic.Int64
	// gate, when set, holds every answer back until it is closed.
	gate chan struct{}
	seen sync.Map
}

func (c *courses) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// Who gets the page without markup asks this one thing besides.
	if r.URL.Query().Get("select") != "id" {
		c.asked.Add(1)
	}
	c.seen.Store(r.URL.String(), r.Header.Clone())
	if c.gate != nil {
		select {
		case <-c.gate:
		case <-r.Context().Done():
			http.Error(w, `{"code":"57014"}`, http.StatusServiceUnavailable)
			return
		}
	}
	if r.URL.Path == "/rest/v1/down" {
		http.Error(w, `{"code":"57P03"}`, http.StatusServiceUnavailable)
		return
	}
	if id := r.URL.Query().Get("id"); id != "" && id != "eq."+courseID {
		_, _ = io.WriteString(w, "[]")
		return
	}
	if r.Header.Get("Prefer") == "count=exact" {
		w.Header().Set("Content-Range", "0-5/28")
	}
	category, _ := c.category.Load().(string)
	row, _ := json.Marshal([]map[string]string{{"id": courseID, "title": c.title.Load().(string), "category": category}})
	_, _ = w.Write(row)
}

// lessons answers for the one function that pages call: its title is what it was asked, and by whom.
func lessons(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	said := fmt.Sprint(r.Method, " ", r.URL, " ", string(body), " ", r.Header["Content-Type"], " ", who.From(r.Context()).Role)
	text, _ := json.Marshal(map[string]string{"title": said})
	_, _ = w.Write(text)
}

type fixture struct {
	*Site
	data    *courses
	version atomic.Int64
	log     logBuffer
}

// logBuffer takes log lines from many goroutines.
type logBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func start(t testing.TB, siteURL string) *fixture {
	t.Helper()
	return startWith(t, siteURL, testBuild(), nil)
}

func startWith(t testing.TB, siteURL string, build fs.FS, gate chan struct{}) *fixture {
	t.Helper()
	f := &fixture{data: &courses{gate: gate}}
	f.data.title.Store("Acting")
	site, err := New(Options{
		Build:    build,
		Settings: Settings{APIKey: "key", SiteURL: siteURL, SupportEmail: "a@b.example"},
		Data:     f.data, Calls: http.HandlerFunc(lessons), Version: f.version.Load, Log: slog.New(slog.NewTextHandler(&f.log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(site.Close)
	f.Site = site
	// Tests of what is on a page do not depend on how fast the machine is.
	f.wait = time.Minute
	return f
}

func (f *fixture) get(method, target string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return w
}

func TestHeadersOnEveryAnswer(t *testing.T) {
	t.Parallel()
	f := start(t, "https://greenroom.example")
	for _, c := range []struct {
		method, target string
		status         int
	}{
		{"GET", "/", 200},
		{"GET", "/nowhere", 404},
		{"GET", "/nothing.js", 404},
		{"POST", "/", 405},
		{"GET", "/trending/", 301},
		{"GET", "/assets/main-1.js", 200},
		{"GET", "/robots.txt", 200},
		{"GET", "/sitemap.xml", 200},
		{"GET", "/contact", 200},
	} {
		w := f.get(c.method, c.target)
		if w.Code != c.status {
			t.Errorf("%s %s: %d, want %d", c.method, c.target, w.Code, c.status)
		}
		h := w.Header()
		csp := h.Get("Content-Security-Policy")
		for _, want := range []string{
			"default-src 'self'; script-src 'self' 'sha256-", "; style-src 'self' 'sha256-", "object-src 'none'; base-uri 'none';",
			"frame-ancestors 'none'", "form-action 'self'", "img-src 'self' data: https:;", "media-src 'self' blob:;", "connect-src 'self';",
		} {
			if !strings.Contains(csp, want) {
				t.Errorf("%s %s: CSP without %s: %s", c.method, c.target, want, csp)
			}
		}
		if strings.Contains(csp, "unsafe-eval") || strings.Count(csp, "unsafe-inline") != 1 {
			t.Errorf("CSP is loose: %s", csp)
		}
		if h.Get("Referrer-Policy") == "" || h.Get("Permissions-Policy") == "" || h.Get("Cross-Origin-Opener-Policy") != "same-origin" || h.Get("Cache-Control") == "" {
			t.Errorf("%s %s: %v", c.method, c.target, h)
		}
	}
}

func TestUnbuiltAppSaysWhatToDo(t *testing.T) {
	t.Parallel()
	f := startWith(t, "http://localhost", fstest.MapFS{".keep": &fstest.MapFile{}}, nil)
	for _, target := range []string{"/", "/nowhere", "/my-list"} {
		if w := f.get("GET", target); w.Code != 503 || !strings.Contains(w.Body.String(), "make build") {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	if w := f.get("GET", "/assets/x.js"); w.Code != 404 {
		t.Errorf("%d", w.Code)
	}
}

func TestBrokenBuildStopsTheStart(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"server/render.js.br", "client/assets/main-1.css", "client/.vite/manifest.json"} {
		build := testBuild().(fstest.MapFS)
		delete(build, name)
		_, err := New(Options{Build: build, Settings: Settings{SiteURL: "http://localhost"}, Log: slog.New(slog.DiscardHandler)})
		if err == nil || !strings.Contains(err.Error(), "make build") {
			t.Errorf("without %s: %v", name, err)
		}
	}
	for _, mark := range []string{headMark, appMark, stateMark} {
		build := testBuild().(fstest.MapFS)
		index := build["client/index.html"]
		index.Data = bytes.Replace(index.Data, []byte(mark), nil, 1)
		if _, err := New(Options{Build: build, Settings: Settings{SiteURL: "http://localhost"}, Log: slog.New(slog.DiscardHandler)}); err == nil {
			t.Errorf("without %s: no error", mark)
		}
	}
	if _, err := New(Options{Build: testBuild(), Settings: Settings{SiteURL: "nonsense"}, Log: slog.New(slog.DiscardHandler)}); err == nil {
		t.Error("an address that is no URL was taken")
	}
}
