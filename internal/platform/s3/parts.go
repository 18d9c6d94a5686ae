package s3

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Begin opens a file that comes in parts. Nobody sees it before Complete; each part but the last has the same size, of 5 MiB at
// least, and there are ten thousand at most.
func (b *Bucket) Begin(ctx context.Context, name string) (upload string, err error) {
	answer, err := b.do(ctx, ask{method: http.MethodPost, name: name, query: url.Values{"uploads": {""}}})
	if err != nil {
		return "", fmt.Errorf("begin %s: %w", name, err)
	}
	found, err := read(answer, "InitiateMultipartUploadResult")
	if err == nil && found.UploadID == "" {
		err = fmt.Errorf("begin %s: the storage gave no id", name)
	}
	return found.UploadID, err
}

func part(n int, upload string) url.Values {
	return url.Values{"partNumber": {strconv.Itoa(n)}, "uploadId": {upload}}
}

// Part stores one part, counted from 1, and gives its mark. The same number again takes the place of the one before.
func (b *Bucket) Part(ctx context.Context, name, upload string, n int, body io.ReaderAt, size int64, sum string) (etag string, err error) {
	answer, err := b.do(ctx, ask{method: http.MethodPut, name: name, query: part(n, upload), body: body, size: size, sum: sum})
	if err != nil {
		return "", fmt.Errorf("store part %d of %s: %w", n, name, err)
	}
	return answer.Header.Get("Etag"), answer.Body.Close()
}

// Complete makes the file of its parts, which must be those with these marks.
func (b *Bucket) Complete(ctx context.Context, name, upload string, etags []string) error {
	type one struct {
		PartNumber int
		ETag       string
	}
	var list struct {
		XMLName xml.Name `xml:"CompleteMultipartUpload"`
		Part    []one
	}
	for i, etag := range etags {
		list.Part = append(list.Part, one{i + 1, etag})
	}
	text, err := xml.Marshal(list)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	answer, err := b.do(ctx, ask{
		method: http.MethodPost, name: name, query: url.Values{"uploadId": {upload}}, body: bytes.NewReader(text), size: int64(len(text)),
		sum: hex.EncodeToString(sum[:]), stall: copyTime,
	})
	if err == nil {
		_, err = read(answer, "CompleteMultipartUploadResult")
	}
	if err != nil {
		return fmt.Errorf("complete %s: %w", name, err)
	}
	return nil
}

// Abort gives up a file that came in parts. One that is over already is left.
func (b *Bucket) Abort(ctx context.Context, name, upload string) error {
	answer, err := b.do(ctx, ask{method: http.MethodDelete, name: name, query: url.Values{"uploadId": {upload}}})
	if said, ok := errors.AsType[*Error](err); ok && said.Status == http.StatusNotFound {
		return nil
	}
	if err != nil {
		return fmt.Errorf("give up %s: %w", name, err)
	}
	return answer.Body.Close()
}

// Begun names all files that came in parts and are not complete, whose names begin with a text.
func (b *Bucket) Begun(ctx context.Context, begins string, fn func(name, upload string) error) error {
	query := url.Values{"uploads": {""}, "prefix": {b.folder + begins}}
	for {
		answer, err := b.do(ctx, ask{method: http.MethodGet, query: query})
		if err != nil {
			return fmt.Errorf("list what came in parts to %s: %w", b, err)
		}
		found, err := read(answer, "ListMultipartUploadsResult")
		if err != nil {
			return fmt.Errorf("list what came in parts to %s: %w", b, err)
		}
		for _, one := range found.Upload {
			if err := fn(strings.TrimPrefix(one.Key, b.folder), one.UploadID); err != nil {
				return err
			}
		}
		if !found.IsTruncated {
			return nil
		}
		query.Set("key-marker", found.NextKeyMarker)
		query.Set("upload-id-marker", found.NextUploadIDMarker)
	}
}

// copyParts copies what is too large for one piece.
func (b *Bucket) copyParts(ctx context.Context, name, from string, size int64) (err error) {
	upload, err := b.Begin(ctx, name)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.Abort(context.WithoutCancel(ctx), name, upload))
		}
	}()
	var etags []string
	for at := int64(0); at < size; at += copyPiece {
		header := b.source(from)
		header["X-Amz-Copy-Source-Range"] = fmt.Sprintf("bytes=%d-%d", at, min(at+copyPiece, size)-1)
		answer, err := b.do(ctx, ask{method: http.MethodPut, name: name, query: part(len(etags)+1, upload), header: header, stall: copyTime})
		if err != nil {
			return fmt.Errorf("copy a part of %s: %w", from, err)
		}
		found, err := read(answer, "CopyPartResult")
		if err != nil {
			return err
		}
		etags = append(etags, found.ETag)
	}
	return b.Complete(ctx, name, upload, etags)
}
