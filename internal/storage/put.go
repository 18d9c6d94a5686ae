package storage

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/storage/shelf"
)

// wish is an object that is about to be stored.
type wish struct {
	bucket bucket
	key    string
	owner  any
	upsert bool
	about  about
	// body gives the bytes, at most as many as the bucket takes; expected is how many those may be, or how many are promised
	// room at first where nobody knows, and then most is how many they may become.
	body           io.Reader
	expected, most int64
	// after is what the sender tells behind the bytes; nil where there is nothing.
	after func(*about) error
	// also is done in the transaction that makes the object; nil where there is nothing.
	also func(ctx context.Context, tx *db.Tx) error
}

// about is what a sender says of an object, and what its bytes say.
type about struct {
	stated, sniffed, cache string
	metadata               sql.NullString
}

// commitTime bounds the last step: the client may be slow, the database not.
const commitTime = 15 * time.Second

// put stores an object. The steps stand in this order so that no end in between can make an object without bytes, nor
// leave bytes that no row knows of.
func (s *Service) put(ctx context.Context, c *call, w wish) (object, error) {
	version, err := s.begin(ctx, w)
	if err != nil {
		return object{}, err
	}
	if w.most > w.expected {
		w.body = &growing{w.body, w.expected, w.expected, w.most, func(more int64) error { return s.promise(ctx, version, w.owner, more) }}
	}
	wrote, err := s.Bytes.Write(ctx, version, w.body)
	if err == nil && w.after != nil {
		err = w.after(&w.about)
	}
	if err != nil {
		s.abandon(ctx, version)
		return object{}, err
	}
	made, err := s.finish(ctx, c, w, version, wrote)
	if err != nil {
		s.abandon(ctx, version)
	}
	return made, err
}

// begin gives bytes a row before there are any, if there is room for them.
func (s *Service) begin(ctx context.Context, w wish) (version string, err error) {
	version = id.New()
	err = s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		if err := s.reserve(ctx, tx, w.owner, w.expected+w.about.told()); err != nil {
			return err
		}
		return expected(ctx, tx, version, byOf(w.owner), w.expected)
	})
	if err == nil {
		err = s.at("pending")
	}
	return version, err
}

// missed is the failure of a row whose owner is gone by now: they may not store anything any more.
func missed(err error) error {
	if db.Violates(err, db.ForeignKey) {
		return errPolicy
	}
	return err
}

// finish makes the object of bytes that are stored: its row, the old version to the garbage, all or nothing.
func (s *Service) finish(ctx context.Context, c *call, w wish, version string, wrote shelf.Wrote) (made object, err error) {
	ctx, cancel := context.WithTimeout(ctx, commitTime)
	defer cancel()
	if err := s.at("commit"); err != nil {
		return made, err
	}
	err = s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		made = object{
			ID: id.New(), Bucket: w.bucket.ID, Name: w.key, Version: version, Size: wrote.Size, Hash: wrote.Hash,
			Type: w.about.stated, Sniffed: w.about.sniffed, Cache: w.about.cache, Metadata: w.about.metadata,
			Created: db.At(tx.Now), Updated: db.At(tx.Now),
		}
		made.Owner = byOf(w.owner)
		if err := settled(ctx, tx, version); err != nil {
			return err
		}
		if err := c.entitled(ctx, tx, w); err != nil {
			return err
		}
		if w.also != nil {
			if err := w.also(ctx, tx); err != nil {
				return err
			}
		}
		changed, err := made.store(ctx, tx, w.upsert)
		if db.Violates(err, db.ForeignKey) {
			err = errNoBucket
		}
		action := "object.add"
		if changed {
			action = "object.change"
		}
		return noted(ctx, tx, c, action, w.bucket.ID+"/"+w.key, err)
	})
	if errors.Is(err, errPolicy) {
		return made, s.refused(c, "object.add", w.bucket.ID+"/"+w.key, err)
	}
	if err == nil {
		err = s.at("committed")
		s.sweepSoon()
	}
	return made, err
}

// settled takes the row of bytes that are about to be an object's. The sweeper may have lost patience with them.
func settled(ctx context.Context, tx *db.Tx, version string) error {
	if err := turn(ctx, tx); err != nil {
		return err
	}
	var by sql.NullString
	var bytes int64
	err := tx.QueryRow(ctx, "delete from storage_versions where version = $1 and state = 'pending' returning owner, size", version).Scan(&by, &bytes)
	if errors.Is(err, sql.ErrNoRows) {
		return errSlowDown
	}
	if err != nil {
		return err
	}
	return count(ctx, tx, by, -bytes)
}

// tries is how often a write looks again after somebody else was faster.
const tries = 5

// store writes the row: a new one, or with upsert over the one that is there, which keeps its id.
func (o *object) store(ctx context.Context, tx *db.Tx, upsert bool) (changed bool, err error) {
	for range tries {
		if upsert {
			changed, err = o.replace(ctx, tx)
			if err != nil || changed {
				return changed, err
			}
		}
		n, err := tx.Exec(ctx, `insert into storage_objects (id, bucket_id, name, owner, version, size, hash, mimetype, sniffed, cache_control, metadata, told, created_at, updated_at)
			values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13) on conflict (bucket_id, name) do nothing`,
			o.ID, o.Bucket, o.Name, o.Owner, o.Version, o.Size, o.Hash, o.Type, o.Sniffed, o.Cache, o.Metadata, len(o.Metadata.String), o.Updated)
		switch {
		case err != nil:
			return false, err
		case n == 1:
			return false, count(ctx, tx, o.Owner, o.held())
		case !upsert:
			return false, errKeyExists
		}
	}
	return false, errSlowDown
}

// replace takes the place of the object that is there, and tells whether there is one.
func (o *object) replace(ctx context.Context, tx *db.Tx) (bool, error) {
	old, err := held(ctx, tx, o.Bucket, o.Name, "1 = 1")
	if errors.Is(err, errNoObject) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	o.ID, o.Created = old.ID, old.Created
	_, err = tx.Exec(ctx, `update storage_objects set owner = $2, version = $3, size = $4, hash = $5, mimetype = $6, sniffed = $7, cache_control = $8,
		metadata = $9, told = $10, updated_at = $11 where id = $1`, o.ID, o.Owner, o.Version, o.Size, o.Hash, o.Type, o.Sniffed, o.Cache, o.Metadata, len(o.Metadata.String), o.Updated)
	if err == nil {
		err = count(ctx, tx, o.Owner, o.held())
	}
	if err != nil {
		return false, err
	}
	return true, discard(ctx, tx, old)
}

// held finds an object and keeps others from changing it until the transaction ends: an update is a lock on both engines.
func held(ctx context.Context, tx *db.Tx, bucket, key, condition string) (object, error) {
	n, err := tx.Exec(ctx, "update storage_objects set updated_at = updated_at where bucket_id = $1 and name = $2", bucket, key)
	if err != nil {
		return object{}, err
	}
	if n == 0 {
		return object{}, errNoObject
	}
	return find(ctx, tx, "o.bucket_id = $1 and o.name = $2 and "+condition, bucket, key)
}

// discard gives the bytes of objects that are no more to the sweeper. What was told of them is gone.
func discard(ctx context.Context, tx *db.Tx, gone ...object) error {
	for _, o := range gone {
		if err := count(ctx, tx, o.Owner, -int64(len(o.Metadata.String))); err != nil {
			return err
		}
		if err := garbage(ctx, tx, o); err != nil {
			return err
		}
	}
	return nil
}

// garbage gives bytes to the sweeper, which count until it has taken them.
func garbage(ctx context.Context, tx *db.Tx, gone ...object) error {
	for _, o := range gone {
		_, err := tx.Exec(ctx, "insert into storage_versions (version, state, owner, size, since_at) values ($1, 'garbage', $2, $3, $4)", o.Version, o.Owner, o.Size, db.At(tx.Now))
		if err != nil {
			return err
		}
	}
	return nil
}

// abandon gives up bytes whose object did not come to be. What cannot be done now the sweeper does later.
func (s *Service) abandon(ctx context.Context, version string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitTime)
	defer cancel()
	err := s.DB.Clear(ctx, func(ctx context.Context, tx *db.Tx) error {
		// Not where the commit was confirmed after all: then the row is gone, and the bytes are an object's.
		_, err := tx.Exec(ctx, "update storage_versions set state = 'garbage', since_at = $2 where version = $1 and state = 'pending'", version, db.At(tx.Now.Add(-grace)))
		return err
	})
	if err != nil {
		s.Log.WarnContext(ctx, "an upload that failed is swept later", "version", version, "error", err)
	}
	s.sweepSoon()
}
