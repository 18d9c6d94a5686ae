package catalog_test

import (
	"os"
	"testing"

	"greenroom/internal/catalog"
	"greenroom/internal/catalog/catalogtest"
)

func TestMain(m *testing.M) {
	catalog.UseGenerated(catalogtest.Courses)
	os.Exit(m.Run())
}
