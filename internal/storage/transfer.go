package storage

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"net/http"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/web"
	"greenroom/internal/storage/shelf"
)

// journey is what move and copy are asked for.
type journey struct {
	from, to       string // buckets
	source, target string // keys
	given          fields
}

func (c *call) journey() (j journey, err error) {
	if j.given, err = c.body(); err != nil {
		return j, err
	}
	for name, into := range map[string]*string{"bucketId": &j.from, "sourceKey": &j.source, "destinationKey": &j.target} {
		if *into, err = j.given.text(name, true); err != nil {
			return j, err
		}
	}
	if j.to, err = j.given.text("destinationBucket", false); err != nil {
		return j, err
	}
	if j.to == "" {
		j.to = j.from
	}
	if err := j.given.none("sourceVersionId", "versionId"); err != nil {
		return j, err
	}
	return j, errors.Join(checkPlace(j.from, j.source), checkPlace(j.to, j.target))
}

// departure gives the object that is to travel and the bucket that it goes to, if the caller may have both.
func (s *Service) departure(c *call, j journey, leaves, arrives []Verb) (found object, b bucket, err error) {
	var allowed bool
	err = s.DB.Read(c.Context(), func(ctx context.Context, tx *db.Tx) error {
		if found, err = find(ctx, tx, "o.bucket_id = $1 and o.name = $2 and "+c.may(Select, "o.bucket_id"), j.from, j.source); err != nil {
			return err
		}
		_, may, err := findBucket(ctx, tx, c.actor, j.from, j.source, leaves...)
		if err != nil {
			return err
		}
		b, allowed, err = findBucket(ctx, tx, c.actor, j.to, j.target, arrives...)
		allowed = allowed && may
		if errors.Is(err, errNoBucket) {
			return errNoRelated
		}
		return err
	})
	if errors.Is(err, errNoObject) && c.never(Select) {
		err = s.refused(c, "object.change", j.from+"/"+j.source, err)
	}
	if err == nil && !allowed {
		err = s.refused(c, "object.change", j.to+"/"+j.target, errPolicy)
	}
	if err == nil && j.to != j.from {
		switch {
		case found.Size > b.mostEver():
			err = errTooLarge
		default:
			err = b.takes(about{stated: found.Type, sniffed: found.Sniffed})
		}
	}
	return found, b, err
}

// again gives the bytes of an object to a new version; more is how many are stored then that were not before.
func (s *Service) again(ctx context.Context, by any, o object, more int64) (version string, err error) {
	version, err = s.begin(ctx, wish{owner: by, expected: more})
	if err != nil {
		return "", err
	}
	longer, cancel := web.Unhurried(ctx) // a copy elsewhere may take its time, and is bounded by itself
	defer cancel()
	defer s.Away()()
	if err := s.Bytes.Link(longer, version, o.Version, o.Size); err != nil {
		s.abandon(ctx, version)
		return "", err
	}
	return version, nil
}

func (s *Service) move(c *call) error {
	j, err := c.journey()
	if err != nil {
		return err
	}
	found, _, err := s.departure(c, j, []Verb{Select, Update}, []Verb{Select, Update})
	if err != nil {
		return err
	}
	if j.from == j.to && j.source == j.target {
		return web.JSON(c.w, http.StatusOK, map[string]string{"message": "Successfully moved"})
	}
	version, err := s.again(c.Context(), owner(c.actor), found, 0)
	if err != nil {
		return err
	}
	if err := s.arrive(c, j, found, version); err != nil {
		s.abandon(c.Context(), version)
		return err
	}
	s.sweepSoon()
	return web.JSON(c.w, http.StatusOK, map[string]string{"message": "Successfully moved"})
}

// arrive gives a moved object its new place, version and owner; it keeps its id.
func (s *Service) arrive(c *call, j journey, o object, version string) error {
	if err := s.at("commit"); err != nil {
		return err
	}
	err := s.DB.Write(c.Context(), func(ctx context.Context, tx *db.Tx) error {
		if err := settled(ctx, tx, version); err != nil {
			return err
		}
		// Whoever replaced it meanwhile has other bytes: then it is not what was to be moved.
		now, err := held(ctx, tx, j.from, j.source, "1 = 1")
		if err == nil && now.Version != o.Version {
			err = errSlowDown
		}
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "update storage_objects set bucket_id = $2, name = $3, version = $4, owner = $5, updated_at = $6 where id = $1",
			o.ID, j.to, j.target, version, owner(c.actor), db.At(tx.Now))
		switch {
		case db.Violates(err, db.Unique):
			err = errMoveExists
		case db.Violates(err, db.ForeignKey):
			err = errNoRelated
		}
		if err == nil {
			err = share(ctx, tx, now.Owner, -now.held())
		}
		if err == nil {
			err = share(ctx, tx, byOf(owner(c.actor)), now.held())
		}
		if err == nil {
			old := o
			old.Size = 0 // the bytes are the moved object's
			err = garbage(ctx, tx, old)
		}
		return noted(ctx, tx, c, "object.change", j.to+"/"+j.target, err)
	})
	return err
}

func (s *Service) copy(c *call) error {
	j, err := c.journey()
	if err != nil {
		return err
	}
	both, err := j.given.flag("copyMetadata", true)
	if err != nil {
		return err
	}
	upsert, arrives := c.Header.Get("X-Upsert") == "true", []Verb{Insert}
	if upsert {
		arrives = append(arrives, Update)
	}
	found, b, err := s.departure(c, j, []Verb{Select}, arrives)
	if err != nil {
		return err
	}
	w := wish{bucket: b, key: j.target, owner: owner(c.actor), upsert: upsert, about: about{found.Type, found.Sniffed, found.Cache, found.Metadata}}
	if !both {
		if err := w.about.instead(j.given); err != nil {
			return err
		}
		if err := b.takes(w.about); err != nil {
			return err
		}
	}
	version, err := s.again(c.Context(), w.owner, found, found.Size)
	if err != nil {
		return err
	}
	made, err := s.finish(c.Context(), c, w, version, shelf.Wrote{Size: found.Size, Hash: found.Hash})
	if err != nil {
		s.abandon(c.Context(), version)
		return err
	}
	answer := made.shown()
	answer["Id"], answer["Key"] = made.ID, made.Bucket+"/"+made.Name
	return web.JSON(c.w, http.StatusOK, answer)
}

// instead takes what a copy is to be instead of what its source is.
func (a *about) instead(given fields) error {
	a.metadata = sql.NullString{}
	if !given.has("metadata") {
		return nil
	}
	var says struct{ CacheControl, ContentEncoding, Mimetype *string }
	if json.Unmarshal(given["metadata"], &says) != nil {
		return invalid("body/metadata must be object")
	}
	if says.ContentEncoding != nil {
		return invalid("contentEncoding is not supported")
	}
	if says.CacheControl != nil {
		header := http.Header{"Cache-Control": {*says.CacheControl}, "Content-Type": {a.stated}}
		if err := a.fromHeader(header); err != nil {
			return err
		}
	}
	if says.Mimetype != nil {
		a.stated = *says.Mimetype
	}
	return nil
}
