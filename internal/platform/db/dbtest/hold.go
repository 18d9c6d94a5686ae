package dbtest

import (
	"context"
	"os"
	"sync"
	"testing"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
)

// Hold takes the write lock of a SQLite file, as another process does, until the test calls release.
func Hold(t testing.TB, at db.Options) (release func()) {
	t.Helper()
	other := Reopen(t, at, clock.System{})
	held, over, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- other.Write(context.Background(), func(context.Context, *db.Tx) error {
			close(held)
			<-over
			return nil
		})
	}()
	<-held
	return sync.OnceFunc(func() {
		close(over)
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// Damage breaks pages in the middle of a SQLite file that nobody has open.
func Damage(t testing.TB, at db.Options) {
	t.Helper()
	content, err := os.ReadFile(at.Path)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(content) * 3 / 4; i < len(content)*3/4+16<<10; i++ {
		content[i] ^= 0xff
	}
	if err := os.WriteFile(at.Path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
