//go:build !linux

package metrics

import "errors"

// residentBytes is not told where it would take more than reading a file.
func residentBytes() (float64, error) { return 0, errors.ErrUnsupported }
