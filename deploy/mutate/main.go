// Command mutate asks whether the tests would notice: it changes one thing at a time in the packages where a mistake would
// lose or show something, and runs the tests that come by there. A change that no test notices survives, and is printed.
//
//	go run ./deploy/mutate -for 10m -seed 1
//
// All changes of a package are compiled into one test binary and switched on one by one, so that only running takes time.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// target is a package: the files that are changed, and the tests that may notice.
type target struct{ folder, files, tests string }

var targets = []target{
	{"internal/rest", `^policy\.go$`, "."},
	{"internal/waitlist", ".", "."},
	{"internal/mail", `^store\.go$`, "."},
	{"internal/auth", `^(refresh|caller|shown)\.go$`, "Refresh|Session|Reuse|Security3|SignOut|Clock|Shown|Banned|User"},
	{"internal/learn", ".", "."},
	{"internal/storage", `^(policy|sign|token|object|bucket|name|hold|remove|total)\.go$`, "."},
	{"internal/platform/db", ".", "."},
}

func main() {
	long := flag.Duration("for", 10*time.Minute, "how long it may take in all")
	seed := flag.Uint64("seed", 1, "which changes are tried where there is no time for all")
	only := flag.String("only", ".", "the packages, by a regular expression")
	flag.Parse()
	chosen := slices.DeleteFunc(slices.Clone(targets), func(t target) bool { return !regexp.MustCompile(*only).MatchString(t.folder) })
	killed, tried := 0, 0
	for i, t := range chosen {
		begun := time.Now()
		k, n, err := t.try(*long/time.Duration(len(chosen)-i), rand.New(rand.NewPCG(*seed, 0)))
		if err != nil {
			fmt.Fprintf(os.Stderr, "mutate: %s: %v\n", t.folder, err)
			os.Exit(1)
		}
		killed, tried, *long = killed+k, tried+n, *long-time.Since(begun)
	}
	fmt.Printf("mutate: %d of %d changes were noticed\n", killed, tried)
}

// try changes one package.
func (t target) try(long time.Duration, dice *rand.Rand) (killed, tried int, err error) {
	until := time.Now().Add(long)
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(work)
	all, err := t.prepare(work)
	if err != nil {
		return 0, 0, err
	}
	b := &binary{folder: t.folder, path: filepath.Join(work, "tests")}
	reached, without, err := b.reach(work, regexp.MustCompile(t.tests), time.Now().Add(long/2))
	if err != nil {
		return 0, 0, err
	}
	unreached := len(all)
	all = slices.DeleteFunc(all, func(m mutant) bool { return len(reached[m.id]) == 0 })
	unreached -= len(all)
	found := len(all)
	dice.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var survivors []string
	for _, m := range all {
		if time.Now().After(until) {
			break
		}
		tried++
		if b.notices(m.id, reached[m.id]) {
			killed++
		} else {
			survivors = append(survivors, m.where)
		}
	}
	fmt.Printf("%-22s %4d noticed, %3d survived, of %d that tests come by; they do not come by %d; %d tests had no time\n", t.folder, killed, len(survivors), found, unreached, without)
	for _, where := range slices.Sorted(slices.Values(survivors)) {
		fmt.Println("    survived:", where)
	}
	return killed, tried, nil
}

// prepare writes the changed files and builds the tests with them.
func (t target) prepare(work string) (all []mutant, err error) {
	files, err := filepath.Glob(filepath.Join(t.folder, "*.go"))
	if err != nil {
		return nil, err
	}
	replace := map[string]string{}
	put := func(name, text string) error {
		path, err := filepath.Abs(filepath.Join(t.folder, name))
		if err != nil {
			return err
		}
		replace[path] = filepath.Join(work, name)
		return os.WriteFile(replace[path], []byte(text), 0o600)
	}
	name := ""
	for _, file := range files {
		base := filepath.Base(file)
		if strings.HasSuffix(base, "_test.go") || !regexp.MustCompile(t.files).MatchString(base) || strings.HasSuffix(base, "_windows.go") {
			continue
		}
		text, pack, found, err := change(file, len(all))
		if err != nil {
			return nil, err
		}
		name, all = pack, append(all, found...)
		if err := put(base, text); err != nil {
			return nil, err
		}
	}
	if err := put("zz_mutant.go", "package "+name+helper); err != nil {
		return nil, err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(work, "overlay.json"), overlay, 0o600); err != nil {
		return nil, err
	}
	build := exec.CommandContext(context.Background(), "go", "test", "-c", "-vet=off", "-overlay", filepath.Join(work, "overlay.json"), "-o", filepath.Join(work, "tests"), "./"+t.folder)
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build: %w %s", err, out)
	}
	return all, nil
}

// binary is a package's tests with all changes in them.
type binary struct{ folder, path string }

// passes runs tests, with a change and a file that notes where they come by.
func (b *binary) passes(tests, seen string, id int) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, b.path, "-test.run", tests, "-test.failfast", "-test.timeout", "60s")
	c.Dir, c.Env = b.folder, append(os.Environ(), fmt.Sprintf("MUTANT=%d", id), "MUTANT_SEEN="+seen)
	return c.Run() == nil
}

// reach runs each test by itself and tells which changes it comes by. Those that fail or are not done in time notice nothing.
func (b *binary) reach(work string, which *regexp.Regexp, until time.Time) (reached map[int][]string, without int, err error) {
	c := exec.CommandContext(context.Background(), b.path, "-test.list", ".")
	c.Dir = b.folder
	listed, err := c.Output()
	if err != nil {
		return nil, 0, err
	}
	reached = map[int][]string{}
	var mu sync.Mutex
	var all sync.WaitGroup
	turns := make(chan struct{}, 2)
	for test := range strings.FieldsSeq(string(listed)) {
		if !strings.HasPrefix(test, "Test") || !which.MatchString(test) {
			continue
		}
		all.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			seen := filepath.Join(work, test)
			done := time.Now().Before(until) && b.passes("^"+test+"$/"+first, seen, -1)
			text, _ := os.ReadFile(seen)
			mu.Lock()
			defer mu.Unlock()
			if !done {
				without++
				return
			}
			for line := range strings.FieldsSeq(string(text)) {
				var id int
				_, _ = fmt.Sscan(line, &id)
				reached[id] = append(reached[id], test)
			}
		})
	}
	all.Wait()
	return reached, without, nil
}

// first is the database that is tried first; the other takes longer to start.
const first = "^(sqlite)?"

// notices tells whether one of the tests fails.
func (b *binary) notices(id int, tests []string) bool {
	slices.Sort(tests)
	which := "^(" + strings.Join(tests, "|") + ")$"
	return !b.passes(which+"/"+first, "", id) || !b.passes(which, "", id)
}
