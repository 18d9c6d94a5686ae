package db

import (
	"strings"
	"time"

	"greenroom/internal/platform/id"
)

// A cursor is the place after a row in a list that goes by time and id, as clients hand it back.

// Cursor names the place after a row.
func Cursor(at time.Time, row string) string { return at.Format(time.RFC3339Nano) + "," + row }

// ReadCursor finds the place again; ok is false for what names none.
func ReadCursor(cursor string) (at time.Time, after string, ok bool) {
	moment, row, _ := strings.Cut(cursor, ",")
	at, err := time.Parse(time.RFC3339Nano, moment)
	after, isID := id.Parse(row)
	return at, after, err == nil && isID
}
