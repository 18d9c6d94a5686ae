package app_test

import (
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"greenroom/internal/app/apptest"
	"greenroom/internal/catalog"
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

// The addresses beside the pages answer, in an installation as it comes.
func TestDocumentedFilesAnswer(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/routes.md")
	if err != nil {
		t.Fatal(err)
	}
	_, everythingElse, _ := strings.Cut(string(text), "## Everything else")
	s := apptest.Start(t, dbtest.Location(t, db.SQLite), nil, clock.System{})
	courses, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	paths := regexp.MustCompile("(?m)^\\| `(/[^`]+)` \\|").FindAllStringSubmatch(everythingElse, -1)
	for _, match := range paths {
		path := strings.ReplaceAll(match[1], "{id}", courses[0].ID)
		if answer := s.Do(t, "GET", path, "", ""); answer.Status != http.StatusOK {
			t.Errorf("%s: %d", path, answer.Status)
		}
	}
	if len(paths) < 6 {
		t.Errorf("%d addresses", len(paths))
	}
}
