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
	"greenroom/internal/storage/disk"
)

// Place is where an installation keeps what a backup is about: its rows, and the bytes of stored files.
type Place struct {
	DB      db.Options
	Objects disk.Folder
}

// The bytes of stored files stand in a table of the backup's own, in parts that fit into memory. So a backup stays one file,
// which is sent, fetched and kept as before.
const (
	makeBytes = "create table storage_bytes (version text not null, part integer not null, bytes blob not null, primary key (version, part)) strict"
	partBytes = 1 << 20
)

// stored is an object as far as its bytes are concerned.
type stored struct{ version, hash string }

func objectsOf(ctx context.Context, d *db.DB) (all []stored, err error) {
	err = d.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		all = nil
		return db.Each(ctx, tx, "select version, hash from storage_objects order by version", nil, func(scan func(...any) error) error {
			var one stored
			err := scan(&one.version, &one.hash)
			all = append(all, one)
			return err
		})
	})
	return all, err
}

// pack puts the bytes of all objects that a draft names into it. Bytes that are not there are counted: a backup without them
// is better than none, and whoever makes it says so.
func pack(ctx context.Context, path string, from disk.Folder) (packed, missing int, err error) {
	d, err := db.Open(ctx, db.Options{Path: path, Bulk: true})
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, d.Close()) }() //nolint:contextcheck // it is closed though the caller was interrupted
	if there, err := hasTable(ctx, d, "storage_objects"); err != nil || !there {
		return 0, 0, err // of a version that stored no files
	}
	all, err := objectsOf(ctx, d)
	if err != nil || len(all) == 0 {
		return 0, 0, err
	}
	if err := exec(ctx, d, makeBytes); err != nil {
		return 0, 0, err
	}
	for _, one := range all {
		err := packOne(ctx, d, from, one)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing++
		case err != nil:
			return packed, missing, fmt.Errorf("the file of version %s: %w", one.version, err)
		default:
			packed++
		}
	}
	return packed, missing, nil
}

func packOne(ctx context.Context, d *db.DB, from disk.Folder, one stored) error {
	file, err := from.Open(one.version)
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
type opened func(ctx context.Context, version string) (io.ReadCloser, error)

func inFolder(f disk.Folder) opened {
	return func(_ context.Context, version string) (io.ReadCloser, error) { return f.Open(version) }
}

func inBackup(d *db.DB) opened {
	return func(ctx context.Context, version string) (io.ReadCloser, error) {
		there, err := hasTable(ctx, d, "storage_bytes")
		if err != nil {
			return nil, err
		}
		p := &parts{ctx: ctx, d: d, version: version}
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

// bring puts the bytes of all objects into a folder, before any row names them there, and compares each with its hash.
func bring(ctx context.Context, d *db.DB, open opened, to disk.Folder) (missing int, err error) {
	all, err := objectsOf(ctx, d)
	if err != nil {
		return 0, err
	}
	for _, one := range all {
		if has(to, one) {
			continue
		}
		from, err := open(ctx, one.version)
		if errors.Is(err, fs.ErrNotExist) {
			missing++
			continue
		}
		if err != nil {
			return missing, err
		}
		_ = to.Remove(one.version) // what a restore left that did not end
		wrote, err := to.Write(one.version, from)
		if err := errors.Join(err, from.Close()); err != nil {
			return missing, err
		}
		if wrote.Hash != one.hash {
			return missing, fmt.Errorf("the file of version %s is not what was stored", one.version)
		}
	}
	return missing, nil
}

// has tells whether a folder has these very bytes.
func has(f disk.Folder, one stored) bool {
	file, err := f.Open(one.version)
	if err != nil {
		return false
	}
	defer file.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, file)
	return err == nil && hex.EncodeToString(sum.Sum(nil)) == one.hash
}

// leave gives rows to bytes that lie in a folder and belong to nobody now, so that the sweeper takes them away.
func leave(ctx context.Context, d *db.DB, in disk.Folder) error {
	return in.Each(func(version string) error {
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
