package web_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"greenroom/internal/platform/web"
)

// generous is for what a test does not want to happen.
const generous = time.Minute

var roomy = web.Bounds{Header: generous, Body: generous, Stall: generous, Idle: generous, Connections: 100, PerAddress: 100}

// serve starts a real server on a port of the kernel's choice.
func serve(t *testing.T, bounds web.Bounds, exempt func(netip.Addr) bool, handler http.HandlerFunc) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, ended := bounds.Serve(listener, nil, handler, exempt, slog.New(slog.DiscardHandler))
	t.Cleanup(func() {
		_ = server.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return listener.Addr().String()
}

// client is one connection.
type client struct {
	net.Conn
	in *bufio.Reader
}

func dial(t *testing.T, address string) client {
	t.Helper()
	made, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return hold(t, made)
}

func hold(t *testing.T, made net.Conn) client {
	t.Helper()
	t.Cleanup(func() { _ = made.Close() })
	return client{made, bufio.NewReader(patient{made, t})}
}

// patience is how long a client waits for what must come: a fault ends a test by it, and not by the time for all of them.
const patience = 20 * time.Second

type patient struct {
	net.Conn
	t *testing.T
}

func (p patient) Read(into []byte) (int, error) {
	if err := p.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return 0, err
	}
	n, err := p.Conn.Read(into)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		p.t.Error("neither an answer nor the end came")
	}
	return n, err
}

func (c client) ask(t *testing.T, head, body string) {
	t.Helper()
	if _, err := fmt.Fprintf(c, "%s\r\nHost: test\r\n\r\n%s", head, body); err != nil {
		t.Fatal(err)
	}
}

// answered tells whether an answer came, and not the end of the connection.
func (c client) answered() bool {
	answer, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.Body.Close() == nil && err == nil
}

// ended waits for the end of the connection.
func (c client) ended() { _, _ = io.Copy(io.Discard, c.in) }

func TestSecurity66AReaderThatTakesNothingIsCut(t *testing.T) {
	t.Parallel()
	bounds := roomy
	bounds.Stall = 50 * time.Millisecond
	ended := make(chan error, 1)
	address := serve(t, bounds, nil, func(w http.ResponseWriter, r *http.Request) {
		for {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				<-r.Context().Done() // whatever else the handler waits for ends too
				ended <- err
				return
			}
		}
	})
	c := dial(t, address)
	c.ask(t, "GET / HTTP/1.1", "")
	if err := <-ended; err == nil {
		t.Fatal("no error")
	}
	// What it did not take is forgotten, instead of being offered to it for minutes.
	if _, err := io.Copy(io.Discard, c.in); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the connection ended by %v", err)
	}
}

func TestSecurity66ABodyThatStopsIsCut(t *testing.T) {
	t.Parallel()
	stalls, lasts := roomy, roomy
	stalls.Stall, lasts.Body = 50*time.Millisecond, 50*time.Millisecond
	for name, c := range map[string]struct {
		bounds web.Bounds
		read   bool
	}{
		"that is read": {stalls, true}, "that nobody reads": {stalls, false},
		"that takes too long in all": {lasts, true}, "that takes too long and nobody reads": {lasts, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bounds, read := c.bounds, c.read
			address := serve(t, bounds, nil, func(_ http.ResponseWriter, r *http.Request) {
				if !read {
					return
				}
				if _, err := io.ReadAll(r.Body); err == nil {
					t.Error("half a body was taken for a whole one")
				}
			})
			c := dial(t, address)
			c.ask(t, "POST / HTTP/1.1\r\nContent-Length: 10", "half")
			if _, err := io.Copy(io.Discard, c.in); err != nil && !strings.Contains(err.Error(), "reset") {
				t.Error(err)
			}
		})
	}
}

func TestSecurity66AHeadThatDoesNotEndIsCut(t *testing.T) {
	t.Parallel()
	bounds := roomy
	bounds.Header = 50 * time.Millisecond
	c := dial(t, serve(t, bounds, nil, func(http.ResponseWriter, *http.Request) { t.Error("called") }))
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost:"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, c.in); err != nil && !strings.Contains(err.Error(), "reset") {
		t.Error(err)
	}
}

func TestALongAnswerIsNotCutByTheTimeForTheQuestion(t *testing.T) {
	t.Parallel()
	bounds := roomy
	bounds.Body, bounds.Stall = 3*time.Second, 3*time.Second
	address := serve(t, bounds, nil, func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			t.Error(err)
		}
		_, _ = r.Body.Read(make([]byte, 1)) // some readers ask once more
		select {
		case <-r.Context().Done():
			t.Error("the request was given up:", context.Cause(r.Context()))
		case <-time.After(bounds.Body + time.Second):
			_, _ = io.WriteString(w, "done")
		}
	})
	for _, question := range []string{"GET / HTTP/1.1", "POST / HTTP/1.1\r\nContent-Length: 4"} {
		c := dial(t, address)
		c.ask(t, question, map[bool]string{true: "body"}[strings.HasPrefix(question, "POST")])
		if !c.answered() {
			t.Error(question, "was not answered")
		}
	}
}

// busy is a handler that holds every request until the test lets it go.
func busy(t *testing.T) (handler http.HandlerFunc, came <-chan struct{}, release func()) {
	t.Helper()
	arrived, open := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(open) })
	return func(http.ResponseWriter, *http.Request) {
		arrived <- struct{}{}
		<-open
	}, arrived, func() { open <- struct{}{} }
}

func TestSecurity66ConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	perAddress, inAll := roomy, roomy
	perAddress.PerAddress, inAll.Connections = 2, 2
	everybody := func(netip.Addr) bool { return true }
	for name, c := range map[string]struct {
		bounds web.Bounds
		exempt func(netip.Addr) bool
	}{"of one address": {perAddress, nil}, "in all, proxies too": {inAll, everybody}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			handler, came, release := busy(t)
			address := serve(t, c.bounds, c.exempt, handler)
			first, second := dial(t, address), dial(t, address)
			for _, one := range []client{first, second} {
				one.ask(t, "GET / HTTP/1.1\r\nConnection: close", "")
				<-came
			}
			third := dial(t, address)
			_, _ = fmt.Fprint(third, "GET / HTTP/1.1\r\nHost: test\r\n\r\n")
			if third.answered() {
				t.Error("the third was served")
			}
			release()
			release()
			if !first.answered() || !second.answered() {
				t.Error("those inside were not served")
			}
			first.ended()
			second.ended()
			fourth := dial(t, address)
			fourth.ask(t, "GET / HTTP/1.1", "")
			<-came
			release()
			if !fourth.answered() {
				t.Error("there was no room for the fourth")
			}
		})
	}
}

func TestAProxyStandsForMany(t *testing.T) {
	t.Parallel()
	bounds := roomy
	bounds.PerAddress = 1
	handler, came, release := busy(t)
	address := serve(t, bounds, func(a netip.Addr) bool { return a.IsLoopback() }, handler)
	var all []client
	for range 5 {
		c := dial(t, address)
		c.ask(t, "GET / HTTP/1.1", "")
		<-came
		all = append(all, c)
	}
	for range all {
		release()
	}
	for _, c := range all {
		if !c.answered() {
			t.Error("not served")
		}
	}
}

func TestWhoWaitsGivesWayToWhoAsks(t *testing.T) {
	t.Parallel()
	bounds := roomy
	bounds.PerAddress = 2
	address := serve(t, bounds, nil, func(http.ResponseWriter, *http.Request) {})
	silent, idle := dial(t, address), dial(t, address)
	idle.ask(t, "GET / HTTP/1.1", "")
	if !idle.answered() {
		t.Fatal("there was no room")
	}
	next := dial(t, address)
	next.ask(t, "GET / HTTP/1.1", "")
	if !next.answered() {
		t.Error("somebody who asks found no room")
	}
	silent.ended()
	// The two that are left wait only from just after their answers, so another may be turned away before.
	for try := 1; ; try++ {
		c := dial(t, address)
		_, _ = fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: test\r\n\r\n")
		if c.answered() {
			break
		}
		if try == 1000 {
			t.Fatal("nobody gave way")
		}
	}
	gone := make(chan struct{}, 2)
	for _, c := range []client{idle, next} {
		go func() { c.ended(); gone <- struct{}{} }()
	}
	<-gone
}

// What the kernel holds for a client that does not read is bounded: of many such clients it would be the machine's memory.
func TestAnAnswerThatNobodyReadsTakesLittleMemory(t *testing.T) {
	t.Parallel()
	bounds := roomy
	bounds.Stall = 100 * time.Millisecond
	wrote := make(chan int, 1)
	address := serve(t, bounds, nil, func(w http.ResponseWriter, _ *http.Request) {
		total, piece := 0, make([]byte, 16<<10)
		for total < 64<<20 {
			n, err := w.Write(piece)
			if total += n; err != nil {
				break
			}
		}
		wrote <- total
	})
	c := dial(t, address)
	if err := c.Conn.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if total := <-wrote; total > 1<<20 {
		t.Errorf("%d bytes were taken", total)
	}
}
