package video

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// tools are the real ones: make tools installs them.
func tools(t testing.TB) Tools {
	t.Helper()
	found := FindTools()
	if !found.There() {
		t.Fatal(Missing)
	}
	return found
}

// clips are those that were made, by what made them: most tests want the same few.
var clips sync.Map

// clip is a file with ffmpeg's own scenes, by arguments in one line. It is the test's own, and made once for all of them.
func clip(t testing.TB, name, args string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	made, _ := clips.LoadOrStore(args+" "+filepath.Ext(name), sync.OnceValue(func() []byte {
		text, err := os.ReadFile(clipAt(t, path, args))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}))
	if err := os.WriteFile(path, made.(func() []byte)(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func clipAt(t testing.TB, path, args string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), "nice", append([]string{"-n", "10", "ffmpeg", "-v", "error", "-y"}, append(strings.Fields(args), path)...)...)
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v %s", args, err, said)
	}
	return path
}

// Small scenes with a picture and a tone.
const (
	scene = "-f lavfi -i testsrc2=s=320x180:r=15:d=3 -f lavfi -i sine=d=3 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -shortest"
	mute  = "-f lavfi -i testsrc2=s=320x180:r=15:d=2 -c:v libx264 -preset ultrafast -pix_fmt yuv420p"
)

// instead is a program in ffmpeg's place: a script.
func instead(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ffmpeg")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}
