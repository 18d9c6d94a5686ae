package web_test

import (
	"bufio"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"greenroom/internal/platform/web"
)

// spareServer serves "served" and turns away while late is set.
func spareServer(t *testing.T, bounds web.Bounds) (address string, late *atomic.Bool, seen *atomic.Int64) {
	t.Helper()
	late, seen = &atomic.Bool{}, &atomic.Int64{}
	busy := web.Canned(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "1")
		http.Error(w, "busy", http.StatusServiceUnavailable)
	}), nil)
	bounds.Spare = web.Spare{Late: late.Load, Answer: func(head []byte) []byte {
		if strings.HasPrefix(string(head), "GET /healthz ") {
			return nil
		}
		return busy
	}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, ended := bounds.Serve(listener, nil, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.Add(1)
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, "served")
	}), nil, slog.New(slog.DiscardHandler))
	t.Cleanup(func() { _ = server.Close(); <-ended })
	return listener.Addr().String(), late, seen
}

// say sends text and reads as many answers.
func say(t *testing.T, c net.Conn, from *bufio.Reader, text string, answers int) (codes []int) {
	t.Helper()
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	method, _, _ := strings.Cut(text, " ") // an answer to HEAD has no body
	for range answers {
		answer, err := http.ReadResponse(from, &http.Request{Method: method})
		if err != nil {
			return append(codes, 0)
		}
		_, _ = io.Copy(io.Discard, answer.Body)
		_ = answer.Body.Close()
		if answer.StatusCode == http.StatusServiceUnavailable && answer.Header.Get("Retry-After") == "" {
			t.Error("a refusal that does not say when to come back")
		}
		codes = append(codes, answer.StatusCode)
	}
	return codes
}

func TestWhoComesLateIsTurnedAwayUnread(t *testing.T) {
	t.Parallel()
	address, late, seen := spareServer(t, roomy)
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	from := bufio.NewReader(c)
	const get, post = "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "POST /x HTTP/1.1\r\nHost: a\r\nOrigin: https://a\r\nContent-Length: 3\r\n\r\nabc"
	for _, step := range []struct {
		late bool
		text string
		code int
	}{
		{true, get, 503},
		{true, post, 503},
		{false, post, 200},
		{true, "GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n", 503},
		{true, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", 200},
		{true, post, 503},
		{false, get, 200},
	} {
		late.Store(step.late)
		before := seen.Load()
		if got := say(t, c, from, step.text, 1); got[0] != step.code {
			t.Fatalf("%q, late %v: %v", step.text, step.late, got)
		}
		if served := seen.Load() > before; served != (step.code == 200) {
			t.Errorf("%q reached the server: %v", step.text, served)
		}
	}
}

// Whatever could end elsewhere than it seems is left to the server: nobody else would see the rest of it.
func TestWhatIsUnusualIsLeftToTheServer(t *testing.T) {
	t.Parallel()
	address, late, seen := spareServer(t, roomy)
	late.Store(true)
	const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
	for _, c := range []struct {
		text    string
		answers int
	}{
		{"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 1},
		{"HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", 1},
		{"OPTIONS / HTTP/1.1\r\nHost: a\r\n\r\n", 1},
		{"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 1},
		{"GET / HTTP/1.0\r\nHost: a\r\n\r\n", 1},
		{"GET / HTTP/1.1\r\nHost: a\r\nOrigin: https://b\r\n\r\n", 1},
		{get + get, 2}, // two at once
		{"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab" + get, 2},
		{"GET / HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("y", 5000) + "\r\n\r\n", 1},
	} {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		before := seen.Load()
		say(t, conn, bufio.NewReader(conn), c.text, c.answers)
		if n := seen.Load() - before; n != int64(c.answers) {
			t.Errorf("%.60q: %d reached the server", c.text, n)
		}
		_ = conn.Close()
	}
	for _, text := range []string{
		"GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
		"GET / HTTP/1.1\r\nHost : a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX: a\nContent-Length: 5\r\n\r\nabcde",
	} { // what the server refuses by itself is its own to refuse
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if got := say(t, conn, bufio.NewReader(conn), text, 1); got[0] == http.StatusServiceUnavailable {
			t.Errorf("%.60q was turned away unread", text)
		}
		_ = conn.Close()
	}
}

// A body that looks like a request is a body.
func TestABodyIsNoRequest(t *testing.T) {
	t.Parallel()
	address, late, _ := spareServer(t, roomy)
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	from := bufio.NewReader(c)
	const inner = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.WriteString(c, "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 27\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(from, nil)
	if err != nil || answer.StatusCode != http.StatusContinue {
		t.Fatal(answer, err)
	}
	defer answer.Body.Close()
	late.Store(true)
	if got := say(t, c, from, inner, 1); len(inner) != 27 || got[0] != http.StatusOK {
		t.Errorf("the body: %v, of %d bytes", got, len(inner))
	}
}

// Who was turned away on a new connection has the time of a connection between two requests, not what was left of the first.
func TestWhoWasTurnedAwayMayAskAgain(t *testing.T) {
	t.Parallel()
	bounds := roomy
	bounds.Header = 100 * time.Millisecond
	address, late, _ := spareServer(t, bounds)
	late.Store(true)
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	from := bufio.NewReader(c)
	const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
	if got := say(t, c, from, get, 1); got[0] != http.StatusServiceUnavailable {
		t.Fatal(got)
	}
	_ = c.SetReadDeadline(time.Now().Add(4 * bounds.Header))
	if _, err := from.Peek(1); err == nil || !strings.Contains(err.Error(), "timeout") {
		t.Fatalf("the connection ended: %v", err)
	}
	late.Store(false)
	if got := say(t, c, from, get, 1); got[0] != http.StatusOK {
		t.Error(got)
	}
}
