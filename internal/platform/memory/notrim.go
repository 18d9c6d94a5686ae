//go:build !linux || (!amd64 && !arm64)

package memory

func trim() {}
