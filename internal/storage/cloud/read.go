package cloud

import (
	"context"
	"errors"
	"io"
	"io/fs"
)

// Open reads a version from a byte on. A connection that breaks is taken up again where it broke.
func (b *Bucket) Open(ctx context.Context, version string, begin, length int64) (io.ReadCloser, error) {
	r := &reading{ctx: ctx, from: b, version: version, at: begin, until: begin + length}
	if err := r.connect(); err != nil {
		return nil, said(err)
	}
	return r, nil
}

// breaks is how often a connection may break, one after the other without a byte in between.
const breaks = 3

type reading struct {
	ctx       context.Context //nolint:containedctx // a reader knows no other way
	from      *Bucket
	version   string
	at, until int64
	body      io.ReadCloser
	broke     int
}

func (r *reading) connect() (err error) {
	if r.at == r.until { // nothing is wanted but to know that it is there
		_, err = r.from.at.Stat(r.ctx, r.version)
		r.body = io.NopCloser(eof{})
		return err
	}
	r.body, err = r.from.at.Read(r.ctx, r.version, r.at, r.until-r.at)
	return err
}

type eof struct{}

func (eof) Read([]byte) (int, error) { return 0, io.EOF }

func (r *reading) Read(into []byte) (int, error) {
	for {
		if r.at == r.until {
			return 0, io.EOF
		}
		n, err := r.body.Read(into)
		if n > 0 {
			r.at, r.broke = r.at+int64(n), 0
			return n, nil
		}
		if err == nil {
			continue
		}
		if r.broke++; r.broke == breaks || r.ctx.Err() != nil {
			return 0, said(errors.Join(io.ErrUnexpectedEOF, err))
		}
		_ = r.body.Close()
		if err := r.connect(); err != nil {
			r.body = io.NopCloser(eof{})
			if errors.Is(err, fs.ErrNotExist) {
				return 0, err
			}
			return 0, said(err)
		}
	}
}

func (r *reading) Close() error { return r.body.Close() }
