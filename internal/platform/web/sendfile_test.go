package web

import (
	"bytes"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// ends is a connection of ours and its client.
func ends(t *testing.T) (ours *conn, theirs net.Conn) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	theirs, err = (&net.Dialer{}).DialContext(t.Context(), "tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	accepted, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = theirs.Close(); _ = accepted.Close() })
	return &conn{Conn: accepted, stall: time.Minute}, theirs
}

func stored(t *testing.T, text []byte) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "film")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return file
}

func TestAFileIsSentAsItIs(t *testing.T) {
	t.Parallel()
	text := bytes.Repeat([]byte("greenroom"), 300_000)
	for name, from := range map[string]func(t *testing.T) io.Reader{
		"a part of a file":  func(t *testing.T) io.Reader { return &io.LimitedReader{R: stored(t, text), N: int64(len(text)) - 5} },
		"a file that ended": func(t *testing.T) io.Reader { return &io.LimitedReader{R: stored(t, text[:len(text)-5]), N: 1 << 40} },
		"no file": func(*testing.T) io.Reader {
			return &io.LimitedReader{R: bytes.NewReader(text), N: int64(len(text)) - 5}
		},
		"a file whole": func(t *testing.T) io.Reader { return stored(t, text[:len(text)-5]) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ours, theirs := ends(t)
			sent := make(chan error, 1)
			go func() {
				_, err := ours.ReadFrom(from(t))
				_ = ours.Conn.Close()
				sent <- err
			}()
			got, err := io.ReadAll(theirs)
			if failed := <-sent; err != nil || failed != nil || !bytes.Equal(got, text[:len(text)-5]) {
				t.Errorf("%d of %d bytes, %v, %v", len(got), len(text)-5, err, failed)
			}
		})
	}
}

func TestSecurity66AFileThatNobodyTakesIsCut(t *testing.T) {
	t.Parallel()
	ours, _ := ends(t)
	ours.stall = 20 * time.Millisecond
	file := stored(t, make([]byte, 64<<20))
	if n, err := ours.ReadFrom(&io.LimitedReader{R: file, N: 64 << 20}); err == nil || n == 64<<20 {
		t.Error(n, err)
	}
}

// However much is sent at once: a piece in its tries is enough, and less is not.
func TestAPieceInItsTriesIsEnough(t *testing.T) {
	t.Parallel()
	for what, one := range map[string]struct {
		moved []int64
		goes  bool // on after the last
	}{
		"nothing":                   {[]int64{0}, false},
		"nothing after much":        {[]int64{pieceSize, pieceSize, 0}, false},
		"a little, twice":           {[]int64{1, 1}, true},
		"a little, too often":       {[]int64{1, 1, 1}, false},
		"a piece at a time":         {[]int64{pieceSize, pieceSize, pieceSize, pieceSize, pieceSize}, true},
		"a piece in three":          {[]int64{1, 1, pieceSize - 2, 1, 1, pieceSize - 2, 1, 1}, true},
		"a piece in three, then no": {[]int64{1, 1, pieceSize - 2, 1, 1, 1}, false},
	} {
		var wait patience
		on := true
		for _, n := range one.moved {
			if !on {
				t.Error(what, "was given up before")
			}
			on = wait.again(n)
		}
		if on != one.goes {
			t.Error(what, on)
		}
	}
}
