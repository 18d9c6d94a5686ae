package shelf

import (
	"context"
	"errors"
	"io"
)

// File is a version of so many bytes for somebody who moves about in it, and who said which of them they will read: those are open
// already. A place elsewhere is asked as seldom as can be.
func File(ctx context.Context, from Shelf, version string, size, begin, length int64, open io.ReadCloser) io.ReadSeekCloser {
	return &file{ctx: ctx, from: from, version: version, size: size, begin: begin, until: begin + length, open: open}
}

type file struct {
	ctx          context.Context //nolint:containedctx // a reader knows no other way
	from         Shelf
	version      string
	size         int64
	at           int64 // where the reader is
	begin, until int64 // what is open goes from here to there
	open         io.ReadCloser
	window       int64 // how much was fetched last
}

// firstWindow is what is fetched of a place that nobody announced; then twice as much, and so on, while the reader goes straight on.
const firstWindow = 256 << 10

func (f *file) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += f.at
	case io.SeekEnd:
		offset += f.size
	}
	if offset < 0 {
		return 0, errors.New("before the beginning")
	}
	f.at = offset
	return offset, nil
}

func (f *file) Read(into []byte) (int, error) {
	if f.at >= f.size {
		return 0, io.EOF
	}
	if f.open == nil || f.at != f.begin || f.begin == f.until {
		if err := f.Close(); err != nil {
			return 0, err
		}
		if f.window *= 2; f.at != f.begin || f.window == 0 {
			f.window = firstWindow
		}
		length := min(f.window, f.size-f.at)
		open, err := f.from.Open(f.ctx, f.version, f.at, length)
		if err != nil {
			return 0, err
		}
		f.open, f.begin, f.until = open, f.at, f.at+length
	}
	n, err := f.open.Read(into[:min(int64(len(into)), f.until-f.begin)])
	f.at, f.begin = f.at+int64(n), f.begin+int64(n)
	if errors.Is(err, io.EOF) {
		if err = nil; f.begin < f.until {
			err = io.ErrUnexpectedEOF
		}
	}
	return n, err
}

func (f *file) Close() error {
	if f.open == nil {
		return nil
	}
	open := f.open
	f.open = nil
	return open.Close()
}
