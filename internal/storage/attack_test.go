package storage

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Whatever somebody says that an object is, no page of ours can load it as a script or a style, and none shows it as a document.
func TestSecurity62NoTypeRunsOnOurOrigin(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		s.do("service", "POST", "/bucket", strings.NewReader(`{"name":"open","public":true}`), "Content-Type", "application/json")
		for i, kind := range []string{
			"text/html", "TEXT/HTML; charset=utf-8", "text/javascript", "application/x-javascript", "text/javascript1.5", "text/jscript", "text/livescript",
			"application/ecmascript", "text/css", "application/wasm", "application/manifest+json", "application/xhtml+xml", "image/svg+xml", "text/xsl",
			"multipart/x-mixed-replace; boundary=a", "message/rfc822",
		} {
			place := fmt.Sprintf("open/%d", i)
			if w := s.do("service", "POST", "/object/"+place, strings.NewReader("\x01alert(1)"), "Content-Type", kind); w.Code != 200 {
				t.Errorf("%s: %s", kind, w.Body)
			}
			head := s.do("", "GET", "/object/public/"+place, nil).Header()
			policy := head.Get("Content-Security-Policy")
			if !strings.Contains(policy, "sandbox") || !strings.Contains(policy, "frame-ancestors 'none'") || head.Get("X-Content-Type-Options") != "nosniff" ||
				!strings.HasPrefix(head.Get("Content-Type"), "text/plain") && head.Get("Content-Disposition") == "" {
				t.Errorf("%s: %v", kind, head)
			}
		}
		for _, kind := range []string{"image/png, text/html", "image/png;a=b,text/html", "video/a,text/html", "image", "/", "image/png\x0btext/html", "image/*", "im age/png"} {
			for _, place := range []string{"open/x", "lessons/x"} {
				if w := s.do("service", "POST", "/object/"+place, bytes.NewReader(make([]byte, 9)), "Content-Type", kind); !strings.Contains(w.Body.String(), `"415"`) {
					t.Errorf("%s in %s: %d %s", kind, place, w.Code, w.Body)
				}
			}
		}
	})
}

func TestNoSharedCacheKeepsWhatIsPrivate(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		const stored = "Public, s-maxage = 9, max-age=60"
		s.do("admin", "POST", "/object/lessons/a", strings.NewReader("text"), "Content-Type", "text/plain", "Cache-Control", stored)
		s.do("admin", "POST", "/object/artwork/a", bytes.NewReader(png), "Content-Type", "image/png", "Cache-Control", stored)
		if w := s.do("admin", "GET", "/object/lessons/a", nil); w.Header().Get("Cache-Control") != "private, max-age=60" || w.Header().Get("Vary") != "Authorization" {
			t.Errorf("%d %v", w.Code, w.Header())
		}
		for bucket, want := range map[string]string{"lessons": "private", "artwork": ""} {
			made := s.do("admin", "POST", "/object/sign/"+bucket+"/a", strings.NewReader(`{"expiresIn":60}`), "Content-Type", "application/json").Body.String()
			w := s.do("", "GET", strings.Split(made, `"`)[3], nil)
			if w.Code != 200 || w.Header().Get("Cache-Control") != want || w.Header().Get("Expires") == "" {
				t.Errorf("signed in %s: %d %v", bucket, w.Code, w.Header())
			}
		}
		for _, path := range []string{"/object/artwork/a", "/object/public/artwork/a"} {
			if w := s.do("", "GET", path, nil); w.Header().Get("Cache-Control") != stored {
				t.Errorf("%d %v", w.Code, w.Header())
			}
		}
	})
}

// Uploads that begin in the same moment see each other: the last room is given away once.
func TestTheLastRoomIsGivenAwayOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		var open sync.WaitGroup
		limits := map[string]func(){
			"quota of all":     func() { s.QuotaAll = 1000 },
			"quota of account": func() { s.QuotaUser = 1000 },
			"disk":             func() { s.Free = func(string) (int64, error) { return spare + 1000, nil } },
		}
		for name, limit := range limits {
			s.do("service", "POST", "/bucket/lessons/empty", nil)
			s.hands.Advance(grace)
			if err := s.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			s.QuotaAll, s.QuotaUser, s.Free = 1<<40, 1<<40, func(string) (int64, error) { return 1 << 40, nil }
			if name == "disk" && s.s3 != nil {
				continue // nobody knows how much room there is elsewhere
			}
			limit()
			const many = 12
			var at atomic.Int64
			held := make(chan struct{})
			s.step = func(step string) error { // all stand here with a promise, or have been refused
				if step == "pending" {
					if at.Add(1) == many {
						close(held)
					}
					<-held
				}
				return nil
			}
			codes := make([]*httptest.ResponseRecorder, many)
			for i := range codes {
				open.Go(func() {
					codes[i] = s.do("admin", "POST", fmt.Sprintf("/object/lessons/%d", i), bytes.NewReader(make([]byte, 400)), "Content-Type", "video/mpeg")
					if codes[i].Code != 200 && at.Add(1) == many {
						close(held)
					}
				})
			}
			open.Wait()
			s.step = nil
			good := 0
			for _, w := range codes {
				if w.Code == 200 {
					good++
				}
			}
			if good != 2 {
				t.Errorf("%s: room for two, and %d came in", name, good)
			}
		}
		s.Free = nil
		s.QuotaAll = 1 << 40
		s.whole(t)
	})
}

// A thousand links are one question to the database, and a stranger's are none that finds anything.
func TestManyLinksAreOneQuestion(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		s.do("admin", "POST", "/object/lessons/a", strings.NewReader("text"), "Content-Type", "text/plain")
		names := `"a","a","` + strings.Repeat("b", 2000) + `","../x"` + strings.Repeat(`,"none"`, 900)
		for who, links := range map[string]int{"admin": 2, "user": 0, "anon": 0} {
			w := s.do(who, "POST", "/object/sign/lessons", strings.NewReader(`{"expiresIn":60,"paths":[`+names+`]}`), "Content-Type", "application/json")
			if got := strings.Count(w.Body.String(), "?token="); w.Code != 200 || got != links || strings.Count(w.Body.String(), `"path"`) != 904 {
				t.Errorf("%s: %d with %d links", who, w.Code, got)
			}
		}
	})
}
