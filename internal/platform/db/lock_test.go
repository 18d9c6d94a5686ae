package db

import (
	"path/filepath"
	"testing"
)

// TestServedIsWhatAServerHasClaimed: a long job makes room for a server, and only for one.
func TestServedIsWhatAServerHasClaimed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "greenroom.db.lock")
	if served(path) {
		t.Error("nobody has been here yet")
	}
	lock, err := claim(path)
	if err != nil {
		t.Fatal(err)
	}
	if !served(path) {
		t.Error("a server has claimed it")
	}
	if err := lock.release(); err != nil {
		t.Fatal(err)
	}
	if served(path) {
		t.Error("the server is gone")
	}
	if lock, err = claim(path); err != nil {
		t.Errorf("looking left a lock behind: %v", err)
	} else if err := lock.release(); err != nil {
		t.Error(err)
	}
}
