// Package cloud keeps bytes in S3-compatible storage, each under the id of its version:
//
//	<folder>/<version>             whole: it appears in one moment
//	<folder>/<version>.<offset>    the end of an upload in pieces that is too short for a part, until the next piece comes
//
// What comes is collected in a nameless file on this machine first, at most one part of it: then its hash is known, which the storage
// holds it to, and it can be sent again. So a slow sender costs the storage nothing, and a process that is killed leaves nothing here.
// It is the shelf of an installation with several instances (storage/shelf says what each function promises).
package cloud

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"greenroom/internal/platform/id"
	"greenroom/internal/platform/s3"
	"greenroom/internal/storage/shelf"
)

// Bucket is where the bytes are.
type Bucket struct {
	at *s3.Bucket
	// Scratch is a folder for what is about to be sent; the system's own when it is empty.
	Scratch string
	// PartSize is how large the parts of an upload in pieces are.
	PartSize int64
	// Step is told before each step of a write, for tests that make it fail or end there; nil otherwise.
	Step func(name string) error
}

// Bounds. A file that comes as a whole is sent in one piece up to so many bytes, and in parts of that size beyond. Nobody waits longer
// than this for a storage that does not go on.
const (
	onePiece = 64 << 20
	lookTime = 5 * time.Second
	sendTime = 30 * time.Second
)

// Open reads the address of a bucket (see s3.Open). It asks nothing.
func Open(address, scratch string) (*Bucket, error) {
	at, err := s3.Open(address)
	if err != nil {
		return nil, err
	}
	return &Bucket{at: at.Hasty(lookTime, sendTime), Scratch: scratch, PartSize: usualPart}, nil
}

// Hasty waits less for the storage.
func (b *Bucket) Hasty(time time.Duration) *Bucket {
	return &Bucket{at: b.at.Hasty(time, time), Scratch: b.Scratch, PartSize: b.PartSize, Step: b.Step}
}

func (b *Bucket) String() string { return b.at.String() }

// Path is empty: nothing lies here.
func (b *Bucket) Path(string) string { return "" }

func (b *Bucket) step(name string) error {
	if b.Step == nil {
		return nil
	}
	return b.Step(name)
}

// said makes the storage's failures ones that are over by themselves. Bytes that are not there are another matter.
func said(err error) error {
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, context.Canceled) || errors.Is(err, shelf.ErrMissing) || shelf.IsAway(err) {
		return err
	}
	return shelf.Away(err)
}

// staged is a nameless file with what is about to be sent.
type staged struct {
	*os.File
	size int64
	sum  hash.Hash
}

func (b *Bucket) stage() (*staged, error) {
	if err := b.step("stage"); err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(b.Scratch, "sending-")
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(b.Scratch, 0o700); err == nil {
			file, err = os.CreateTemp(b.Scratch, "sending-")
		}
	}
	if err != nil {
		return nil, err
	}
	_ = os.Remove(file.Name()) // what has no name is gone with the process; where that cannot be, done takes it
	return &staged{file, 0, sha256.New()}, nil
}

func (s *staged) done() {
	_ = s.Close()
	_ = os.Remove(s.Name())
}

// again empties it.
func (s *staged) again() error {
	_, err := s.Seek(0, io.SeekStart)
	s.size = 0
	s.sum.Reset()
	return errors.Join(err, s.Truncate(0))
}

// take adds at most so many bytes, also to another hash. The reader's end is told apart from the disk's.
func (s *staged) take(from io.Reader, most int64, also hash.Hash) (n int64, broken, err error) {
	piece := make([]byte, 32<<10)
	for n < most {
		got, broken := from.Read(piece[:min(int64(len(piece)), most-n)])
		if got > 0 {
			if _, err := s.Write(piece[:got]); err != nil {
				return n, nil, err
			}
			_, _ = s.sum.Write(piece[:got]) // memory does not fail
			_, _ = also.Write(piece[:got])
			n += int64(got)
			s.size += int64(got)
		}
		if broken != nil {
			return n, broken, nil
		}
	}
	return n, nil, nil
}

func (s *staged) hash() string { return hex.EncodeToString(s.sum.Sum(nil)) }

// Write stores what a reader gives under a new version.
func (b *Bucket) Write(ctx context.Context, version string, from io.Reader) (shelf.Wrote, error) {
	if !shelf.IsVersion(version) {
		return shelf.Wrote{}, fmt.Errorf("%q is no version", version)
	}
	s, err := b.stage()
	if err != nil {
		return shelf.Wrote{}, err
	}
	defer s.done()
	whole := sha256.New()
	size, broken, err := s.take(from, onePiece, whole)
	if err == nil && broken != nil && !errors.Is(broken, io.EOF) {
		err = broken
	}
	if err != nil {
		return shelf.Wrote{}, err
	}
	if broken != nil {
		if err := b.step("put"); err != nil {
			return shelf.Wrote{}, err
		}
		_, err := b.at.Send(ctx, version, s, s.size, s.hash())
		return shelf.Wrote{Size: size, Hash: hex.EncodeToString(whole.Sum(nil))}, said(err)
	}
	size, err = b.writeParts(ctx, version, s, from, whole)
	return shelf.Wrote{Size: size, Hash: hex.EncodeToString(whole.Sum(nil))}, err
}

// writeParts goes on where one piece was not enough. What it leaves behind is taken with the version.
func (b *Bucket) writeParts(ctx context.Context, version string, s *staged, from io.Reader, whole hash.Hash) (size int64, err error) {
	if err := b.step("begin"); err != nil {
		return 0, err
	}
	upload, err := b.at.Begin(ctx, version)
	if err != nil {
		return 0, said(err)
	}
	var etags []string
	for ended := false; s.size > 0; {
		if err := b.step("part"); err != nil {
			return size, err
		}
		etag, err := b.at.Part(ctx, version, upload, len(etags)+1, s, s.size, s.hash())
		if err != nil {
			return size, said(err)
		}
		etags, size = append(etags, etag), size+s.size
		if err := s.again(); err != nil {
			return size, err
		}
		if ended {
			break
		}
		_, broken, err := s.take(from, onePiece, whole)
		if ended = errors.Is(broken, io.EOF); err == nil && broken != nil && !ended {
			err = broken
		}
		if err != nil {
			return size, err
		}
	}
	if err := b.step("complete"); err != nil {
		return size, err
	}
	return size, said(b.at.Complete(ctx, version, upload, etags))
}

// Link copies within the storage.
func (b *Bucket) Link(ctx context.Context, version, from string, size int64) error {
	if err := b.step("copy"); err != nil {
		return err
	}
	return said(b.at.Copy(ctx, version, from, size))
}

// Has tells whether the bytes of a version are there, as far as their number tells.
func (b *Bucket) Has(ctx context.Context, version string, size int64) (bool, error) {
	found, err := b.at.Stat(ctx, version)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && found == size, said(err)
}

// Remove takes a version away, its loose end, and what was begun of it.
func (b *Bucket) Remove(ctx context.Context, version string) error {
	if !shelf.IsVersion(version) {
		return fmt.Errorf("%q is no version", version)
	}
	err := b.trim(ctx, version)
	if err == nil {
		err = b.at.Delete(ctx, version)
	}
	return said(err)
}

// trim takes away the loose ends of an upload, and parts that came to nothing: nobody may have heard that they were begun.
func (b *Bucket) trim(ctx context.Context, version string) error {
	err := b.at.Begun(ctx, version, func(name, upload string) error {
		if name != version {
			return nil
		}
		return b.at.Abort(ctx, name, upload)
	})
	if err != nil {
		return err
	}
	return b.at.Each(ctx, version+".", 0, func(name string, _ int64) error { return b.at.Delete(ctx, name) })
}

// Each names every version once.
func (b *Bucket) Each(ctx context.Context, fn func(version string, size int64) error) error {
	begun := map[string]bool{}
	err := b.at.Begun(ctx, "", func(name, _ string) error {
		begun[name] = true
		return nil
	})
	if err != nil {
		return said(err)
	}
	last := ""
	err = b.at.Each(ctx, "", 0, func(name string, size int64) error {
		version, _, _ := strings.Cut(name, ".")
		if !shelf.IsVersion(version) || version == last {
			return nil
		}
		last = version
		delete(begun, version)
		return fn(version, size)
	})
	for version := range begun {
		if err == nil && shelf.IsVersion(version) {
			err = fn(version, 0)
		}
	}
	return said(err)
}

// place is the name of the file that tells one place from another.
const place = "place"

// Place is the folder's id, made when it is first asked for.
func (b *Bucket) Place(ctx context.Context) (string, error) {
	text, err := b.text(ctx, place)
	if err == nil {
		if found, ok := id.Parse(strings.TrimSpace(text)); ok {
			return found, nil
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", said(err)
	}
	name := id.New()
	return name, said(b.put(ctx, place, name+"\n"))
}

func (b *Bucket) text(ctx context.Context, name string) (string, error) {
	body, err := b.at.Read(ctx, name, 0, 0)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.LimitReader(body, 1<<10))
	return string(text), errors.Join(err, body.Close())
}

func (b *Bucket) put(ctx context.Context, name, text string) error {
	sum := sha256.Sum256([]byte(text))
	_, err := b.at.Send(ctx, name, strings.NewReader(text), int64(len(text)), hex.EncodeToString(sum[:]))
	return err
}

// Check stores something as a whole and in parts, reads it, lists it and takes it away.
func (b *Bucket) Check(ctx context.Context) error {
	name := "doctor-" + id.New()
	err := b.put(ctx, name, "a doctor was here")
	if err != nil {
		return err
	}
	body, err := b.at.Read(ctx, name, 2, 6)
	if err == nil {
		text, wrong := io.ReadAll(body)
		if err = errors.Join(wrong, body.Close()); err == nil && string(text) != "doctor" {
			err = fmt.Errorf("%s gives other bytes than those that were asked for", b)
		}
	}
	found := false
	if err == nil {
		err = b.at.Each(ctx, name, 1, func(string, int64) error { found = true; return nil })
	}
	if err == nil && !found {
		err = fmt.Errorf("%s does not list what was just stored", b)
	}
	if err == nil {
		err = b.checkParts(ctx, name)
	}
	return errors.Join(err, b.at.Delete(ctx, name))
}

// checkParts tries what some storages know only with a setting of theirs.
func (b *Bucket) checkParts(ctx context.Context, name string) error {
	upload, err := b.at.Begin(ctx, name)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte("part"))
	etag, err := b.at.Part(ctx, name, upload, 1, strings.NewReader("part"), 4, hex.EncodeToString(sum[:]))
	if err == nil {
		err = b.at.Begun(ctx, name, func(string, string) error { return nil })
	}
	if err == nil {
		err = b.at.Complete(ctx, name, upload, []string{etag})
	}
	if err != nil {
		return errors.Join(err, b.at.Abort(ctx, name, upload))
	}
	return nil
}
