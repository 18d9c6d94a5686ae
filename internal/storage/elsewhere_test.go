package storage

import (
	"bytes"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/s3/s3test"
	"greenroom/internal/storage/cloud"
)

// abroad is a stage with its bytes elsewhere, which does not wait long for them.
func abroad(t *testing.T) *stage {
	t.Helper()
	s := open(t, db.Postgres)
	s.elsewhere(t)
	s.Bytes = s.Bytes.(*cloud.Bucket).Hasty(300 * time.Millisecond)
	return s
}

// Whatever the storage does, who asks is told in words that it is for now, nothing that was acknowledged is lost, and rows and bytes
// agree when it is back.
func TestAStorageInTrouble(t *testing.T) {
	t.Parallel()
	content := bytes.Repeat([]byte{1, 2, 3, 4, 5}, 700)
	for name, trouble := range map[string]s3test.Trouble{"down": s3test.Down, "wrong": s3test.Wrong, "slow": s3test.Hang} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := abroad(t)
			text := []string{"Content-Type", "video/mpeg"}
			s.do("admin", "POST", "/object/lessons/old", bytes.NewReader(content), text...)
			path := s.upload(t, "admin", "lessons/pieces", len(content))
			if w := s.patch(path, 0, content[:1500]); w.Code != 204 {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			s.front.Make(trouble)
			for what, ask := range map[string]func() (int, string){
				"upload": func() (int, string) {
					return answered(s.do("admin", "POST", "/object/lessons/new", bytes.NewReader(content), text...))
				},
				"replace": func() (int, string) {
					return answered(s.do("admin", "PUT", "/object/lessons/old", bytes.NewReader(content[1:]), text...))
				},
				"read": func() (int, string) { return answered(s.do("admin", "GET", "/object/lessons/old", nil)) },
				"copy": func() (int, string) {
					return answered(s.do("admin", "POST", "/object/copy", strings.NewReader(`{"bucketId":"lessons","sourceKey":"old","destinationKey":"copied"}`), "Content-Type", "application/json"))
				},
				"piece": func() (int, string) { return answered(s.patch(path, 1500, content[1500:])) },
			} {
				if what == "copy" && trouble == s3test.Hang {
					continue // it has its own time, which is long
				}
				if code, body := ask(); code != http.StatusServiceUnavailable || !strings.Contains(body, "cannot be reached right now") {
					t.Errorf("%s: %d %s", what, code, body)
				}
			}
			if w := s.do("admin", "POST", "/object/list/lessons", strings.NewReader(`{"prefix":""}`), "Content-Type", "application/json"); w.Code != 200 {
				t.Errorf("lists need no bytes: %d %s", w.Code, w.Body)
			}
			if err := s.Sweep(t.Context()); err == nil && s.count(t, "select count(*) from storage_versions where state = 'garbage'") == 0 {
				t.Error("what could not be swept was forgotten")
			}
			s.front.Make(s3test.None)
			s.resume(t, path, content)
			for _, key := range []string{"old", "pieces"} {
				if w := s.do("admin", "GET", "/object/lessons/"+key, nil); !bytes.Equal(w.Body.Bytes(), content) {
					t.Errorf("%s: %d with %d bytes", key, w.Code, w.Body.Len())
				}
			}
			s.whole(t)
		})
	}
}

// A storage that does what it is asked while its answers get lost, or end in the middle, one request at a time.
func TestAStorageWhoseAnswersGetLost(t *testing.T) {
	t.Parallel()
	for name, trouble := range map[string]s3test.Trouble{"lost": s3test.Lost, "cut": s3test.Cut, "down": s3test.Down} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := abroad(t)
			dice := rand.New(rand.NewPCG(1, 2))
			s.front.Choose(func(*http.Request) s3test.Trouble {
				if dice.IntN(4) == 0 {
					return trouble
				}
				return s3test.None
			})
			kept := map[string][]byte{}
			for i := range 12 {
				key := strconv.Itoa(i)
				content := bytes.Repeat([]byte{byte(i), 2, 3, 4, 5}, 700)
				if w := s.do("admin", "POST", "/object/lessons/"+key, bytes.NewReader(content), "Content-Type", "video/mpeg"); w.Code == 200 {
					kept[key] = content
				} else if w.Code != 503 {
					t.Errorf("upload: %d %s", w.Code, w.Body)
				}
				path := s.upload(t, "admin", "lessons/p"+key, len(content))
				for at := 0; at < len(content); {
					w := s.patch(path, at, content[at:min(at+700, len(content))])
					if w.Code != 204 && w.Code != 503 && w.Code != 409 {
						t.Fatalf("piece at %d: %d %s", at, w.Code, w.Body)
					}
					head := s.tus("admin", "HEAD", path, nil)
					if head.Code == 503 {
						continue // it is whole, and not an object yet
					}
					now, err := strconv.Atoi(head.Header().Get("Upload-Offset"))
					if err != nil || now < at || w.Code == 204 && now == at {
						t.Fatalf("at %d, now %d: %d %v", at, now, head.Code, err)
					}
					at = now
				}
				kept["p"+key] = content
			}
			for key, content := range kept {
				for tries := 0; ; tries++ {
					w := s.do("admin", "GET", "/object/lessons/"+key, nil)
					if bytes.Equal(w.Body.Bytes(), content) {
						break
					}
					if w.Code == 200 && w.Body.Len() == len(content) || tries == 50 {
						t.Fatalf("%s: %d with %d bytes", key, w.Code, w.Body.Len())
					}
				}
			}
			s.front.Make(s3test.None)
			s.whole(t)
		})
	}
}

func answered(w *httptest.ResponseRecorder) (int, string) { return w.Code, w.Body.String() }
