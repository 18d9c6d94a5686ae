package storage

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"strconv"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/web"
	"greenroom/internal/storage/shelf"
)

// add takes the body of a request into an upload, from an offset on, and tells how far it is then. What arrived before a
// body broke off is kept.
func (s *Service) add(c *call, b bucket, p *pending, offset int64) error {
	h, leave, err := s.takeUpload(c.Context(), p.ID)
	if err != nil {
		return err
	}
	defer func() {
		leave()
		h.nudges.Wait()
		if h.isWanted() { // the server takes whoever was nudged for gone, and with them all that comes on their connection
			c.w.Header().Set("Connection", "close")
		}
	}()
	if *p, err = s.loadUpload(c.Context(), p.ID); err != nil {
		return err
	}
	if offset != p.Received || p.State == "done" && c.ContentLength != 0 {
		return errConflict
	}
	if p.State == "open" {
		if err := s.addOpen(c, b, p, h); err != nil {
			return err
		}
	}
	p.tell(c.w.Header())
	return nil
}

func (s *Service) addOpen(c *call, b bucket, p *pending, h *hold) error {
	most, err := s.allowed(c, b, p)
	if err != nil {
		return err
	}
	var broken error
	if c.Body != http.NoBody && !p.whole() {
		if broken, err = s.receiveChunk(c, p, h, most); err != nil {
			return err
		}
	}
	if p.Received >= sniffBytes || p.whole() {
		if err := s.judge(c.Context(), b, p); err != nil {
			return err
		}
	}
	if p.whole() {
		return s.complete(c, b, p)
	}
	return broken
}

// allowed is how many bytes a request may add. One whose upload did not say its length may say it now.
func (s *Service) allowed(c *call, b bucket, p *pending) (int64, error) {
	if p.Length.Valid {
		if left := p.Length.Int64 - p.Received; c.ContentLength <= left {
			return left, nil
		}
		return 0, errExceeded
	}
	most, length := b.mostEver()-p.Received, sql.NullInt64{}
	if given := c.Header.Get("Upload-Length"); given != "" {
		n, err := strconv.ParseUint(given, 10, 63)
		switch {
		case err != nil || int64(n) < p.Received:
			return 0, errBadLength
		case int64(n) > b.mostEver():
			return 0, errMaximum
		}
		length, most = sql.NullInt64{Int64: int64(n), Valid: true}, int64(n)-p.Received
	}
	if c.ContentLength > most {
		return 0, map[bool]error{true: errExceeded, false: errMaximum}[length.Valid]
	}
	if !length.Valid {
		if most = min(most, mostObject); c.ContentLength >= 0 {
			most = c.ContentLength
		}
	}
	first := most
	if c.unsaid(length) {
		first = min(most, firstRoom) // receiveChunk asks for more
	}
	if err := s.expect(c.Context(), p, p.Received+first, length); err != nil {
		return 0, err
	}
	p.Length = length
	return most, nil
}

// unsaid tells whether nobody knows how many bytes come: neither the upload nor this request says it.
func (c *call) unsaid(length sql.NullInt64) bool { return !length.Valid && c.ContentLength < 0 }

// receiveChunk stores the body and acknowledges it, a stretch at a time: a client may send twenty gigabytes in one
// request, and what came before the process ended should not have to come again. The body's own end before its time is given
// apart: what came is kept.
func (s *Service) receiveChunk(c *call, p *pending, h *hold, most int64) (broken, err error) {
	ctx, cancel := web.Unhurried(c.Context())
	defer cancel()
	web.LongBody(c.Request)
	c.Body = counting{c.Body, &s.counters.in}
	sum, err := p.hash()
	if err != nil {
		return nil, err
	}
	defer s.Away()()
	var body io.Reader = &capped{s.listen(c, p.ID, h), most}
	if c.unsaid(p.Length) {
		body = &growing{body, min(most, firstRoom), min(most, firstRoom), most, func(more int64) error { return s.promise(ctx, p.Version, p.by(), more) }}
	}
	whole := context.WithoutCancel(ctx) // what came is stored though its sender is gone
	for {
		stretch := s.Bytes.Stretch(p.Received)
		if s.stretch > 0 {
			stretch = min(stretch, s.stretch)
		}
		added, next, broken := s.Bytes.Append(whole, p.Version, p.Mark, p.Received, io.LimitReader(body, stretch), sum)
		switch {
		case errors.Is(broken, errTooLarge):
			return nil, errExceeded
		case errors.Is(broken, shelf.ErrMissing):
			s.Log.ErrorContext(ctx, "THE BYTES OF AN UPLOAD ARE MISSING", "upload", p.ID, "place", s.Bytes)
			return nil, errors.Join(errUploadGone, s.endUpload(ctx, p, false))
		case added == 0 && broken != nil:
			return nil, broken
		}
		p.Mark = next
		if err := s.keep(ctx, p, h, sum, added); err != nil {
			return nil, err
		}
		if broken != nil || added < stretch {
			return broken, nil
		}
	}
}

// keep acknowledges what is stored, though the client may be gone.
func (s *Service) keep(ctx context.Context, p *pending, h *hold, sum hash.Hash, added int64) (err error) {
	if p.Sum, err = kept(sum); err != nil {
		return err
	}
	p.Received += added
	if err := s.at("acknowledge"); err != nil {
		return err
	}
	sure, done := context.WithTimeout(context.WithoutCancel(ctx), commitTime)
	defer done()
	if err := s.acknowledge(sure, p, h); err != nil {
		return err
	}
	return s.at("acknowledged")
}

// judge holds the first bytes to what was said of them.
func (s *Service) judge(ctx context.Context, b bucket, p *pending) error {
	if p.Received == 0 {
		return b.takes(p.about(nil))
	}
	bytes := int(min(sniffBytes, p.Received))
	head, err := s.Bytes.Head(ctx, p.Version, p.Mark, bytes)
	if err == nil && len(head) < bytes {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return err
	}
	if err := b.takes(p.about(head)); err != nil {
		return errors.Join(err, s.endUpload(ctx, p, false))
	}
	return nil
}

func (p *pending) about(head []byte) about {
	p.About.sniffed = sniff(head)
	return p.About
}

// complete makes the object of an upload whose bytes are all there. It may be done again after any end in between.
func (s *Service) complete(c *call, b bucket, p *pending) error {
	ctx := context.WithoutCancel(c.Context()) // finish bounds it
	if err := s.judge(ctx, b, p); err != nil {
		return err
	}
	sum, err := p.hash()
	if err != nil {
		return err
	}
	wrote := shelf.Wrote{Size: p.Received, Hash: hex.EncodeToString(sum.Sum(nil))}
	if err := s.settle(ctx, p); err != nil {
		if errors.Is(err, shelf.ErrMissing) {
			s.Log.ErrorContext(ctx, "THE BYTES OF AN UPLOAD ARE MISSING", "upload", p.ID, "place", s.Bytes, "error", err)
			err = errors.Join(errUploadGone, s.endUpload(ctx, p, false))
		}
		return err
	}
	if p.Doubtful {
		if err := s.compare(ctx, p, wrote); err != nil {
			return err
		}
	}
	_, err = s.finish(ctx, c, wish{
		bucket: b, key: p.Name, owner: p.by(), upsert: p.Upsert, about: p.About,
		also: func(ctx context.Context, tx *db.Tx) error {
			n, err := tx.Exec(ctx, "update storage_uploads set state = 'done' where id = $1 and state = 'open'", p.ID)
			if err == nil && n != 1 {
				err = errUploadGone
			}
			return err
		},
	}, p.Version, wrote)
	if errors.Is(err, errKeyExists) || errors.Is(err, errNoBucket) || errors.Is(err, errPolicy) {
		err = errors.Join(err, s.endUpload(ctx, p, false))
	}
	if err == nil {
		p.State = "done"
	}
	return err
}

// settle makes a version of an upload's pieces, which may take its time elsewhere.
func (s *Service) settle(ctx context.Context, p *pending) error {
	defer s.Away()()
	return s.Bytes.Settle(ctx, p.Version, p.Mark, p.Received)
}

// compare reads everything again where an instance that was taken for dead may have written on.
func (s *Service) compare(ctx context.Context, p *pending, want shelf.Wrote) error {
	file, err := s.Bytes.Open(ctx, p.Version, 0, want.Size)
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != want.Hash {
		s.Log.ErrorContext(ctx, "AN UPLOAD IS NOT WHAT CAME IN", "upload", p.ID)
		return errors.Join(errUploadGone, s.endUpload(ctx, p, false), fmt.Errorf("%s instead of %s", got, want.Hash))
	}
	return nil
}
