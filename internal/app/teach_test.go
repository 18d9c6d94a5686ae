package app_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// A teacher stores a film and makes a lesson of it. How long it is comes from its own header at once, and from the worker where there
// is one; a teacher watches it before anybody else does.
func TestATeacherMakesALessonOfAFilm(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.mp4")
	args := strings.Fields("-n 10 ffmpeg -v error -f lavfi -i testsrc2=s=320x180:r=10:d=3 -c:v libx264 -preset ultrafast -pix_fmt yuv420p")
	if said, err := exec.CommandContext(t.Context(), "nice", append(args, path)...).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, said)
	}
	film, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, work := range []string{"on", "off"} {
		t.Run(work, func(t *testing.T) {
			t.Parallel()
			apptest.Each(t, map[string]string{"GREENROOM_VIDEO_WORK": work}, func(t *testing.T, s *apptest.Server) {
				course, section, now := id.Named("course documentary-filmmaking"), id.New(), db.At(s.DB().Clock.Now())
				person, token := s.Person(t, "ed@example.com")
				write(t, s.DB(), "insert into course_teachers (id, course_id, user_id, shown_name, created_at) values ($1, $2, $3, 'Ed', $4)", id.New(), course, person.ID, now)
				write(t, s.DB(), "insert into course_sections (id, course_id, title, position, created_at) values ($1, $2, 'S', 1, $3)", section, course, now)
				do(t, s, 201, "POST", "/rest/v1/lessons", token, fmt.Sprintf(`{"course_id":%q,"section_id":%q,"title":"L","kind":"video"}`, course, section))
				lesson := text(t, s.DB(), "select id from lessons")
				name := course + "/" + lesson + "/" + id.New() + ".mp4"
				stored(t, s, token, name, film)
				do(t, s, 200, "POST", "/functions/v1/set-lesson-video", token, fmt.Sprintf(`{"lesson":%q,"path":%q}`, lesson, name))
				if n := count(t, s.DB(), "select seconds from lessons"); n != 3 {
					t.Errorf("it says that it takes %d seconds", n)
				}
				var open struct {
					Video struct{ State string }
					Play  *struct{ HLS, File string }
				}
				for open.Video.State != map[string]string{"on": "ready", "off": "waiting"}[work] {
					if status := called(t, s, token, "studio-lesson", `{"lesson":"`+lesson+`"}`, &open); status != http.StatusOK || open.Video.State == "refused" {
						t.Fatal(status, open)
					}
					time.Sleep(20 * time.Millisecond) // there is nobody to tell us
				}
				if open.Play == nil || open.Play.File == "" || (open.Play.HLS != "") != (work == "on") {
					t.Errorf("%+v", open.Play)
				}
				do(t, s, 200, "POST", "/functions/v1/publish-lesson", token, `{"lesson":"`+lesson+`"}`)
				if n := count(t, s.DB(), "select seconds from course_offers where published_at is not null"); n != 3 {
					t.Errorf("the course takes %d seconds", n)
				}
			})
		})
	}
}

// stored puts a film into the bucket of lessons.
func stored(t *testing.T, s *apptest.Server, token, name string, film []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/storage/v1/object/lessons/"+name, bytes.NewReader(film))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "video/mp4")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if said, err := io.ReadAll(answer.Body); answer.StatusCode != http.StatusOK {
		t.Fatalf("%d %s %v", answer.StatusCode, said, err)
	}
}

func text(t *testing.T, d *db.DB, query string) (found string) {
	t.Helper()
	err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error { return tx.QueryRow(ctx, query).Scan(&found) })
	if err != nil {
		t.Fatal(err)
	}
	return found
}
