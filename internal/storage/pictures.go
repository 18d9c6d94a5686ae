package storage

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/web"
	"greenroom/internal/storage/picture"
)

// mostPicture bounds the file that a picture is made of: all of it is in memory.
const mostPicture = 10 << 20

// asLongAsThere lets browsers keep what never changes under its name.
const asLongAsThere = "public, max-age=31536000, immutable"

// addPicture makes a picture for pages of a file that somebody brings, and stores it in our widths under a name of its own; in a
// folder that they name, the widest alone. It is ours and not of the dialect: what the official client stores stays as it is.
func (s *Service) addPicture(c *call) error {
	folder := c.URL.Query().Get("folder")
	name := cmp.Or(folder, "courses") + "/" + id.New()
	b, err := s.mayWrite(c, c.bucket, name, false, Insert)
	if err != nil {
		return err
	}
	if err := b.takes(about{stated: "image/jpeg", sniffed: "image/jpeg"}); err != nil {
		return err
	}
	leave, err := s.coming(c, owner(c.actor))
	if err != nil {
		return err
	}
	defer leave()
	file, err := func() ([]byte, error) {
		defer s.Away()()
		return c.file(min(b.most(), mostPicture), &s.counters.in)
	}()
	if err != nil {
		return err
	}
	made, err := s.paint(c.Context(), file)
	if err != nil {
		return err
	}
	if folder != "" {
		made = made[:1]
	}
	var keys []string
	defer s.Away()()
	for _, one := range made {
		key := name + "/" + strconv.Itoa(one.Width) + ".jpg"
		_, err := s.put(c.Context(), c, wish{
			bucket: b, key: key, owner: owner(c.actor), about: about{stated: "image/jpeg", sniffed: "image/jpeg", cache: asLongAsThere},
			body: bytes.NewReader(one.JPEG), expected: int64(len(one.JPEG)),
		})
		if err != nil {
			return errors.Join(err, s.unmake(c.Context(), b.ID, keys))
		}
		keys = append(keys, key)
	}
	return web.JSON(c.w, http.StatusOK, map[string]string{"Key": b.ID + "/" + keys[0]})
}

// file reads a body whole, and counts it.
func (c *call) file(most int64, into *atomic.Int64) ([]byte, error) {
	if c.ContentLength > most {
		return nil, errTooLarge
	}
	web.LongBody(c.Request)
	c.Body = counting{c.Body, into}
	file, err := io.ReadAll(http.MaxBytesReader(c.w, c.Body, most))
	if cut(err) {
		err = invalid("The body ended before its time")
	}
	return file, err
}

// paint makes one picture at a time: each takes a core and some hundred megabytes.
func (s *Service) paint(ctx context.Context, file []byte) ([]picture.Sized, error) {
	select {
	case s.brush <- struct{}{}:
	case <-ctx.Done():
		return nil, errSlowDown
	}
	defer func() { <-s.brush }()
	made, err := picture.Make(file)
	if errors.Is(err, picture.ErrUnreadable) || errors.Is(err, picture.ErrTooLarge) || errors.Is(err, picture.ErrTooSmall) {
		return nil, refuse(415, "invalid_picture", err.Error(), "InvalidMimeType")
	}
	return made, err
}

// unmake takes away the widths of a picture that did not get whole.
func (s *Service) unmake(ctx context.Context, bucket string, keys []string) error {
	return s.DB.Clear(context.WithoutCancel(ctx), func(ctx context.Context, tx *db.Tx) error {
		_, err := s.take(ctx, tx, bucket, keys, "1 = 1")
		return err
	})
}
