package catalog_test

import (
	"testing"

	"greenroom/internal/catalog"
	"greenroom/internal/catalog/catalogtest"
	"greenroom/internal/platform/safe/safetest"
)

func TestMain(m *testing.M) {
	catalog.UseGenerated(catalogtest.Courses)
	safetest.Main(m)
}
