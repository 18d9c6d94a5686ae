package disk

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"greenroom/internal/storage/shelf"
)

// pieces is how much of an upload is in memory at once; usualStretch after how much of it a piece is on the disk.
const (
	pieces       = 128 << 10
	usualStretch = 64 << 20
)

// Stretch is the same everywhere.
func (f Folder) Stretch(int64) int64 { return usualStretch }

// Append adds to a version that is not whole yet, from a position on, and to the hash of what was there before. What stands
// behind the position goes: nobody was told of it. What arrived is on the disk when it returns, also where the reader broke
// off, whose error is then given back; with any other error nothing was added.
func (f Folder) Append(_ context.Context, version, _ string, at int64, from io.Reader, sum hash.Hash) (int64, string, error) {
	path, err := f.ready(version)
	if err != nil {
		return 0, "", err
	}
	flags := os.O_WRONLY
	if at == 0 {
		flags |= os.O_CREATE
	}
	file, err := os.OpenFile(path+draft, flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		err = shelf.ErrMissing
	}
	if err != nil {
		return 0, "", err
	}
	added, broken, err := add(file, at, from, sum)
	if err == nil {
		err = f.step("sync the file")
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil && at == 0 {
		err = syncFolder(filepath.Dir(path)) // its name must stand after a power cut too
	}
	if err != nil {
		return 0, "", err
	}
	return added, "", broken
}

// add copies. The reader's end is told apart from the disk's.
func add(file *os.File, at int64, from io.Reader, sum hash.Hash) (added int64, broken, err error) {
	about, err := file.Stat()
	switch {
	case err != nil:
	case about.Size() < at:
		err = shelf.ErrMissing
	default:
		err = file.Truncate(at)
	}
	if err != nil {
		return 0, nil, err
	}
	piece := make([]byte, pieces)
	for {
		n, broken := from.Read(piece)
		if n > 0 {
			if _, err := file.WriteAt(piece[:n], at+added); err != nil {
				return 0, nil, err
			}
			_, _ = sum.Write(piece[:n]) // of memory, which does not fail
			added += int64(n)
		}
		if errors.Is(broken, io.EOF) {
			return added, nil, nil
		}
		if broken != nil {
			return added, broken, nil
		}
	}
}

// Settle gives an appended version its name. One that has it already is left.
func (f Folder) Settle(ctx context.Context, version, _ string, size int64) error {
	if !shelf.IsVersion(version) {
		return fmt.Errorf("%q is no version", version)
	}
	if size == 0 && !exists(f.file(version)+draft) && !exists(f.file(version)) { // nothing was ever appended
		if _, _, err := f.Append(ctx, version, "", 0, strings.NewReader(""), sha256.New()); err != nil {
			return err
		}
	}
	if !exists(f.file(version)+draft) && exists(f.file(version)) {
		return syncFolder(filepath.Dir(f.file(version)))
	}
	return f.settle(version)
}

// Head reads the beginning of a version that is not whole yet, or has just become so.
func (f Folder) Head(_ context.Context, version, _ string, bytes int) ([]byte, error) {
	if !shelf.IsVersion(version) {
		return nil, fmt.Errorf("%q is no version", version)
	}
	file, err := os.Open(f.file(version) + draft)
	if errors.Is(err, fs.ErrNotExist) {
		file, err = os.Open(f.file(version))
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = shelf.ErrMissing
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	head := make([]byte, bytes)
	n, err := io.ReadFull(file, head)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return head[:n], err
}
