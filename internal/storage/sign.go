package storage

import (
	"context"
	"net/http"
	"time"

	"greenroom/internal/account"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/web"
)

// mostSeconds bounds how long a link may live: a year.
const mostSeconds = 365 * 24 * 3600

// link is the relative address that reads an object until it ends, or until the caller may not any more.
func (s *Service) link(c *call, o object, seconds int) (string, error) {
	by, _ := owner(c.actor).(string)
	token, err := s.sign(c.Context(), claims{URL: o.Bucket + "/" + o.Name, Scope: download, ID: o.ID, Version: o.Version, Owner: by}, time.Duration(seconds)*time.Second)
	return "/object/sign/" + o.Bucket + "/" + o.Name + "?token=" + token, err
}

func (f fields) seconds() (int, error) {
	if !f.has("expiresIn") {
		return 0, invalid("body must have required property 'expiresIn'")
	}
	seconds, err := f.number("expiresIn", 0, 1)
	if err == nil && seconds > mostSeconds {
		err = invalid("body/expiresIn is too large")
	}
	return seconds, err
}

// signOne gives a link to an object that the caller may read. Wishes for another size of a picture are not heard.
func (s *Service) signOne(c *call) error {
	given, err := c.body()
	if err != nil {
		return err
	}
	seconds, err := given.seconds()
	if err != nil {
		return err
	}
	if err := given.none("versionId"); err != nil {
		return err
	}
	found, err := s.seek(c, "o.bucket_id = $1 and o.name = $2 and "+c.may(Select, "o.bucket_id"))
	if err != nil {
		return err
	}
	address, err := s.link(c, found, seconds)
	if err != nil {
		return err
	}
	return web.JSON(c.w, http.StatusOK, map[string]string{"signedURL": address})
}

// signMany gives a link for each of some objects, and says of each that is absent that it is.
func (s *Service) signMany(c *call) error {
	most := int64(mostList)
	if c.never(Select) {
		most = mostJSON
	}
	given, err := c.bodyUpTo(most)
	if err != nil {
		return err
	}
	seconds, err := given.seconds()
	if err != nil {
		return err
	}
	paths, err := given.texts("paths")
	if err != nil {
		return err
	}
	found, err := s.visibleObjects(c, unique(paths))
	if err != nil {
		return err
	}
	answer := make([]map[string]any, len(paths))
	for i, path := range paths {
		answer[i] = map[string]any{"error": "Either the object does not exist or you do not have access to it", "path": path, "signedURL": nil}
		if o, ok := found[path]; ok {
			if answer[i]["signedURL"], err = s.link(c, o, seconds); err != nil {
				return err
			}
			answer[i]["error"] = nil
		}
	}
	return web.JSON(c.w, http.StatusOK, answer)
}

// visibleObjects finds those of some objects that the caller may read, by their names.
func (s *Service) visibleObjects(c *call, names []string) (map[string]object, error) {
	found := map[string]object{}
	if len(names) == 0 || c.never(Select) {
		return found, nil
	}
	err := s.DB.Read(c.Context(), func(ctx context.Context, tx *db.Tx) error {
		clear(found)
		return eachOf(ctx, tx, "select "+objectColumns+" from storage_objects o where o.bucket_id = $1 and o.name in (%) and "+c.may(Select, "o.bucket_id"),
			c.bucket, names, func(o object) { found[o.Name] = o })
	})
	return found, err
}

// readSigned needs nothing but the link. What was replaced or removed since is not what was signed.
func (s *Service) readSigned(c *call) error {
	known, err := s.verify(c.Context(), c.URL.Query().Get("token"), download, c.bucket+"/"+c.key)
	if err != nil {
		return err
	}
	var found object
	err = s.DB.Look(c.Context(), func(ctx context.Context, tx *db.Tx) error {
		found, err = find(ctx, tx, "o.bucket_id = $1 and o.name = $2 and o.id = $3 and o.version = $4", c.bucket, c.key, known.ID, known.Version)
		if err != nil || found.Public || known.Owner == "" {
			return err
		}
		if c.actor, err = account.Standing(ctx, tx, known.Owner); err != nil || known.Lesson != "" {
			return err
		}
		return readable(ctx, tx, c.actor, found)
	})
	if err == nil && known.Lesson != "" && !found.Public {
		err = s.opened(c, known)
	}
	if err != nil {
		return err
	}
	return s.send(c, found, time.Unix(known.Expires, 0))
}

// signUpload gives a link by which anybody may put an object in one place, once.
func (s *Service) signUpload(c *call) error {
	if _, err := c.body(); err != nil {
		return err
	}
	upsert := c.Header.Get("X-Upsert") == "true"
	b, err := s.mayWrite(c, c.bucket, c.key, upsert, verbsOf(upsert)...)
	if err != nil {
		return err
	}
	place := b.ID + "/" + c.key
	by, _ := owner(c.actor).(string)
	token, err := s.sign(c.Context(), claims{URL: place, Scope: upload, ID: id.New(), Upsert: upsert, Owner: by}, uploadTime)
	if err != nil {
		return err
	}
	return web.JSON(c.w, http.StatusOK, map[string]string{"url": "/object/upload/sign/" + place + "?token=" + token, "token": token})
}

func (s *Service) uploadSigned(c *call) error {
	known, err := s.verify(c.Context(), c.URL.Query().Get("token"), upload, c.bucket+"/"+c.key)
	if err != nil {
		return err
	}
	if err := checkPlace(c.bucket, c.key); err != nil {
		return err
	}
	b, err := s.admitted(c, known, c.bucket, c.key)
	if err != nil {
		return err
	}
	made, err := s.receive(c, wish{bucket: b, key: c.key, owner: owner(c.actor), upsert: known.Upsert})
	if err != nil {
		return err
	}
	return web.JSON(c.w, http.StatusOK, map[string]string{"Key": made.Bucket + "/" + made.Name})
}
