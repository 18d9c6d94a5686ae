package web

import (
	"container/list"
	"net"
	"net/http"
	"net/netip"
	"sync"
)

// gate is a listener that lets in only so many. Where it is full, the connection that has waited longest without a
// request in hand gives way; where all are busy, the newcomer is turned away.
type gate struct {
	net.Listener
	bounds Bounds
	exempt func(netip.Addr) bool

	mu      sync.Mutex
	inside  int
	by      map[netip.Prefix]int
	waiting *list.List // of *conn, the longest first
}

func newGate(on net.Listener, b Bounds, exempt func(netip.Addr) bool) *gate {
	return &gate{Listener: on, bounds: b, exempt: exempt, by: map[netip.Prefix]int{}, waiting: list.New()}
}

// Accept gives the next connection that there is room for.
func (g *gate) Accept() (net.Conn, error) {
	for {
		accepted, err := g.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &conn{Conn: accepted, gate: g, stall: g.bounds.Stall}
		c.from, c.counted = g.origin(accepted.RemoteAddr())
		if g.admit(c) {
			return c, nil
		}
		_ = accepted.Close()
	}
}

// origin is what counts as one address: an IPv6 network of the size that one customer gets, or an IPv4 address.
func (g *gate) origin(remote net.Addr) (netip.Prefix, bool) {
	port, err := netip.ParseAddrPort(remote.String())
	if err != nil {
		return netip.Prefix{}, false
	}
	address := port.Addr().Unmap().WithZone("")
	if g.exempt != nil && g.exempt(address) {
		return netip.Prefix{}, false
	}
	bits := 32
	if address.Is6() {
		bits = 64
	}
	network, err := address.Prefix(bits)
	return network, err == nil
}

func (g *gate) admit(c *conn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c.counted && g.by[c.from] >= g.bounds.PerAddress && !g.makeRoom(func(other *conn) bool { return other.counted && other.from == c.from }) {
		return false
	}
	if g.inside >= g.bounds.Connections && !g.makeRoom(func(*conn) bool { return true }) {
		return false
	}
	g.inside++
	if c.counted {
		g.by[c.from]++
	}
	c.place = g.waiting.PushBack(c)
	return true
}

func (g *gate) makeRoom(may func(*conn) bool) bool {
	for at := g.waiting.Front(); at != nil; at = at.Next() {
		if other, ok := at.Value.(*conn); ok && may(other) {
			g.forget(other)
			_ = other.Conn.Close() // its goroutine notices, and ends
			return true
		}
	}
	return false
}

// moved notes whether a connection has a request in hand.
func (g *gate) moved(c *conn, state http.ConnState) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case c.gone:
	case state == http.StateActive && c.place != nil:
		g.waiting.Remove(c.place)
		c.place = nil
	case state == http.StateIdle && c.place == nil:
		c.place = g.waiting.PushBack(c)
	}
}

func (g *gate) left(c *conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forget(c)
}

func (g *gate) forget(c *conn) {
	if c.gone {
		return
	}
	c.gone = true
	g.inside--
	if c.counted {
		if g.by[c.from]--; g.by[c.from] == 0 {
			delete(g.by, c.from)
		}
	}
	if c.place != nil {
		g.waiting.Remove(c.place)
		c.place = nil
	}
}
