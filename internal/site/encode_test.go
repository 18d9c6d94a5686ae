package site

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http/httptest"
	"testing"

	"github.com/andybalholm/brotli"

	"greenroom/internal/platform/web"
)

func TestPagesAreNotSentTwice(t *testing.T) {
	t.Parallel()
	f := start(t, "http://localhost")
	for _, target := range []string{"/", "/assets/main-1.js", "/robots.txt", "/sitemap.xml"} {
		tags := map[string]bool{}
		for _, encoding := range []string{"", "gzip", "br"} {
			first := f.get("GET", target, "Accept-Encoding", encoding)
			tag := first.Header().Get("ETag")
			if first.Code != 200 || tag == "" || first.Header().Get("Vary") != "Accept-Encoding" {
				t.Fatalf("%s: %d %v", target, first.Code, first.Header())
			}
			tags[tag] = true
			again := f.get("GET", target, "Accept-Encoding", encoding, "If-None-Match", `"x", W/`+tag)
			if again.Code != 304 || again.Body.Len() != 0 || again.Header().Get("ETag") != tag {
				t.Errorf("%s %s: %d with %d bytes", target, encoding, again.Code, again.Body.Len())
			}
		}
		if want := map[string]int{"/robots.txt": 1}[target]; len(tags) != 3 && len(tags) != want {
			t.Errorf("%s: encodings share a tag: %v", target, tags)
		}
	}
}

func TestEncodings(t *testing.T) {
	t.Parallel()
	f := start(t, "http://localhost")
	home := f.get("GET", "/").Body.String()
	for accept, want := range map[string]string{
		"gzip, deflate, br, zstd": "br", "gzip": "gzip", "": "", "identity": "", "br;q=0, gzip": "gzip",
		"*": "br", "br;q=0.5, gzip;q=0.9": "gzip", "gzip;q=nonsense": "", "*;q=0": "", "BR": "br",
	} {
		for target, plain := range map[string]string{"/": home, "/assets/main-1.js": "console.log(1)"} {
			encoded(t, f.get("GET", target, "Accept-Encoding", accept), accept, want, plain)
		}
	}
}

func encoded(t *testing.T, w *httptest.ResponseRecorder, accept, want, plain string) {
	t.Helper()
	if got := w.Header().Get("Content-Encoding"); got != want {
		t.Errorf("%q gets %q, want %q", accept, got, want)
		return
	}
	if w.Header().Get("Content-Length") != fmt.Sprint(w.Body.Len()) {
		t.Errorf("%q: length %s of %d", accept, w.Header().Get("Content-Length"), w.Body.Len())
	}
	var from io.Reader = w.Body
	switch want {
	case "br":
		from = brotli.NewReader(w.Body)
	case "gzip":
		g, err := gzip.NewReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		from = g
	}
	if got, err := io.ReadAll(from); err != nil || string(got) != plain {
		t.Errorf("%q: another text, %v", accept, err)
	}
}

func TestHeadIsGetWithoutBody(t *testing.T) {
	t.Parallel()
	f := start(t, "http://localhost")
	for _, target := range []string{"/", "/nowhere", "/assets/main-1.js", "/sitemap.xml", "/robots.txt", "/contact"} {
		get, head := f.get("GET", target), f.get("HEAD", target)
		if head.Code != get.Code || head.Body.Len() != 0 || head.Header().Get("Content-Length") != get.Header().Get("Content-Length") {
			t.Errorf("%s: %d %v", target, head.Code, head.Header())
		}
	}
}

func TestAssets(t *testing.T) {
	t.Parallel()
	f := start(t, "http://localhost")
	for target, want := range map[string][3]string{
		"/assets/main-1.js":  {"text/javascript; charset=utf-8", cacheForever, string(web.Pack([]byte("console.log(1)")).Brotli)},
		"/assets/main-1.css": {"text/css; charset=utf-8", cacheForever, "body{color:red}\n"},
		"/art/a.webp":        {"image/webp", cacheWeek, "picture"},
		"/favicon.svg":       {"image/svg+xml; charset=utf-8", cacheHour, "<svg/>"},
	} {
		w := f.get("GET", target, "Accept-Encoding", "br")
		if w.Code != 200 || w.Header().Get("Content-Type") != want[0] || w.Header().Get("Cache-Control") != want[1] || w.Body.String() != want[2] {
			t.Errorf("%s: %d %v %q", target, w.Code, w.Header(), w.Body)
		}
	}
	for _, target := range []string{
		"/assets/old-1.js", "/assets/main-1.js.map", "/assets/main-1.js.br", "/index.html", "/.vite/manifest.json",
		"/art/none", "/server/render.js", "/.env", "/wp-login.php", "/assets/", "/art/../server/render.js",
	} {
		w := f.get("GET", target)
		if w.Code != 404 || w.Header().Get("Content-Type") != "text/plain; charset=utf-8" || w.Header().Get("Cache-Control") != cacheNever {
			t.Errorf("%s: %d %v", target, w.Code, w.Header())
		}
	}
}
