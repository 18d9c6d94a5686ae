package db

import (
	"bytes"
	"context"
	"crypto/sha256"
	"path/filepath"
	"testing"
)

// TestAPageThatChangedIsLeftToTheNextScrub: what was seen as unused space may hold a row by now.
func TestAPageThatChangedIsLeftToTheNextScrub(t *testing.T) {
	t.Parallel()
	d, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "greenroom.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	err = d.Write(t.Context(), func(ctx context.Context, tx *Tx) error {
		if _, err := tx.Exec(ctx, "create table notes (body text)"); err != nil {
			return err
		}
		look := func() (data []byte, err error) {
			err = tx.QueryRow(ctx, "select data from sqlite_dbpage where pgno = 2").Scan(&data)
			return bytes.Clone(data), err
		}
		dirty, err := look()
		if err != nil {
			return err
		}
		copy(unused(2, dirty), "a copy of a row")
		if _, err := tx.Exec(ctx, "update sqlite_dbpage set data = $1 where pgno = 2", dirty); err != nil {
			return err
		}
		for _, seen := range []struct {
			sum  [sha256.Size]byte
			same bool
		}{{sha256.Sum256(nil), false}, {sha256.Sum256(dirty), true}} {
			same, err := page{2, seen.sum}.scrub(ctx, tx)
			if err != nil {
				return err
			}
			after, err := look()
			if err != nil {
				return err
			}
			if same != seen.same || bytes.Equal(after, dirty) == seen.same || bytes.Contains(after, []byte("a copy")) == seen.same {
				t.Errorf("taken for the same: %v, want %v; page: %q", same, seen.same, bytes.Trim(after, "\x00"))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
