package storage

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// TestRoutesAreDocumented holds docs/routes.md to the code, both ways.
func TestRoutesAreDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/routes.md")
	if err != nil {
		t.Fatal(err)
	}
	var documented, declared []string
	for _, row := range regexp.MustCompile("(?m)^\\| ([A-Z]+) \\| `/storage/v1(/[^`]+)` \\| (.+) \\|$").FindAllStringSubmatch(string(text), -1) {
		documented = append(documented, row[1]+" "+row[2]+" "+row[3])
	}
	for _, route := range Routes() {
		declared = append(declared, route.Method+" "+route.Path+" "+string(route.For))
	}
	if !slices.Equal(documented, declared) {
		t.Errorf("docs/routes.md: %q\nthe code:       %q", documented, declared)
	}
}
