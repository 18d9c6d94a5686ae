//go:build amd64 || arm64

package memory

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"modernc.org/libc"
)

func TestReleaseGivesBackWhatEnginesAllocated(t *testing.T) { //nolint:paralleltest // it measures the process
	tls := libc.NewTLS()
	defer tls.Close()
	before := resident(t)
	all := make([]uintptr, 0, 60_000)
	for range 60_000 {
		p := libc.Xmalloc(tls, 1000)
		libc.Xmemset(tls, p, 1, 1000)
		all = append(all, p)
	}
	full := resident(t)
	for _, p := range all {
		libc.Xfree(tls, p)
	}
	Release()
	if after := resident(t); full-before < 50<<20 || after-before > 2<<20 {
		t.Errorf("%d MB, then %d, and %d after the release", before>>20, full>>20, after>>20)
	}
}

// resident is how much memory of its own the process holds.
func resident(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "RssAnon:")
	kilobytes, err := strconv.Atoi(strings.Fields(after)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}
