package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/app"
	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/web"
)

// keptLog is a log that can be read while it is written.
type keptLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (k *keptLog) Write(text []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.text.Write(text)
}

func (k *keptLog) String() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.text.String()
}

// called calls a function by name and reads its answer.
func called(t *testing.T, s *apptest.Server, token, name, body string, into any) int {
	t.Helper()
	answer := s.Do(t, "POST", "/functions/v1/"+name, token, body)
	if into != nil && answer.Status == http.StatusOK {
		if err := json.Unmarshal([]byte(answer.Body), into); err != nil {
			t.Fatalf("%s: %v %s", name, err, answer.Body)
		}
	}
	return answer.Status
}

// An admin uploads a film with the official client's request, and watches it; the grant ends with the session.
func TestAnUploadIsPreparedAndWatched(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.mp4")
	args := strings.Fields("-n 10 ffmpeg -v error -f lavfi -i testsrc2=s=320x180:r=10:d=2 -c:v libx264 -preset ultrafast -pix_fmt yuv420p")
	if said, err := exec.CommandContext(t.Context(), "nice", append(args, path)...).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, said)
	}
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			log := &keptLog{}
			s := apptest.StartWith(t, dbtest.Location(t, engine), nil, app.Options{
				Log: slog.New(slog.NewJSONHandler(log, nil)), Clock: clock.System{}, Build: web.Dist(), Deadline: time.Minute, Wait: time.Minute,
			})
			person, token := s.Admin(t, "ada@example.com")
			_, stranger := s.Person(t, "eve@example.com")
			object := uploaded(t, s, token, path)
			var added struct{ Video string }
			if status := called(t, s, token, "add-video", `{"object":"`+object+`"}`, &added); status != http.StatusOK {
				t.Fatal(status, log)
			}
			for _, name := range []string{"videos", "add-video", "retry-video", "cancel-video", "caption-video"} {
				if status := called(t, s, stranger, name, `{"video":"`+added.Video+`"}`, nil); status != http.StatusForbidden {
					t.Error(name, status)
				}
			}
			// Whoever may not see it gets the answer of one that is not there.
			for _, reader := range []string{stranger, ""} {
				if status := called(t, s, reader, "play-video", `{"video":"`+added.Video+`"}`, nil); status != http.StatusNotFound {
					t.Error("play-video", status)
				}
			}
			var play struct{ HLS, State, Poster string }
			for play.State != "ready" {
				if status := called(t, s, token, "play-video", `{"video":"`+added.Video+`"}`, &play); status != http.StatusOK || play.State == "refused" {
					t.Fatal(status, play)
				}
				time.Sleep(20 * time.Millisecond) // there is nobody to tell us
			}
			poster := s.Do(t, "GET", play.Poster, "", "", "Range", "bytes=0-9")
			if poster.Status != http.StatusPartialContent || len(poster.Body) != 10 || poster.Header.Get("Cross-Origin-Resource-Policy") != "same-origin" {
				t.Error(poster)
			}
			if list := s.Do(t, "GET", play.HLS, "", ""); list.Status != http.StatusOK || !strings.Contains(list.Body, "#EXT-X-STREAM-INF") {
				t.Error(list)
			}
			for _, beside := range []string{"/media//", "//media/", "/./media/", "/MEDIA/", "/%6dedia/", "/media%2f"} {
				s.Do(t, "GET", strings.Replace(play.HLS, "/media/", beside, 1), "", "")
			}
			grant := strings.Split(play.HLS, "/")[2]
			if said := log.String(); strings.Contains(said, grant) || !strings.Contains(said, "/media/-/"+added.Video) {
				t.Error("the log tells a grant, or nothing")
			}
			err := s.DB().Write(t.Context(), func(ctx context.Context, tx *db.Tx) error { // as another instance ends it
				_, err := tx.Exec(ctx, "delete from sessions where user_id = $1", person.ID)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			for s.Do(t, "GET", play.HLS, "", "").Status != http.StatusForbidden {
				time.Sleep(20 * time.Millisecond)
			}
		})
	}
}

func uploaded(t *testing.T, s *apptest.Server, token, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/storage/v1/object/lessons/a.mp4", bytes.NewReader(text))
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
	said, err := io.ReadAll(answer.Body)
	var stored struct{ ID string }
	if err != nil || json.Unmarshal(said, &stored) != nil || stored.ID == "" {
		t.Fatalf("%d %s %v", answer.StatusCode, said, err)
	}
	return stored.ID
}
