package db

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"time"
)

// SQLite overwrites what is deleted (secure_delete), but not the copies that it leaves behind when it moves rows from one
// page to another: those lie in the unused space between a page's list of cells and the cells themselves, until
// something is written there. A scrub overwrites that space.

const (
	scrubPages = 64 // in one write
	scrubTime  = 5 * time.Second
)

// Erased notes that a person was deleted: the space between cells is overwritten soon, and before the database closes.
func (d *DB) Erased() { d.unscrubbed.Store(true) }

// scrubOnce scrubs if somebody was erased since the last time.
func (d *DB) scrubOnce(ctx context.Context) error {
	if d.Engine != SQLite || !d.unscrubbed.Swap(false) {
		return nil
	}
	whole, err := d.scrub(ctx)
	if !whole {
		d.unscrubbed.Store(true)
	}
	if err != nil {
		return fmt.Errorf("overwrite what was erased: %w", err)
	}
	return nil
}

// page is a page that has something in its unused space, by its number, and what it held when it was seen.
type page struct {
	number int64
	sum    [sha256.Size]byte
}

// scrub overwrites the unused space of every page that has something there, a few pages at a time. It is not whole when
// a page changed meanwhile.
func (d *DB) scrub(ctx context.Context) (whole bool, err error) {
	var dirty []page
	err = d.Read(ctx, func(ctx context.Context, tx *Tx) error {
		// One statement, so that what a page is and what it holds are of the same moment.
		return Each(ctx, tx, `select p.pgno, p.data from dbstat s join sqlite_dbpage p on p.pgno = s.pageno
			where s.pagetype in ('leaf', 'internal')`, nil, func(scan func(...any) error) error {
			var number int64
			var data []byte
			if err := scan(&number, &data); err != nil {
				return err
			}
			if gap := unused(number, data); len(bytes.Trim(gap, "\x00")) > 0 {
				dirty = append(dirty, page{number, sha256.Sum256(data)})
			}
			return nil
		})
	})
	if err != nil {
		return false, err
	}
	whole = true
	for some := range slices.Chunk(dirty, scrubPages) {
		err := d.Write(ctx, func(ctx context.Context, tx *Tx) error {
			for _, p := range some {
				same, err := p.scrub(ctx, tx)
				if err != nil {
					return err
				}
				whole = whole && same
			}
			return nil
		})
		if err != nil {
			return false, err
		}
	}
	return whole, nil
}

// scrub overwrites one page's unused space. A page that has changed since it was seen may be something else by now, and
// is left for the next time.
func (p page) scrub(ctx context.Context, tx *Tx) (same bool, err error) {
	var data []byte
	err = tx.QueryRow(ctx, "select data from sqlite_dbpage where pgno = $1", p.number).Scan(&data)
	if err != nil || sha256.Sum256(data) != p.sum {
		return false, err
	}
	clear(unused(p.number, data))
	_, err = tx.Exec(ctx, "update sqlite_dbpage set data = $1 where pgno = $2", data, p.number)
	return true, err
}

// unused is the space of a b-tree page that belongs to nothing (section 1.6 of SQLite's file format): it begins after the
// list of cells and ends where the first cell begins.
func unused(number int64, data []byte) []byte {
	header := 0
	if number == 1 {
		header = 100 // the file's own
	}
	if len(data) < header+12 {
		return nil
	}
	size := 8
	switch data[header] {
	case 0x02, 0x05:
		size = 12
	case 0x0a, 0x0d:
	default:
		return nil
	}
	cells := int(binary.BigEndian.Uint16(data[header+3:]))
	begin, end := header+size+2*cells, int(binary.BigEndian.Uint16(data[header+5:]))
	if end == 0 {
		end = 1 << 16
	}
	if begin > end || end > len(data) {
		return nil
	}
	return data[begin:end]
}
