package web

import (
	"bytes"
	"errors"
	"net"
	"os"
	"testing"
	"time"
)

// line is a connection to a client that takes so many bytes before each deadline.
type line struct {
	net.Conn
	takes []int
	taken bytes.Buffer
}

func (l *line) SetWriteDeadline(time.Time) error { return nil }

func (l *line) Write(text []byte) (int, error) {
	if len(l.takes) == 0 {
		return l.taken.Write(text)
	}
	n := min(l.takes[0], len(text))
	l.takes = l.takes[1:]
	l.taken.Write(text[:n])
	if n < len(text) {
		return n, os.ErrDeadlineExceeded
	}
	return n, nil
}

func TestSlowReadersLiveAsLongAsTheyGoOn(t *testing.T) {
	t.Parallel()
	text := bytes.Repeat([]byte("greenroom"), 3*pieceSize/9)
	for _, c := range []struct {
		name  string
		takes []int
		whole bool
	}{
		{"at once", nil, true},
		{"with pauses in each piece", []int{30 << 10, 30 << 10, pieceSize, 1 << 10, 40 << 10, pieceSize}, true},
		{"nothing at all", []int{0}, false},
		{"nothing after a while", []int{pieceSize, 1000, 0}, false},
		{"byte by byte", []int{1, 1, 1}, false},
	} {
		l := &line{takes: c.takes}
		n, err := (&conn{Conn: l, stall: time.Minute}).Write(text)
		if (err == nil) != c.whole || n != l.taken.Len() || (c.whole && !bytes.Equal(l.taken.Bytes(), text)) {
			t.Errorf("%s: %d of %d, %v", c.name, n, len(text), err)
		}
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
