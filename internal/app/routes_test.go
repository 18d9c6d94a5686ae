package app_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"greenroom/internal/app/apptest"
	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// TestRoutesAreDocumented holds docs/routes.md to the declared tables and functions, both ways.
func TestRoutesAreDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/routes.md")
	if err != nil {
		t.Fatal(err)
	}
	var documented, declared []string
	for _, match := range regexp.MustCompile("(?m)^\\| `(/(?:rest|functions)/v1/[a-z_-]+)` \\|").FindAllStringSubmatch(string(text), -1) {
		documented = append(documented, match[1])
	}
	s := apptest.Start(t, dbtest.Location(t, db.SQLite), nil, clock.System{})
	for _, table := range s.Tables() {
		declared = append(declared, "/rest/v1/"+table.Name)
	}
	for _, function := range s.Functions() {
		declared = append(declared, "/functions/v1/"+function.Name)
	}
	slices.Sort(documented)
	slices.Sort(declared)
	if !slices.Equal(documented, declared) {
		t.Errorf("docs/routes.md: %v\nthe code:       %v", documented, declared)
	}
}
