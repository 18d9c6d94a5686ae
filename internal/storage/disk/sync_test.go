package disk

import (
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"greenroom/internal/platform/id"
	"greenroom/internal/platform/safe/safetest"
)

const writes = "DISK_TEST_WRITES_INTO"

// TestMain lets a process of the tests write, while another one watches what it asks of the kernel.
func TestMain(m *testing.M) {
	if into := os.Getenv(writes); into != "" {
		if err := writeAll(Folder{Dir: filepath.Join(into, "objects")}, into); err != nil {
			_, _ = os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
		os.Exit(0)
	}
	safetest.Main(m)
}

// writeAll writes as a whole, in pieces, and by a link. After each it makes a file: what was promised by then must be on the disk.
func writeAll(f Folder, into string) error {
	ctx, content := context.Background(), strings.Repeat("x", 300_000)
	said := func(name string) error { return os.WriteFile(filepath.Join(into, "said-"+name), nil, 0o600) }
	whole, pieces, linked := id.New(), id.New(), id.New()
	_, err := f.Write(ctx, whole, strings.NewReader(content))
	err = errors.Join(err, said("whole-"+whole))
	sum := sha256.New()
	for at := range int64(2) {
		_, _, wrong := f.Append(ctx, pieces, "", at*int64(len(content)), strings.NewReader(content), sum)
		err = errors.Join(err, wrong, said("piece-"+pieces))
	}
	err = errors.Join(err, f.Settle(ctx, pieces, "", 2*int64(len(content))), said("whole-"+pieces))
	return errors.Join(err, f.Link(ctx, linked, whole, int64(len(content))), said("whole-"+linked))
}

// TestWhatIsPromisedIsOnTheDisk watches the calls: a test that reads a file again sees no difference while the machine has power.
func TestWhatIsPromisedIsOnTheDisk(t *testing.T) {
	t.Parallel()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not on this machine")
	}
	into, log := t.TempDir(), filepath.Join(t.TempDir(), "calls")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	watch := exec.CommandContext(t.Context(), strace, "-f", "-y", "-s", "0", "-o", log, "-e", "trace=openat,write,pwrite64,fsync,fdatasync,rename,renameat,renameat2,mkdir,mkdirat,link,linkat", self)
	watch.Env = append(os.Environ(), writes+"="+into)
	if out, err := watch.CombinedOutput(); err != nil {
		if strings.Contains(string(out), "ptrace") || strings.Contains(string(out), "PTRACE") {
			t.Skipf("this machine lets nobody watch: %s", out)
		}
		t.Fatalf("%v: %s", err, out)
	}
	calls, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	promised := 0
	dirty := map[string]bool{} // files and folders whose last change is not on the disk
	for line := range strings.SplitSeq(string(calls), "\n") {
		if strings.Contains(line, " = -1 ") {
			continue
		}
		call, rest, _ := strings.Cut(strings.TrimLeft(line, "0123456789 "), "(")
		switch call {
		case "write", "pwrite64":
			dirty[first(rest, `<([^>]*)>`)] = true
		case "fsync", "fdatasync":
			delete(dirty, first(rest, `<([^>]*)>`))
		case "openat":
			path := first(rest, `"([^"]*)"`)
			if name := filepath.Base(path); strings.HasPrefix(name, "said-") {
				promised++
				for left := range dirty {
					if strings.Contains(left, string(filepath.Separator)+"objects") {
						t.Errorf("%s was promised, and %s is not on the disk", name, strings.TrimPrefix(left, into))
					}
				}
			} else if strings.Contains(rest, "O_CREAT") && strings.Contains(path, "objects") {
				dirty[filepath.Dir(path)] = true // its name
			}
		case "rename", "renameat", "renameat2", "link", "linkat", "mkdir", "mkdirat":
			names := regexp.MustCompile(`"([^"]*)"`).FindAllStringSubmatch(rest, -1)
			if path := names[len(names)-1][1]; strings.Contains(path, "objects") {
				if dirty[names[0][1]] && strings.HasPrefix(call, "rename") {
					t.Errorf("%s got its name before its bytes were on the disk", strings.TrimPrefix(path, into))
				}
				dirty[filepath.Dir(path)] = true
			}
		}
	}
	if promised != 5 {
		t.Errorf("%d promises were seen:\n%s", promised, calls)
	}
}

func first(text, form string) string {
	if found := regexp.MustCompile(form).FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}
