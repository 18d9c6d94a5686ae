package visitor_test

import (
	"testing"

	"greenroom/internal/platform/safe/safetest"
)

func TestMain(m *testing.M) { safetest.Main(m) }
