package db

import (
	"path/filepath"
	"time"

	"greenroom/internal/platform/fault"
)

// LeastRoom is what must be free on the disk of a SQLite file. Below it writes are refused: a full disk would meet the log or
// the file that is mapped into memory in the middle of one, and a checkpoint needs room to give any back.
const LeastRoom = 64 << 20

// roomEvery is how often the writer looks.
const roomEvery = 100 * time.Millisecond

// room is what the writer knows of the disk.
type room struct {
	free   func(path string) (int64, error)
	looked time.Time
	full   bool
}

// check gives an error while there is too little room. A disk that cannot be looked at has enough.
func (r *room) check(path string, now time.Time) error {
	if now.Sub(r.looked) >= roomEvery {
		free, err := r.free(filepath.Dir(path))
		r.looked, r.full = now, err == nil && free < LeastRoom
	}
	if r.full {
		return noRoom()
	}
	return nil
}

func noRoom() *fault.Error {
	e := fault.New(fault.Unavailable, "The server has no room left to store this. Please try again later.")
	e.RetryAfter = 10 * time.Second
	return e
}
