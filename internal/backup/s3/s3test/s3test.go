// Package s3test is S3-compatible storage in memory, for tests. It checks what arrives against its hash, and lists two
// files at a time.
package s3test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Storage is the storage with its one bucket, "bucket".
type Storage struct {
	// URL is the address of the bucket's folder "folder" for s3.Open.
	URL string

	mu     sync.Mutex
	files  map[string][]byte
	broken bool
	full   bool
}

// Start serves an empty bucket until the test ends.
func Start(t testing.TB) *Storage {
	t.Helper()
	s := &Storage{files: map[string][]byte{}}
	server := httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(server.Close)
	s.URL = strings.Replace(server.URL, "://", "://key:secret@", 1) + "/bucket/folder"
	return s
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

func (s *Storage) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	sum := sha256.Sum256(body)
	name, inBucket := strings.CutPrefix(r.URL.Path, "/bucket")
	name = strings.TrimPrefix(name, "/")
	s.mu.Lock()
	defer s.mu.Unlock()
	content, found := s.files[name]
	switch {
	case s.broken:
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, "<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>")
	case !inBucket || !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential=key/") || r.Header.Get("X-Amz-Content-Sha256") != hex.EncodeToString(sum[:]):
		w.WriteHeader(http.StatusForbidden)
	case r.Method == http.MethodPut && s.full:
		w.WriteHeader(http.StatusInsufficientStorage)
	case r.Method == http.MethodPut:
		s.files[name] = body
	case r.Method == http.MethodDelete:
		delete(s.files, name)
		w.WriteHeader(http.StatusNoContent)
	case name == "":
		s.list(w, r)
	case !found:
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, "<Error><Code>NoSuchKey</Code></Error>")
	default:
		_, _ = w.Write(content)
	}
}

func (s *Storage) list(w http.ResponseWriter, r *http.Request) {
	type object struct{ Key string }
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
		answer.Contents = append(answer.Contents, object{name})
	}
	_ = xml.NewEncoder(w).Encode(answer)
}
