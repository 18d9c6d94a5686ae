package key

import (
	"crypto/sha256"
	"sync"
)

// mostChecked bounds the memory of checked tokens, in bytes of claims; an entry weighs entryBytes besides.
const (
	mostChecked = 8 << 20
	entryBytes  = 400
)

// checked remembers tokens whose signature was good, by their hash: a signature costs more to check than all the rest of
// a request. It says nothing else of a token. Its times, issuer and audience are judged at every use, the key must still
// be in the set, and whether the session goes on is asked elsewhere. So an entry is never wrong, only old: there are two
// halves, and when the young one is full, what nobody asked for since it was empty goes.
type checked struct {
	mu         sync.Mutex
	young, old map[[sha256.Size]byte]signed
	bytes      int // of the young half
}

// signed is what a token says and the key that it was signed by.
type signed struct {
	claims Claims
	keyID  string
	bytes  int
}

func (c *checked) get(sum [sha256.Size]byte) (signed, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found, ok := c.young[sum]; ok {
		return found, true
	}
	found, ok := c.old[sum]
	if ok {
		c.add(sum, found)
	}
	return found, ok
}

func (c *checked) put(sum [sha256.Size]byte, one signed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(sum, one)
}

func (c *checked) add(sum [sha256.Size]byte, one signed) {
	if c.young == nil || c.bytes+one.bytes > mostChecked/2 {
		c.young, c.old, c.bytes = map[[sha256.Size]byte]signed{}, c.young, 0
	}
	if _, there := c.young[sum]; !there {
		c.bytes += one.bytes
	}
	c.young[sum] = one
}
