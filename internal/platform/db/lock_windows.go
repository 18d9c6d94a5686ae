package db

import (
	"fmt"
	"os"
	"syscall"
)

// fileLock marks a SQLite file as served: while it is open, nobody else can open it. Windows lets go of it when the process
// ends, however it ends.
type fileLock struct{ file *os.File }

func claim(path string) (*fileLock, error) {
	file, err := openAlone(path, syscall.OPEN_ALWAYS)
	if err == syscall.ERROR_ACCESS_DENIED || os.IsNotExist(err) {
		return nil, fmt.Errorf("the data folder is not writable: %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("another greenroom serves this data folder already: stop it first, or set GREENROOM_DATA to another folder")
	}
	return &fileLock{file}, nil
}

func openAlone(path string, how uint32) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, how, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(handle), path), nil
}

// served tells whether a server has claimed the file.
func served(path string) bool {
	file, err := openAlone(path, syscall.OPEN_EXISTING)
	if err != nil {
		return !os.IsNotExist(err)
	}
	_ = file.Close()
	return false
}

func (l *fileLock) release() error { return l.file.Close() }
