package db

import (
	"path/filepath"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
)

// A crowd is no dead database, as long as somebody is answered.
func TestADatabaseAnswersInACrowd(t *testing.T) {
	t.Parallel()
	hands := clock.NewManual(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	d, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "greenroom.db"), Clock: hands})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	if err := d.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.reading.Most = 1 // whoever comes second is turned away
	if _, err := d.reading.Join(time.Hour); err != nil {
		t.Fatal(err)
	}
	hands.Advance(answersFor)
	if err := d.Ping(t.Context()); err != nil || d.reading.Refused() == 0 {
		t.Errorf("%v; %d were turned away", err, d.reading.Refused())
	}
	hands.Advance(1)
	if err := d.Ping(t.Context()); err == nil {
		t.Error("nobody was answered, and it answers")
	}
}
