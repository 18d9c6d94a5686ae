package backup

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"greenroom/internal/platform/db"
	"greenroom/internal/storage/shelf"
)

// Place is where an installation keeps what a backup is about: its rows, and the bytes of stored files.
type Place struct {
	DB      db.Options
	Objects shelf.Shelf
}

// The bytes of stored files stand in a table of the backup's own, in parts that fit into memory. So a backup stays one file,
// which is sent, fetched and kept as before.
const (
	makeBytes = "create table storage_bytes (version text not null, part integer not null, bytes blob not null, primary key (version, part)) strict"
	partBytes = 1 << 20
)

// stored is an object as far as its bytes are concerned.
type stored struct {
	version, hash string
	size          int64
}

func objectsOf(ctx context.Context, d *db.DB) (all []stored, err error) {
	err = d.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		all = nil
		return db.Each(ctx, tx, "select version, hash, size from storage_objects order by version", nil, func(scan func(...any) error) error {
			var one stored
			err := scan(&one.version, &one.hash, &one.size)
			all = append(all, one)
			return err
		})
	})
	return all, err
}

// pack puts the bytes of all objects that a draft names into it. Bytes that are not there are counted: a backup without them
// is better than none, and whoever makes it says so. What lies in storage elsewhere stays there: it may be a thousand times as
// much, and a backup would fetch all of it every day.
func (m *Made) pack(ctx context.Context, path string, from shelf.Shelf) (err error) {
	d, err := db.Open(ctx, db.Options{Path: path, Bulk: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }() //nolint:contextcheck // it is closed though the caller was interrupted
	if there, err := hasTable(ctx, d, "storage_objects"); err != nil || !there {
		return err // of a version that stored no files
	}
	all, err := objectsOf(ctx, d)
	if err != nil || len(all) == 0 {
		return err
	}
	if from.Path("") == "" {
		m.Elsewhere = len(all)
		return nil
	}
	if err := exec(ctx, d, makeBytes); err != nil {
		return err
	}
	for _, one := range all {
		err := packOne(ctx, d, from, one)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			m.Missing++
		case err != nil:
			return fmt.Errorf("the file of version %s: %w", one.version, err)
		default:
			m.Objects++
		}
	}
	return nil
}

func packOne(ctx context.Context, d *db.DB, from shelf.Shelf, one stored) error {
	file, err := from.Open(ctx, one.version, 0, one.size)
	if err != nil {
		return err
	}
	defer file.Close()
	sum, buffer := sha256.New(), make([]byte, partBytes)
	for part := 0; ; part++ {
		n, err := io.ReadFull(file, buffer)
		if n > 0 || part == 0 {
			sum.Write(buffer[:n])
			if err := exec(ctx, d, "insert into storage_bytes (version, part, bytes) values ($1, $2, $3)", one.version, part, buffer[:n]); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != one.hash {
		return errors.New("its bytes are not those that were stored: the disk may be failing")
	}
	return nil
}

// opened gives the bytes of a version, wherever they are.
type opened func(ctx context.Context, one stored) (io.ReadCloser, error)

func onShelf(f shelf.Shelf) opened {
	return func(ctx context.Context, one stored) (io.ReadCloser, error) {
		return f.Open(ctx, one.version, 0, one.size)
	}
}

func inBackup(d *db.DB) opened {
	return func(ctx context.Context, one stored) (io.ReadCloser, error) {
		there, err := hasTable(ctx, d, "storage_bytes")
		if err != nil {
			return nil, err
		}
		p := &parts{ctx: ctx, d: d, version: one.version}
		if !there || !p.next() && p.err == nil {
			return nil, fs.ErrNotExist
		}
		return p, p.err
	}
}

// parts reads the bytes of a version out of a backup.
type parts struct {
	ctx     context.Context //nolint:containedctx // a reader knows no other way
	d       *db.DB
	version string
	part    int
	left    []byte
	err     error
}

func (p *parts) next() bool {
	p.err = p.d.Read(p.ctx, func(ctx context.Context, tx *db.Tx) error {
		return tx.QueryRow(ctx, "select bytes from storage_bytes where version = $1 and part = $2", p.version, p.part).Scan(&p.left)
	})
	p.part++
	if errors.Is(p.err, sql.ErrNoRows) {
		p.err = nil
		return false
	}
	return p.err == nil
}

func (p *parts) Read(into []byte) (int, error) {
	for len(p.left) == 0 {
		if more := p.next(); p.err != nil {
			return 0, p.err
		} else if !more {
			return 0, io.EOF
		}
	}
	n := copy(into, p.left)
	p.left = p.left[n:]
	return n, nil
}

func (p *parts) Close() error { return nil }

// bring puts the bytes of all objects onto a shelf, before any row names them there, and compares each with its hash.
func bring(ctx context.Context, d *db.DB, open opened, to shelf.Shelf) (missing int, err error) {
	all, err := objectsOf(ctx, d)
	if err != nil {
		return 0, err
	}
	for _, one := range all {
		if there, err := has(ctx, to, one); err != nil || there {
			if err != nil {
				return missing, err
			}
			continue
		}
		err := carry(ctx, open, to, one)
		if errors.Is(err, fs.ErrNotExist) {
			missing++
			continue
		}
		if err != nil {
			return missing, err
		}
	}
	return missing, nil
}

// carry puts the bytes of one object onto a shelf.
func carry(ctx context.Context, open opened, to shelf.Shelf, one stored) error {
	from, err := open(ctx, one)
	if err != nil {
		return err
	}
	_ = to.Remove(ctx, one.version) // what somebody left who did not get to the end
	_, err = to.Write(ctx, one.version, holdTo(from, one))
	if err = errors.Join(err, from.Close()); err != nil {
		_ = to.Remove(context.WithoutCancel(ctx), one.version) // what it left of itself
	}
	return err
}

// has tells whether a shelf has these very bytes. Elsewhere their number must do: what is there was held to its hash when it came, and
// reading it again would fetch everything.
func has(ctx context.Context, f shelf.Shelf, one stored) (bool, error) {
	if f.Path("") == "" {
		return f.Has(ctx, one.version, one.size)
	}
	file, err := f.Open(ctx, one.version, 0, one.size)
	if err != nil {
		return false, nil
	}
	defer file.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, file)
	return err == nil && hex.EncodeToString(sum.Sum(nil)) == one.hash, nil
}

// leave gives rows to bytes that lie on a shelf and belong to nobody now, so that the sweeper takes them away.
func leave(ctx context.Context, d *db.DB, in shelf.Shelf) error {
	return in.Each(ctx, func(version string, _ int64) error {
		return d.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
			var known int
			err := tx.QueryRow(ctx, "select (select count(*) from storage_objects where version = $1) + (select count(*) from storage_versions where version = $1) + (select count(*) from video_files where version = $1)", version).Scan(&known)
			if err != nil || known > 0 {
				return err
			}
			_, err = tx.Exec(ctx, "insert into storage_versions (version, state, size, since_at) values ($1, 'garbage', 0, $2)", version, db.At(tx.Now))
			return err
		})
	})
}

func hasTable(ctx context.Context, d *db.DB, name string) (bool, error) {
	var n int
	err := d.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		return tx.QueryRow(ctx, "select count(*) from sqlite_schema where type = 'table' and name = $1", name).Scan(&n)
	})
	return n > 0, err
}

func exec(ctx context.Context, d *db.DB, query string, args ...any) error {
	return d.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, query, args...)
		return err
	})
}
