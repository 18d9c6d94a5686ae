package web

import (
	"cmp"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
)

// gate is a listener that lets in only so many. Where it is full, a connection gives way that waits for its client,
// for a request or for the rest of one: of the network that holds the most, the one that has waited longest. Where all
// are busy with an answer, the newcomer is turned away.
type gate struct {
	net.Listener
	bounds Bounds
	exempt func(netip.Addr) bool

	mu        sync.Mutex
	inside    int
	by        map[netip.Prefix]int
	streams   int // requests under way over HTTP/2
	streamsBy map[netip.Prefix]int
	networks  map[netip.Prefix]*network
	conns     map[*conn]bool
	turns     atomic.Int64 // numbers those who wait, in their order
}

// network is what somebody rents as one: many addresses, and still one who fills us.
type network struct {
	prefix netip.Prefix
	inside int
}

// Sizes of what counts as one address and as one network.
const (
	address4, address6 = 32, 64
	network4, network6 = 24, 48
)

func newGate(on net.Listener, b Bounds, exempt func(netip.Addr) bool) *gate {
	return &gate{Listener: on, bounds: b, exempt: exempt, by: map[netip.Prefix]int{}, streamsBy: map[netip.Prefix]int{}, networks: map[netip.Prefix]*network{}, conns: map[*conn]bool{}}
}

// Accept gives the next connection that there is room for.
func (g *gate) Accept() (net.Conn, error) {
	for {
		accepted, err := g.Listener.Accept()
		if err != nil {
			return nil, err
		}
		boundSending(accepted)
		c := &conn{Conn: accepted, gate: g, stall: g.bounds.Stall}
		c.fresh.Store(true)
		c.from, c.counted = g.origin(accepted.RemoteAddr())
		if g.admit(c) {
			return c, nil
		}
		_ = accepted.Close()
	}
}

// sendBuffer bounds what the kernel holds of an answer for a client that does not read: it would take megabytes of each, and
// all of them together the machine's.
const sendBuffer = 256 << 10

func boundSending(accepted net.Conn) {
	if tcp, ok := accepted.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(sendBuffer) // without it the connection works all the same
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
	prefix, err := address.Prefix(sized(address, address4, address6))
	return prefix, err == nil
}

func sized(address netip.Addr, four, six int) int {
	if address.Is6() {
		return six
	}
	return four
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
		c.network = g.networkOf(c.from.Addr())
		c.network.inside++
	}
	g.conns[c] = true
	g.waits(c, true)
	return true
}

func (g *gate) networkOf(address netip.Addr) *network {
	prefix, _ := address.Prefix(sized(address, network4, network6)) // never longer than the address
	if g.networks[prefix] == nil {
		g.networks[prefix] = &network{prefix: prefix}
	}
	return g.networks[prefix]
}

func (g *gate) makeRoom(may func(*conn) bool) bool {
	var victim *conn
	var since int64
	for other := range g.conns {
		turn := other.turn.Load()
		if turn == 0 || !may(other) {
			continue
		}
		if victim == nil || cmp.Or(cmp.Compare(other.neighbors(), victim.neighbors()), cmp.Compare(since, turn)) > 0 {
			victim, since = other, turn
		}
	}
	if victim == nil {
		return false
	}
	g.forget(victim)
	_ = victim.Conn.Close() // its goroutine notices, and ends
	return true
}

// moved notes whether a connection has a request in hand.
func (g *gate) moved(c *conn, state http.ConnState) {
	switch state {
	case http.StateActive:
		c.fresh.Store(false)
		g.waits(c, false)
	case http.StateIdle:
		c.fresh.Store(true)
		g.waits(c, true)
	default: // what is closed has left
	}
}

// waits notes whether a connection waits for its client, from now. Every request comes by here, so nothing is locked.
func (g *gate) waits(c *conn, does bool) {
	if does {
		c.turn.Store(g.turns.Add(1))
	} else {
		c.turn.Store(0)
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
		if c.network.inside--; c.network.inside == 0 {
			delete(g.networks, c.network.prefix)
		}
	}
	delete(g.conns, c)
}
