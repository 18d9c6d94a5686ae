// Package s3 talks to S3-compatible storage: put, get, list and delete, which is all that backups need. The vendors' own
// libraries bring megabytes for the same four requests.
//
//	bucket, err := s3.Open("https://KEY:SECRET@s3.eu-central-1.amazonaws.com/my-bucket/greenroom?region=eu-central-1")
//
// The address is path-style, which every such storage understands. What is sent is hashed first and the hash is signed, so
// that a file arrives whole or not at all.
package s3

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/safe"
)

// Bucket is a place for files: a bucket, and perhaps a folder in it.
type Bucket struct {
	endpoint            url.URL
	bucket, folder      string
	region, key, secret string
	clock               clock.Clock
	stall               time.Duration // after which a sending that does not go on is cut
	client              *http.Client
}

// Bounds of one request. Storage takes no more than 5 GB in one piece.
const (
	mostBytes  = 5 << 30
	answerTime = time.Minute
	slowest    = 100 << 10 // bytes in a second
	mostPages  = 100
	mostText   = 4 << 20
)

// Open reads the address of a bucket. It asks nothing.
func Open(address string) (*Bucket, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("it cannot be read; a slash in the secret must be written as %2F")
	}
	secret, _ := u.User.Password()
	bucket, folder, _ := strings.Cut(strings.Trim(u.Path, "/"), "/")
	switch {
	case u.Scheme != "https" && u.Scheme != "http" || u.Host == "":
		return nil, errors.New("it must begin with https:// and a host")
	case u.User.Username() == "" || secret == "":
		return nil, errors.New("the key and its secret are missing before the host")
	case bucket == "":
		return nil, errors.New("the bucket is missing after the host")
	}
	region := u.Query().Get("region")
	if region == "" {
		region = "us-east-1"
	}
	if folder != "" {
		folder += "/"
	}
	return &Bucket{
		endpoint: url.URL{Scheme: u.Scheme, Host: u.Host}, bucket: bucket, folder: folder, region: region,
		key: u.User.Username(), secret: secret, clock: clock.System{}, stall: answerTime,
		client: &http.Client{
			Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, ResponseHeaderTimeout: answerTime, TLSHandshakeTimeout: answerTime / 4},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// String names the bucket without its key.
func (b *Bucket) String() string {
	return b.endpoint.String() + "/" + b.bucket + "/" + strings.TrimSuffix(b.folder, "/")
}

// Put stores a file under a name.
func (b *Bucket) Put(ctx context.Context, name, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha256.New()
	size, err := io.Copy(sum, file)
	if err != nil {
		return err
	}
	if size > mostBytes {
		return fmt.Errorf("%s has %d MB: storage takes no more than 5 GB in one piece", path, size>>20)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime+time.Duration(size/slowest)*time.Second)
	defer cancel()
	ctx, cut := context.WithCancelCause(ctx)
	sent := &sending{from: file, stall: b.stall, late: time.AfterFunc(b.stall, safe.Func(slog.Default(), func() { cut(errStalled) }))}
	defer sent.late.Stop()
	answer, err := b.do(ctx, http.MethodPut, b.folder+name, nil, sent, size, hex.EncodeToString(sum.Sum(nil)))
	if errors.Is(context.Cause(ctx), errStalled) {
		err = errStalled
	}
	if err != nil {
		return fmt.Errorf("store %s: %w", name, err)
	}
	return answer.Body.Close()
}

var errStalled = errors.New("nothing more could be sent")

// sending is a file on its way: each piece that is asked for says that the one before has gone.
type sending struct {
	from  io.Reader
	stall time.Duration
	late  *time.Timer
}

func (s *sending) Read(into []byte) (int, error) {
	s.late.Reset(s.stall)
	return s.from.Read(into)
}

// Get copies a stored file to a path where there is none yet.
func (b *Bucket) Get(ctx context.Context, name, path string) error {
	ctx, cancel := context.WithTimeout(ctx, mostBytes/slowest*time.Second)
	defer cancel()
	answer, err := b.do(ctx, http.MethodGet, b.folder+name, nil, nil, 0, empty)
	if err != nil {
		return fmt.Errorf("fetch %s: %w", name, err)
	}
	defer answer.Body.Close()
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(file, answer.Body)
	if err == nil && answer.ContentLength >= 0 && n != answer.ContentLength {
		err = io.ErrUnexpectedEOF
	}
	return errors.Join(err, file.Close())
}

// Delete takes a stored file away.
func (b *Bucket) Delete(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	answer, err := b.do(ctx, http.MethodDelete, b.folder+name, nil, nil, 0, empty)
	if err != nil {
		return fmt.Errorf("delete %s: %w", name, err)
	}
	return answer.Body.Close()
}

// List gives the names of all files in the folder, in their order.
func (b *Bucket) List(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*answerTime)
	defer cancel()
	var names []string
	query := url.Values{"list-type": {"2"}, "prefix": {b.folder}}
	for range mostPages {
		answer, err := b.do(ctx, http.MethodGet, "", query, nil, 0, empty)
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", b, err)
		}
		var page struct {
			Contents              []struct{ Key string }
			IsTruncated           bool
			NextContinuationToken string
		}
		err = xml.NewDecoder(io.LimitReader(answer.Body, mostText)).Decode(&page)
		if err := errors.Join(err, answer.Body.Close()); err != nil {
			return nil, fmt.Errorf("list %s: %w", b, err)
		}
		for _, one := range page.Contents {
			names = append(names, strings.TrimPrefix(one.Key, b.folder))
		}
		if !page.IsTruncated {
			return names, nil
		}
		query.Set("continuation-token", page.NextContinuationToken)
	}
	return nil, fmt.Errorf("list %s: there are too many files in it", b)
}

// do sends one signed request, and makes an error of any answer but success.
func (b *Bucket) do(ctx context.Context, method, name string, query url.Values, body io.Reader, size int64, sum string) (*http.Response, error) {
	at := b.endpoint
	at.Path = "/" + b.bucket
	if name != "" {
		at.Path += "/" + name
	}
	at.RawPath, at.RawQuery = escaped(at.Path), strings.ReplaceAll(query.Encode(), "+", "%20")
	request, err := http.NewRequestWithContext(ctx, method, at.String(), body)
	if err != nil {
		return nil, err
	}
	request.ContentLength = size
	b.sign(request, sum)
	answer, err := b.client.Do(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		defer answer.Body.Close()
		var said struct{ Code, Message string }
		_ = xml.NewDecoder(io.LimitReader(answer.Body, mostText)).Decode(&said) // the status says enough without it
		return nil, fmt.Errorf("%s: %s", answer.Status, strings.TrimSpace(said.Code+" "+said.Message))
	}
	return answer, nil
}
