package web

import (
	"crypto/tls"
	"net"
	"net/http"
	"time"

	"greenroom/internal/platform/clock"
)

// mostStreams is how many requests one HTTP/2 connection may have under way. All of an address's together are bounded as
// its connections are.
const mostStreams = 32

// listen puts the gate before a listener and, with a configuration, TLS and HTTP/2 behind it.
func (b Bounds) listen(inside *gate, secure *tls.Config, server *http.Server) net.Listener {
	if secure == nil {
		return inside
	}
	server.TLSConfig = secure
	server.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: mostStreams, WriteByteTimeout: b.Stall, SendPingTimeout: b.Idle / 2, PingTimeout: b.Stall}
	return tls.NewListener(inside, secure)
}

// held is the gate's connection below whatever was put on it; nil where there is no gate.
func held(c net.Conn) *conn {
	if secured, ok := c.(*tls.Conn); ok {
		c = secured.NetConn()
	}
	found, _ := c.(*conn)
	return found
}

// pacedWriter gives each piece of an answer over HTTP/2 its time: there a client that takes nothing holds one stream and
// not the connection, which cuts it on HTTP/1.
type pacedWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	stall   time.Duration
}

func (p *pacedWriter) Write(text []byte) (int, error) {
	sent := 0
	for {
		_ = p.control.SetWriteDeadline(clock.System{}.Now().Add(p.stall))
		n, err := p.ResponseWriter.Write(text[sent:min(len(text), sent+pieceSize)])
		sent += n
		if err != nil || sent == len(text) {
			return sent, err
		}
	}
}

func (p *pacedWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// stream answers a request of a connection that has others under way, unless its address has too many.
func (b Bounds) stream(w http.ResponseWriter, r *http.Request, next http.Handler) {
	if on, _ := r.Context().Value(connKey{}).(*conn); on != nil {
		if !on.gate.begin(on) {
			w.Header().Set("Retry-After", "1")
			http.Error(w, "Too many requests at once.", http.StatusServiceUnavailable)
			return
		}
		defer on.gate.end(on)
	}
	next.ServeHTTP(&pacedWriter{w, http.NewResponseController(w), b.Stall}, r)
}

// begin counts a stream, as admit counts a connection.
func (g *gate) begin(c *conn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.streams >= g.bounds.Connections || c.counted && g.streamsBy[c.from] >= g.bounds.PerAddress {
		return false
	}
	g.streams++
	if c.counted {
		g.streamsBy[c.from]++
	}
	return true
}

func (g *gate) end(c *conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.streams--
	if c.counted {
		if g.streamsBy[c.from]--; g.streamsBy[c.from] == 0 {
			delete(g.streamsBy, c.from)
		}
	}
}
