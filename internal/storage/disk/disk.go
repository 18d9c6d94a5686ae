// Package disk keeps bytes in a folder, each under the id of its version and never under a name that somebody chose:
//
//	<folder>/<first two digits>/<version>
//
// What is written is there whole and on the disk, or not at all. A version never changes once it is there.
// It is the shelf of an installation with one folder (storage/shelf says what each of its functions promises).
package disk

import (
	"context"
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
	"greenroom/internal/storage/shelf"
)

// Folder is where the bytes are.
type Folder struct {
	Dir string
	// Step is told before each step of a write, for tests that make it fail or end there; nil otherwise.
	Step func(name string) error
}

// draft ends the name of what is not whole yet.
const draft = ".part"

func (f Folder) file(version string) string { return filepath.Join(f.Dir, version[:2], version) }

func (f Folder) step(name string) error {
	if f.Step == nil {
		return nil
	}
	return f.Step(name)
}

// Write stores what a reader gives under a new version.
func (f Folder) Write(_ context.Context, version string, from io.Reader) (shelf.Wrote, error) {
	path, err := f.ready(version)
	if err != nil {
		return shelf.Wrote{}, err
	}
	file, err := os.OpenFile(path+draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return shelf.Wrote{}, err
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
		return shelf.Wrote{}, err
	}
	return shelf.Wrote{Size: size, Hash: hex.EncodeToString(sum.Sum(nil))}, f.settle(version)
}

// Link gives the bytes of a version to another one, which costs nothing: neither ever changes.
func (f Folder) Link(ctx context.Context, version, from string, _ int64) error {
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
	_, err = f.Write(ctx, version, source)
	return err
}

// ready makes the folder of a version.
func (f Folder) ready(version string) (path string, err error) {
	if !shelf.IsVersion(version) {
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
	return path, errors.Join(syncFolder(f.Dir), syncFolder(filepath.Dir(f.Dir)))
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

// Open opens a version's bytes, from one on. It is a file, which the kernel can send.
func (f Folder) Open(_ context.Context, version string, begin, _ int64) (io.ReadCloser, error) {
	file, err := os.Open(f.file(version))
	if err != nil {
		return nil, err
	}
	if _, err := file.Seek(begin, io.SeekStart); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Has tells whether the bytes of a version are there, as far as their number tells.
func (f Folder) Has(_ context.Context, version string, size int64) (bool, error) {
	about, err := os.Stat(f.file(version))
	return err == nil && about.Size() == size, nil
}

// Path is the folder, or the file of a version.
func (f Folder) Path(version string) string {
	if version == "" {
		return f.Dir
	}
	return f.file(version)
}

func (f Folder) String() string { return f.Dir }

// Check writes something, and takes it away.
func (f Folder) Check(ctx context.Context) error {
	version := id.New()
	_, err := f.Write(ctx, version, strings.NewReader("doctor"))
	return errors.Join(err, f.Remove(ctx, version))
}

// Remove takes a version away, whole or begun. One that is not there is away already.
func (f Folder) Remove(_ context.Context, version string) error {
	if !shelf.IsVersion(version) {
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
func (f Folder) Each(_ context.Context, fn func(version string, size int64) error) error {
	err := filepath.WalkDir(f.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		version := strings.TrimSuffix(entry.Name(), draft)
		if !shelf.IsVersion(version) || path == f.file(version)+draft && exists(f.file(version)) {
			return nil
		}
		about, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it went meanwhile
		}
		if err != nil {
			return err
		}
		return fn(version, about.Size())
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing was ever stored
	}
	return err
}

// place is the name of the file that tells one folder from another, whoever mounts it.
const place = "place"

// Place is the folder's id, made when it is first asked for.
func (f Folder) Place(context.Context) (string, error) {
	path := filepath.Join(f.Dir, place)
	if text, err := os.ReadFile(path); err == nil {
		if found, ok := id.Parse(strings.TrimSpace(string(text))); ok {
			return found, nil
		}
	}
	if err := os.MkdirAll(f.Dir, 0o700); err != nil {
		return "", err
	}
	name := id.New()
	return name, os.WriteFile(path, []byte(name+"\n"), 0o600)
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
