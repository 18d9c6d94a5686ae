package safetest_test

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"greenroom/internal/platform/safe/safetest"
)

func TestMain(m *testing.M) { safetest.Main(m) }

func stays(begun chan<- struct{}, over <-chan struct{}) {
	close(begun)
	<-over
}

func TestAGoroutineThatIsLeftIsSeen(t *testing.T) {
	t.Parallel()
	seen := func() bool {
		return slices.ContainsFunc(safetest.Left(), func(stack string) bool { return strings.Contains(stack, "safetest_test.stays(") })
	}
	begun, over := make(chan struct{}), make(chan struct{})
	go stays(begun, over)
	<-begun
	if !seen() {
		t.Error("it is there, and nobody says so")
	}
	close(over)
	for seen() {
		runtime.Gosched()
	}
}
