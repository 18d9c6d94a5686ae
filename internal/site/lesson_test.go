package site_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/site"
	"greenroom/web"
)

// A text of any length and any make leaves the renderer to the others, and the reader with a page.
func TestLongTextsLeaveTheOtherPages(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		var log lines
		var version atomic.Int64
		p, err := site.New(site.Options{
			Build: web.Dist(), Data: s.Handler(), Calls: s.Handler(), Version: version.Load,
			Log:      slog.New(slog.NewTextHandler(&log, nil)),
			Settings: site.Settings{APIKey: s.Keys().Publishable, SiteURL: s.URL},
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		visit := func(path string) string {
			w := httptest.NewRecorder()
			p.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
			if w.Code != http.StatusOK {
				t.Errorf("%s: %d", path, w.Code)
			}
			markup, _, _ := strings.Cut(w.Body.String(), `id="greenroom"`)
			return markup
		}
		course := firstCourse(t, s).ID
		for name, body := range map[string]string{
			"quotes": strings.Repeat("> ", 48000), "stars": strings.Repeat("*a **b ", 12000), "links": strings.Repeat("[a](<b", 16000),
		} {
			path := "/learn/" + course + "/" + publish(t, s, course, body)
			visit(path)
			get(t, p, "/search?q="+name)
			visit(path)
			if n := strings.Count(log.String(), path); n > 1 {
				t.Errorf("%s was tried %d times: %s", name, n, log.String())
			}
		}
		path := "/learn/" + course + "/" + publish(t, s, course, strings.Repeat(strings.Repeat("word ", 60)+"\n\n", 315))
		markup := visit(path)
		for tries := 0; !strings.Contains(markup, "<h1") && tries < 60; tries++ {
			version.Add(1) // a machine too busy for it gets another chance
			markup = visit(path)
		}
		if n := strings.Count(markup, "word"); n < 500 || n > 2500 {
			t.Errorf("%d words are drawn", n)
		}
	})
}

// publish puts a lesson that anybody may read into the course.
func publish(t *testing.T, s *apptest.Server, course, body string) (lesson string) {
	t.Helper()
	key, now := id.New(), db.At(s.DB().Clock.Now())
	err := s.DB().Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		for _, step := range []struct {
			query string
			args  []any
		}{
			{"insert into course_offers (id, course_id, published_at, created_at) values ($1, $2, $3, $3) on conflict do nothing", []any{key, course, now}},
			{"insert into course_sections (id, course_id, title, position, created_at) values ($1, $2, 'S', 0, $3)", []any{key, course, now}},
			{"insert into lessons (id, course_id, section_id, title, kind, position, state, preview, created_at) values ($1, $2, $1, 'L', 'text', 0, 'published', $3, $4)", []any{key, course, true, now}},
			{"insert into lesson_contents (lesson_id, body, drafted_at) values ($1, $2, $3)", []any{key, body, now}},
		} {
			if _, err := tx.Exec(ctx, step.query, step.args...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return key
}
