package db

import (
	"database/sql/driver"
	"fmt"
	"time"
)

// Time reads and writes a moment on both engines: timestamptz on PostgreSQL, microseconds since 1970 on SQLite.
// The zero Time is NULL.
type Time struct{ time.Time }

// At makes a Time of a moment.
func At(t time.Time) Time { return Time{t} }

// Value is what the driver stores.
func (t Time) Value() (driver.Value, error) {
	if t.IsZero() {
		return nil, nil
	}
	return t.UTC().Truncate(time.Microsecond), nil
}

// Scan takes what a driver gives.
func (t *Time) Scan(from any) error {
	switch v := from.(type) {
	case nil:
		t.Time = time.Time{}
	case time.Time:
		t.Time = v.UTC()
	case int64:
		t.Time = time.UnixMicro(v).UTC()
	default:
		return fmt.Errorf("a time cannot be read from %T", from)
	}
	return nil
}
