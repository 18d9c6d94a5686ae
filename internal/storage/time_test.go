package storage

import (
	"strings"
	"testing"
	"time"
)

// What somebody may still read or finish is not swept; what comes after the sweeper's patience is refused, and leaves nothing.
func TestNothingIsSweptBeforeItsTime(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		put := func(key, content string, late time.Duration) int {
			s.step = func(at string) error {
				if at != "commit" {
					return nil
				}
				s.hands.Advance(late)
				return s.Sweep(t.Context())
			}
			defer func() { s.step = nil }()
			return s.do("admin", "PUT", "/object/lessons/"+key, strings.NewReader(content), "Content-Type", "text/plain").Code
		}
		if put("a", "old", patience-time.Second) != 200 || put("b", "late", patience) == 200 {
			t.Error("an upload has two hours, and not more")
		}
		first := strings.Split(s.do("admin", "GET", "/object/info/lessons/a", nil).Body.String(), `"version":"`)[1][:36]
		put("a", "new", 0)
		s.hands.Advance(grace - time.Second)
		if err := s.Sweep(t.Context()); err != nil || !s.has(t, first, 3) {
			t.Errorf("somebody reads it still: %v", err)
		}
		s.hands.Advance(time.Second)
		if err := s.Sweep(t.Context()); err != nil || s.has(t, first, 3) {
			t.Errorf("nobody reads it any more: %v", err)
		}
		s.whole(t)
	})
}

func (s *stage) has(t *testing.T, version string, size int64) bool {
	t.Helper()
	there, err := s.Bytes.Has(t.Context(), version, size)
	if err != nil {
		t.Fatal(err)
	}
	return there
}
