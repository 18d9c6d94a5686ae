package storage

import (
	"strings"
	"testing"
)

// What no database takes as a text is refused as no name, on every route.
func TestWhatIsNoTextNamesNoBucket(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		for _, name := range []string{"\x00", "\xff", "a\x00", "\u00e4", strings.Repeat("a", mostBucket+1)} {
			for _, route := range Routes() {
				if !strings.Contains(route.Path, "{bucket}") {
					continue
				}
				path := strings.NewReplacer("{bucket}", name, "{key}", "a").Replace(route.Path)
				w := s.do("service", route.Method, path, strings.NewReader(`{"prefix":"","expiresIn":9,"paths":["a"],"prefixes":["a"]}`), "Content-Type", "application/json")
				if w.Code != 400 || route.Method != "HEAD" && !strings.Contains(w.Body.String(), "Bucket name invalid") {
					t.Errorf("%s %q: %d %s", route.Method, path, w.Code, w.Body)
				}
			}
		}
		for _, text := range []string{"%00", "%ff", "a%00"} {
			if w := s.do("service", "GET", "/bucket?search="+text, nil); w.Code != 400 {
				t.Errorf("%s: %d %s", text, w.Code, w.Body)
			}
		}
		if w := s.do("service", "GET", "/bucket?search=art", nil); !strings.Contains(w.Body.String(), `"artwork"`) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}
