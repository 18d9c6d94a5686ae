package s3test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Gateway starts a real server, versitygw, that judges every signature, hash and part as Amazon's does, and gives the address of an empty
// bucket's folder. Where it has not been built ('make faults' does) it gives nothing. The key and the folder have characters that an address and a signature
// write differently.
func Gateway(t testing.TB) string {
	t.Helper()
	binary := built(t, "versitygw-1.8.0")
	if binary == "" {
		return ""
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := free.Addr().String()
	_ = free.Close()
	root, meta := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "bucket"), 0o700); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	server := exec.CommandContext(ctx, binary, "--port", at, "--access", "key", "--secret", "a/b+c=d", "--region", "eu-central-1", "--quiet", "posix", "--sidecar", meta, root)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		_ = server.Wait() // it was killed
	})
	for until := time.Now().Add(time.Minute); ; {
		c, err := net.Dial("tcp", at)
		if err == nil {
			_ = c.Close()
			return fmt.Sprintf("http://key:a%%2Fb+c=d@%s/bucket/a%%20folder+of%%20ours/ü?region=eu-central-1", at)
		}
		if time.Now().After(until) {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// built finds a tool that the Makefile builds.
func built(t testing.TB, name string) string {
	t.Helper()
	at, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; at != filepath.Dir(at); at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			found := filepath.Join(at, "bin", "tools", name)
			if _, err := os.Stat(found); err == nil {
				return found
			}
			return ""
		}
	}
	return ""
}
