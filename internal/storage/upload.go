package storage

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/web"
)

func (s *Service) upload(c *call) error {
	upsert := c.Header.Get("X-Upsert") == "true"
	verbs := []Verb{Insert}
	if upsert {
		verbs = append(verbs, Select, Update)
	}
	return s.uploadBy(c, upsert, verbs...)
}

// replace makes the object where there is none, as the reference does.
func (s *Service) replace(c *call) error { return s.uploadBy(c, true, Insert, Select, Update) }

func (s *Service) uploadBy(c *call, upsert bool, verbs ...Verb) error {
	b, err := s.mayWrite(c, c.bucket, c.key, upsert, verbs...)
	if err != nil {
		return err
	}
	made, err := s.receive(c, wish{bucket: b, key: c.key, owner: owner(c.actor), upsert: upsert})
	if err != nil {
		return err
	}
	return web.JSON(c.w, http.StatusOK, map[string]string{"Id": made.ID, "Key": made.Bucket + "/" + made.Name})
}

// mayWrite gives the bucket of a place that the caller may write to, before anything of the body is read.
func (s *Service) mayWrite(c *call, id, key string, upsert bool, verbs ...Verb) (b bucket, err error) {
	if err := checkPlace(id, key); err != nil {
		return b, err
	}
	var allowed bool
	err = s.DB.Read(c.Context(), func(ctx context.Context, tx *db.Tx) error {
		if b, allowed, err = findBucket(ctx, tx, c.actor, id, key, verbs...); err != nil || !allowed || upsert {
			return err
		}
		return vacant(ctx, tx, id, key)
	})
	if err == nil && !allowed {
		err = s.refused(c, "object.add", id+"/"+key, errPolicy)
	}
	return b, err
}

// vacant refuses a place that is taken. The unique key decides races; this spares the sender a body in vain.
func vacant(ctx context.Context, tx *db.Tx, bucket, key string) error {
	_, err := find(ctx, tx, "o.bucket_id = $1 and o.name = $2", bucket, key)
	switch {
	case err == nil:
		return errKeyExists
	case errors.Is(err, errNoObject):
		return nil
	}
	return err
}

// receive reads a body, raw or of a form, and stores it. A body may take its time as long as it keeps coming.
func (s *Service) receive(c *call, w wish) (object, error) {
	ctx, cancel := web.Unhurried(c.Context())
	defer cancel()
	web.LongBody(c.Request)
	c.Body = counting{c.Body, &s.counters.in}
	defer s.Away()()
	leave, err := s.coming(c, w.owner)
	if err != nil {
		return object{}, err
	}
	defer leave()
	if err := w.from(c); err != nil {
		return object{}, err
	}
	if strings.HasSuffix(w.key, ".emptyFolderPlaceholder") {
		w.body, w.expected, w.most = &capped{w.body, 0}, 0, 0
	}
	made, err := s.put(ctx, c, w)
	if cut(err) {
		err = invalid("The body ended before its time")
	}
	return made, err
}

// from finds the bytes of the object in a request, and what is said of them, and holds both to the bucket's rules.
func (w *wish) from(c *call) error {
	most := w.bucket.most()
	kind := c.Header.Get("Content-Type")
	var body io.Reader
	if bare(kind) == "multipart/form-data" {
		if c.ContentLength > most+mostForm {
			return errTooLarge
		}
		c.Body = http.MaxBytesReader(c.w, c.Body, most+mostForm)
		form, err := openForm(c)
		if err != nil {
			return err
		}
		if err := form.file(&w.about); err != nil {
			return err
		}
		body, w.after = form.part, form.rest
	} else {
		if c.ContentLength > most {
			return errTooLarge
		}
		if err := w.about.fromHeader(c.Header); err != nil {
			return err
		}
		body = c.Body
	}
	w.expected, w.most = min(most, firstRoom), most
	if c.ContentLength >= 0 {
		w.expected, w.most = min(most, c.ContentLength), 0
	}
	head := bufio.NewReaderSize(body, 32<<10)
	first, err := head.Peek(sniffBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	w.about.sniffed = sniff(first)
	w.body = &capped{head, most}
	return w.bucket.takes(w.about)
}

// takes refuses a type that the bucket does not have, as it is stated and as it is.
func (b bucket) takes(a about) error {
	if !isType(a.stated) {
		return badType(shown(bare(a.stated)))
	}
	if !b.allows(a.stated) {
		return badType(bare(a.stated))
	}
	if len(b.Types) > 0 && !agrees(a.stated, a.sniffed) {
		return badType(a.sniffed)
	}
	return nil
}

// isType tells whether a text is one media type. To a browser a comma begins another one, which is the one that counts.
func isType(stated string) bool {
	kind, _, err := mime.ParseMediaType(stated)
	return err == nil && len(stated) <= 200 && kindForm.MatchString(kind) &&
		!strings.ContainsFunc(stated, func(c rune) bool { return c < ' ' || c > '~' || c == ',' })
}

// fromHeader reads what a raw upload says of itself.
func (a *about) fromHeader(header http.Header) error {
	if encoding := header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return invalid("content-encoding is not supported")
	}
	a.stated, a.cache = header.Get("Content-Type"), header.Get("Cache-Control")
	if a.stated == "" {
		a.stated = "application/octet-stream"
	}
	if a.cache == "" {
		a.cache = "no-cache"
	}
	if len(a.cache) > 200 || strings.ContainsFunc(a.cache, func(c rune) bool { return c < ' ' || c > '~' }) {
		return invalid("headers/cache-control is too long")
	}
	if text, err := base64.StdEncoding.DecodeString(header.Get("X-Metadata")); err == nil && len(text) > 0 {
		return a.say(text)
	}
	return nil
}

// say takes what a sender says of an object: an object of JSON. What cannot be read is left, as the reference does.
func (a *about) say(text []byte) error {
	if len(text) > mostMetadata {
		return errTooLarge
	}
	var any map[string]any
	if web.StrictJSON(text) == nil && json.Unmarshal(text, &any) == nil && any != nil {
		// Without its control characters and the like: what is stored is what we wrote.
		written, err := json.Marshal(any)
		if err != nil {
			return err
		}
		a.metadata = sql.NullString{String: string(written), Valid: true}
	}
	return nil
}

// told is how many bytes the sender's words have, which are stored too.
func (a about) told() int64 { return int64(len(a.metadata.String)) }

// capped is a body that may have so many bytes and not one more.
type capped struct {
	from io.Reader
	left int64
}

func (c *capped) Read(into []byte) (int, error) {
	n, err := c.from.Read(into)
	if c.left -= int64(n); c.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}
