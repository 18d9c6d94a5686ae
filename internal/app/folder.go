package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// ours are the names that we give to what we keep in the data folder, and how open each may be.
var ours = map[string]fs.FileMode{
	"greenroom.db": 0o600, "greenroom.db-wal": 0o600, "greenroom.db-shm": 0o600, "greenroom.db.lock": 0o600,
	"secret": 0o600, "mail": 0o700, "objects": 0o700,
}

// closeFolder makes the data folder and what we keep there ours alone. The error says why it could not.
func closeFolder(path string) error {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // whoever needs it makes it, closed
	}
	if err != nil {
		return fmt.Errorf("the data folder cannot be read: %w", err)
	}
	known := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return ours[e.Name()] != 0 })
	if len(entries) > 0 && !known {
		// It may be /tmp or somebody's home: closing that would break what does not belong to us.
		return onlyIfOpen(path, errors.New("it holds things that are not ours; give GREENROOM_DATA a folder of its own"))
	}
	err = tighten(path, 0o700)
	for _, e := range entries {
		if most, ok := ours[e.Name()]; ok {
			err = errors.Join(err, tighten(filepath.Join(path, e.Name()), most))
		}
	}
	return err
}

// tighten takes away what a mode has too much.
func tighten(path string, most fs.FileMode) error {
	about, err := os.Lstat(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // SQLite takes its side files away when the last one leaves
		}
		return err
	}
	if about.Mode()&fs.ModeSymlink != 0 || about.Mode().Perm()&^most == 0 {
		return nil
	}
	if err := os.Chmod(path, about.Mode().Perm()&most); err != nil {
		return onlyIfOpen(path, err)
	}
	return nil
}

func onlyIfOpen(path string, why error) error {
	about, err := os.Stat(path)
	if err == nil && about.Mode().Perm()&0o077 == 0 {
		return nil
	}
	return fmt.Errorf("others on this machine can open %s, and that was not changed: %w", path, why)
}
