package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/id"
)

// completed lets somebody take a course of one lesson and complete it, and gives the course and the code of the certificate.
func completed(t *testing.T, s *apptest.Server, who member) (course, code string) {
	t.Helper()
	at := school{s, nil}
	course = at.course(t)
	lesson := textLesson(t, s, course)
	write(t, s.DB(), "insert into enrollments (id, user_id, course_id, created_at) values ($1, $2, $3, $4)", id.New(), who.ID, course, at.now())
	var got struct{ Certificate string }
	body := do(t, s, 200, http.MethodPost, "/functions/v1/save-progress", who.Access, fmt.Sprintf(`{"lesson":%q,"complete":true}`, lesson))
	if err := json.Unmarshal([]byte(body), &got); err != nil || got.Certificate == "" {
		t.Fatalf("no certificate: %s", body)
	}
	return course, got.Certificate
}

// textLesson publishes the only lesson of a course.
func textLesson(t *testing.T, s *apptest.Server, course string) string {
	t.Helper()
	at, lesson := school{s, nil}, id.New()
	write(t, s.DB(), "insert into course_offers (id, course_id, published_at, created_at) values ($1, $1, $2, $2)", course, at.now())
	write(t, s.DB(), "insert into course_sections (id, course_id, title, position, created_at) values ($1, $1, 'S', 0, $2)", course, at.now())
	write(t, s.DB(), `insert into lessons (id, course_id, section_id, title, kind, position, state, created_at)
		values ($1, $2, $2, 'L', 'text', 0, 'published', $3)`, lesson, course, at.now())
	return lesson
}

// shows waits until a page says all of this: on a busy machine it may come without its markup first.
func shows(t *testing.T, s *apptest.Server, path string, status int, all ...string) {
	t.Helper()
	until(t, path+" says "+all[0], func() bool {
		got := s.Do(t, http.MethodGet, path, "", "")
		return got.Status == status && !slices.ContainsFunc(all, func(part string) bool { return !strings.Contains(got.Body, part) })
	})
}

func TestACertificateIsWithdrawnOnEveryInstance(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			at := dbtest.Location(t, engine)
			settings := map[string]string{
				"GREENROOM_RATE_LIMITS": "off", "GREENROOM_SECRET_FILE": filepath.Join(t.TempDir(), "secret"), "GREENROOM_SITE_URL": "http://localhost:8080",
			}
			s := apptest.Start(t, at, settings, clock.System{})
			second := s
			if engine == db.Postgres {
				second = apptest.Start(t, at, settings, clock.System{})
			}
			ada := signUp(t, s, "/auth/v1/signup", "ada@example.com")
			course, code := completed(t, s, ada)
			paper := "/certificate/" + code + "/certificate.pdf"
			got := second.Do(t, http.MethodGet, paper, "", "")
			if got.Status != 200 || !strings.HasPrefix(got.Body, "%PDF-") || got.Header.Get("X-Robots-Tag") != "noindex" {
				t.Fatalf("%d %v", got.Status, got.Header)
			}
			if again := second.Do(t, http.MethodGet, paper, "", "", "If-None-Match", got.Header.Get("ETag")); again.Status != http.StatusNotModified {
				t.Errorf("again: %d", again.Status)
			}
			shows(t, second, "/certificate/"+code, 200, "This certificate is valid.", `content="noindex"`, "/certificate/"+code+"/card.png?v=", "A learner</h1>", "certificate.pdf")
			shows(t, second, "/certificate/0000-0000-0000", 404, "Certificate not found")
			shows(t, second, "/certificate/0", 404, "Certificate not found")
			card := "/certificate/" + code + "/card.png"
			if got := second.Do(t, http.MethodGet, card, "", ""); got.Status != 200 || got.Header.Get("Content-Type") != "image/png" {
				t.Errorf("the card: %d %s", got.Status, got.Body)
			}
			_, boss := s.Admin(t, "boss@example.com")
			do(t, s, 204, http.MethodPatch, "/rest/v1/certificates?code=eq."+code, boss, `{"revoked_at":"2026-11-20T10:00:00Z","revoked_for":"copied"}`)
			if n := count(t, s.DB(), "select count(*) from audit_entries where action = 'admin.certificate.change'"); n != 1 {
				t.Errorf("%d lines in the trail", n)
			}
			do(t, second, 410, http.MethodGet, paper, "", "")
			do(t, second, 404, http.MethodGet, card, "", "")
			shows(t, second, "/certificate/"+code, 200, "This certificate was withdrawn on November 20, 2026.", "/card.png?v=")
			if body := do(t, second, 200, http.MethodPost, "/functions/v1/certificate", "", fmt.Sprintf(`{"code":%q}`, code)); !strings.Contains(body, `"withdrawn"`) || strings.Contains(body, "copied") {
				t.Error(body)
			}
			if body := do(t, s, 409, http.MethodDelete, "/rest/v1/courses?id=eq."+course, boss, ""); !strings.Contains(body, "This course has learners. Close it instead.") {
				t.Error(body)
			}
			do(t, s, 200, http.MethodPost, "/functions/v1/delete-account", ada.Access, fmt.Sprintf(`{"password":%q}`, secretOfAda))
			do(t, second, 404, http.MethodPost, "/functions/v1/certificate", "", fmt.Sprintf(`{"code":%q}`, code))
			shows(t, second, "/certificate/"+code, 404, "Certificate not found")
		})
	}
}
