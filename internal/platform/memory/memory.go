// Package memory bounds what the process keeps of the machine's memory beyond what it needs.
package memory

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// spare is how much may lie around uncollected beside large data that lives long.
const spare = 32 << 20

// room is never written to, so it takes an address range and no memory. The collector sees it as data that lives, and lets as
// much more garbage gather: what lives in a small installation is 6 MB, and to look at that forty times a second was a tenth to a
// fifth of what a request cost. Unlike a higher percentage it adds nothing where much lives already.
var room []byte

const roomBytes = 16 << 20

func init() { room = make([]byte, roomBytes) } // on the heap: a variable made at once would be none of the collector's

// given is the collector's setting at the start: GOGC, or 100.
var given = setting()

// Hold tells how much large data without pointers, such as an index, lives long. The collector lets as much garbage
// gather as there is live data, because looking at that costs it time; data without pointers it does not look at, so
// nothing is gained by such room.
func Hold(bytes int) {
	if given > 0 {
		debug.SetGCPercent(max(1, given*spare/(spare+bytes)))
	}
}

// Release gives what is not needed any more back to the machine at once. It is for the end of something large: it
// collects everything.
func Release() {
	debug.FreeOSMemory()
	trim()
	runtime.KeepAlive(room) // or the linker finds it unused
}

func setting() int {
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 || sample[0].Value.Uint64() > math.MaxInt32 {
		return -1 // switched off
	}
	return int(sample[0].Value.Uint64())
}
