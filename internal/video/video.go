// Package video makes of an uploaded film what any browser plays well, and shows it to whoever may see it.
//
//	an object in the bucket lessons
//	 └ Add            a video and its job, in one transaction
//	   └ worker.go    takes the job for as long as its lease lasts, on any instance
//	     ├ probe.go       looks, and refuses in a sentence
//	     ├ transcode.go   480 and 720 lines, then 1080; one file each, with ranges (playlist.go)
//	     ├ picture.go     the poster, and small pictures for the time line
//	     └ publish.go     the bytes to the storage's shelf, their rows and the state in one transaction
//	   └ Grant        an address that is its own permission, for four hours and one session
//	     └ deliver.go     checks it again at every request
//
// The tools (ffmpeg, ffprobe) are programs beside ours. They only ever run as a child within limits (child.go), on local
// files. Where they are missing, jobs wait, and an upload plays as it is.
package video

import (
	"context"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/limit"
	"greenroom/internal/platform/who"
	"greenroom/internal/storage"
	"greenroom/internal/storage/shelf"
)

// Options are what the service stands on.
type Options struct {
	DB *db.DB
	// Storage keeps the bytes, of uploads and of what is made of them.
	Storage *storage.Service
	// Limits bound how often an account sends captions; nil bounds nothing.
	Limits *limit.Limits
	// Scratch is a folder for work that is not done.
	Scratch string
	Tools   Tools
	// Off keeps this instance from working; others do.
	Off bool
	// Secret signs grants. It signs nothing else.
	Secret func(ctx context.Context) (string, error)
	// Session finds who is behind a session that lives, or answers ErrNoSession. It is asked at every request, and so should
	// remember.
	Session func(ctx context.Context, user, session string) (who.Actor, error)
	// Allowed tells whether somebody may see a video. It is asked again about once a second while they do.
	Allowed func(ctx context.Context, a who.Actor, video string) (bool, error)
	// Probed is told how long a video is, in the transaction that writes it down; it may be nil.
	Probed func(ctx context.Context, tx *db.Tx, video string, seconds float64) error
	// Free tells how many bytes a disk still takes; db.FreeBytes when nil.
	Free func(path string) (int64, error)
	Log  *slog.Logger
}

// Service prepares videos and shows them.
type Service struct {
	Options
	pace   pace
	kicked chan struct{}
	shown  memory
	told   outlines
	counts counters
	secret sync.Mutex
	signs  []byte
	// step is told before each step of a job, for tests that end there; nil otherwise.
	step func(name string) error
}

// pace is how often and how long the worker does things.
type pace struct {
	poll, lease, renew time.Duration
	again              []time.Duration // the waits after the first failures; after the last it is given up
	sweep              time.Duration
}

var steady = pace{
	poll: 2 * time.Second, lease: time.Minute, renew: 5 * time.Second, sweep: 5 * time.Minute,
	again: []time.Duration{time.Minute, 10 * time.Minute, time.Hour},
}

// Scratch is the folder for work in a data folder.
func Scratch(data string) string { return filepath.Join(data, "scratch") }

// New makes the service ready. Nothing is done before Run.
func New(o Options) *Service {
	if o.Free == nil {
		o.Free = db.FreeBytes
	}
	return &Service{Options: o, pace: steady, kicked: make(chan struct{}, 1), shown: memory{known: map[string]remembered{}}}
}

func (s *Service) bytes() shelf.Shelf { return s.Storage.Bytes }

func (s *Service) at(name string) error {
	if s.step == nil {
		return nil
	}
	return s.step(name)
}

// Kick makes the worker look for jobs now.
func (s *Service) Kick() {
	select {
	case s.kicked <- struct{}{}:
	default: // it was told already
	}
}
