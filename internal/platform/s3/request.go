package s3

import (
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"greenroom/internal/platform/safe"
)

// How often a request is sent that the storage could not answer just now, and how long it waits before the second time; then
// twice as long, and so on.
const (
	tries      = 3
	usualPause = 200 * time.Millisecond
)

// ask is one request.
type ask struct {
	method, name string // the name is below the folder; none is the bucket itself
	query        url.Values
	header       map[string]string
	body         io.ReaderAt // nil where there is none
	size         int64
	sum          string        // the hash of the body
	stall        time.Duration // after which it is cut; the bucket's own when zero
}

// Error is a refusal of the storage.
type Error struct {
	Status        int
	Code, Message string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%d %s: %s", e.Status, http.StatusText(e.Status), strings.TrimSpace(e.Code+" "+e.Message))
}

// Is tells that there is no such file. A bucket that is missing is another matter.
func (e *Error) Is(target error) bool {
	return target == fs.ErrNotExist && e.Status == http.StatusNotFound && e.Code != "NoSuchBucket"
}

// passing tells whether a failure may be over the next time.
func passing(err error) bool {
	if said, ok := errors.AsType[*Error](err); ok {
		return said.Status >= 500 || said.Status == http.StatusTooManyRequests || said.Status == http.StatusRequestTimeout
	}
	return !errors.Is(err, errStalled) // which took its time already; the network's other failures are quick
}

// do sends a request, more than once where it may help, and makes an error of any answer but success.
func (b *Bucket) do(ctx context.Context, a ask) (answer *http.Response, err error) {
	pause := b.pause
	for try := 1; ; try++ {
		if answer, err = b.once(ctx, a); err == nil || try == tries || !passing(err) || ctx.Err() != nil {
			return answer, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(pause):
		}
		pause *= 2
	}
}

// once sends a request and watches it.
func (b *Bucket) once(ctx context.Context, a ask) (*http.Response, error) {
	request, err := b.request(ctx, a)
	if err != nil {
		return nil, err
	}
	ctx, cut := context.WithCancelCause(ctx)
	w := &watch{stall: cmp.Or(a.stall, b.look)}
	if a.size > 0 {
		w.stall = max(a.stall, b.stall)
	}
	w.late = time.AfterFunc(w.stall, safe.Func(slog.Default(), func() { cut(errStalled) }))
	if a.size > 0 {
		request.Body = io.NopCloser(&sending{io.NewSectionReader(a.body, 0, a.size), w})
	}
	answer, err := b.client.Do(request.WithContext(ctx))
	w.late.Stop()
	if err != nil {
		if errors.Is(context.Cause(ctx), errStalled) {
			err = errStalled
		}
		cut(nil)
		return nil, err
	}
	answer.Body = &receiving{answer.Body, w, cut}
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		defer answer.Body.Close()
		said := &Error{Status: answer.StatusCode}
		_ = xml.NewDecoder(io.LimitReader(answer.Body, mostText)).Decode(said) // the status says enough without it
		return nil, said
	}
	return answer, nil
}

func (b *Bucket) request(ctx context.Context, a ask) (*http.Request, error) {
	at := b.endpoint
	at.Path = "/" + b.bucket
	if a.name != "" {
		at.Path += "/" + b.folder + a.name
	}
	at.RawPath, at.RawQuery = escaped(at.Path), strings.ReplaceAll(a.query.Encode(), "+", "%20")
	request, err := http.NewRequestWithContext(ctx, a.method, at.String(), nil)
	if err != nil {
		return nil, err
	}
	for name, value := range a.header {
		request.Header.Set(name, value)
	}
	request.ContentLength = a.size
	b.sign(request, cmp.Or(a.sum, empty))
	return request, nil
}

var errStalled = errors.New("nothing more could be sent, or came")

// watch cuts a request that does not go on.
type watch struct {
	stall time.Duration
	late  *time.Timer
}

// sending is a body on its way: each piece that is asked for says that the one before has gone.
type sending struct {
	from io.Reader
	*watch
}

func (s *sending) Read(into []byte) (int, error) {
	s.late.Reset(s.stall)
	return s.from.Read(into)
}

// receiving is an answer on its way. Whoever reads it may take their time in between.
type receiving struct {
	io.ReadCloser
	*watch
	cut context.CancelCauseFunc
}

func (r *receiving) Read(into []byte) (int, error) {
	r.late.Reset(r.stall)
	n, err := r.ReadCloser.Read(into)
	r.late.Stop()
	return n, err
}

func (r *receiving) Close() error {
	r.late.Stop()
	err := r.ReadCloser.Close()
	r.cut(nil)
	return err
}
