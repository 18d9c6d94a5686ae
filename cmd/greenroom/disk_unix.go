//go:build unix

package main

import "syscall"

// freeBytes tells how much may still be written into a folder.
func freeBytes(path string) (int64, error) {
	var about syscall.Statfs_t
	if err := syscall.Statfs(path, &about); err != nil {
		return 0, err
	}
	return int64(about.Bavail) * int64(about.Bsize), nil //nolint:unconvert // of another type elsewhere
}
