//go:build faults

package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// members are the files of an archive.
func members(t *testing.T, archive string) (names []string) {
	t.Helper()
	file, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	for from := tar.NewReader(unpacked); ; {
		about, err := from.Next()
		if errors.Is(err, io.EOF) {
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		if about.Uid != 0 || about.Uname != "" || about.ModTime.Unix() != 0 {
			t.Errorf("%s tells who made it, or when: %+v", about.Name, about)
		}
		names = append(names, about.Name)
	}
}

// Two releases of the same source, made in different folders, are the same bytes. One system stands for all.
func TestTwoReleasesAreTheSameBytes(t *testing.T) {
	t.Parallel()
	var sums []string
	for range 2 {
		copied := filepath.Join(t.TempDir(), "source")
		for _, command := range [][]string{
			{"mkdir", "-p", copied},
			{"cp", "-r", "../../cmd", "../../internal", "../../migrations", "../../deploy", "../../docs", "../../go.mod", "../../go.sum", "../../README.md", "../../CONTRIBUTING.md", copied},
			{"mkdir", "-p", copied + "/web"},
			{"bash", "-c", "cp -r ../../web/dist ../../web/*.go " + copied + "/web/"},
			{"env", "VERSION=1.2.3", copied + "/deploy/release", "linux/amd64"},
		} {
			if out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %v\n%s", command, err, out)
			}
		}
		text, err := os.ReadFile(copied + "/bin/release/SHA256SUMS")
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, string(text))
		names := strings.Join(members(t, copied+"/bin/release/greenroom-1.2.3-linux-amd64.tar.gz"), " ")
		wanted := []string{"/greenroom ", "/README.md", "/NOTICES.md", "/deploy/greenroom.service"}
		for _, link := range regexp.MustCompile(`\]\(([^):]+)\)`).FindAllStringSubmatch(read(t, "README.md"), -1) {
			wanted = append(wanted, "greenroom-1.2.3-linux-amd64/"+link[1])
		}
		for _, want := range wanted {
			if !strings.Contains(names+" ", want) {
				t.Errorf("there is no %s in %s", want, names)
			}
		}
	}
	if sums[0] != sums[1] || !strings.Contains(sums[0], "  greenroom-1.2.3-linux-amd64.tar.gz") {
		t.Errorf("%q", sums)
	}
}

// Every system that a release is made for compiles.
func TestOtherSystemsCompile(t *testing.T) {
	t.Parallel()
	for _, system := range []string{"linux/arm64", "darwin/arm64", "windows/amd64"} {
		goos, goarch, _ := strings.Cut(system, "/")
		c := exec.CommandContext(t.Context(), "go", "build", "-o", os.DevNull, "./cmd/greenroom")
		c.Dir, c.Env = "../..", append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", system, err, out)
		}
	}
}
