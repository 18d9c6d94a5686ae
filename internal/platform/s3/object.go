package s3

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Send stores so many bytes under a name, and gives the mark (ETag) by which the storage knows them. They are whole there, or
// nothing is.
func (b *Bucket) Send(ctx context.Context, name string, body io.ReaderAt, size int64, sum string) (etag string, err error) {
	answer, err := b.do(ctx, ask{method: http.MethodPut, name: name, body: body, size: size, sum: sum})
	if err != nil {
		return "", fmt.Errorf("store %s: %w", name, err)
	}
	return answer.Header.Get("Etag"), answer.Body.Close()
}

// Read gives so many bytes of a file, from one on, or all of them where none are said. No such file is fs.ErrNotExist.
func (b *Bucket) Read(ctx context.Context, name string, begin, length int64) (io.ReadCloser, error) {
	header := map[string]string{}
	if length > 0 {
		header["Range"] = fmt.Sprintf("bytes=%d-%d", begin, begin+length-1)
	}
	answer, err := b.do(ctx, ask{method: http.MethodGet, name: name, header: header})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if length > 0 && begin > 0 && answer.StatusCode != http.StatusPartialContent {
		return nil, errors.Join(fmt.Errorf("read %s: the storage does not know ranges", name), answer.Body.Close())
	}
	return answer.Body, nil
}

// Stat tells how many bytes a file has. No such file is fs.ErrNotExist.
func (b *Bucket) Stat(ctx context.Context, name string) (size int64, err error) {
	answer, err := b.do(ctx, ask{method: http.MethodHead, name: name})
	if err != nil {
		return 0, fmt.Errorf("look at %s: %w", name, err)
	}
	return answer.ContentLength, answer.Body.Close()
}

// Delete takes a stored file away. One that is not there is away already.
func (b *Bucket) Delete(ctx context.Context, name string) error {
	answer, err := b.do(ctx, ask{method: http.MethodDelete, name: name})
	if err != nil {
		return fmt.Errorf("delete %s: %w", name, err)
	}
	return answer.Body.Close()
}

// Copies are made within the storage, which takes its time.
const (
	copyTime  = 10 * time.Minute
	copyPiece = 1 << 30
)

// Copy gives a file of so many bytes another name as well.
func (b *Bucket) Copy(ctx context.Context, name, from string, size int64) error {
	if size > copyPiece {
		return b.copyParts(ctx, name, from, size)
	}
	answer, err := b.do(ctx, ask{method: http.MethodPut, name: name, header: b.source(from), stall: copyTime})
	if err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	_, err = read(answer, "CopyObjectResult")
	return err
}

func (b *Bucket) source(from string) map[string]string {
	return map[string]string{"X-Amz-Copy-Source": escaped("/" + b.bucket + "/" + b.folder + from)}
}

// said is what answers in XML tell.
type said struct {
	XMLName       xml.Name
	Code, Message string
	UploadID      string `xml:"UploadId"`
	ETag          string
	Contents      []struct {
		Key  string
		Size int64
	}
	Upload []struct {
		Key      string
		UploadID string `xml:"UploadId"`
	}
	IsTruncated                       bool
	NextContinuationToken             string
	NextKeyMarker, NextUploadIDMarker string
}

// read takes an answer of one kind. An error may come in an answer that began as a success.
func read(answer *http.Response, kind string) (found said, err error) {
	err = xml.NewDecoder(io.LimitReader(answer.Body, mostText)).Decode(&found)
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		return found, err
	}
	if found.XMLName.Local != kind {
		return found, &Error{Status: http.StatusInternalServerError, Code: found.Code, Message: found.Message}
	}
	return found, nil
}

// Each names all files whose names begin with a text, in their order, with how many bytes they have. More pages than so many are
// refused; 0 takes them all.
func (b *Bucket) Each(ctx context.Context, begins string, pages int, fn func(name string, size int64) error) error {
	query := url.Values{"list-type": {"2"}, "prefix": {b.folder + begins}}
	for page := 1; ; page++ {
		if pages > 0 && page > pages {
			return fmt.Errorf("list %s: there are too many files in it", b)
		}
		answer, err := b.do(ctx, ask{method: http.MethodGet, query: query})
		if err != nil {
			return fmt.Errorf("list %s: %w", b, err)
		}
		found, err := read(answer, "ListBucketResult")
		if err != nil {
			return fmt.Errorf("list %s: %w", b, err)
		}
		for _, one := range found.Contents {
			if err := fn(strings.TrimPrefix(one.Key, b.folder), one.Size); err != nil {
				return err
			}
		}
		if !found.IsTruncated {
			return nil
		}
		query.Set("continuation-token", found.NextContinuationToken)
	}
}
