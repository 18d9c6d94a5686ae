package site

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A sitemap may name 50,000 addresses. A larger catalogue is told in parts, each of which starts after a course's id, so
// that a part is read along the key and never by counting rows.
const (
	partSize   = 20_000
	rowsAtOnce = 1_000
	partPrefix = "/sitemaps/"
	zeroID     = "00000000-0000-0000-0000-000000000000"
	mapWithin  = 20 * time.Second
	mapsKept   = 64
	mapBytes   = 24 << 20
	mapWait    = 5 * time.Second
)

// sitemaps keeps what was written for the present catalogue; one is written at a time.
type sitemaps struct {
	turn chan struct{}
	mu   sync.Mutex
	kept *shelf
	size int // addresses in a part
}

func newSitemaps() *sitemaps {
	return &sitemaps{turn: make(chan struct{}, 1), kept: newShelf(mapsKept, mapBytes), size: partSize}
}

// serveMap answers what search engines ask for besides pages; false means that the request was for something else.
func (s *Site) serveMap(w http.ResponseWriter, r *http.Request) bool {
	switch p := r.URL.Path; {
	case p == "/robots.txt":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", cacheHour)
		text := s.robots()
		plainBody(text).write(w, r, http.StatusOK)
		return true
	case p == "/sitemap.xml":
		s.serveSitemap(w, r, "")
		return true
	case strings.HasPrefix(p, partPrefix):
		after, ok := strings.CutSuffix(strings.TrimPrefix(p, partPrefix), ".xml")
		if !ok || !uuid.MatchString(after) {
			s.plain(w, http.StatusNotFound, "There is no such sitemap.")
			return true
		}
		s.serveSitemap(w, r, strings.ToLower(after))
		return true
	}
	return false
}

func (s *Site) robots() []byte {
	var b bytes.Buffer
	b.WriteString("User-agent: *\nAllow: /\n")
	for _, p := range append([]string{"/auth", "/rest/", "/functions/"}, gatedPaths...) {
		b.WriteString("Disallow: " + p + "\n")
	}
	b.WriteString("\nSitemap: " + s.siteURL + "/sitemap.xml\n")
	return b.Bytes()
}

func (s *Site) serveSitemap(w http.ResponseWriter, r *http.Request, after string) {
	p, err := s.findSitemap(r.Context(), after)
	if err != nil {
		s.log.Error("sitemap not written", "after", after, "error", err)
		w.Header().Set("Retry-After", "30")
		s.plain(w, http.StatusServiceUnavailable, "The sitemap cannot be written at the moment.")
		return
	}
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	w.Header().Set("Cache-Control", cacheCheck)
	p.content.write(w, r, p.status)
}

func (s *Site) findSitemap(ctx context.Context, after string) (*page, error) {
	version := s.version()
	if p := s.sitemaps.get(after, version); p != nil {
		return p, nil
	}
	wait := time.NewTimer(mapWait)
	defer wait.Stop()
	select {
	case s.sitemaps.turn <- struct{}{}:
		defer func() { <-s.sitemaps.turn }()
	case <-wait.C:
		return nil, errBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if p := s.sitemaps.get(after, version); p != nil {
		return p, nil
	}
	ctx, cancel := context.WithTimeout(ctx, mapWithin)
	defer cancel()
	p, err := s.writeSitemap(ctx, after)
	if err != nil {
		return nil, err
	}
	s.sitemaps.put(after, version, p)
	return p, nil
}

func (m *sitemaps) get(name string, version int64) *page {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept.get(name, version)
}

func (m *sitemaps) put(name string, version int64, p *page) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept.put(name, version, p)
}

// writeSitemap writes the part after an id, or, without one, the whole: as one list or as the list of its parts.
func (s *Site) writeSitemap(ctx context.Context, after string) (*page, error) {
	if after != "" {
		return s.writePart(ctx, after)
	}
	total, err := s.countCourses(ctx)
	if err != nil {
		return nil, err
	}
	if total <= int64(s.sitemaps.size) {
		return s.writePart(ctx, zeroID)
	}
	var b bytes.Buffer
	b.WriteString(xml.Header + `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	start := zeroID
	for offset := s.sitemaps.size; ; offset += s.sitemaps.size {
		b.WriteString("<sitemap><loc>" + s.escape(partPrefix+start+".xml") + "</loc></sitemap>\n")
		if int64(offset) >= total {
			break
		}
		list, err := s.courses(ctx, url.Values{"offset": {strconv.Itoa(offset - 1)}, "limit": {"1"}})
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			break
		}
		start = list[0].ID
	}
	b.WriteString("</sitemapindex>\n")
	return &page{status: http.StatusOK, content: compress(b.Bytes())}, nil
}

func (s *Site) writePart(ctx context.Context, after string) (*page, error) {
	var b bytes.Buffer
	b.WriteString(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	if after == zeroID {
		for _, p := range publicPaths {
			if !strings.HasPrefix(p, "/auth") {
				b.WriteString("<url><loc>" + s.escape(p) + "</loc></url>\n")
			}
		}
	}
	for n := 0; n < s.sitemaps.size; {
		limit := min(rowsAtOnce, s.sitemaps.size-n)
		list, err := s.courses(ctx, url.Values{"id": {"gt." + after}, "limit": {strconv.Itoa(limit)}})
		if err != nil {
			return nil, err
		}
		for _, c := range list {
			b.WriteString("<url><loc>" + s.escape("/course/"+c.ID) + "</loc><lastmod>" + c.Created.UTC().Format(time.DateOnly) + "</lastmod></url>\n")
		}
		n += len(list)
		if len(list) < limit {
			break
		}
		after = list[len(list)-1].ID
	}
	b.WriteString("</urlset>\n")
	return &page{status: http.StatusOK, content: compress(b.Bytes())}, nil
}

func (s *Site) escape(path string) string {
	var b strings.Builder
	// A builder takes everything.
	_ = xml.EscapeText(&b, []byte(s.siteURL+path))
	return b.String()
}

// listed is a course as the sitemap knows it.
type listed struct {
	ID      string    `json:"id"`
	Created time.Time `json:"created_at"`
}

func (s *Site) courses(ctx context.Context, query url.Values) ([]listed, error) {
	query.Set("select", "id,created_at")
	query.Set("order", "id.asc")
	rec, err := s.fetch(ctx, &url.URL{Path: "/rest/v1/courses", RawQuery: query.Encode()}, http.Header{})
	if err != nil {
		return nil, err
	}
	if rec.status != http.StatusOK {
		return nil, fmt.Errorf("the data API answered %d", rec.status)
	}
	var list []listed
	err = json.Unmarshal(rec.body.Bytes(), &list)
	return list, err
}

func (s *Site) countCourses(ctx context.Context) (int64, error) {
	address := &url.URL{Path: "/rest/v1/courses", RawQuery: "select=id&limit=1"}
	rec, err := s.fetch(ctx, address, http.Header{"Prefer": {"count=exact"}})
	if err != nil {
		return 0, err
	}
	total := totalOf(rec.header.Get("Content-Range"))
	if total == nil {
		return 0, fmt.Errorf("the data API answered %d without a count", rec.status)
	}
	return *total, nil
}
