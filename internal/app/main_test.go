package app_test

import (
	"testing"

	"greenroom/internal/platform/safe/safetest"
	"greenroom/internal/video"
)

func TestMain(m *testing.M) {
	video.Helper()
	safetest.Main(m)
}
