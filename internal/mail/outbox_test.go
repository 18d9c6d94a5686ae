package mail

import (
	"bytes"
	"context"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"greenroom/internal/key"
	"greenroom/internal/platform/db"
)

// hurried is the product's pace, a few hundred times faster.
var hurried = pace{
	poll: 5 * time.Millisecond, lease: time.Minute, grace: 2 * time.Second,
	retry: 5 * time.Millisecond, maxRetry: 20 * time.Millisecond, pause: 5 * time.Millisecond, maxPause: 20 * time.Millisecond,
	attempts: 1000, keep: 30 * 24 * time.Hour, sweep: time.Hour,
}

func newBox(t *testing.T) *key.Box {
	t.Helper()
	box, err := key.OpenBox(filepath.Join(t.TempDir(), "secret"))
	if err != nil {
		t.Fatal(err)
	}
	return box
}

// journal is a log that a test can read while it is written.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

func newOutbox(t *testing.T, d *db.DB, box *key.Box, log *journal) *Outbox {
	t.Helper()
	made, err := New(Options{
		DB: d, Box: box, From: "Greenroom <hello@greenroom.example>", Inbox: "inbox@greenroom.example",
		Support: "support@greenroom.example", Folder: t.TempDir(), SiteURL: "https://greenroom.example",
		Log: slog.New(slog.NewJSONHandler(log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	made.pace = hurried
	return made
}

// work runs a worker until the test ends or stop is called; stop waits for it.
func work(t *testing.T, o *Outbox) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		o.Run(ctx)
		close(ended)
	}()
	stop = func() {
		cancel()
		<-ended
	}
	t.Cleanup(stop)
	return stop
}

func enqueue(t *testing.T, o *Outbox, letters ...Letter) {
	t.Helper()
	err := o.db.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		for _, letter := range letters {
			if err := o.Enqueue(ctx, tx, letter); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// eventually waits for something that another goroutine does.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 1000 {
		if holds() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("never: %s", what)
}

// only is the one letter in the outbox.
func only(t *testing.T, o *Outbox) Entry {
	t.Helper()
	entries, _, err := o.List(t.Context(), Filter{})
	if err != nil || len(entries) != 1 {
		t.Fatalf("%d letters in the outbox, %v", len(entries), err)
	}
	return entries[0]
}

func waitFor(t *testing.T, o *Outbox, state State, n int) {
	t.Helper()
	eventually(t, string(state), func() bool {
		counts, err := o.Count(t.Context())
		return err == nil && counts[state] == n
	})
}
