package app_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// securityLines is how many lines the list has.
const securityLines = 72

// TestEveryLineOfTheSecurityListIsShown holds docs/security.md to the tests of the tree, both ways.
func TestEveryLineOfTheSecurityListIsShown(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := testsOfTheTree(t)
	next, named := 1, map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| (\d+) \| [^|]+ \| ([^|]*) \|$`).FindAllStringSubmatch(string(text), -1) {
		if row[1] != strconv.Itoa(next) {
			t.Fatalf("after line %d comes %s", next-1, row[1])
		}
		next++
		shown := regexp.MustCompile("`(Test[A-Za-z0-9]+)`|“([^”]+)”").FindAllStringSubmatch(row[2], -1)
		for _, one := range shown {
			named[one[1]] = true
			if name := one[1]; name != "" && !strings.Contains(tests, "func "+name+"(") {
				t.Errorf("line %s: there is no %s", row[1], name)
			}
			if title := one[2]; title != "" && !regexp.MustCompile("test\\('[^'\n]*"+regexp.QuoteMeta(title)+`[^'\n]*\(security `+row[1]+`\)`).MatchString(tests) {
				t.Errorf("line %s: the browser is not asked whether %s", row[1], title)
			}
		}
		if len(shown) == 0 && len(row[2]) < 20 {
			t.Errorf("line %s has neither a test nor a reason", row[1])
		}
	}
	if next != securityLines+1 {
		t.Errorf("%d lines", next-1)
	}
	for _, found := range regexp.MustCompile(`func (TestSecurity\w+)\(`).FindAllStringSubmatch(tests, -1) {
		if !named[found[1]] {
			t.Errorf("docs/security.md does not name %s", found[1])
		}
	}
}

// testsOfTheTree is the text of all tests: those in Go, and those in the browser.
func testsOfTheTree(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, folder := range []string{"internal", "cmd", "e2e"} {
		err := filepath.WalkDir(filepath.Join("../..", folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.Name() == "node_modules" {
				return fs.SkipDir
			}
			if !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, ".spec.ts") {
				return nil
			}
			text, err := os.ReadFile(path)
			all.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}
