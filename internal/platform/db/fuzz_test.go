package db_test

import (
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// FuzzCursor: what is no place in a list is none, and what is one is read as it was written.
func FuzzCursor(f *testing.F) {
	f.Add("2026-01-02T03:04:05.000006Z,00000000-0000-4000-8000-000000000000")
	f.Add(",")
	f.Add("2026-01-02T03:04:05Z")
	f.Fuzz(func(t *testing.T, cursor string) {
		at, after, ok := db.ReadCursor(cursor)
		if !ok {
			return
		}
		if again, row, ok := db.ReadCursor(db.Cursor(at, after)); !ok || !again.Equal(at) || row != after {
			t.Errorf("%q is read as %v, and that as %v", cursor, at, again)
		}
		if _, ok := id.Parse(after); !ok {
			t.Errorf("%q leads to %q", cursor, after)
		}
	})
}
