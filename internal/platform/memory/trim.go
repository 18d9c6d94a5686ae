//go:build linux && (amd64 || arm64)

package memory

import (
	"sync"
	_ "unsafe" // for go:linkname

	_ "modernc.org/libc" // whose allocator it is
	"modernc.org/memory"
)

// SQLite and the page engine allocate outside of Go's heap, in an allocator that keeps up to 4 MB of each size for
// later; an engine that was let go leaves some 10 MB so. It can give them back, but the library that owns it offers no way to
// ask. Should a later version name it otherwise, these are two variables of nobody, and nothing is given back.
//
//go:linkname allocator modernc.org/libc.allocator
var allocator memory.Allocator

//go:linkname allocatorMu modernc.org/libc.allocatorMu
var allocatorMu sync.Mutex

func trim() {
	allocatorMu.Lock()
	defer allocatorMu.Unlock()
	_ = allocator.Trim() // what cannot be given back is kept
}
