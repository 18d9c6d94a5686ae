package disk

import (
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrMissing says that bytes which were stored before are not there.
var ErrMissing = errors.New("the bytes that came before are missing")

// pieces is how much of an upload is in memory at once.
const pieces = 128 << 10

// Append adds to a version that is not whole yet, from a position on, and to the hash of what was there before. What stands
// behind the position goes: nobody was told of it. What arrived is on the disk when it returns, also where the reader broke
// off, whose error is then given back; with any other error nothing was added.
func (f Folder) Append(version string, at int64, from io.Reader, sum hash.Hash) (int64, error) {
	path, err := f.ready(version)
	if err != nil {
		return 0, err
	}
	flags := os.O_WRONLY
	if at == 0 {
		flags |= os.O_CREATE
	}
	file, err := os.OpenFile(path+draft, flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrMissing
	}
	if err != nil {
		return 0, err
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
		return 0, err
	}
	return added, broken
}

// add copies. The reader's end is told apart from the disk's.
func add(file *os.File, at int64, from io.Reader, sum hash.Hash) (added int64, broken, err error) {
	about, err := file.Stat()
	switch {
	case err != nil:
	case about.Size() < at:
		err = ErrMissing
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
func (f Folder) Settle(version string) error {
	if !isVersion(version) {
		return fmt.Errorf("%q is no version", version)
	}
	if !exists(f.file(version)+draft) && exists(f.file(version)) {
		return syncFolder(filepath.Dir(f.file(version)))
	}
	return f.settle(version)
}

// Begun opens a version that is not whole yet, or has just become so.
func (f Folder) Begun(version string) (*os.File, error) {
	if !isVersion(version) {
		return nil, fmt.Errorf("%q is no version", version)
	}
	file, err := os.Open(f.file(version) + draft)
	if errors.Is(err, fs.ErrNotExist) {
		file, err = f.Open(version)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrMissing
	}
	return file, err
}
