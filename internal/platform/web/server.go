package web

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/safe"
)

// Bounds are what one client, and all of them together, may take of a server. Who goes on is served to the end; who
// stands still, or sends so slowly that it comes to the same, is cut.
type Bounds struct {
	Header      time.Duration // for the head of a request
	Body        time.Duration // for its whole body
	Stall       time.Duration // without a byte of a body coming or of an answer going
	Rate        int           // bytes a second that a body comes with at least, on average and after Stall; 0 asks for none
	Idle        time.Duration // between two requests
	Connections int           // at once, in all
	PerAddress  int           // at once, of one address
	Spare       Spare         // who is turned away before anything is done for them; the zero value turns nobody away
}

// UsualBounds are those of a server in the open.
var UsualBounds = Bounds{
	Header: 10 * time.Second, Body: 60 * time.Second, Stall: 10 * time.Second, Rate: 1 << 10, Idle: 120 * time.Second,
	Connections: 4096, PerAddress: 256,
}

const mostHeader = 64 << 10

// Serve answers with the handler within the bounds. Whom exempt names may have any number of connections within
// those in all: a proxy of ours stands for many clients. With a configuration it speaks TLS. The server is the caller's
// to stop.
func (b Bounds) Serve(on net.Listener, secure *tls.Config, handler http.Handler, exempt func(netip.Addr) bool, log *slog.Logger) (*http.Server, <-chan error) {
	server := &http.Server{
		Handler: b.paced(handler), ReadHeaderTimeout: b.Header, ReadTimeout: b.Body, IdleTimeout: b.Idle, MaxHeaderBytes: mostHeader,
		// There is no WriteTimeout: the connection cuts who takes nothing, and a long answer may take its time.
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, held(c))
		},
		ConnState: func(c net.Conn, state http.ConnState) {
			if inside := held(c); inside != nil {
				inside.gate.moved(inside, state)
			}
		},
		DisableGeneralOptionsHandler: true, // our own handler answers that too, with the headers of all answers
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	behind := b.listen(newGate(on, b, exempt), secure, server)
	ended := make(chan error, 1)
	safe.Go(log, func() { ended <- safe.Try(func() error { return server.Serve(behind) }) })
	return server, ended
}

type connKey struct{}

// paced gives a body its time, piece by piece.
func (b Bounds) paced(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && r.Body != http.NoBody {
			body := &pacedBody{ReadCloser: r.Body, control: http.NewResponseController(w), bounds: b, begun: clock.System{}.Now()}
			if r.ProtoMajor == 1 { // on HTTP/2 other requests share the connection
				body.on, _ = r.Context().Value(connKey{}).(*conn)
			}
			body.waits(true)
			body.wait() // the server reads on, in vain, after a handler that did not
			r.Body = body
		}
		if r.ProtoMajor > 1 {
			b.stream(w, r, next)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// longest is what a body may take in all that is stored as it comes.
const longest = time.Hour

// LongBody lets the body of a request take an hour, as long as it keeps coming: its pace stays bounded as any other's.
func LongBody(r *http.Request) {
	if body, ok := r.Body.(*pacedBody); ok {
		body.bounds.Body = max(body.bounds.Body, longest)
	}
}

type pacedBody struct {
	io.ReadCloser
	control *http.ResponseController
	on      *conn // nil where there is no gate
	bounds  Bounds
	begun   time.Time
	read    int64
	ended   bool
}

func (p *pacedBody) wait() {
	next := clock.System{}.Now().Add(p.bounds.Stall)
	if until := p.begun.Add(p.bounds.Body); next.After(until) {
		next = until
	}
	if p.bounds.Rate > 0 {
		earned := time.Duration(float64(p.read) / float64(p.bounds.Rate) * float64(time.Second))
		if until := p.begun.Add(p.bounds.Stall + earned); next.After(until) {
			next = until
		}
	}
	_ = p.control.SetReadDeadline(next) // a connection that knows no deadlines is a test's
}

// waits tells the gate whether there is more of the body to come.
func (p *pacedBody) waits(does bool) {
	if p.on != nil {
		p.on.gate.waits(p.on, does)
	}
}

func (p *pacedBody) Read(into []byte) (int, error) {
	if p.ended {
		// From here the server itself reads, to notice a client that leaves; a deadline would look like one.
		return 0, io.EOF
	}
	p.wait()
	n, err := p.ReadCloser.Read(into)
	p.read += int64(n)
	if p.ended = errors.Is(err, io.EOF); p.ended {
		p.waits(false)
	}
	return n, err
}
