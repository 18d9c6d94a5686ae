package db

import (
	"path/filepath"
	"testing"
	"time"

	"greenroom/internal/platform/fault"
)

func TestADiskWithoutRoomRefusesInWords(t *testing.T) {
	t.Parallel()
	now := time.Now()
	file := filepath.Join(t.TempDir(), "greenroom.db")
	tight := &room{free: FreeBytes, looked: now, full: true}
	if err := tight.check(file, now.Add(roomEvery/2)); !fault.Is(err, fault.Unavailable) || fault.Of(err).RetryAfter == 0 {
		t.Errorf("without room: %v", err)
	}
	if err := tight.check(file, now.Add(roomEvery)); err != nil {
		t.Errorf("it looks again, and there is room: %v", err)
	}
	if err := (&room{free: FreeBytes}).check(filepath.Join(file, "nowhere", "at", "all"), now); err != nil {
		t.Errorf("a disk that cannot be looked at: %v", err)
	}
}
