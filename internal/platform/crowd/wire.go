package crowd

import (
	"errors"
	"log/slog"
	"os"
	"runtime"

	"greenroom/internal/platform/safe"
)

// wire is a way out of the process and back, as a request takes it: what is sent waits in the kernel with all else that can be
// read, until the runtime looks, and then with all that could run. A goroutine that only yields would not see the first of the
// two lines, and that is where a crowd stands.
type wire struct {
	in, out *os.File
	came    chan struct{}
}

// newWire opens one. A machine that has none to give is judged by its goroutines alone.
func newWire() *wire {
	out, in, err := os.Pipe()
	if err != nil {
		return &wire{}
	}
	w := &wire{in: in, out: out, came: make(chan struct{}, 1)}
	safe.Go(slog.Default(), func() {
		defer close(w.came)
		for one := make([]byte, 1); ; { // it waits here before anything is sent: what is there already needs no wait
			if _, err := out.Read(one); err != nil {
				return
			}
			w.came <- struct{}{}
		}
	})
	return w
}

func (w *wire) turn() {
	if w.in == nil {
		runtime.Gosched()
		return
	}
	if _, err := w.in.Write([]byte{1}); err == nil {
		<-w.came
	}
}

func (w *wire) close() error {
	if w.in == nil {
		return nil
	}
	err := errors.Join(w.in.Close(), w.out.Close())
	for range w.came { // until the reader has ended
	}
	return err
}
