package storage

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"greenroom/internal/platform/db"
)

// Uploads in several requests: TUS 1.0.0. POST makes one, PATCH adds to it, HEAD tells how far it is, DELETE ends it. With the
// last byte the object is there. An offset is acknowledged when its bytes are on the disk.

const (
	tusPath = "/upload/resumable"
	chunk   = "application/offset+octet-stream"
)

// Announce says what is spoken where uploads may be taken up again.
func Announce(header http.Header, path string) {
	if !strings.HasPrefix(path, Prefix+tusPath) {
		return
	}
	header.Set("Tus-Resumable", "1.0.0")
	header.Set("Tus-Version", "1.0.0")
	header.Set("Tus-Extension", "creation,creation-with-upload,creation-defer-length,termination,expiration")
	header.Set("Tus-Max-Size", strconv.FormatInt(mostResumable, 10))
}

func (s *Service) tusCreate(c *call) error {
	p, err := c.uploadWanted()
	if err != nil {
		return err
	}
	p.Upsert = c.Header.Get("X-Upsert") == "true"
	b, err := s.mayWrite(c, p.Bucket, p.Name, p.Upsert, verbsOf(p.Upsert)...)
	if err != nil {
		return err
	}
	if by, ok := owner(c.actor).(string); ok {
		p.Owner = sql.NullString{String: by, Valid: true}
	}
	return s.tusBegin(c, b, p, tusPath)
}

// verbsOf are what somebody must be allowed who stores an object, or also replaces one.
func verbsOf(upsert bool) []Verb {
	if upsert {
		return []Verb{Insert, Select, Update}
	}
	return []Verb{Insert}
}

func (s *Service) tusCreateSigned(c *call) error {
	p, err := c.uploadWanted()
	if err != nil {
		return err
	}
	b, err := s.signedFor(c, &p)
	if err != nil {
		return err
	}
	return s.tusBegin(c, b, p, tusPath+"/sign")
}

// signedFor checks the link of a signed upload, and gives the upload what the link says.
func (s *Service) signedFor(c *call, p *pending) (b bucket, err error) {
	token := c.Header.Get("X-Signature")
	if token == "" {
		return b, errNoSignature
	}
	known, err := s.verify(c.Context(), token, upload, p.Bucket+"/"+p.Name)
	if err != nil {
		return b, err
	}
	p.Linked = true
	p.Upsert, p.Owner = known.Upsert, sql.NullString{String: known.Owner, Valid: known.Owner != ""}
	return s.admitted(c, known, p.Bucket, p.Name)
}

// tusBegin makes the upload, and takes what of it came along.
func (s *Service) tusBegin(c *call, b bucket, p pending, path string) error {
	if p.Length.Int64 > b.mostEver() {
		return errMaximum
	}
	if !isType(p.About.stated) || !b.allows(p.About.stated) {
		return badType(shown(bare(p.About.stated)))
	}
	if strings.HasSuffix(p.Name, ".emptyFolderPlaceholder") && p.Length.Int64 > 0 {
		return errMaximum
	}
	if err := s.openUpload(c.Context(), &p); err != nil {
		return err
	}
	if err := s.at("upload opened"); err != nil {
		return err
	}
	if c.ContentLength == 0 || bare(c.Header.Get("Content-Type")) != chunk {
		c.Body = http.NoBody
	}
	header := c.w.Header()
	header.Set("Location", s.address(c.Request)+path+"/"+p.ID)
	if c.Body == http.NoBody && !p.whole() {
		p.tell(header)
		header.Del("Upload-Offset")
		c.w.WriteHeader(http.StatusCreated)
		return nil
	}
	if err := s.add(c, b, &p, 0); err != nil {
		header.Del("Location")
		// Nobody was told where it is.
		return errors.Join(err, s.endUpload(context.WithoutCancel(c.Context()), &p, true))
	}
	c.w.WriteHeader(http.StatusCreated)
	return nil
}

// address is where a client finds this server: as it has found it.
func (s *Service) address(r *http.Request) string {
	scheme := "http://"
	if s.Secure || r.TLS != nil {
		scheme = "https://"
	}
	return scheme + r.Host + Prefix
}

// tell says how far an upload is.
func (p *pending) tell(header http.Header) {
	header.Set("Upload-Offset", strconv.FormatInt(p.Received, 10))
	header.Set("Upload-Expires", p.Expires.UTC().Format(http.TimeFormat))
	header.Set("Cache-Control", "no-store")
	if p.whole() {
		header.Set("Tus-Complete", "1")
	}
}

// tusFind gives the upload of a request, whose caller may still write there, and its bucket.
func (s *Service) tusFind(c *call, writes bool) (p pending, b bucket, err error) {
	if c.Header.Get("Tus-Resumable") != "1.0.0" {
		return p, b, errNoTus
	}
	if strings.HasPrefix(c.URL.Path, Prefix+tusPath+"/sign/") {
		return s.tusFindSigned(c)
	}
	if p, err = s.findUpload(c.Context(), c, c.bucket); err != nil {
		return p, b, err
	}
	if !writes {
		return p, b, nil
	}
	var allowed bool
	err = s.DB.Read(c.Context(), func(ctx context.Context, tx *db.Tx) error {
		b, allowed, err = findBucket(ctx, tx, c.actor, p.Bucket, p.Name, verbsOf(p.Upsert)...)
		return err
	})
	if err == nil && !allowed {
		err = s.refused(c, "object.add", p.Bucket+"/"+p.Name, errPolicy)
	}
	return p, b, err
}

// tusFindSigned gives the upload that a link was made for. The link is its own permission, as long as its maker has it.
func (s *Service) tusFindSigned(c *call) (p pending, b bucket, err error) {
	if c.Header.Get("X-Signature") == "" {
		return p, b, errNoSignature
	}
	if p, err = s.loadUpload(c.Context(), c.bucket); err != nil {
		return p, b, err
	}
	known, err := s.verify(c.Context(), c.Header.Get("X-Signature"), upload, p.Bucket+"/"+p.Name)
	if err == nil && known.Owner != p.Owner.String {
		err = errSignature
	}
	if err != nil {
		return p, b, err
	}
	var allowed bool
	err = s.DB.Read(c.Context(), func(ctx context.Context, tx *db.Tx) error {
		if err := c.byLink(ctx, tx, known); err != nil {
			return err
		}
		b, allowed, err = findBucket(ctx, tx, c.actor, p.Bucket, p.Name, verbsOf(p.Upsert)...)
		return err
	})
	if err == nil && !allowed {
		err = s.refused(c, "object.add", p.Bucket+"/"+p.Name, errPolicy)
	}
	return p, b, err
}

// tusHead tells how far an upload is. Whoever writes to it stops first, so that it is true; and what is whole becomes an object,
// if the process ended before it could.
func (s *Service) tusHead(c *call) error {
	p, _, err := s.tusFind(c, false)
	if err != nil {
		return err
	}
	if p.State == "open" {
		_, leave, err := s.takeUpload(c.Context(), p.ID)
		if err != nil {
			return err
		}
		defer leave()
		if p, err = s.loadUpload(c.Context(), p.ID); err != nil {
			return err
		}
	}
	if p.State == "open" && p.whole() {
		_, b, err := s.tusFind(c, true)
		if err == nil {
			err = s.complete(c, b, &p)
		}
		if err != nil {
			return err
		}
	}
	header := c.w.Header()
	p.tell(header)
	if p.Length.Valid {
		header.Set("Upload-Length", strconv.FormatInt(p.Length.Int64, 10))
	} else {
		header.Set("Upload-Defer-Length", "1")
	}
	header.Set("Upload-Metadata", p.Said)
	c.w.WriteHeader(http.StatusOK)
	return nil
}

func (s *Service) tusDelete(c *call) error {
	p, _, err := s.tusFind(c, true)
	if err != nil {
		return err
	}
	if p.State == "done" {
		return errUploadDone
	}
	_, leave, err := s.takeUpload(c.Context(), p.ID)
	if err != nil {
		return err
	}
	defer leave()
	if err := s.endUpload(c.Context(), &p, true); err != nil {
		return err
	}
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *Service) tusPatch(c *call) error {
	offset, err := c.offset()
	if err != nil {
		return err
	}
	p, b, err := s.tusFind(c, true)
	if err != nil {
		return err
	}
	if err := s.add(c, b, &p, offset); err != nil {
		return err
	}
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}
