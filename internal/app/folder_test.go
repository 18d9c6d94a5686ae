package app

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSecurity70TheDataFolderIsClosed(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "data")
	open := map[string]fs.FileMode{"mail": 0o755, "mail/1.eml": 0o644, "greenroom.db": 0o664, "secret": 0o640, "notes.txt": 0o644}
	for _, name := range []string{"", "mail"} {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, mode := range open {
		if name != "mail" {
			if err := os.WriteFile(filepath.Join(folder, name), nil, mode); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(filepath.Join(folder, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := closeFolder(folder); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{"": 0o700, "mail": 0o700, "greenroom.db": 0o600, "secret": 0o600, "notes.txt": 0o644} {
		if about, err := os.Stat(filepath.Join(folder, name)); err != nil || about.Mode().Perm() != want {
			t.Errorf("%q: %v, %v", name, about.Mode(), err)
		}
	}
}

func TestAFolderOfOthersIsLeftAsItIs(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "home")
	if err := os.MkdirAll(filepath.Join(folder, "pictures"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := closeFolder(folder); err == nil || !strings.Contains(err.Error(), "GREENROOM_DATA") {
		t.Errorf("said: %v", err)
	}
	if about, err := os.Stat(folder); err != nil || about.Mode().Perm() != 0o755 {
		t.Errorf("%v, %v", about.Mode(), err)
	}
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := closeFolder(folder); err != nil {
		t.Errorf("a closed folder: %v", err)
	}
	if err := closeFolder(filepath.Join(folder, "none")); err != nil {
		t.Errorf("no folder: %v", err)
	}
}
