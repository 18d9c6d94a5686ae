package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/web"
)

// sought is the condition on an object that somebody asks for by name: theirs by right, or everybody's.
func (c *call) sought() string {
	return "o.bucket_id = $1 and o.name = $2 and (b.public or " + c.may(Select, "o.bucket_id") + ")"
}

const inPublic = "o.bucket_id = $1 and o.name = $2 and b.public"

// seek finds an object. Where it is absent, so may be its bucket, which is another refusal.
func (s *Service) seek(c *call, condition string) (found object, err error) {
	if err := c.plain(); err != nil {
		return found, err
	}
	if err := checkPlace(c.bucket, c.key); err != nil {
		return found, err
	}
	err = s.DB.Look(c.Context(), func(ctx context.Context, tx *db.Tx) error {
		if found, err = find(ctx, tx, condition, c.bucket, c.key); !errors.Is(err, errNoObject) {
			return err
		}
		b, allowed, missing := findBucket(ctx, tx, c.actor, c.bucket, c.key, Select)
		if missing != nil {
			return missing
		}
		if condition == inPublic && !b.Public || !b.Public && !allowed {
			return hidden(c)
		}
		return errNoObject
	})
	return found, err
}

// hidden is what a bucket answers that the caller may not see into.
func hidden(c *call) error {
	if strings.HasPrefix(c.URL.Path, Prefix+"/object/public/") || strings.HasPrefix(c.URL.Path, Prefix+"/object/info/public/") {
		return errNoBucket
	}
	return errNoObject
}

func (s *Service) read(c *call) error {
	found, err := s.seek(c, c.sought())
	if err != nil {
		return err
	}
	return s.send(c, found, time.Time{})
}

func (s *Service) readPublic(c *call) error {
	found, err := s.seek(c, inPublic)
	if err != nil {
		return err
	}
	return s.send(c, found, time.Time{})
}

func (s *Service) info(c *call) error {
	found, err := s.seek(c, c.sought())
	if err != nil {
		return err
	}
	return web.JSON(c.w, http.StatusOK, found.informed())
}

func (s *Service) infoPublic(c *call) error {
	found, err := s.seek(c, inPublic)
	if err != nil {
		return err
	}
	return web.JSON(c.w, http.StatusOK, found.informed())
}

// open opens a part of an object's bytes. They are missing where the object was replaced a long time after its row was read, or where
// another instance has them in its own folder.
func (s *Service) open(ctx context.Context, o object, begin, length int64) (io.ReadCloser, error) {
	file, err := s.Bytes.Open(ctx, o.Version, begin, length)
	if errors.Is(err, fs.ErrNotExist) {
		s.Log.ErrorContext(ctx, "STORED BYTES ARE MISSING", "object", o.ID, "version", o.Version, "place", s.Bytes)
	}
	if err != nil {
		return nil, fmt.Errorf("open the bytes of %s: %w", o.ID, err)
	}
	return file, nil
}

// send answers with an object's bytes, or the part that is asked for. A signed link ends at until.
func (s *Service) send(c *call, o object, until time.Time) error {
	o.head(c, until)
	if o.unchanged(c.Header) {
		c.w.WriteHeader(http.StatusNotModified)
		return nil
	}
	begin, length, partial, err := o.wanted(c.Header)
	if err != nil {
		c.unsay()
		return err
	}
	reads := length
	if c.Method == http.MethodHead {
		reads = 0
	}
	ctx, cancel := web.Unhurried(c.Context()) // the client's pace is bounded elsewhere
	defer cancel()
	defer s.Away()()
	file, err := s.open(ctx, o, begin, reads)
	if err != nil {
		c.unsay()
		return err
	}
	defer file.Close()
	header, status := c.w.Header(), http.StatusOK
	header.Set("Content-Length", strconv.FormatInt(length, 10))
	if partial {
		header.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", begin, begin+length-1, o.Size))
		status = http.StatusPartialContent
	}
	c.w.WriteHeader(status)
	if c.Method != http.MethodHead {
		n, _ := io.CopyN(c.w, file, length) // who stopped reading is gone
		s.counters.out.Add(n)
	}
	return nil
}

// unsay takes back what was said of bytes that do not go out.
func (c *call) unsay() {
	header := c.w.Header()
	for _, name := range []string{"ETag", "Last-Modified", "Expires", "Content-Disposition", "Accept-Ranges"} {
		header.Del(name)
	}
}

// head writes what goes before the bytes. Nothing that is stored here may run on our origin.
func (o object) head(c *call, until time.Time) {
	header := c.w.Header()
	kind, sandbox, attachment := o.safely()
	header.Set("Content-Type", kind)
	header.Set("ETag", o.etag())
	header.Set("Last-Modified", o.Updated.UTC().Format(http.TimeFormat))
	header.Set("Accept-Ranges", "bytes")
	header.Set("X-Robots-Tag", "none")
	header.Set("X-Content-Type-Options", "nosniff")
	if sandbox {
		header.Set("Content-Security-Policy", "sandbox; default-src 'none'; frame-ancestors 'none'")
	}
	switch {
	case until.IsZero() && o.Public:
		header.Set("Cache-Control", o.Cache)
	case until.IsZero():
		header.Set("Cache-Control", private(o.Cache))
		header.Add("Vary", "Authorization") // who signs in next at this browser asks again
	default:
		header.Del("Cache-Control")
		if !o.Public {
			header.Set("Cache-Control", "private") // until it expires, and nowhere that others share
		}
		header.Set("Expires", until.UTC().Format(http.TimeFormat))
	}
	query := c.URL.Query()
	switch name := query.Get("download"); {
	case name != "":
		enc := url.PathEscape(name)
		header.Set("Content-Disposition", "attachment; filename="+enc+"; filename*=UTF-8''"+enc)
	case query.Has("download") || attachment:
		header.Set("Content-Disposition", "attachment;")
	}
}

// private is what a cache that others share must not keep, however it was stored.
func private(cache string) string {
	kept := []string{"private"}
	for one := range strings.SplitSeq(cache, ",") {
		one = strings.TrimSpace(one)
		name, _, _ := strings.Cut(strings.ToLower(one), "=")
		if name = strings.TrimSpace(name); name != "" && name != "public" && name != "private" && name != "s-maxage" {
			kept = append(kept, one)
		}
	}
	return strings.Join(kept, ", ")
}

// unchanged tells whether the client has this content already.
func (o object) unchanged(header http.Header) bool {
	if given := header.Get("If-None-Match"); given != "" {
		for one := range strings.SplitSeq(given, ",") {
			if one = strings.TrimPrefix(strings.TrimSpace(one), "W/"); one == "*" || one == o.etag() {
				return true
			}
		}
		return false
	}
	since, err := http.ParseTime(header.Get("If-Modified-Since"))
	return err == nil && !o.Updated.Truncate(time.Second).After(since)
}

// Wanted is the part of so many bytes that a request seems to ask for; all of them where it is not said, or not plainly.
func Wanted(header http.Header, size int64) (begin, length int64) {
	begin, length, _, err := ranged(header.Get("Range"), size)
	if err != nil {
		return 0, 0 // it is going to be refused
	}
	return begin, length
}

// wanted reads which part is asked for.
func (o object) wanted(header http.Header) (begin, length int64, partial bool, err error) {
	given := header.Get("Range")
	if condition := header.Get("If-Range"); condition != "" && condition != o.etag() {
		given = ""
	}
	return ranged(given, o.Size)
}

// ranged reads one range: from a byte, to a byte, or the last so many.
func ranged(given string, all int64) (begin, length int64, partial bool, err error) {
	if given == "" {
		return 0, all, false, nil
	}
	form, ok := strings.CutPrefix(given, "bytes=")
	from, to, dashed := strings.Cut(strings.TrimSpace(form), "-")
	if !ok || !dashed || strings.Contains(form, ",") {
		return 0, 0, false, errRange
	}
	if from == "" { // the last bytes
		n, err := strconv.ParseUint(to, 10, 63)
		if err != nil || n == 0 || all == 0 {
			return 0, 0, false, errRange
		}
		length = min(int64(n), all)
		return all - length, length, true, nil
	}
	first, err := strconv.ParseUint(from, 10, 63)
	if err != nil || int64(first) >= all {
		return 0, 0, false, errRange
	}
	last := uint64(all - 1)
	if to != "" {
		if last, err = strconv.ParseUint(to, 10, 63); err != nil || last < first {
			return 0, 0, false, errRange
		}
		last = min(last, uint64(all-1))
	}
	return int64(first), int64(last-first) + 1, true, nil
}
