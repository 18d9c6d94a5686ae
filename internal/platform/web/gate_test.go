package web

import (
	"net"
	"net/netip"
	"testing"
)

func TestWhatCountsAsOneAddress(t *testing.T) {
	t.Parallel()
	g := newGate(nil, Bounds{}, func(a netip.Addr) bool { return a == netip.MustParseAddr("10.0.0.1") })
	for remote, want := range map[string]string{
		"203.0.113.9:1":               "203.0.113.9/32",
		"[::ffff:203.0.113.9]:1":      "203.0.113.9/32",
		"[2001:db8:1:2:3:4:5:6]:1":    "2001:db8:1:2::/64",
		"[2001:db8:1:2:ffff:4:5:6]:1": "2001:db8:1:2::/64",
		"[2001:db8:1:3::1]:1":         "2001:db8:1:3::/64",
		"[fe80::1%eth0]:1":            "fe80::/64",
		"10.0.0.1:1":                  "", // a proxy of ours
	} {
		port := netip.MustParseAddrPort(remote)
		got, counted := g.origin(net.TCPAddrFromAddrPort(port))
		if counted != (want != "") || (counted && got.String() != want) {
			t.Errorf("%s counts as %v, %v", remote, got, counted)
		}
	}
}
