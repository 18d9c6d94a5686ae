// Package storage is Supabase Storage's dialect over files of our own: buckets, objects in them by name, links that are
// their own permission.
//
//	POST /storage/v1/object/artwork/lamp.webp
//	 └ routes.go     find the route, ask who is there
//	   └ upload.go   take the body apart, look at its first bytes
//	     └ put.go    a row for the bytes, the bytes on their shelf, then the object in one transaction
//
// The bytes lie by version in a folder (storage/disk) or in S3-compatible storage (storage/cloud), the rest in the database. A version has a row before it has bytes,
// and bytes before an object names it: whatever ends in between leaves no object without bytes, and what it leaves of bytes
// the sweeper takes away by their row (sweep.go). Who may do what is declared in policy.go.
package storage

import (
	"context"
	"log/slog"
	"net/http"
	"path/filepath"
	"sync/atomic"

	"greenroom/internal/audit"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/who"
	"greenroom/internal/storage/cloud"
	"greenroom/internal/storage/disk"
	"greenroom/internal/storage/shelf"
)

// Prefix is where the service answers.
const Prefix = "/storage/v1"

// Bounds of one request. Larger objects come in several (resumable.go). A list of a thousand names is long; other bodies are not.
const (
	mostObject   = 50 << 20
	mostJSON     = 64 << 10
	mostList     = 2 << 20
	mostMetadata = 64 << 10
	mostNames    = 1000
)

// Options are what the service stands on.
type Options struct {
	DB *db.DB
	// Bytes is where the bytes go.
	Bytes shelf.Shelf
	// Secret signs links. It signs nothing else.
	Secret func(ctx context.Context) (string, error)
	// Identify finds the person behind a bearer, or the application behind a key.
	Identify func(r *http.Request) (who.Actor, error)
	// Opens tells whether a lesson is open to somebody and has an object among its files.
	Opens func(ctx context.Context, a who.Actor, lesson, object string) (bool, error)
	// QuotaAll and QuotaUser bound what is stored, in bytes: of everybody, and of one account.
	QuotaAll, QuotaUser int64
	// Secure says that the site is reached by https, also where a proxy speaks it.
	Secure bool
	// Away tells that a request waits for the network and needs no core, until what it gives is called; nil where nobody counts.
	Away func() (back func())
	// Free tells how many bytes the disk still takes; db.FreeBytes when nil.
	Free func(path string) (int64, error)
	Log  *slog.Logger
}

// Service is the storage of an installation.
type Service struct {
	Options
	swept    chan struct{} // asks for a sweep
	signs    atomic.Pointer[[]byte]
	counters counters
	brush    chan struct{} // whoever has it makes a picture
	holds    holds         // uploads that requests here write to
	stretch  int64         // after so many bytes a piece of an upload is acknowledged, in tests; what the shelf says when zero
	going    going         // uploads that come in here
	// refusals wait here to be written into the trail together.
	refusals audit.Pile
	// step is told before each step in the database, for tests that end there; nil otherwise.
	step func(name string) error
}

// Objects is the folder for bytes in a data folder.
func Objects(data string) disk.Folder { return disk.Folder{Dir: filepath.Join(data, "objects")} }

// Open gives the shelf of an installation: where an address says, or in its data folder.
func Open(address, data string) (shelf.Shelf, error) {
	if address == "" {
		return Objects(data), nil
	}
	return cloud.Open(address, filepath.Join(data, "sending"))
}

// New makes the service ready.
func New(o Options) *Service {
	if o.Free == nil {
		o.Free = db.FreeBytes
	}
	if o.Away == nil {
		o.Away = func() func() { return func() {} }
	}
	return &Service{Options: o, swept: make(chan struct{}, 1), brush: make(chan struct{}, 1)}
}

// secret is what signs links. It is asked for when the first link is, and kept: a start has nothing to do with it.
func (s *Service) secret(ctx context.Context) ([]byte, error) {
	if known := s.signs.Load(); known != nil {
		return *known, nil
	}
	text, err := s.Secret(ctx)
	if err != nil {
		return nil, err
	}
	known := []byte(text)
	s.signs.Store(&known)
	return known, nil
}

func (s *Service) at(name string) error {
	if s.step == nil {
		return nil
	}
	return s.step(name)
}

// owner is who an object of this caller's belongs to; the service role's belong to nobody.
func owner(a who.Actor) any {
	if !a.SignedIn() {
		return nil
	}
	return a.UserID
}
