package storage

import (
	"cmp"
	"context"
	"time"

	"greenroom/internal/account"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/who"
)

// byLink makes the caller with a link whoever made it, as they stand now: a link never does more than its maker could, and the trail
// names them. The service role's links have no account behind them.
func (c *call) byLink(ctx context.Context, tx *db.Tx, known claims) error {
	maker := who.Actor{Role: who.Service}
	if known.Owner != "" {
		var err error
		if maker, err = account.Standing(ctx, tx, known.Owner); err != nil {
			return err
		}
	}
	maker.Address = who.From(ctx).Address
	c.actor, c.link = maker, known
	return nil
}

// readable refuses an object that the maker of a link to it could not read now.
func readable(ctx context.Context, tx *db.Tx, maker who.Actor, o object) error {
	if _, allowed, err := findBucket(ctx, tx, maker, o.Bucket, o.Name, Select); err != nil || !allowed {
		return cmp.Or(err, error(errNoObject))
	}
	return nil
}

// opened refuses a link to a file of a lesson that is not open now to whoever got it, or has the file no more.
func (s *Service) opened(c *call, known claims) error {
	open, err := s.Opens(c.Context(), c.actor, known.Lesson, known.ID)
	if err == nil && !open {
		err = errNoObject
	}
	return err
}

// entitled refuses, in the transaction that makes an object, whoever lost the right to it while the bytes came, and a link that was
// used in the meantime.
func (c *call) entitled(ctx context.Context, tx *db.Tx, w wish) error {
	if user, ok := w.owner.(string); ok {
		now, err := account.Standing(ctx, tx, user)
		if err != nil {
			return err
		}
		if _, allowed, err := findBucket(ctx, tx, now, w.bucket.ID, w.key, verbsOf(w.upsert)...); err != nil || !allowed {
			return cmp.Or(err, error(errPolicy))
		}
	}
	if c.link.ID == "" || c.link.Upsert {
		return nil
	}
	n, err := tx.Exec(ctx, "insert into storage_links (id, ends_at) values ($1, $2) on conflict do nothing", c.link.ID, db.At(time.Unix(c.link.Expires, 0)))
	if err == nil && n == 0 {
		err = errKeyExists
	}
	return err
}

// unused refuses a link for one upload that had it, wherever the object went since. It spares the sender a body in vain.
func (l claims) unused(ctx context.Context, tx *db.Tx) error {
	if l.ID == "" || l.Upsert {
		return nil
	}
	var n int
	err := tx.QueryRow(ctx, "select count(*) from storage_links where id = $1", l.ID).Scan(&n)
	if err == nil && n > 0 {
		err = errKeyExists
	}
	return err
}

// admitted lets a link be used for an upload, if its maker may store there, and it has not been used up, and the place is free.
func (s *Service) admitted(c *call, known claims, bucketID, key string) (b bucket, err error) {
	var allowed bool
	err = s.DB.Read(c.Context(), func(ctx context.Context, tx *db.Tx) error {
		if err := c.byLink(ctx, tx, known); err != nil {
			return err
		}
		if b, allowed, err = findBucket(ctx, tx, c.actor, bucketID, key, verbsOf(known.Upsert)...); err != nil || !allowed || known.Upsert {
			return err
		}
		if err := known.unused(ctx, tx); err != nil {
			return err
		}
		return vacant(ctx, tx, bucketID, key)
	})
	if err == nil && !allowed {
		err = s.refused(c, "object.add", bucketID+"/"+key, errPolicy)
	}
	return b, err
}
