package video

import (
	"testing"

	"greenroom/internal/platform/safe/safetest"
)

func TestMain(m *testing.M) {
	Helper()
	safetest.Main(m)
}
