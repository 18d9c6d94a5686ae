package memory

import (
	"runtime"
	"testing"
)

// TestASmallHeapIsNotCollectedAllTheTime lets a little live and makes much garbage, as a server does that is small and busy.
func TestASmallHeapIsNotCollectedAllTheTime(t *testing.T) { //nolint:paralleltest // it counts what the process does
	if given != 100 {
		t.Skip("the collector is set by hand")
	}
	Hold(0)
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var last []byte
	for range 64 << 10 {
		last = make([]byte, 1<<10)
	}
	runtime.KeepAlive(last)
	runtime.ReadMemStats(&after)
	if times := after.NumGC - before.NumGC; times > 5 {
		t.Errorf("collected %d times for 64 MB of garbage", times)
	}
}
