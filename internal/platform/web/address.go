package web

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Addresses finds the client's address. Forwarded headers count only when a trusted proxy sent them; anybody
// else could write anything there.
type Addresses []netip.Prefix

// Of gives the address of the client, or of the last hop that we cannot vouch for.
func (a Addresses) Of(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	peer, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	peer = peer.Unmap()
	if !a.Trusts(peer) {
		return peer.String()
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		next, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil {
			break
		}
		peer = next.Unmap()
		if !a.Trusts(peer) {
			break
		}
	}
	return peer.String()
}

// Trusts tells whether an address is one of our proxies.
func (a Addresses) Trusts(address netip.Addr) bool {
	return slices.ContainsFunc(a, func(p netip.Prefix) bool { return p.Contains(address) })
}
