// Package shelftest holds a place for bytes to what shelf.Shelf promises.
package shelftest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"testing"

	"greenroom/internal/platform/id"
	"greenroom/internal/storage/shelf"
)

// Try does all that can be done with an empty shelf, and leaves it empty.
func Try(t *testing.T, s shelf.Shelf) {
	t.Helper()
	if err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	first, err := s.Place(t.Context())
	if again, wrong := s.Place(t.Context()); err != nil || wrong != nil || first != again {
		t.Fatalf("one place is %q and %q: %v %v", first, again, err, wrong)
	}
	content := bytes.Repeat([]byte("0123456789abcdef"), 1<<20) // some parts long
	small, linked, none := id.New(), id.New(), id.New()
	wrote, err := s.Write(t.Context(), small, bytes.NewReader(content[:1000]))
	if err != nil || wrote != (shelf.Wrote{Size: 1000, Hash: hashed(content[:1000])}) {
		t.Fatalf("%+v %v", wrote, err)
	}
	if _, err := s.Write(t.Context(), none, bytes.NewReader(nil)); err != nil || string(read(t, s, none, 0, 0)) != "" {
		t.Errorf("nothing: %v", err)
	}
	if err := s.Link(t.Context(), linked, small, 1000); err != nil || !bytes.Equal(read(t, s, linked, 10, 20), content[10:30]) {
		t.Errorf("linked: %v", err)
	}
	if _, err := s.Open(t.Context(), id.New(), 0, 10); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("one that is not there: %v", err)
	}
	if there, err := s.Has(t.Context(), small, 999); err != nil || there {
		t.Errorf("with another size: %v %v", there, err)
	}
	pieces := appended(t, s, content)
	begun := id.New()
	if _, _, err := s.Append(t.Context(), begun, "", 0, bytes.NewReader(content), sha256.New()); err != nil {
		t.Fatal(err)
	}
	sizes := map[string]int64{}
	err = s.Each(t.Context(), func(version string, size int64) error { sizes[version] = size; return nil })
	if err != nil || len(sizes) != 5 || sizes[small] != 1000 || sizes[pieces] != int64(len(content)) {
		t.Errorf("%v %v", sizes, err)
	}
	for version := range sizes {
		if err := errors.Join(s.Remove(t.Context(), version), s.Remove(t.Context(), version)); err != nil {
			t.Error(err)
		}
	}
	if err := s.Each(t.Context(), func(version string, _ int64) error { return errors.New(version + " is left") }); err != nil {
		t.Error(err)
	}
}

// appended stores something in pieces that do not fit any part, and gives its version.
func appended(t *testing.T, s shelf.Shelf, content []byte) string {
	t.Helper()
	version, mark, at, sum := id.New(), "", int64(0), sha256.New()
	for at < int64(len(content)) {
		n, next, err := s.Append(t.Context(), version, mark, at, io.LimitReader(bytes.NewReader(content[at:]), min(s.Stretch(at), 5<<20)), sum)
		if err != nil {
			t.Fatalf("at %d: %v", at, err)
		}
		at, mark = at+n, next
	}
	if head, err := s.Head(t.Context(), version, mark, 100); err != nil || !bytes.Equal(head, content[:100]) {
		t.Errorf("its beginning: %q %v", head, err)
	}
	for range 2 { // the second time it is left
		if err := s.Settle(t.Context(), version, mark, at); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(read(t, s, version, 0, at), content) || !bytes.Equal(read(t, s, version, at-5, 5), content[at-5:]) {
		t.Error("other bytes came back")
	}
	return version
}

func hashed(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

func read(t *testing.T, s shelf.Shelf, version string, begin, length int64) []byte {
	t.Helper()
	from, err := s.Open(t.Context(), version, begin, length)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	content, err := io.ReadAll(io.LimitReader(from, length))
	if err != nil {
		t.Fatal(err)
	}
	return content
}
