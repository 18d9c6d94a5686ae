package web

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"sync/atomic"
	"time"

	"greenroom/internal/platform/clock"
)

// A piece of an answer must be on its way within a few stalls, each of which moved something: 64 KB in half a minute
// is a poor telephone line, and less is somebody who makes us keep the answer.
const (
	pieceSize  = 64 << 10
	pieceTries = 3
	strideSize = 4 << 20 // of a file, which the kernel sends: each costs a deadline and a turn of the runtime
)

// conn is a connection that cuts a client which does not read.
type conn struct {
	net.Conn
	stall time.Duration

	// The gate's, under its lock.
	gate    *gate
	from    netip.Prefix
	counted bool
	network *network // where it is counted
	gone    bool

	fresh atomic.Bool // nothing of a request has been read since the last answer

	turn atomic.Int64 // since when it waits for its client, as a number of the gate's; 0 while it does not
}

// neighbors is how many of its network are inside. A proxy of ours has none.
func (c *conn) neighbors() int {
	if c.network == nil {
		return 0
	}
	return c.network.inside
}

// Write sends piece by piece, each with a deadline of its own.
func (c *conn) Write(text []byte) (int, error) {
	sent := 0
	for {
		n, err := c.writePiece(text[sent:min(len(text), sent+pieceSize)])
		sent += n
		if err != nil || sent == len(text) {
			return sent, err
		}
	}
}

func (c *conn) writePiece(text []byte) (int, error) {
	sent := 0
	for try := 1; ; try++ {
		if err := c.hurry(); err != nil {
			return sent, err
		}
		n, err := c.Conn.Write(text[sent:])
		sent += n
		if err == nil {
			return sent, nil
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) || n == 0 || try == pieceTries {
			c.drop()
			return sent, err
		}
	}
}

// ReadFrom lets the kernel send a file (sendfile), piece by piece with the same deadlines. Anything else is copied.
func (c *conn) ReadFrom(from io.Reader) (int64, error) {
	whole, ok := from.(*io.LimitedReader)
	if !ok {
		return io.Copy(writeOnly{c}, from)
	}
	tcp, plain := c.Conn.(*net.TCPConn)
	file, is := whole.R.(*os.File)
	if !plain || !is {
		return io.Copy(writeOnly{c}, from)
	}
	var sent int64
	for whole.N > 0 {
		n, err := c.sendPiece(tcp, file, min(whole.N, strideSize))
		sent, whole.N = sent+n, whole.N-n
		if err != nil || n == 0 {
			return sent, err
		}
	}
	return sent, nil
}

// sendPiece sends much at once where the client takes it, and asks of a slow one no more than a piece in its tries.
func (c *conn) sendPiece(tcp *net.TCPConn, file *os.File, length int64) (sent int64, err error) {
	var wait patience
	for {
		if err := c.hurry(); err != nil {
			return sent, err
		}
		n, err := tcp.ReadFrom(&io.LimitedReader{R: file, N: length - sent})
		if sent += n; err == nil {
			return sent, nil
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) || !wait.again(n) {
			c.drop()
			return sent, err
		}
	}
}

// patience is how long a client is waited for that takes a little now and then.
type patience struct {
	tries int
	moved int64
}

// again tells whether to go on after a stall in which so much was moved.
func (p *patience) again(moved int64) bool {
	if p.tries, p.moved = p.tries+1, p.moved+moved; p.moved >= pieceSize {
		p.tries, p.moved = 0, 0
	}
	return moved > 0 && p.tries < pieceTries
}

// writeOnly hides what else a connection can do, so that a copy does not come back here.
type writeOnly struct{ io.Writer }

// hurry gives a write its time. Each sets its own: the server takes the last one's away after every answer.
func (c *conn) hurry() error { return c.SetWriteDeadline(clock.System{}.Now().Add(c.stall)) }

// drop lets the kernel forget what the client did not take, instead of offering it for minutes.
func (c *conn) drop() {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
}

func (c *conn) Close() error {
	c.gate.left(c)
	return c.Conn.Close()
}
