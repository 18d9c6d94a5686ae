package app_test

import (
	"strings"
	"testing"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// Who is turned away at the connection is told in the words of what they asked, as all others are.
func TestTheCheapestRefusalSpeaksEachDialect(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, dbtest.Location(t, db.SQLite), nil, clock.System{})
	spare := s.Spare()
	const key = "sb_publishable_x"
	for _, c := range []struct{ head, words string }{
		{"GET / HTTP/1.1\r\nHost: a\r\n", "The server is busy. Please try again in a moment."},
		{"POST /rest/v1/course_waitlist HTTP/1.1\r\nHost: a\r\napikey: " + key + "\r\n", `"message":"The server is busy.`},
		{"GET /rest/v1/courses HTTP/1.1\r\nHost: a\r\napikey: " + key + "\r\nauthorization: Bearer of.a.person\r\n", `"message":"The server is busy.`},
		{"POST /auth/v1/token?grant_type=password HTTP/1.1\r\nHost: a\r\n", `"msg":"The server is busy.`},
		{"POST /auth/v1/token HTTP/1.1\r\nHost: a\r\nX-Supabase-Api-Version: 2024-01-01\r\n", `"message":"The server is busy.`},
		{"POST /auth/v1/token HTTP/1.1\r\nHost: a\r\nX-Supabase-Api-Version: 2030-01-01\r\n", ""},
		{"GET /functions/v1/export HTTP/1.1\r\nHost: a\r\n", "The server is busy."},
		{"GET /rest/v1/courses HTTP/1.1\r\nHost: a\r\napikey: " + key + "\r\nauthorization: Bearer " + key + "\r\n", ""},
		{"GET /rest/v1/courses HTTP/1.1\r\nHost: a\r\napikey: " + key + "\r\n", ""},
		{"GET /healthz HTTP/1.1\r\nHost: a\r\n", ""},
		{"GET /readyz HTTP/1.1\r\nHost: a\r\n", ""},
	} {
		answer := string(spare.Answer([]byte(c.head)))
		if c.words == "" {
			if answer != "" {
				t.Errorf("%s: turned away", strings.Fields(c.head)[1])
			}
			continue
		}
		for _, part := range []string{"HTTP/1.1 503 Service Unavailable\r\n", "Retry-After: 1\r\n", "X-Content-Type-Options: nosniff\r\n", "Content-Security-Policy: ", "Cache-Control: no-store\r\n", c.words} {
			if !strings.Contains(answer, part) {
				t.Errorf("%s has no %q: %s", strings.Fields(c.head)[1], part, answer)
			}
		}
	}
	if spare.Late() {
		t.Error("nobody is here, and somebody is late")
	}
}
