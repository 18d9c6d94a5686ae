package auth

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestRoutesAreThoseOfThePage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/routes.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		if strings.Contains(line, "| `"+Prefix+"/") {
			listed[strings.TrimSpace(line)] = true
		}
	}
	for _, route := range (&Service{}).Routes() {
		method := route.Method
		if method == "" {
			method = "any"
		}
		line := fmt.Sprintf("| %s | `%s%s` | %s |", method, Prefix, route.Path, route.For)
		if !listed[line] {
			t.Errorf("docs/routes.md lacks: %s", line)
		}
		delete(listed, line)
	}
	for line := range listed {
		t.Errorf("docs/routes.md has too much: %s", line)
	}
}
