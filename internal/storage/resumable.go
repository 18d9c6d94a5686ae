package storage

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding"
	"encoding/base64"
	"errors"
	"hash"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// Bounds of uploads that may be taken up again: of one, and of what an account may leave unfinished.
const (
	mostResumable  = 20 << 30
	mostOpen       = 10
	mostUnfinished = 50 << 30
	resumableTime  = 24 * time.Hour
	// unused is how long an upload that has nothing keeps its place from another of the same account: its client may never
	// have heard of it.
	unused = 10 * time.Minute
)

// pending is an upload that may be broken off and taken up again: a row.
type pending struct {
	ID, Version, Bucket, Name string
	Owner                     sql.NullString
	Upsert                    bool
	State                     string // open, done or gone
	Length                    sql.NullInt64
	Received                  int64
	Sum                       string
	Mark                      string // what the shelf remembers of it
	About                     about
	Said                      string
	Expires                   db.Time
	Doubtful                  bool
	Linked                    bool // begun by a link; known while it begins
}

const pendingColumns = `id, version, bucket_id, name, owner, upsert, state, length, received, sum, mimetype, cache_control, metadata, said, expires_at, doubtful, mark`

func (p *pending) scan(scan func(...any) error) error {
	return scan(&p.ID, &p.Version, &p.Bucket, &p.Name, &p.Owner, &p.Upsert, &p.State, &p.Length, &p.Received, &p.Sum, &p.About.stated, &p.About.cache,
		&p.About.metadata, &p.Said, &p.Expires, &p.Doubtful, &p.Mark)
}

// whole tells whether every byte has come.
func (p *pending) whole() bool { return p.Length.Valid && p.Received == p.Length.Int64 }

// hash goes on where the stored bytes end.
func (p *pending) hash() (hash.Hash, error) {
	sum := sha256.New()
	if p.Sum == "" {
		return sum, nil
	}
	text, err := base64.StdEncoding.DecodeString(p.Sum)
	if err == nil {
		err = sum.(encoding.BinaryUnmarshaler).UnmarshalBinary(text)
	}
	return sum, err
}

func kept(sum hash.Hash) (string, error) {
	state, err := sum.(encoding.BinaryMarshaler).MarshalBinary()
	return base64.StdEncoding.EncodeToString(state), err
}

// openUpload gives a new upload its row, if there is room for it and its owner has not too many.
func (s *Service) openUpload(ctx context.Context, p *pending) error {
	p.ID, p.Version, p.State = id.New(), id.New(), "open"
	return s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		p.Expires = db.At(tx.Now.Add(resumableTime))
		if err := s.reserve(ctx, tx, p.by(), p.Length.Int64+p.About.told()); err != nil {
			return err
		}
		if err := p.bounded(ctx, tx, p.Length.Int64); err != nil {
			return err
		}
		if err := expected(ctx, tx, p.Version, p.Owner, p.Length.Int64); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `insert into storage_uploads (id, version, bucket_id, name, owner, upsert, state, length, received, sum, mimetype, cache_control, metadata, said, expires_at)
			values ($1, $2, $3, $4, $5, $6, 'open', $7, 0, '', $8, $9, $10, $11, $12)`,
			p.ID, p.Version, p.Bucket, p.Name, p.by(), p.Upsert, p.Length, p.About.stated, p.About.cache, p.About.metadata, p.Said, p.Expires)
		return err
	})
}

// by is the owner as a query takes it.
func (p *pending) by() any {
	if !p.Owner.Valid {
		return nil
	}
	return p.Owner.String
}

// bounded refuses an account more open uploads, and more bytes in them, than it may have. The service role has no account, and a link
// that it gave away has one upload.
func (p *pending) bounded(ctx context.Context, tx *db.Tx, more int64) error {
	var open int
	var bytes int64
	if !p.Owner.Valid {
		if !p.Linked {
			return nil
		}
		err := tx.QueryRow(ctx, "select count(*) from storage_uploads where bucket_id = $1 and name = $2 and state = 'open' and id <> $3", p.Bucket, p.Name, p.ID).Scan(&open)
		if err == nil && open > 0 {
			err = errManyUploads
		}
		return err
	}
	err := tx.QueryRow(ctx, `select count(*), coalesce(sum(v.size), 0) from storage_uploads u join storage_versions v on v.version = u.version
		where u.owner = $1 and u.state = 'open' and u.id <> $2`, p.Owner.String, p.ID).Scan(&open, &bytes)
	if err == nil && open >= mostOpen {
		err = p.replaces(ctx, tx)
	}
	switch {
	case err != nil:
		return err
	case bytes+more > mostUnfinished:
		return errTooLarge
	}
	return nil
}

// replaces ends the oldest upload of the same account that has nothing, if there is one.
func (p *pending) replaces(ctx context.Context, tx *db.Tx) error {
	var version string
	err := tx.QueryRow(ctx, `select v.version from storage_uploads u join storage_versions v on v.version = u.version
		where u.owner = $1 and u.state = 'open' and u.received = 0 and u.holder is null and v.since_at <= $2 order by v.since_at limit 1`,
		p.Owner.String, db.At(tx.Now.Add(-unused))).Scan(&version)
	if errors.Is(err, sql.ErrNoRows) {
		return errManyUploads
	}
	if err == nil {
		_, err = tx.Exec(ctx, "update storage_versions set state = 'garbage', since_at = $2 where version = $1 and state = 'pending'", version, db.At(tx.Now))
	}
	if err == nil {
		_, err = tx.Exec(ctx, "update storage_uploads set state = 'gone' where version = $1", version)
	}
	return err
}

// expect promises room for an upload that did not say its length, as far as it now does.
func (s *Service) expect(ctx context.Context, p *pending, bytes int64, length sql.NullInt64) error {
	return s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		var had int64
		if err := tx.QueryRow(ctx, "select size from storage_versions where version = $1 and state = 'pending'", p.Version).Scan(&had); err != nil {
			return gone(err)
		}
		if bytes > had {
			if err := s.reserve(ctx, tx, p.by(), bytes-had); err != nil {
				return err
			}
			if err := p.bounded(ctx, tx, bytes); err != nil {
				return err
			}
			n, err := tx.Exec(ctx, "update storage_versions set size = $2 where version = $1 and size = $3", p.Version, bytes, had)
			if err == nil && n != 1 {
				err = errSlowDown // somebody else was faster, or swept it
			}
			if err == nil {
				err = count(ctx, tx, p.Owner, bytes-had)
			}
			if err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, "update storage_uploads set length = $2 where id = $1", p.ID, length)
		return err
	})
}

func gone(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return errUploadGone
	}
	return err
}

// loadUpload gives an upload that is not over.
func (s *Service) loadUpload(ctx context.Context, name string) (p pending, err error) {
	if parsed, ok := id.Parse(name); !ok || parsed != name {
		return p, errUploadName
	}
	err = s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		err := p.scan(tx.QueryRow(ctx, "select "+pendingColumns+" from storage_uploads where id = $1", name).Scan)
		if err == nil && p.State == "open" && !p.Expires.After(tx.Now) {
			p.State = "gone"
		}
		return err
	})
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return p, errNoUpload
	case err == nil && p.State == "gone":
		return p, errUploadGone
	}
	return p, err
}

// findUpload gives an upload that is its caller's: of the same account, or anybody's to the service role.
func (s *Service) findUpload(ctx context.Context, c *call, name string) (pending, error) {
	p, err := s.loadUpload(ctx, name)
	if !isService(c.actor) && p.ID != "" && (c.actor.UserID == "" || p.Owner.String != c.actor.UserID) {
		return pending{}, errNoUpload
	}
	return p, err
}

// acknowledge notes what has arrived and is stored. It counts only for whoever holds the upload.
func (s *Service) acknowledge(ctx context.Context, p *pending, h *hold) error {
	return s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		n, err := tx.Exec(ctx, "update storage_uploads set received = $2, sum = $3, mark = $5 where id = $1 and holder = $4 and state = 'open'", p.ID, p.Received, p.Sum, h.name, p.Mark)
		if err == nil && n != 1 {
			err = errTaken
		}
		return err
	})
}

// endUpload takes an upload that nobody will finish. Its bytes go with the next sweep.
func (s *Service) endUpload(ctx context.Context, p *pending, forget bool) error {
	query := "update storage_uploads set state = 'gone', holder = null where id = $1 and state = 'open'"
	if forget {
		query = "delete from storage_uploads where id = $1 and state = 'open'"
	}
	err := s.DB.Clear(ctx, func(ctx context.Context, tx *db.Tx) error {
		n, err := tx.Exec(ctx, query, p.ID)
		if err == nil && n == 1 {
			_, err = tx.Exec(ctx, "update storage_versions set state = 'garbage', since_at = $2 where version = $1 and state = 'pending'", p.Version, db.At(tx.Now.Add(-grace)))
		}
		return err
	})
	s.sweepSoon()
	return err
}

// expire ends uploads whose time is over, and forgets them a day later.
func expire(ctx context.Context, tx *db.Tx) error {
	_, err := tx.Exec(ctx, `update storage_versions set state = 'garbage', since_at = $1 where state = 'pending' and version in
		(select version from storage_uploads where state = 'open' and expires_at <= $1)`, db.At(tx.Now))
	if err == nil {
		_, err = tx.Exec(ctx, "update storage_uploads set state = 'gone' where state = 'open' and expires_at <= $1", db.At(tx.Now))
	}
	if err == nil {
		_, err = tx.Exec(ctx, "delete from storage_uploads where state <> 'open' and expires_at <= $1", db.At(tx.Now.Add(-resumableTime)))
	}
	return err
}
