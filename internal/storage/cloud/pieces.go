package cloud

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"net/http"
	"strconv"

	"greenroom/internal/platform/s3"
	"greenroom/internal/storage/shelf"
)

// An upload in pieces is a file that comes in parts, all of the same size, as some storages want it; that size is usually
// the one that clients are told to send. What is behind the last whole part, its loose end, is a file of its own until it is one, too.
const (
	usualPart = 6 << 20
	headBytes = 4 << 10
)

// mark is what is known of an upload between two pieces. How many parts there are and how long the end is follows from how many bytes
// have come; the storage's own marks (ETags) hold it to those very parts, whatever an instance that was taken for dead sends meanwhile.
type mark struct {
	Upload string   `json:"upload,omitempty"`
	Parts  []string `json:"parts,omitempty"`
	End    string   `json:"end,omitempty"` // its hash
	Head   []byte   `json:"head,omitempty"`
	// Old is where the end before this one ended. It goes when this one is known to count.
	Old int64 `json:"old,omitempty"`
}

func (b *Bucket) readMark(text string, at int64) (m mark, err error) {
	if text != "" {
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			return m, err
		}
	}
	if int64(len(m.Parts)) != at/b.PartSize || (m.End != "") != (at%b.PartSize > 0) {
		return m, shelf.ErrMissing // of another place
	}
	return m, nil
}

func (m mark) String() string {
	text, _ := json.Marshal(m) // of texts alone
	return string(text)
}

func loose(version string, at int64) string { return version + "." + strconv.FormatInt(at, 10) }

// Stretch is what makes the next part whole.
func (b *Bucket) Stretch(at int64) int64 { return b.PartSize - at%b.PartSize }

// Append adds a part, or makes the loose end longer.
func (b *Bucket) Append(ctx context.Context, version, text string, at int64, from io.Reader, sum hash.Hash) (int64, string, error) {
	if !shelf.IsVersion(version) {
		return 0, "", fmt.Errorf("%q is no version", version)
	}
	m, err := b.readMark(text, at)
	if err != nil {
		return 0, "", err
	}
	s, err := b.stage()
	if err != nil {
		return 0, "", err
	}
	defer s.done()
	if err := b.fetchEnd(ctx, version, m, at, s); err != nil {
		return 0, "", err
	}
	added, broken, err := s.take(from, b.Stretch(at), sum)
	if errors.Is(broken, io.EOF) {
		broken = nil
	}
	if err != nil || added == 0 {
		return 0, text, errors.Join(err, broken)
	}
	if at < headBytes {
		more := make([]byte, min(headBytes-at, added))
		if _, err := s.ReadAt(more, s.size-added); err != nil {
			return 0, "", err
		}
		m.Head = append(m.Head, more...)
	}
	old := m.Old
	if m.Old = 0; m.End != "" {
		m.Old = at
	}
	if s.size == b.PartSize {
		err = b.addPart(ctx, version, &m, s)
	} else if err = b.step("end"); err == nil {
		m.End = s.hash()
		_, err = b.at.Send(ctx, loose(version, at+added), s, s.size, m.End)
	}
	if err != nil {
		return 0, "", said(err)
	}
	if old > 0 {
		_ = b.at.Delete(ctx, loose(version, old)) // Settle and Remove take what is left
	}
	return added, m.String(), broken
}

// fetchEnd brings the loose end of what came before.
func (b *Bucket) fetchEnd(ctx context.Context, version string, m mark, at int64, s *staged) error {
	if m.End == "" {
		return nil
	}
	body, err := b.at.Read(ctx, loose(version, at), 0, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return shelf.ErrMissing
	}
	if err != nil {
		return said(err)
	}
	defer body.Close()
	n, broken, err := s.take(body, b.PartSize, sha256.New())
	switch {
	case err != nil:
		return err
	case broken != nil && !errors.Is(broken, io.EOF):
		return said(broken)
	case n != at%b.PartSize || s.hash() != m.End:
		return shelf.ErrMissing
	}
	return nil
}

// addPart makes a part of what is staged.
func (b *Bucket) addPart(ctx context.Context, version string, m *mark, s *staged) (err error) {
	if m.Upload == "" {
		if err := b.step("begin"); err != nil {
			return err
		}
		if m.Upload, err = b.at.Begin(ctx, version); err != nil {
			return err
		}
	}
	if err := b.step("part"); err != nil {
		return err
	}
	etag, err := b.at.Part(ctx, version, m.Upload, len(m.Parts)+1, s, s.size, s.hash())
	m.Parts, m.End = append(m.Parts, etag), ""
	return err
}

// Head was kept when it came: a part cannot be read before all are there.
func (b *Bucket) Head(_ context.Context, _, text string, bytes int) ([]byte, error) {
	var m mark
	if text != "" {
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			return nil, err
		}
	}
	return m.Head[:min(len(m.Head), bytes)], nil
}

// Settle makes a version of its parts.
func (b *Bucket) Settle(ctx context.Context, version, text string, size int64) error {
	m, err := b.readMark(text, size)
	if err != nil {
		return err
	}
	there, err := b.Has(ctx, version, size)
	if err != nil {
		return err
	}
	if !there {
		if err := b.settle(ctx, version, m, size); err != nil {
			// Its answer may have been lost where it was done.
			if done, wrong := b.Has(ctx, version, size); wrong != nil || !done {
				return err
			}
		}
	}
	if err := b.step("trim"); err != nil {
		return err
	}
	return said(b.trim(ctx, version))
}

func (b *Bucket) settle(ctx context.Context, version string, m mark, size int64) error {
	s, err := b.stage()
	if err != nil {
		return err
	}
	defer s.done()
	if err := b.fetchEnd(ctx, version, m, size, s); err != nil {
		return err
	}
	if len(m.Parts) == 0 {
		if err := b.step("put"); err != nil {
			return err
		}
		_, err = b.at.Send(ctx, version, s, s.size, s.hash())
		return said(err)
	}
	if s.size > 0 {
		if err := b.addPart(ctx, version, &m, s); err != nil {
			return said(err)
		}
	}
	if err := b.step("complete"); err != nil {
		return err
	}
	err = b.at.Complete(ctx, version, m.Upload, m.Parts)
	if refused, ok := errors.AsType[*s3.Error](err); ok && (refused.Status == http.StatusBadRequest || refused.Status == http.StatusNotFound) {
		return errors.Join(shelf.ErrMissing, err) // its parts are not those that came
	}
	return said(err)
}
