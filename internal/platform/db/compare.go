package db

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
)

// Compare tells whether two databases hold the same rows, table by table, and how many.
func Compare(ctx context.Context, one, other *DB) (rows int, err error) {
	tables, err := shape(ctx, one, other)
	if err != nil {
		return 0, err
	}
	seed := maphash.MakeSeed()
	sums := func(d *DB) (list []sum, err error) {
		err = d.snapshot(ctx, func(ctx context.Context, tx *Tx) error {
			list = nil
			for _, t := range tables {
				found, err := t.sum(ctx, tx, seed)
				if err != nil {
					return fmt.Errorf("read %s: %w", t.name, err)
				}
				list = append(list, found)
			}
			return nil
		})
		return list, err
	}
	left, err := sums(one)
	if err != nil {
		return 0, err
	}
	right, err := sums(other)
	if err != nil {
		return 0, err
	}
	for i, t := range tables {
		if left[i] != right[i] {
			return 0, fmt.Errorf("the table %s differs: %d rows against %d", t.name, left[i].rows, right[i].rows)
		}
		rows += left[i].rows
	}
	return rows, nil
}

// sum is a table's rows and what their hashes add up to, in whatever order they come.
type sum struct {
	rows int
	hash uint64
}

func (t table) sum(ctx context.Context, tx *Tx, seed maphash.Seed) (all sum, err error) {
	var h maphash.Hash
	h.SetSeed(seed)
	err = t.each(ctx, tx, func(row []any) error {
		h.Reset()
		for _, value := range row {
			addTo(&h, value)
		}
		all.rows++
		all.hash += h.Sum64()
		return nil
	})
	return all, err
}

// addTo adds a value with its length, so that no two rows run into the same bytes. Whole numbers and fractions that are
// equal count as equal: SQLite keeps 4.0 as 4.
func addTo(h *maphash.Hash, value any) {
	var text []byte
	switch v := value.(type) {
	case nil:
		_ = h.WriteByte(0)
		return
	case string:
		text = []byte(v)
	case []byte:
		text = v
	case int64:
		text = binary.BigEndian.AppendUint64(nil, math.Float64bits(float64(v)))
		text = binary.BigEndian.AppendUint64(text, uint64(v))
	case float64:
		text = binary.BigEndian.AppendUint64(nil, math.Float64bits(v))
		text = binary.BigEndian.AppendUint64(text, uint64(int64(v)))
	}
	_, _ = h.Write(binary.BigEndian.AppendUint32([]byte{1}, uint32(len(text))))
	_, _ = h.Write(text)
}
