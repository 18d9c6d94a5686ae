package s3test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// Trouble is what happens to a request.
type Trouble int

// The troubles that a storage has.
const (
	None  Trouble = iota
	Down          // nobody is there
	Wrong         // it answers 500
	Hang          // it takes the request and says nothing
	Lost          // it does what it is asked, and its answer does not arrive
	Cut           // its answer ends in the middle
)

// Front stands before a storage, and makes trouble.
type Front struct {
	// URL is the address of the bucket's folder.
	URL     string
	storage http.Handler
	trouble atomic.Pointer[func(r *http.Request) Trouble]
	over    chan struct{}
}

// InFront serves a storage with trouble before it until the test ends.
func InFront(t testing.TB, storage http.Handler) *Front {
	t.Helper()
	f := &Front{storage: storage, over: make(chan struct{})}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(f.over) })
	f.URL = Address(server.URL)
	f.Make(None)
	return f
}

// Make makes the same trouble for all requests.
func (f *Front) Make(all Trouble) { f.Choose(func(*http.Request) Trouble { return all }) }

// Choose makes trouble for some requests.
func (f *Front) Choose(fn func(r *http.Request) Trouble) { f.trouble.Store(&fn) }

// ServeHTTP answers a request, or does not.
func (f *Front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch (*f.trouble.Load())(r) {
	case Down:
		panic(http.ErrAbortHandler)
	case Wrong:
		refuse(w, http.StatusInternalServerError, "InternalError")
	case Hang:
		select {
		case <-r.Context().Done():
		case <-f.over:
		}
	case Lost:
		f.storage.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	case Cut:
		answer := httptest.NewRecorder()
		f.storage.ServeHTTP(answer, r)
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes()[:answer.Body.Len()/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	default:
		f.storage.ServeHTTP(w, r)
	}
}
