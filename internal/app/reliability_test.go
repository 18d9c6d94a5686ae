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

// faultRows is how many faults the catalogue has.
const faultRows = 16

var testName = regexp.MustCompile("`(Test[A-Za-z0-9]+)`")

// TestEveryFaultOfTheCatalogueIsTried holds docs/reliability.md to the tests of the tree, both ways: each row names tests that
// exist, and each test of the long run has a place on the page.
func TestEveryFaultOfTheCatalogueIsTried(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := testsOfTheTree(t)
	named := map[string]bool{}
	for _, found := range testName.FindAllStringSubmatch(string(text), -1) {
		named[found[1]] = true
		if !strings.Contains(tests, "func "+found[1]+"(") {
			t.Errorf("there is no %s", found[1])
		}
	}
	next := 1
	for _, row := range regexp.MustCompile(`(?m)^\| (\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$`).FindAllStringSubmatch(string(text), -1) {
		if row[1] != strconv.Itoa(next) {
			t.Fatalf("after row %d comes %s", next-1, row[1])
		}
		next++
		if !testName.MatchString(row[4]) {
			t.Errorf("row %s names no test", row[1])
		}
		tried, survived := numberAt(row[5]), numberAt(row[6])
		if tried == 0 || survived == 0 || survived > tried {
			t.Errorf("row %s: tried %q, survived %q", row[1], row[5], row[6])
		}
	}
	if next != faultRows+1 {
		t.Errorf("%d rows", next-1)
	}
	for name := range longTests(t) {
		if !named[name] {
			t.Errorf("docs/reliability.md does not name %s", name)
		}
	}
}

// numberAt is the number that a cell begins with.
func numberAt(cell string) int {
	n, _ := strconv.Atoi(strings.ReplaceAll(regexp.MustCompile(`^[\d,]*`).FindString(cell), ",", ""))
	return n
}

// longTests are those that only `make faults` runs.
func longTests(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, folder := range []string{"internal", "cmd"} {
		err := filepath.WalkDir(filepath.Join("../..", folder), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			if strings.HasPrefix(string(text), "//go:build faults") {
				for _, found := range regexp.MustCompile(`(?m)^func (Test\w+)\(t `).FindAllStringSubmatch(string(text), -1) {
					all[found[1]] = true
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(all) < 10 {
		t.Errorf("only %d long tests were found", len(all))
	}
	return all
}
