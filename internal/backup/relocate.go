package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"sync"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/safe"
	"greenroom/internal/storage/shelf"
)

// Relocated says what was brought from one place to another.
type Relocated struct {
	// Brought is how many files came there now, There how many are there in all, and Bytes how many bytes those have.
	Brought, There int
	Bytes          int64
	// Missing is how many files have no bytes where they were.
	Missing int
}

// Bounds of a relocation: files on their way at once, and how often it looks for what came meanwhile.
const (
	atOnce     = 4
	mostPasses = 20
)

// Relocate brings the bytes of all stored files, and of what was made of videos, to another place. What is there already is left, so
// that it may end anywhere and be begun again. A server may go on meanwhile: versions never change, what is stored while it runs is
// brought in the next pass, and nothing is taken away where it was. The other place has everything when no server ran since the last
// pass began.
func Relocate(ctx context.Context, d *db.DB, from, to shelf.Shelf, note func(done, all int64)) (r Relocated, err error) {
	lost := map[string]bool{}
	for range mostPasses {
		left, all, err := r.left(ctx, d, to, lost)
		if err != nil || len(left) == 0 {
			return r, err
		}
		if err := r.pass(ctx, from, to, left, lost, func(done int64) { note(all-sum(left)+done, all) }); err != nil {
			return r, err
		}
	}
	return r, fmt.Errorf("files come in faster than they can be brought to %s", to)
}

// left are the files that are not there yet; all is how many bytes those have that will be.
func (r *Relocated) left(ctx context.Context, d *db.DB, to shelf.Shelf, lost map[string]bool) (left []stored, all int64, err error) {
	there := map[string]int64{}
	if err := to.Each(ctx, func(version string, size int64) error { there[version] = size; return nil }); err != nil {
		return nil, 0, err
	}
	rows, err := everyFile(ctx, d)
	r.There, r.Bytes, r.Missing = 0, 0, 0
	for _, one := range rows {
		if size, ok := there[one.version]; ok && size == one.size {
			r.There, r.Bytes = r.There+1, r.Bytes+one.size
		} else if lost[one.version] {
			r.Missing++
			continue
		} else {
			left = append(left, one)
		}
		all += one.size
	}
	return left, all, err
}

// everyFile is every version that a row names.
func everyFile(ctx context.Context, d *db.DB) (all []stored, err error) {
	err = d.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		all = nil
		return db.Each(ctx, tx, "select version, hash, size from storage_objects union all select version, hash, size from video_files order by 1", nil,
			func(scan func(...any) error) error {
				var one stored
				err := scan(&one.version, &one.hash, &one.size)
				all = append(all, one)
				return err
			})
	})
	return all, err
}

func sum(all []stored) (bytes int64) {
	for _, one := range all {
		bytes += one.size
	}
	return bytes
}

// pass brings files, some at a time.
func (r *Relocated) pass(ctx context.Context, from, to shelf.Shelf, left []stored, lost map[string]bool, note func(done int64)) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var mu sync.Mutex
	var workers safe.Group
	next, done := make(chan stored), int64(0)
	for range atOnce {
		workers.Go(func() {
			for one := range next {
				err := carry(ctx, onShelf(from), to, one)
				mu.Lock()
				switch {
				case errors.Is(err, fs.ErrNotExist):
					lost[one.version] = true // or removed by now, which the next pass tells
				case err != nil:
					stop(err)
				default:
					r.Brought++
				}
				done += one.size
				note(done)
				mu.Unlock()
			}
		})
	}
	for _, one := range left {
		select {
		case next <- one:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	workers.Wait()
	return context.Cause(ctx)
}

// Tidy gives what lies in a place and belongs to nobody to the sweeper of the server that is going to use it: files that were removed
// after they had been brought. It forgets where servers kept files until now, which they would take for another instance's. No server
// may run.
func Tidy(ctx context.Context, d *db.DB, in shelf.Shelf) error {
	return errors.Join(leave(ctx, d, in), exec(ctx, d, "delete from storage_places"))
}

// verified is a reader that fails at its end if it gave other bytes than those that were stored.
type verified struct {
	from io.Reader
	sum  hash.Hash
	stored
}

func holdTo(from io.Reader, one stored) io.Reader { return &verified{from, sha256.New(), one} }

func (v *verified) Read(into []byte) (int, error) {
	n, err := v.from.Read(into)
	_, _ = v.sum.Write(into[:n]) // memory does not fail
	if errors.Is(err, io.EOF) && hex.EncodeToString(v.sum.Sum(nil)) != v.hash {
		return n, fmt.Errorf("the file of version %s is not what was stored: its place may be failing", v.version)
	}
	return n, err
}
