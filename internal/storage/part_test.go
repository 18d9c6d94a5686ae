package storage

import (
	"strings"
	"testing"
)

// A part is these very bytes, and what was replaced is not what a browser has.
func TestAPartOfAnObjectAndWhatReplacedIt(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		put := func(text string) {
			s.do("admin", "PUT", "/object/lessons/a", strings.NewReader(text), "Content-Type", "text/plain", "Cache-Control", "public, max-age=60")
		}
		put("0123456789")
		for given, want := range map[string][2]string{"bytes=2-4": {"234", "bytes 2-4/10"}, "bytes=7-": {"789", "bytes 7-9/10"}, "bytes=-2": {"89", "bytes 8-9/10"}} {
			if w := s.do("admin", "GET", "/object/lessons/a", nil, "Range", given); w.Code != 206 || w.Body.String() != want[0] || w.Header().Get("Content-Range") != want[1] {
				t.Errorf("%s: %d %s %v", given, w.Code, w.Body, w.Header())
			}
		}
		tag := s.do("admin", "GET", "/object/lessons/a", nil).Header().Get("ETag")
		link := strings.Split(s.do("admin", "POST", "/object/sign/lessons/a", strings.NewReader(`{"expiresIn":60}`), "Content-Type", "application/json").Body.String(), `"`)[3]
		if w := s.do("", "GET", link, nil); w.Body.Len() != 10 || w.Header().Get("Cache-Control") != "private" || w.Header().Get("Expires") == "" {
			t.Errorf("a link: %v", w.Header())
		}
		if code := s.do("admin", "GET", "/object/lessons/a", nil, "If-None-Match", tag).Code; code != 304 {
			t.Errorf("the same: %d", code)
		}
		put("9876543210")
		if w := s.do("admin", "GET", "/object/lessons/a", nil, "If-None-Match", tag); w.Code != 200 || w.Body.String() != "9876543210" {
			t.Errorf("another: %d %s", w.Code, w.Body)
		}
		if w := s.do("", "GET", link, nil); w.Code != 400 {
			t.Errorf("what was not signed: %d %s", w.Code, w.Body)
		}
	})
}
