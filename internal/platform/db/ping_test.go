package db

import (
	"path/filepath"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
)

// A crowd is no dead database; a line in which nobody is served is one.
func TestADatabaseAnswersInACrowd(t *testing.T) {
	t.Parallel()
	d, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "greenroom.db"), Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	d.reading.Most = 1 // whoever comes second is turned away
	first, err := d.reading.Join(time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Ping(t.Context()); err != nil || d.reading.Refused() == 0 {
		t.Errorf("%v; %d were turned away", err, d.reading.Refused())
	}
	_ = first.GaveUp()
	if _, err := d.reading.Join(time.Hour); err != nil {
		t.Fatal(err)
	}
	if err := d.Ping(t.Context()); err == nil {
		t.Error("nobody is served, and it answers")
	}
}
