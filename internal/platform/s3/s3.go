// Package s3 talks to S3-compatible storage: the requests that backups and stored files need. The vendors' own libraries bring
// megabytes for them.
//
//	object.go    put, read, look, copy, delete, list
//	parts.go     what is too large for one piece, or comes in several
//	request.go   one request: signed, watched, and sent again where that may help
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
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"greenroom/internal/platform/clock"
)

// Bucket is a place for files: a bucket, and perhaps a folder in it.
type Bucket struct {
	endpoint            url.URL
	bucket, folder      string
	region, key, secret string
	clock               clock.Clock
	stall, look         time.Duration // after which a request that does not go on is cut: one that sends, and any other
	pause               time.Duration // before one that failed is sent again
	client              *http.Client
}

// Bounds of one request. Storage takes no more than 5 GB in one piece.
const (
	mostBytes  = 5 << 30
	answerTime = time.Minute
	slowest    = 100 << 10 // bytes in a second
	mostPages  = 100
	mostText   = 4 << 20
	idle       = 32 // connections that wait for the next request
)

// Open reads the address of a bucket. It asks nothing.
func Open(address string) (*Bucket, error) {
	if rest, ok := strings.CutPrefix(address, "s3://"); ok {
		address = "https://" + rest
	}
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
		key: u.User.Username(), secret: secret, clock: clock.System{}, stall: answerTime, look: answerTime, pause: usualPause,
		client: &http.Client{
			Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, TLSHandshakeTimeout: answerTime / 4, MaxIdleConnsPerHost: idle, IdleConnTimeout: answerTime},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// Hasty cuts requests sooner that do not go on, where somebody waits for them: those that look, and those that send.
func (b *Bucket) Hasty(look, send time.Duration) *Bucket {
	other := *b
	other.look, other.stall = look, send
	return &other
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
	ctx, cancel := context.WithTimeout(ctx, tries*(answerTime+time.Duration(size/slowest)*time.Second))
	defer cancel()
	_, err = b.Send(ctx, name, file, size, hex.EncodeToString(sum.Sum(nil)))
	return err
}

// Get copies a stored file to a path where there is none yet.
func (b *Bucket) Get(ctx context.Context, name, path string) error {
	ctx, cancel := context.WithTimeout(ctx, mostBytes/slowest*time.Second)
	defer cancel()
	answer, err := b.do(ctx, ask{method: http.MethodGet, name: name})
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

// List gives the names of all files in the folder, in their order.
func (b *Bucket) List(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*answerTime)
	defer cancel()
	var names []string
	err := b.Each(ctx, "", mostPages, func(name string, _ int64) error { names = append(names, name); return nil })
	return names, err
}
