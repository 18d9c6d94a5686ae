package app_test

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/s3/s3test"
)

func figures(s *apptest.Server) string {
	answer := httptest.NewRecorder()
	s.Figures().ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
	return answer.Body.String()
}

func TestRequestsAreCountedByTheRouteThatTheyMet(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		course := id.Named("course documentary-filmmaking")
		for _, ask := range [][3]string{
			{"GET", "/rest/v1/courses?id=eq." + course, ""},
			{"GET", "/rest/v1/courses?id=eq." + course, ""}, // from memory
			{"POST", "/rest/v1/saved_courses", `{}`},
			{"GET", "/rest/v1/nothing", ""},
			{"BREW", "/rest/v1/courses", ""},
			{"POST", "/auth/v1/token?grant_type=password", `{"email":"a@example.org","password":"wrong"}`},
			{"GET", "/auth/v1/nowhere", ""},
			{"POST", "/functions/v1/send-notification-email", `{}`},
			{"POST", "/functions/v1/" + course, ""},
			{"GET", "/", ""},
			{"GET", "/course/" + course, ""},
			{"GET", "/my-list", ""},
			{"GET", "/nowhere", ""},
			{"GET", "/nothing.png", ""},
			{"GET", "/robots.txt", ""},
			{"GET", "/Trending", ""},
			{"GET", "/healthz", ""},
		} {
			s.Do(t, ask[0], ask[1], "", ask[2])
		}
		said := figures(s)
		for _, want := range []string{
			`route="/rest/v1/courses",method="GET",status="2xx"} 2`, `route="/rest/v1/saved_courses",method="POST",status="4xx"} 1`,
			`route="/rest/v1/",method="GET",status="4xx"} 1`, `method="other",status="4xx"} 1`,
			`route="/auth/v1/token",method="POST",status="4xx"} 1`, `route="/auth/v1/",method="GET",status="4xx"} 1`,
			`route="/functions/v1/send-notification-email",method="POST",status="4xx"} 1`, `route="/functions/v1/",method="POST",status="4xx"} 1`,
			`route="/",method="GET",status="2xx"} 1`, `route="/course/{id}",method="GET",status="2xx"} 1`, `route="/my-list",method="GET",status="2xx"} 1`,
			`route="/404",method="GET",status="4xx"} 1`, `route="/file",method="GET",status="4xx"} 1`, `route="/file",method="GET",status="2xx"} 1`,
			`route="/moved",method="GET",status="3xx"} 1`, `route="/healthz",method="GET",status="2xx"} 1`,
		} {
			if !strings.Contains(said, want+"\n") {
				t.Errorf("not told: %s", want)
			}
		}
		if t.Failed() {
			t.Log(strings.Join(regexp.MustCompile(`(?m)^greenroom_http_\w+_count.*$`).FindAllString(said, -1), "\n"))
		}
	})
}

// Whatever clients make up, the labels stay few.
func TestClientsCannotMakeLabels(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		made := []string{
			"/made-up-%d", "/made-up-%d/", "/Made-Up-%d", "/course/made-up-%d", "/course/made-up-%d/", "/Course/made-up-%d", "/made-up-%d.png", "/search?q=made-up-%d", "/card/made-up-%d",
			"/rest/v1/made-up-%d", "/rest/v1/rpc/made-up-%d", "/rest/v1/courses/made-up-%d", "/auth/v1/made-up-%d", "/auth/v1/admin/users/made-up-%d", "/functions/v1/made-up-%d",
			"/storage/v1/made-up-%d", "/storage/v1/object/made-up-%d/made-up-%[1]d", "/storage/v1/bucket/made-up-%d", "/assets/made-up-%d",
		}
		count := func(round int) int {
			for _, path := range made {
				s.Do(t, "GET", fmt.Sprintf(path, round), "", "")
			}
			said := figures(s)
			if strings.Contains(strings.ToLower(said), "made-up") {
				t.Error("a label has what a client made up")
			}
			return strings.Count(said, "greenroom_http_request_duration_seconds_count")
		}
		if first, second := count(1), count(2); first != second {
			t.Errorf("%d series became %d", first, second)
		}
	})
}

func TestFiguresTellHowThingsStand(t *testing.T) {
	t.Parallel()
	apptest.Each(t, nil, func(t *testing.T, s *apptest.Server) {
		s.Do(t, "POST", "/rest/v1/course_waitlist", "", `{"course_title":"Screen Acting and Professional Preparation Workshop","email":"ada@example.org","name":"Ada"}`)
		s.Do(t, "GET", "/", "", "")
		for range 3 {
			s.Do(t, "GET", "/rest/v1/courses?limit=3", "", "")
		}
		said := figures(s)
		for _, form := range []string{
			`greenroom_workshop_spots\{workshop="Screen Acting[^"]+",state="left"\} 11`, `greenroom_db_waiting\{for="write"\} \d+`, `greenroom_db_up 1`, `greenroom_db_damaged 0`,
			`greenroom_db_connections\{pool="(read|both)",state="idle"\} \d+`, `greenroom_db_connections_most\{pool="(read|both)"\} [1-9]`,
			`greenroom_db_commits_total [1-9]`, `greenroom_db_writes_total [1-9]`, `greenroom_outbox_delay_seconds\{class="urgent"\} `,
			`greenroom_outbox_failed_total 0`, `greenroom_hasher_passwords\{state="waiting"\} 0`, `greenroom_refused_total\{line="write"\} 0`, `greenroom_refused_total\{line="cores"\} 0`, `greenroom_cache_hits_total\{cache="answers"\} `,
			`greenroom_cache_misses_total\{cache="pages"\} [1-9]`, `greenroom_cache_bytes\{cache="pages"\} `, `greenroom_render_engines \d`,
			`greenroom_render_duration_seconds_count \d`, `greenroom_catalog_version [1-9]`, `greenroom_search_index_version \d`,
			`go_goroutines [1-9]`, `greenroom_scrape_failures_total 0`, `greenroom_backup_every_seconds 0`,
		} {
			if !regexp.MustCompile(`(?m)^` + form).MatchString(said) {
				t.Errorf("not told: %s", form)
			}
		}
		if t.Failed() {
			t.Log(said)
		}
	})
}

// A storage that has told nothing since the start says nothing of what is in it, however young the backup on this machine is.
func TestABackupHasNoAgeBeforeTheStorageWasListed(t *testing.T) {
	t.Parallel()
	storage, folder := s3test.Start(t), t.TempDir()
	storage.Break(true)
	here := filepath.Join(folder, "greenroom-"+clock.System{}.Now().UTC().Format("20060102T150405Z")+".db")
	if err := os.WriteFile(here, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	apptest.Each(t, map[string]string{"GREENROOM_BACKUP_DIR": folder, "GREENROOM_BACKUP_S3": storage.URL}, func(t *testing.T, s *apptest.Server) {
		if said := figures(s); !strings.Contains(said, "\ngreenroom_backup_every_seconds 86400\n") || strings.Contains(said, "\ngreenroom_backup_age_seconds ") {
			t.Error(regexp.MustCompile(`(?m)^greenroom_backup.*$`).FindAllString(said, -1))
		}
	})
}
