package storage

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"greenroom/internal/audit"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/web"
)

func (s *Service) listBuckets(c *call) error {
	query, given := "select "+bucketColumns+" from storage_buckets where "+c.may(Select, "id"), c.URL.Query()
	var args []any
	if text := given.Get("search"); text != "" {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return invalid("querystring/search must be string")
		}
		args = append(args, "%"+literal(strings.ToLower(text))+"%")
		query += ` and lower(name) like $1 escape '\'`
	}
	column, order := "name", "asc"
	if asked := given.Get("sortColumn"); asked != "" {
		if asked != "id" && asked != "name" && asked != "created_at" && asked != "updated_at" {
			return invalid("querystring/sortColumn must be equal to one of the allowed values")
		}
		column = asked
	}
	if asked := given.Get("sortOrder"); asked != "" {
		if asked != "asc" && asked != "desc" {
			return invalid("querystring/sortOrder must be equal to one of the allowed values")
		}
		order = asked
	}
	limit, offset := mostNames, 0
	for name, into := range map[string]*int{"limit": &limit, "offset": &offset} {
		if !given.Has(name) {
			continue
		}
		number, err := strconv.Atoi(given.Get(name))
		if err != nil || number < 0 {
			return invalid("querystring/" + name + " must be integer")
		}
		*into = number
	}
	query += " order by " + column + " " + order + ", id limit " + strconv.Itoa(min(limit, mostNames)) + " offset " + strconv.Itoa(offset)
	found := []map[string]any{}
	err := s.DB.Read(c.Context(), func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, query, args, func(scan func(...any) error) error {
			var b bucket
			if err := b.scan(scan); err != nil {
				return err
			}
			fields := b.shown()
			fields["type"] = "STANDARD"
			found = append(found, fields)
			return nil
		})
	})
	if err != nil {
		return err
	}
	return web.JSON(c.w, http.StatusOK, found)
}

// literal makes a text match itself in a like.
func literal(text string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text)
}

func (s *Service) getBucket(c *call) error {
	found, err := s.visible(c)
	if err != nil {
		return err
	}
	return web.JSON(c.w, http.StatusOK, found.shown())
}

func (s *Service) createBucket(c *call) error {
	given, err := c.body()
	if err != nil {
		return err
	}
	name, err := given.text("name", true)
	if err != nil {
		return err
	}
	id, err := given.text("id", false)
	if err != nil {
		return err
	}
	if id == "" {
		id = name
	}
	if kind, err := given.text("type", false); err != nil || kind != "" && kind != "STANDARD" {
		return noRoute(c.Request)
	}
	public, limit, types, err := given.rules()
	if err != nil {
		return err
	}
	if !isBucketName(id) || !isBucketName(name) {
		return errBucketName
	}
	if !isService(c.actor) {
		return s.refused(c, "bucket.change", id, errPolicy)
	}
	err = s.DB.Write(c.Context(), func(ctx context.Context, tx *db.Tx) error {
		n, err := tx.Exec(ctx, `insert into storage_buckets (id, name, owner, public, file_size_limit, allowed_mime_types, created_at, updated_at)
			values ($1, $2, $3, $4, $5, $6, $7, $7) on conflict do nothing`, id, name, owner(c.actor), public, limit, types, db.At(tx.Now))
		if err == nil && n == 0 {
			err = errBucketExists
		}
		return noted(ctx, tx, c, "bucket.change", id, err)
	})
	if err != nil {
		return err
	}
	return web.JSON(c.w, http.StatusOK, map[string]string{"name": id})
}

// rules are what a body says of a bucket, as SQL has it.
func (f fields) rules() (public bool, limit, types any, err error) {
	if public, err = f.flag("public", false); err == nil {
		err = f.none("versioning_status")
	}
	if err == nil {
		limit, err = f.limitOf()
	}
	if err == nil {
		types, err = f.typesOf()
	}
	return public, limit, types, err
}

// updateBucket changes what is said and leaves the rest.
func (s *Service) updateBucket(c *call) error {
	given, err := c.body()
	if err != nil {
		return err
	}
	public, limit, types, err := given.rules()
	if err != nil {
		return err
	}
	if err := s.ruled(c); err != nil {
		return err
	}
	set, args := []string{"updated_at = $2"}, []any{c.bucket}
	for _, one := range []struct {
		name  string
		value any
	}{{"public", public}, {"file_size_limit", limit}, {"allowed_mime_types", types}} {
		if _, said := given[one.name]; said {
			set = append(set, one.name+" = $"+strconv.Itoa(len(args)+2))
			args = append(args, one.value)
		}
	}
	err = s.DB.Write(c.Context(), func(ctx context.Context, tx *db.Tx) error {
		all := append([]any{args[0], db.At(tx.Now)}, args[1:]...)
		n, err := tx.Exec(ctx, "update storage_buckets set "+strings.Join(set, ", ")+" where id = $1", all...)
		if err == nil && n == 0 {
			err = errNoBucket
		}
		return noted(ctx, tx, c, "bucket.change", c.bucket, err)
	})
	if err != nil {
		return err
	}
	return web.JSON(c.w, http.StatusOK, map[string]string{"message": "Successfully updated"})
}

// ruled admits the service role alone: whoever sees the bucket is told so, and it is noted.
func (s *Service) ruled(c *call) error {
	if isService(c.actor) {
		return nil
	}
	if _, err := s.visible(c); err != nil {
		return s.refused(c, "bucket.change", c.bucket, err)
	}
	return s.refused(c, "bucket.change", c.bucket, errPolicy)
}

func (s *Service) deleteBucket(c *call) error {
	if err := s.ruled(c); err != nil {
		return err
	}
	err := s.DB.Write(c.Context(), func(ctx context.Context, tx *db.Tx) error {
		n, err := tx.Exec(ctx, "delete from storage_buckets where id = $1", c.bucket)
		switch {
		case db.Violates(err, db.ForeignKey):
			err = errNotEmpty
		case err == nil && n == 0:
			err = errNoBucket
		}
		return noted(ctx, tx, c, "bucket.change", c.bucket, err)
	})
	if err != nil {
		return err
	}
	return web.JSON(c.w, http.StatusOK, map[string]string{"message": "Successfully deleted"})
}

// noted writes what was done into the trail, in the transaction that does it.
func noted(ctx context.Context, tx *db.Tx, c *call, action, subject string, err error) error {
	if err != nil {
		return err
	}
	return audit.Record(ctx, tx, c.entry(action, subject, audit.OK))
}

// entry is a line of the trail. An address stands alone in one, so a name's @ is written out.
func (c *call) entry(action, subject, result string) audit.Entry {
	return audit.Entry{
		ActorID: c.actor.UserID, Action: action, Subject: strings.ReplaceAll(subject, "@", "(at)"),
		Address: c.actor.Address, UserAgent: c.UserAgent(), Result: result,
	}
}

// refused notes that somebody wanted to write what they may not, and gives the refusal back. It costs us nothing, however many
// there are: they are written together.
func (s *Service) refused(c *call, action, subject string, refusal error) error {
	s.refusals.Add(audit.Refusals{Entry: c.entry(action, subject, "forbidden"), Times: 1})
	return refusal
}

// writeRefusals writes what was refused since the last time into the trail.
func (s *Service) writeRefusals(ctx context.Context) error {
	all := s.refusals.Take()
	if len(all) == 0 {
		return nil
	}
	err := s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		return audit.RecordRefusals(ctx, tx, slices.Clone(all)...)
	})
	if err != nil {
		s.refusals.Add(all...) // for the next time
	}
	return err
}
