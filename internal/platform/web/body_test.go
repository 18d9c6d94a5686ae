package web_test

import (
	"io"
	"net"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"greenroom/internal/platform/web"
)

// bodies is a handler that tells when a request came whose body it then reads to the end.
func bodies() (handler http.HandlerFunc, came <-chan struct{}) {
	arrived := make(chan struct{})
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			arrived <- struct{}{}
		}
		if _, err := io.ReadAll(r.Body); err != nil {
			w.WriteHeader(http.StatusBadRequest)
		}
	}, arrived
}

// half asks with half a body.
func half(t *testing.T, c client, came <-chan struct{}) client {
	t.Helper()
	c.ask(t, "POST / HTTP/1.1\r\nContent-Length: 8", "half")
	<-came
	return c
}

func (c client) finish(t *testing.T) {
	t.Helper()
	if _, err := io.WriteString(c, "done"); err != nil || !c.answered() {
		t.Errorf("a body that came was not answered: %v", err)
	}
}

func TestSecurity66ABodyThatIsWaitedForGivesWay(t *testing.T) {
	t.Parallel()
	perAddress, inAll := roomy, roomy
	perAddress.PerAddress, inAll.Connections = 2, 2
	everybody := func(netip.Addr) bool { return true }
	for name, c := range map[string]struct {
		bounds web.Bounds
		exempt func(netip.Addr) bool
	}{"of one address": {perAddress, nil}, "in all": {inAll, nil}, "in all, proxies too": {inAll, everybody}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			handler, came := bodies()
			address := serve(t, c.bounds, c.exempt, handler)
			first := half(t, dial(t, address), came)
			second := half(t, dial(t, address), came)
			third := dial(t, address)
			third.ask(t, "GET / HTTP/1.1\r\nConnection: close", "")
			if !third.answered() {
				t.Error("bodies that never come kept out who asks")
			}
			first.ended()
			second.finish(t)
		})
	}
}

// dialFrom connects from an address of this machine's own network.
func dialFrom(t *testing.T, from, address string) client {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	made, err := dialer.DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return hold(t, made)
}

func TestSecurity66TheNetworkThatHoldsTheMostGivesWay(t *testing.T) {
	t.Parallel()
	bounds := roomy
	bounds.Connections = 3
	handler, came := bodies()
	address := serve(t, bounds, nil, handler)
	alone := half(t, dialFrom(t, "127.0.1.1", address), came)
	first := half(t, dialFrom(t, "127.0.2.1", address), came)
	second := half(t, dialFrom(t, "127.0.2.2", address), came)
	next := dialFrom(t, "127.0.3.1", address)
	next.ask(t, "GET / HTTP/1.1", "")
	if !next.answered() {
		t.Error("there was no room")
	}
	first.ended()
	alone.finish(t)
	second.finish(t)
}

func TestAFullAddressTakesNoRoomFromOthers(t *testing.T) {
	t.Parallel()
	bounds := roomy
	bounds.PerAddress = 1
	came, over := make(chan struct{}), make(chan struct{})
	address := serve(t, bounds, nil, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/long" {
			came <- struct{}{}
			<-over
		}
	})
	other, busy := dialFrom(t, "127.0.1.1", address), dialFrom(t, "127.0.2.1", address)
	busy.ask(t, "GET /long HTTP/1.1", "")
	<-came
	defer close(over)
	next := dialFrom(t, "127.0.2.1", address)
	_, _ = io.WriteString(next, "GET / HTTP/1.1\r\nHost: test\r\n\r\n")
	if next.answered() {
		t.Error("an address has more than its share")
	}
	other.ask(t, "GET / HTTP/1.1", "")
	if !other.answered() {
		t.Error("it took another's place")
	}
}

func TestSecurity66ABodyThatDripsIsCut(t *testing.T) {
	t.Parallel()
	bounds := roomy
	bounds.Stall, bounds.Rate = time.Second, 1<<20
	read := make(chan error, 1)
	address := serve(t, bounds, nil, func(_ http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		read <- err
	})
	c := dial(t, address)
	c.ask(t, "POST / HTTP/1.1\r\nContent-Length: 500", "")
	drip := time.NewTicker(10 * time.Millisecond)
	defer drip.Stop()
	for {
		select {
		case err := <-read:
			if err == nil {
				t.Error("it was read to the end")
			}
			return
		case <-drip.C:
			_, _ = io.WriteString(c, "x") // the server may have left
		}
	}
}
