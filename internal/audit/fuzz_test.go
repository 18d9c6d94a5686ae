package audit

import (
	"testing"
	"time"

	"greenroom/internal/platform/fault"
	"greenroom/internal/platform/id"
)

// FuzzCursor: what is no place in the list is refused, and what is one is read as it was written.
func FuzzCursor(f *testing.F) {
	f.Add("2026-01-02T03:04:05.000006Z,00000000-0000-4000-8000-000000000000")
	f.Add(",")
	f.Add("2026-01-02T03:04:05Z")
	f.Fuzz(func(t *testing.T, cursor string) {
		at, after, err := readCursor(cursor)
		if err != nil {
			if !fault.Is(err, fault.Invalid) {
				t.Errorf("%q: %v", cursor, err)
			}
			return
		}
		if again, _, err := readCursor(at.Format(time.RFC3339Nano) + "," + after); err != nil || !again.Equal(at) {
			t.Errorf("%q is read as %v, and that as %v: %v", cursor, at, again, err)
		}
		if _, ok := id.Parse(after); !ok {
			t.Errorf("%q leads to %q", cursor, after)
		}
	})
}
