package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A goroutine that nobody guards takes the process with it when it panics. So only platform/safe starts any: no go
// statement, no bare WaitGroup, and no callback of a timer or context that is not made safe.
func TestOnlyPlatformSafeStartsGoroutines(t *testing.T) {
	t.Parallel()
	root := os.DirFS(filepath.Join("..", ".."))
	looked := 0
	for _, folder := range []string{"cmd", "internal"} {
		err := fs.WalkDir(root, folder, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && (strings.HasSuffix(path, "test") || path == "internal/platform/safe"):
				return fs.SkipDir
			case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			looked++
			text, err := fs.ReadFile(root, path)
			if err != nil {
				return err
			}
			for _, line := range unguarded(t, path, text) {
				t.Errorf("%s starts a goroutine that nobody guards; see platform/safe", line)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if looked < 100 {
		t.Errorf("only %d files were looked at", looked)
	}
}

func TestUnguardedGoroutinesAreFound(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]int{
		"go f()":                            1,
		"go func() { f() }()":               1,
		"var all sync.WaitGroup":            1,
		"var all errgroup.Group":            1,
		"time.AfterFunc(1, f)":              1,
		"context.AfterFunc(ctx, x.drop)":    1,
		"context.AfterFunc(ctx, stop)":      0,
		"time.AfterFunc(1, cancel)":         0,
		"time.AfterFunc(1, safe.Func(f))":   0,
		"var all safe.Group; all.Go(f)":     0,
		"safe.Go(log, f); _ = sync.Mutex{}": 0,
	} {
		if found := unguarded(t, "x.go", []byte("package x\nfunc _() {\n"+line+"\n}\n")); len(found) != want {
			t.Errorf("%s: found %v", line, found)
		}
	}
}

func unguarded(t *testing.T, path string, text []byte) (places []string) {
	t.Helper()
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if startsUnguarded(n) {
			places = append(places, files.Position(n.Pos()).String())
		}
		return true
	})
	return places
}

func startsUnguarded(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		return true
	case *ast.SelectorExpr:
		return isNamed(n, "sync", "WaitGroup") || isNamed(n, "errgroup", "Group")
	case *ast.CallExpr:
		if len(n.Args) != 2 || !isNamed(n.Fun, "time", "AfterFunc") && !isNamed(n.Fun, "context", "AfterFunc") {
			return false
		}
		made, ok := n.Args[1].(*ast.CallExpr)
		name, plain := n.Args[1].(*ast.Ident)
		ends := plain && (name.Name == "cancel" || name.Name == "stop") // a context's own end
		return !ends && (!ok || !isNamed(made.Fun, "safe", "Func"))
	}
	return false
}

func isNamed(n ast.Expr, pkg, name string) bool {
	selected, ok := n.(*ast.SelectorExpr)
	if !ok || selected.Sel.Name != name {
		return false
	}
	of, ok := selected.X.(*ast.Ident)
	return ok && of.Name == pkg
}

// Whoever starts goroutines shows that all of them end: its tests look what is left.
func TestPackagesThatStartGoroutinesLookWhatIsLeft(t *testing.T) {
	t.Parallel()
	starts, looks := map[string]bool{}, map[string]bool{}
	begins := regexp.MustCompile(`\bsafe\.(Go|Keep|Group|Func)\b`)
	for _, folder := range []string{"cmd", "internal"} {
		err := filepath.WalkDir(filepath.Join("../..", folder), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") {
				return err
			}
			text, err := os.ReadFile(path)
			isTest := strings.HasSuffix(path, "_test.go")
			starts[filepath.Dir(path)] = starts[filepath.Dir(path)] || !isTest && begins.Match(text)
			looks[filepath.Dir(path)] = looks[filepath.Dir(path)] || isTest && strings.Contains(string(text), "safetest.Main(m)")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for folder, does := range starts {
		if does && !looks[folder] {
			t.Errorf("the tests of %s do not look what is left: see platform/safe/safetest", folder)
		}
	}
}
