package web

import (
	"crypto/tls"
	"net"
	"net/http"
	"time"

	"greenroom/internal/platform/clock"
)

// mostStreams is how many requests one HTTP/2 connection may have under way.
const mostStreams = 64

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
	_ = p.control.SetWriteDeadline(clock.System{}.Now().Add(pieceTries * p.stall))
	return p.ResponseWriter.Write(text)
}

func (p *pacedWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }
