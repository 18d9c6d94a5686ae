// Package s3test is S3-compatible storage in memory, for tests. It checks what arrives against its hash, lists two
// files at a time, and takes files in parts (parts.go). A front of ours (front.go) makes it fail.
package s3test

import (
	"bytes"
	"crypto/md5" // it is what such storage does
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Storage is the storage with its one bucket, "bucket".
type Storage struct {
	// URL is the address of the bucket's folder "folder" for s3.Open.
	URL string
	// LeastPart is how many bytes a part has at least that is not the last.
	LeastPart int

	mu      sync.Mutex
	files   map[string][]byte
	begun   map[string]*begun // by the id of the upload
	uploads int
	broken  bool
	full    bool
}

// Start serves an empty bucket until the test ends.
func Start(t testing.TB) *Storage {
	t.Helper()
	s := New()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.URL = Address(server.URL)
	return s
}

// New is an empty bucket that nobody serves yet.
func New() *Storage {
	return &Storage{LeastPart: 5 << 20, files: map[string][]byte{}, begun: map[string]*begun{}}
}

// Address is that of the bucket's folder on a server.
func Address(server string) string {
	return strings.Replace(server, "://", "://key:secret@", 1) + "/bucket/folder"
}

// Break makes every request fail, or work again.
func (s *Storage) Break(broken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = broken
}

// Fill makes the storage take no more files; the rest works.
func (s *Storage) Fill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.full = true
}

// Put lays a file into the bucket.
func (s *Storage) Put(name string, content []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[name] = content
}

// Names are the files in the bucket, in their order.
func (s *Storage) Names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.files))
}

// ServeHTTP answers a request.
func (s *Storage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	sum := sha256.Sum256(body)
	name, inBucket := strings.CutPrefix(r.URL.Path, "/bucket")
	name = strings.TrimPrefix(name, "/")
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err != nil: // it did not come whole
		w.WriteHeader(http.StatusBadRequest)
	case s.broken:
		refuse(w, http.StatusServiceUnavailable, "SlowDown")
	case !inBucket || !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential=key/") || r.Header.Get("X-Amz-Content-Sha256") != hex.EncodeToString(sum[:]):
		w.WriteHeader(http.StatusForbidden)
	case r.Method == http.MethodPut && s.full:
		w.WriteHeader(http.StatusInsufficientStorage)
	case r.URL.Query().Has("uploads") || r.URL.Query().Has("uploadId"):
		s.inParts(w, r, name, body)
	case name == "":
		s.list(w, r)
	default:
		s.one(w, r, name, body)
	}
}

// one answers a request for a file.
func (s *Storage) one(w http.ResponseWriter, r *http.Request, name string, body []byte) {
	content, found := s.files[name]
	switch {
	case r.Method == http.MethodPut && r.Header.Get("X-Amz-Copy-Source") != "":
		source, there := s.source(r)
		if !there {
			refuse(w, http.StatusNotFound, "NoSuchKey")
			return
		}
		s.files[name] = source
		answer(w, struct {
			XMLName xml.Name `xml:"CopyObjectResult"`
			ETag    string
		}{ETag: etag(source)})
	case r.Method == http.MethodPut:
		s.files[name] = body
		w.Header().Set("Etag", etag(body))
	case r.Method == http.MethodDelete:
		delete(s.files, name)
		w.WriteHeader(http.StatusNoContent)
	case !found:
		refuse(w, http.StatusNotFound, "NoSuchKey")
	default:
		w.Header().Set("Etag", etag(content))
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	}
}

// source is what a copy is made of.
func (s *Storage) source(r *http.Request) ([]byte, bool) {
	from, err := url.PathUnescape(r.Header.Get("X-Amz-Copy-Source"))
	content, there := s.files[strings.TrimPrefix(from, "/bucket/")]
	var first, last int
	if n, _ := fmt.Sscanf(r.Header.Get("X-Amz-Copy-Source-Range"), "bytes=%d-%d", &first, &last); n == 2 && there {
		content = content[first : last+1]
	}
	return content, there && err == nil
}

func etag(content []byte) string {
	sum := md5.Sum(content)
	return `"` + hex.EncodeToString(sum[:]) + `"`
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	_, _ = io.WriteString(w, "<Error><Code>"+code+"</Code><Message>In the tests.</Message></Error>")
}

func answer(w http.ResponseWriter, what any) { _ = xml.NewEncoder(w).Encode(what) }

func (s *Storage) list(w http.ResponseWriter, r *http.Request) {
	type object struct {
		Key  string
		Size int
	}
	var answer struct {
		XMLName               xml.Name `xml:"ListBucketResult"`
		Contents              []object
		IsTruncated           bool
		NextContinuationToken string
	}
	q := r.URL.Query()
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		if !strings.HasPrefix(name, q.Get("prefix")) || name <= q.Get("continuation-token") {
			continue
		}
		if len(answer.Contents) == 2 {
			answer.IsTruncated, answer.NextContinuationToken = true, answer.Contents[1].Key
			break
		}
		answer.Contents = append(answer.Contents, object{name, len(s.files[name])})
	}
	_ = xml.NewEncoder(w).Encode(answer)
}
