package memory

import "testing"

func TestRoomForGarbageDoesNotGrowWithWhatIsHeld(t *testing.T) { //nolint:paralleltest // the setting is the process's
	before := given
	defer func() { given = before; Hold(0) }()
	given = 100
	for _, held := range []int{0, 80 << 20, 1 << 30} {
		Hold(held)
		percent := setting()
		if room := held / 100 * percent; room > spare || held == 0 && percent != 100 {
			t.Errorf("%d MB held: %d %%, room for %d MB", held>>20, percent, room>>20)
		}
	}
	given = -1
	Hold(0)
	if percent := setting(); percent == 100 {
		t.Error("a setting that is off was changed")
	}
}
