package app_test

import (
	"fmt"
	"mime"
	"net/http"
	"strings"
	"testing"

	"greenroom/internal/app/apptest"
)

// TestSecurity50QueriesHaveACeiling asks for too much in every way: it is refused, or what comes is a page.
func TestSecurity50QueriesHaveACeiling(t *testing.T) {
	t.Parallel()
	const page = 1000
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		_, admin := s.Admin(t, "admin@example.com")
		course := `{"title":"Light","instructor":"Ana","duration":"1 week","category":"AI Tools","thumbnail":"/art/ai-tools.webp","description":"D","lessons":1,"level":"Beginner","rating":4.5}`
		for range 2 {
			do(t, s, 201, http.MethodPost, "/rest/v1/courses", admin, "["+strings.Repeat(course+",", 599)+course+"]")
		}
		deep := strings.Repeat("and(", 50) + "title.eq.a" + strings.Repeat(")", 50)
		for query, status := range map[string]int{
			"limit=1000000000": 206, "": 206, "offset=1000000000": 416, "limit=99999999999999999999": 206, "limit=-1": 416, "offset=-1": 416,
			"id=in.(" + strings.Repeat("09c147e5-de02-5864-ac8c-100604a5f265,", 400) + ")": 400, // more do not fit into an address
			"or=(" + deep + ")": 413,
			"select=" + strings.Repeat("a(", 50) + "id" + strings.Repeat(")", 50):           400,
			"or=(" + strings.TrimSuffix(strings.Repeat("title.ilike.*a*,", 900), ",") + ")": 413,
			"select=" + strings.TrimSuffix(strings.Repeat("title,", 2000), ","):             413,
			"order=" + strings.TrimSuffix(strings.Repeat("title.desc,", 1000), ","):         413,
			strings.Repeat("title=neq.a&", 1000):                                            413,
			"title=ilike." + strings.Repeat("*a", 500) + "*":                                200,
			"id=eq." + strings.Repeat("a", 64<<10):                                          414,
		} {
			answer := s.Do(t, http.MethodGet, "/rest/v1/courses?"+query, "", "", "Prefer", "count=exact")
			if rows := strings.Count(answer.Body, `"instructor"`); answer.Status != status || rows > page || status == 206 && rows != page {
				t.Errorf("%.60s: %d, %d rows %.200s", query, answer.Status, rows, answer.Body)
			}
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

// TestSecurity68ErrorsSayNothingOfTheInside takes one table after the other away under a running server: what stands on it
// does not answer, and tells only that it failed.
func TestSecurity68ErrorsSayNothingOfTheInside(t *testing.T) {
	t.Parallel()
	apptest.Each(t, map[string]string{"GREENROOM_RATE_LIMITS": "off"}, func(t *testing.T, s *apptest.Server) {
		person, token := s.Admin(t, "ada@example.com")
		register := fmt.Sprintf(`{"name":"N","email":"n@example.com","course_title":%q}`, workshop)
		for _, c := range [][4]string{
			{"users", "GET", "/auth/v1/user", ""},
			{"users", "POST", "/auth/v1/signup", `{"email":"b@example.com","password":"correct horse battery"}`},
			{"users", "POST", "/auth/v1/token?grant_type=password", `{"email":"ada@example.com","password":"correct horse battery"}`},
			{"refresh_tokens", "POST", "/auth/v1/token?grant_type=refresh_token", `{"refresh_token":"abcdefghijkl"}`},
			{"sessions", "GET", "/functions/v1/sessions", ""},
			{"sessions", "GET", "/rest/v1/saved_courses", ""},
			{"saved_courses", "GET", "/functions/v1/my-data", ""},
			{"saved_courses", "GET", "/rest/v1/saved_courses", ""},
			{"course_waitlist", "GET", "/rest/v1/course_waitlist", ""},
			{"course_waitlist", "POST", "/rest/v1/course_waitlist", register},
			{"workshops", "POST", "/rest/v1/course_waitlist", register},
			{"outbox", "POST", "/rest/v1/course_waitlist", register},
			{"course_recommendations", "GET", "/rest/v1/course_recommendations", ""},
			{"outbox", "POST", "/functions/v1/send-notification-email", `{"formType":"contact","name":"N","email":"n@example.com","message":"M"}`},
			{"user_roles", "GET", "/rest/v1/user_roles", ""},
		} {
			table := c[0]
			write(t, s.DB(), "alter table "+table+" rename to moved_"+table)
			s.Accounts().Forget(person.ID)
			answer := s.Do(t, c[1], c[2], token, c[3])
			write(t, s.DB(), "alter table moved_"+table+" rename to "+table)
			if answer.Status < 500 {
				t.Errorf("%s %s goes on without %s: %d %.200s", c[1], c[2], table, answer.Status, answer.Body)
			}
			for _, word := range []string{"SQL", "no such", "relation", "exist", "moved_", table, "goroutine", ".go:", "panic", "select "} {
				if strings.Contains(answer.Body, word) {
					t.Errorf("%s %s tells of %q: %s", c[1], c[2], word, answer.Body)
				}
			}
		}
	})
}
