//go:build unix

package db

import "syscall"

// FreeBytes tells how much may still be written into a folder.
func FreeBytes(path string) (int64, error) {
	var about syscall.Statfs_t
	if err := syscall.Statfs(path, &about); err != nil {
		return 0, err
	}
	return int64(about.Bavail) * int64(about.Bsize), nil //nolint:unconvert // of another type elsewhere
}
