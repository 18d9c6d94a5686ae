package storage

import (
	"bytes"
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// cloudSteps are those of a shelf elsewhere.
var cloudSteps = []string{"stage", "put", "begin", "part", "end", "complete", "trim", "copy"}

// TestEndingAnywhereLeavesNothingHalf ends an upload, a replacement, a move, a copy and a sweep before each of their steps, as
// a process that is killed there does.
func TestEndingAnywhereLeavesNothingHalf(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		json := []string{"Content-Type", "application/json"}
		text := []string{"Content-Type", "text/plain"}
		acts := map[string]func(){
			"upload":  func() { s.do("admin", "POST", "/object/lessons/new", strings.NewReader("new"), text...) },
			"replace": func() { s.do("admin", "PUT", "/object/lessons/old", strings.NewReader("newer"), text...) },
			"move": func() {
				s.do("admin", "POST", "/object/move", strings.NewReader(`{"bucketId":"lessons","sourceKey":"old","destinationKey":"moved"}`), json...)
			},
			"copy": func() {
				s.do("admin", "POST", "/object/copy", strings.NewReader(`{"bucketId":"lessons","sourceKey":"old","destinationKey":"copied"}`), json...)
			},
			"remove": func() { s.do("admin", "DELETE", "/object/lessons/old", nil) },
			"sweep":  func() { _ = s.Sweep(context.Background()) },
		}
		for _, step := range append([]string{"pending", "make the folder", "sync the file", "rename", "sync the folder", "commit", "committed", "swept"}, cloudSteps...) {
			for name, act := range acts {
				s.do("service", "POST", "/bucket/lessons/empty", nil)
				s.do("admin", "POST", "/object/lessons/old", strings.NewReader("old"), text...)
				if name == "sweep" {
					s.do("admin", "PUT", "/object/lessons/old", strings.NewReader("older"), text...)
					s.hands.Advance(2 * grace)
				}
				ended := func(at string) error {
					if at == step {
						panic("the process ends")
					}
					return nil
				}
				s.ending(ended)
				func() {
					defer func() { _ = recover() }()
					act()
				}()
				s.ending(nil)
				s.whole(t)
				if t.Failed() {
					t.Fatalf("%s, ended before %q", name, step)
				}
			}
		}
	})
}

func TestParallelUploadsOfOneKey(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		for _, upsert := range []string{"false", "true"} {
			var all sync.WaitGroup
			codes := make([]int, 30)
			for i := range codes {
				all.Go(func() {
					codes[i] = s.do("service", "POST", "/object/lessons/"+upsert, strings.NewReader(strings.Repeat("x", i+1)), "Content-Type", "text/plain", "X-Upsert", upsert).Code
				})
			}
			all.Wait()
			good := 0
			for _, code := range codes {
				if code == 200 {
					good++
				}
			}
			if upsert == "false" && good != 1 || upsert == "true" && good != len(codes) {
				t.Errorf("upsert %s: %d of %d went through: %v", upsert, good, len(codes), codes)
			}
		}
		s.whole(t)
	})
}

func TestAFullDiskAndAFullQuotaRefuse(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		put := func(key string, size int) *httptest.ResponseRecorder {
			return s.do("admin", "POST", "/object/lessons/"+key, bytes.NewReader(make([]byte, size)), "Content-Type", "video/mpeg")
		}
		s.Free = func(string) (int64, error) { return spare + 10, nil }
		if w := put("a", 11); s.s3 == nil && (w.Code != 429 || !strings.Contains(w.Body.String(), "no room")) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		if w := put("a", 10); s.s3 == nil && w.Code != 200 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		s.Free = func(string) (int64, error) { return 1 << 40, nil }
		s.shelving(func(at string) error {
			if at == "sync the file" || at == "stage" {
				return fmt.Errorf("write: %w", syscall.ENOSPC)
			}
			return nil
		})
		if w := put("b", 10); w.Code != 429 {
			t.Errorf("in the middle: %d %s", w.Code, w.Body)
		}
		s.shelving(nil)
		for _, quota := range []*int64{&s.QuotaAll, &s.QuotaUser} {
			*quota = 25
			if w := put("c", 16); !strings.Contains(w.Body.String(), `"413"`) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			*quota = 1 << 40
		}
		s.whole(t)
	})
}

// An upload that ends after the sweeper has lost patience with it is refused: its bytes may be gone by then.
func TestAnUploadThatIsGarbageBecomesNoObject(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		s.ending(func(at string) error {
			if at == "commit" {
				write(t, s.DB, "update storage_versions set state = 'garbage'")
			}
			return nil
		})
		w := s.do("admin", "POST", "/object/lessons/late", strings.NewReader("late"), "Content-Type", "text/plain")
		s.ending(nil)
		if n := s.count(t, "select count(*) from storage_objects where name = 'late'"); w.Code < 400 || n != 0 {
			t.Errorf("%d %s, %d objects", w.Code, w.Body, n)
		}
		s.whole(t)
	})
}
