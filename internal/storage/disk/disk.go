// Package disk keeps bytes in a folder, each under the id of its version and never under a name that somebody chose:
//
//	<folder>/<first two digits>/<version>
//
// What is written is there whole and on the disk, or not at all. A version never changes once it is there.
package disk

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"greenroom/internal/platform/id"
)

// Folder is where the bytes are.
type Folder struct {
	Path string
	// Step is told before each step of a write, for tests that make it fail or end there; nil otherwise.
	Step func(name string) error
}

// Wrote says what a write has stored.
type Wrote struct {
	Size int64
	Hash string
}

// draft ends the name of what is not whole yet.
const draft = ".part"

func (f Folder) file(version string) string { return filepath.Join(f.Path, version[:2], version) }

func (f Folder) step(name string) error {
	if f.Step == nil {
		return nil
	}
	return f.Step(name)
}

// Write stores what a reader gives under a new version.
func (f Folder) Write(version string, from io.Reader) (Wrote, error) {
	path, err := f.ready(version)
	if err != nil {
		return Wrote{}, err
	}
	file, err := os.OpenFile(path+draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return Wrote{}, err
	}
	sum := sha256.New()
	size, err := io.Copy(io.MultiWriter(file, sum), from)
	if err == nil {
		err = f.step("sync the file")
	}
	if err == nil {
		err = file.Sync()
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return Wrote{}, err
	}
	return Wrote{size, hex.EncodeToString(sum.Sum(nil))}, f.settle(version)
}

// Link gives the bytes of a version to another one, which costs nothing: neither ever changes.
func (f Folder) Link(version, from string) error {
	path, err := f.ready(version)
	if err != nil {
		return err
	}
	if err := os.Link(f.file(from), path+draft); err == nil {
		return f.settle(version)
	} else if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	source, err := os.Open(f.file(from)) // a disk without links
	if err != nil {
		return err
	}
	defer source.Close()
	_, err = f.Write(version, source)
	return err
}

// ready makes the folder of a version.
func (f Folder) ready(version string) (path string, err error) {
	if !isVersion(version) {
		return "", fmt.Errorf("%q is no version", version)
	}
	if err := f.step("make the folder"); err != nil {
		return "", err
	}
	path = f.file(version)
	if _, err := os.Stat(filepath.Dir(path)); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	return path, errors.Join(syncFolder(f.Path), syncFolder(filepath.Dir(f.Path)))
}

// settle gives a written file its name, so that it stands after a power cut.
func (f Folder) settle(version string) error {
	path := f.file(version)
	if err := f.step("rename"); err != nil {
		return err
	}
	if err := os.Rename(path+draft, path); err != nil {
		return err
	}
	if err := f.step("sync the folder"); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// Open opens a version's bytes.
func (f Folder) Open(version string) (*os.File, error) { return os.Open(f.file(version)) }

// Has tells whether the bytes of a version are there, as far as their number tells.
func (f Folder) Has(version string, size int64) bool {
	about, err := os.Stat(f.file(version))
	return err == nil && about.Size() == size
}

// Remove takes a version away, whole or begun. One that is not there is away already.
func (f Folder) Remove(version string) error {
	if !isVersion(version) {
		return fmt.Errorf("%q is no version", version)
	}
	for _, path := range []string{f.file(version) + draft, f.file(version)} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Each names every version in the folder, whole or begun, once.
func (f Folder) Each(fn func(version string) error) error {
	err := filepath.WalkDir(f.Path, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		version := strings.TrimSuffix(entry.Name(), draft)
		if !isVersion(version) || path == f.file(version)+draft && exists(f.file(version)) {
			return nil
		}
		return fn(version)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing was ever stored
	}
	return err
}

// place is the name of the file that tells one folder from another, whoever mounts it.
const place = "place"

// Place is the folder's id, made when it is first asked for.
func (f Folder) Place() (string, error) {
	path := filepath.Join(f.Path, place)
	if text, err := os.ReadFile(path); err == nil {
		if found, ok := id.Parse(strings.TrimSpace(string(text))); ok {
			return found, nil
		}
	}
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return "", err
	}
	name := id.New()
	return name, os.WriteFile(path, []byte(name+"\n"), 0o600)
}

func isVersion(text string) bool {
	parsed, ok := id.Parse(text)
	return ok && parsed == text
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
