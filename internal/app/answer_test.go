package app_test

import (
	"fmt"
	"mime"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"greenroom/internal/app/apptest"
)

// TestSecurity50QueriesHaveACeiling asks for too much in every way: it is refused, or what comes is a page.
func TestSecurity50QueriesHaveACeiling(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		deep := strings.Repeat("and(", 50) + "title.eq.a" + strings.Repeat(")", 50)
		for _, query := range []string{
			"limit=1000000000", "offset=1000000000", "limit=99999999999999999999", "limit=-1", "offset=-1",
			"id=in.(" + strings.Repeat("09c147e5-de02-5864-ac8c-100604a5f265,", 400) + ")", // more do not fit into an address
			"or=(" + deep + ")", "select=" + strings.Repeat("a(", 50) + "id" + strings.Repeat(")", 50),
			"or=(" + strings.TrimSuffix(strings.Repeat("title.ilike.*a*,", 900), ",") + ")",
			"title=ilike." + strings.Repeat("*a", 500) + "*", "select=" + strings.TrimSuffix(strings.Repeat("title,", 2000), ","),
			"order=" + strings.TrimSuffix(strings.Repeat("title.desc,", 1000), ","), strings.Repeat("title=neq.a&", 1000),
		} {
			answer := s.Do(t, http.MethodGet, "/rest/v1/courses?"+query, "", "", "Prefer", "count=exact")
			if answer.Status >= 500 || len(answer.Body) > 1<<20 {
				t.Errorf("%.60s: %d, %d bytes %.200s", query, answer.Status, len(answer.Body), answer.Body)
			}
		}
		if answer := s.Do(t, http.MethodGet, "/rest/v1/courses?id=eq."+strings.Repeat("a", 64<<10), "", ""); answer.Status/100 != 4 {
			t.Errorf("an address of 64 kB: %d", answer.Status)
		}
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		if memory.HeapInuse > 512<<20 {
			t.Errorf("%d MB in use", memory.HeapInuse>>20)
		}
	})
}

// TestSecurity59EveryAnswerSaysWhatItIs crawls what the server answers with: a type with its alphabet, never to be guessed,
// and files as files.
func TestSecurity59EveryAnswerSaysWhatItIs(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		_, admin := s.Admin(t, "admin@example.com")
		for _, c := range [][3]string{
			{"GET", "/", "text/html"},
			{"GET", "/nope", "text/html"},
			{"GET", "/course/nope", "text/html"},
			{"GET", "/robots.txt", "text/plain"},
			{"GET", "/sitemap.xml", "application/xml"},
			{"GET", "/manifest.webmanifest", "application/manifest+json"},
			{"GET", "/icon.svg", "image/svg+xml"},
			{"GET", "/card.png", "image/png"},
			{"GET", "/rest/v1/courses?limit=1", "application/json"},
			{"GET", "/rest/v1/nope", "application/json"},
			{"POST", "/rest/v1/courses", "application/json"},
			{"GET", "/auth/v1/settings", "application/json"},
			{"GET", "/auth/v1/nope", "text/plain"},
			{"GET", "/auth/v1/.well-known/jwks.json", "application/json"},
			{"GET", "/functions/v1/export?tab=courses", "text/csv"},
			{"GET", "/functions/v1/my-data", "application/json"},
			{"GET", "/healthz", "text/plain"},
			{"TRACE", "/", "text/plain"},
		} {
			answer := s.Do(t, c[0], c[1], admin, "")
			kind, parameters, err := mime.ParseMediaType(answer.Header.Get("Content-Type"))
			// JSON has one alphabet, and a drawing is told in its own head.
			if err != nil || kind != c[2] || strings.HasPrefix(kind, "text/") && parameters["charset"] != "utf-8" {
				t.Errorf("%s %s: %d %q", c[0], c[1], answer.Status, answer.Header.Get("Content-Type"))
			}
			if answer.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s %s may be guessed", c[0], c[1])
			}
			file := kind == "text/csv" || strings.HasSuffix(c[1], "my-data")
			disposition, name, _ := mime.ParseMediaType(answer.Header.Get("Content-Disposition"))
			if file != (disposition == "attachment") || strings.ContainsAny(name["filename"], `/\"`+"\r\n") {
				t.Errorf("%s %s: %q", c[0], c[1], answer.Header.Get("Content-Disposition"))
			}
		}
	})
}

// TestSecurity72NothingPersonalIsStored: no cache keeps an answer to somebody who is signed in, refusals included.
func TestSecurity72NothingPersonalIsStored(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		_, token := s.Person(t, "ada@example.com")
		paths := []string{"/auth/v1/user", "/auth/v1/nope", "/rest/v1/nope"}
		for _, table := range s.Tables() {
			paths = append(paths, "/rest/v1/"+table.Name+"?limit=1")
		}
		for _, function := range s.Functions() {
			paths = append(paths, "/functions/v1/"+function.Name)
		}
		for _, path := range paths {
			if answer := s.Do(t, http.MethodGet, path, token, ""); !strings.Contains(answer.Header.Get("Cache-Control"), "no-store") {
				t.Errorf("%s: %d %q", path, answer.Status, answer.Header.Get("Cache-Control"))
			}
		}
	})
}

// TestSecurity68ErrorsSayNothingOfTheInside takes the tables away under a running server: nothing protected answers, and
// what is answered tells only that it failed.
func TestSecurity68ErrorsSayNothingOfTheInside(t *testing.T) {
	t.Parallel()
	apptest.Each(t, map[string]string{"GREENROOM_RATE_LIMITS": "off"}, func(t *testing.T, s *apptest.Server) {
		person, token := s.Admin(t, "ada@example.com")
		for _, table := range []string{"users", "sessions", "refresh_tokens", "saved_courses", "course_waitlist", "course_recommendations", "workshops", "user_roles", "outbox"} {
			write(t, s.DB(), "alter table "+table+" rename to moved_"+table)
		}
		s.Accounts().Forget(person.ID)
		calls := [][3]string{
			{"GET", "/auth/v1/user", ""},
			{"PUT", "/auth/v1/user", `{"data":{}}`},
			{"POST", "/auth/v1/signup", `{"email":"b@example.com","password":"correct horse battery"}`},
			{"POST", "/auth/v1/token?grant_type=password", `{"email":"ada@example.com","password":"correct horse battery"}`},
			{"POST", "/auth/v1/token?grant_type=refresh_token", `{"refresh_token":"abcdefghijkl"}`},
			{"GET", "/functions/v1/my-data", ""},
			{"GET", "/functions/v1/sessions", ""},
			{"GET", "/functions/v1/export?tab=courses", ""},
			{"POST", "/functions/v1/send-notification-email", `{"formType":"contact","name":"N","email":"n@example.com","message":"M"}`},
			{"POST", "/rest/v1/course_waitlist", fmt.Sprintf(`{"name":"N","email":"n@example.com","course_title":%q}`, workshop)},
			{"GET", "/rest/v1/saved_courses", ""},
			{"GET", "/rest/v1/course_waitlist", ""},
			{"GET", "/rest/v1/course_recommendations", ""},
			{"GET", "/rest/v1/user_roles", ""},
		}
		for _, c := range calls {
			answer := s.Do(t, c[0], c[1], token, c[2])
			if answer.Status < 400 {
				t.Errorf("%s %s goes on: %d %.200s", c[0], c[1], answer.Status, answer.Body)
			}
			for _, word := range []string{"SQL", "no such", "relation", "exist", "moved_", "sessions", "goroutine", ".go:", "panic", "select "} {
				if strings.Contains(answer.Body, word) {
					t.Errorf("%s %s tells of %q: %s", c[0], c[1], word, answer.Body)
				}
			}
		}
	})
}
