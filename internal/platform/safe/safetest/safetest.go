// Package safetest looks whether tests leave goroutines behind.
package safetest

import (
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// patience is how long goroutines may take to end after the last test.
const patience = time.Minute

// Main runs a package's tests, and fails if goroutines of ours are there after the last of them.
func Main(m *testing.M) { os.Exit(Run(m)) }

// Run is Main for who has something left to do; it gives the exit code.
func Run(m *testing.M) int {
	code := m.Run()
	if code != 0 {
		return code
	}
	left := Left()
	for until := time.Now().Add(patience); len(left) > 0 && time.Now().Before(until); left = Left() {
		time.Sleep(50 * time.Millisecond)
	}
	if len(left) > 0 {
		fmt.Fprintf(os.Stderr, "%d goroutines are left after the tests:\n\n%s\n", len(left), strings.Join(left, "\n\n"))
		return 1
	}
	return 0
}

// Left are the stacks of the goroutines of ours that are there, the caller's aside.
func Left() (stacks []string) {
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	text := make([]byte, 16<<20)
	text = text[:runtime.Stack(text, true)]
	for i, stack := range strings.Split(string(text), "\n\n") {
		// The first is the caller's. A test's cluster of PostgreSQL is waited for as long as the process lives.
		if i > 0 && strings.Contains(stack, "greenroom/") && !strings.Contains(stack, "dbtest.startAndReap") && !strings.Contains(stack, "testing.(*M).") {
			stacks = append(stacks, stack)
		}
	}
	return stacks
}
