//go:build unix

package db

import (
	"fmt"
	"os"
	"syscall"
)

// fileLock marks a SQLite file as served. The kernel lets go of it when the process ends, however it ends.
type fileLock struct{ file *os.File }

func claim(path string) (*fileLock, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the data folder is not writable: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("another greenroom serves this data folder already: stop it first, or set GREENROOM_DATA to another folder")
	}
	return &fileLock{file}, nil
}

// served tells whether a server has claimed the file.
func served(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false // no server has been here yet
	}
	defer file.Close()
	return syscall.Flock(int(file.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) != nil
}

func (l *fileLock) release() error { return l.file.Close() }
