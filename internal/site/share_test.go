package site_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

func ask(h http.Handler, method, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

const forever = "public, max-age=31536000, immutable"

func TestEveryCardIsAPictureOfTheRightSize(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		id := firstCourse(t, s).ID
		for path, page := range map[string]string{"/card.png": "/trending", "/workshop/card.png": "", "/course/" + id + "/card.png": "/course/" + id} {
			w := ask(s.Handler(), "GET", path)
			if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "image/png" || w.Header().Get("Cache-Control") != "no-cache" {
				t.Fatalf("%s: %d %v", path, w.Code, w.Header())
			}
			picture, err := png.Decode(bytes.NewReader(w.Body.Bytes()))
			if err != nil || picture.Bounds().Size() != image.Pt(1200, 630) || w.Body.Len() > 600_000 {
				t.Errorf("%s: %v, %d bytes", path, err, w.Body.Len())
			}
			tag := w.Header().Get("ETag")
			if again := ask(s.Handler(), "GET", path, "If-None-Match", tag); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
				t.Errorf("%s again: %d", path, again.Code)
			}
			versioned := path + "?v=" + strings.Trim(tag, `"`)
			if again := ask(s.Handler(), "HEAD", versioned); again.Code != http.StatusOK || again.Header().Get("Cache-Control") != forever || again.Body.Len() != 0 {
				t.Errorf("%s: %d %v", versioned, again.Code, again.Header())
			}
			if old := ask(s.Handler(), "GET", path+"?v=old"); old.Header().Get("Cache-Control") != "no-cache" {
				t.Errorf("an old address may be kept: %v", old.Header())
			}
			if page == "" {
				continue
			}
			if got := element(t, get(t, s.Handler(), page).Body.String(), `<meta property="og:image" content="`, `"`); got != s.URL+versioned {
				t.Errorf("%s names the card %s", page, got)
			}
		}
	})
}

func TestCardsOfNoCourseAnswer404(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, dbtest.Location(t, db.SQLite), nil, clock.System{})
	for _, path := range []string{"/course/none/card.png", "/course/" + absent + "/card.png", "/course/a/b/card.png", "/trending/card.png"} {
		if w := ask(s.Handler(), "GET", path); w.Code != http.StatusNotFound || strings.Contains(w.Header().Get("Cache-Control"), "max-age") {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
	if w := ask(s.Handler(), "POST", "/card.png"); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", w.Code)
	}
}

// A picture elsewhere is never fetched: the card shows the category's, as if the course had been given that.
func TestSecurity61ForeignPicturesAreNotFetched(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, dbtest.Location(t, db.SQLite), nil, clock.System{})
	var asked atomic.Int64
	foreign := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(foreign.Close)
	_, token := s.Admin(t, "admin@example.com")
	card := func(thumbnail string, soon bool) *httptest.ResponseRecorder {
		body, err := json.Marshal(map[string]any{
			"title": "Light", "instructor": "Ana", "duration": "1 week", "category": "AI Tools", "thumbnail": thumbnail,
			"description": "D", "lessons": 1, "level": "Beginner", "rating": 4.5, "coming_soon": soon,
		})
		if err != nil {
			t.Fatal(err)
		}
		added := s.Do(t, "POST", "/rest/v1/courses?select=id", token, string(body), "Prefer", "return=representation")
		var rows []course
		if err := json.Unmarshal([]byte(added.Body), &rows); err != nil || len(rows) != 1 {
			t.Fatalf("%d %s", added.Status, added.Body)
		}
		w := ask(s.Handler(), "GET", "/course/"+rows[0].ID+"/card.png")
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d", thumbnail, w.Code)
		}
		return w
	}
	want := card("/art/ai-tools.webp", false)
	for _, thumbnail := range []string{foreign.URL + "/a.webp", "/art/../secret.webp", "/art/nothing.webp", "/icon.svg"} {
		if got := card(thumbnail, false); got.Header().Get("ETag") != want.Header().Get("ETag") || !bytes.Equal(got.Body.Bytes(), want.Body.Bytes()) {
			t.Errorf("%s: another card than the category's", thumbnail)
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the server asked for it %d times", n)
	}
	if soon := card("/art/ai-tools.webp", true); bytes.Equal(soon.Body.Bytes(), want.Body.Bytes()) {
		t.Error("a course that is yet to come has the same card")
	}
}

// The name of a card follows what stands on it, and nothing else.
func TestCardsAreNamedByTheirContent(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, dbtest.Location(t, db.SQLite), nil, clock.System{})
	_, token := s.Admin(t, "admin@example.com")
	id := firstCourse(t, s).ID
	path := "/course/" + id + "/card.png"
	tag := func() string { return ask(s.Handler(), "HEAD", path).Header().Get("ETag") }
	change := func(body string) {
		if answer := s.Do(t, "PATCH", "/rest/v1/courses?id=eq."+id, token, body); answer.Status != http.StatusNoContent {
			t.Fatalf("%d %s", answer.Status, answer.Body)
		}
	}
	change(`{"coming_soon":false}`)
	before := tag()
	change(`{"description":"Another","lessons":99}`)
	if tag() != before {
		t.Error("what is not on the card changed its name")
	}
	for _, body := range []string{`{"title":"Another"}`, `{"instructor":"Another"}`, `{"rating":1}`, `{"coming_soon":true}`, `{"category":"AI Tools"}`, `{"thumbnail":"/art/workshop.webp"}`} {
		change(body)
		if after := tag(); after == before {
			t.Errorf("%s left the name as it was", body)
		} else {
			before = after
		}
	}
}

// graph is the page's schema.org data by type.
func graph(t *testing.T, page string) map[string]map[string]any {
	t.Helper()
	_, rest, _ := strings.Cut(page, `<script type="application/ld+json">`)
	text, _, _ := strings.Cut(rest, "</script>")
	var data struct {
		Context string           `json:"@context"`
		Graph   []map[string]any `json:"@graph"`
	}
	if err := json.Unmarshal([]byte(text), &data); err != nil || data.Context != "https://schema.org" {
		t.Fatalf("%v in %q", err, text)
	}
	found := map[string]map[string]any{}
	for _, thing := range data.Graph {
		found[thing["@type"].(string)] = thing
	}
	return found
}

func TestEveryPublicPageCanBeFoundAndShared(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, dbtest.Location(t, db.SQLite), nil, clock.System{})
	first := firstCourse(t, s)
	for _, path := range append([]string{"/course/" + first.ID}, routes...) {
		page := get(t, s.Handler(), path).Body.String()
		own, _, _ := strings.Cut(path, "?")
		for property, want := range map[string]string{
			"og:url": s.URL + own, "og:type": "website", "og:site_name": "Greenroom", "og:title": element(t, page, "<title>", "</title>"),
			"og:description": element(t, page, `<meta name="description" content="`, `"`), "og:image:width": "1200", "og:image:height": "630",
		} {
			if got := element(t, page, `<meta property="`+property+`" content="`, `"`); got != want || got == "" {
				t.Errorf("%s: %s is %q, want %q", path, property, got, want)
			}
		}
		card := element(t, page, `<meta property="og:image" content="`, `"`)
		if w := ask(s.Handler(), "HEAD", strings.TrimPrefix(card, s.URL)); !strings.HasPrefix(card, s.URL+"/") || w.Header().Get("Cache-Control") != forever {
			t.Errorf("%s: the card %s answers %d %v", path, card, w.Code, w.Header())
		}
		if element(t, page, `<meta property="og:image:alt" content="`, `"`) == "" || element(t, page, `<meta name="twitter:card" content="`, `"`) != "summary_large_image" {
			t.Errorf("%s: no words or no size for the card", path)
		}
		found := graph(t, page)
		want := "BreadcrumbList"
		if own == "/" {
			want = "WebSite"
		}
		if found[want] == nil {
			t.Errorf("%s: %v", path, found)
		}
		if found["Course"] != nil != (own == "/course/"+first.ID) {
			t.Errorf("%s: course data %v", path, found["Course"])
		}
	}
}

func TestTheWorkshopIsAnEventWhenItsStartIsExact(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		if event := graph(t, get(t, s.Handler(), "/").Body.String())["Event"]; event != nil {
			t.Errorf("an event without a start: %v", event)
		}
		_, token := s.Admin(t, "admin@example.com")
		if answer := s.Do(t, "PATCH", "/rest/v1/workshops?spots=gt.0", token, `{"starts_at":"2026-11-27T13:30:00Z","host":"</script> & \"Ana\""}`); answer.Status != http.StatusNoContent {
			t.Fatalf("%d %s", answer.Status, answer.Body)
		}
		event := graph(t, get(t, s.Handler(), "/").Body.String())["Event"]
		if event == nil || !strings.HasPrefix(event["startDate"].(string), "2026-11-27T13:30:00") || event["endDate"] != "2026-11-27T14:15:00.000Z" ||
			event["performer"].(map[string]any)["name"] != `</script> & "Ana"` || event["image"] != s.URL+"/workshop/card.png" {
			t.Errorf("%v", event)
		}
	})
}

// What the page and the manifest name as icons is there, in the size that they say.
func TestIconsAndManifest(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, dbtest.Location(t, db.SQLite), nil, clock.System{})
	page := get(t, s.Handler(), "/").Body.String()
	for _, link := range []string{
		`<link rel="icon" href="/favicon.ico" sizes="32x32">`, `<link rel="icon" href="/icon.svg" type="image/svg+xml">`,
		`<link rel="apple-touch-icon" href="/apple-touch-icon.png">`, `<link rel="manifest" href="/manifest.webmanifest">`, `<meta name="theme-color" content="#0a0c11">`,
	} {
		if !strings.Contains(page, link) {
			t.Errorf("no %s", link)
		}
	}
	w := ask(s.Handler(), "GET", "/manifest.webmanifest")
	var manifest struct {
		Name  string
		Start string `json:"start_url"`
		Icons []struct{ Src, Type, Sizes, Purpose string }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &manifest); err != nil || manifest.Name != "Greenroom" || manifest.Start != "/" ||
		!strings.HasPrefix(w.Header().Get("Content-Type"), "application/manifest+json") {
		t.Fatalf("%v %v", err, w.Header())
	}
	sizes := map[string]string{"/apple-touch-icon.png": "180x180"}
	purposes := map[string]bool{}
	for _, icon := range manifest.Icons {
		sizes[icon.Src] = icon.Sizes
		purposes[icon.Sizes+icon.Purpose] = true
	}
	if !purposes["192x192"] || !purposes["512x512"] || !purposes["512x512maskable"] {
		t.Errorf("%v", purposes)
	}
	for path, want := range sizes {
		w := ask(s.Handler(), "GET", path)
		if w.Code != http.StatusOK {
			t.Errorf("%s: %d", path, w.Code)
		}
		if strings.HasSuffix(path, ".svg") {
			continue
		}
		icon, err := png.DecodeConfig(w.Body)
		if got := fmt.Sprintf("%dx%d", icon.Width, icon.Height); err != nil || got != want {
			t.Errorf("%s: %v, %s", path, err, got)
		}
	}
	if w := ask(s.Handler(), "GET", "/favicon.ico"); w.Code != http.StatusOK || w.Header().Get("Content-Type") != "image/x-icon" {
		t.Errorf("favicon.ico: %d %v", w.Code, w.Header())
	}
}
