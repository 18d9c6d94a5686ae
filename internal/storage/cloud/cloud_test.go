package cloud

import (
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"greenroom/internal/platform/id"
	"greenroom/internal/platform/s3/s3test"
	"greenroom/internal/platform/safe/safetest"
	"greenroom/internal/storage/disk"
	"greenroom/internal/storage/shelf"
	"greenroom/internal/storage/shelf/shelftest"
)

func TestMain(m *testing.M) { safetest.Main(m) }

func open(t *testing.T, address string) *Bucket {
	t.Helper()
	b, err := Open(address, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestEveryPlaceForBytesKeepsItsPromises(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]func(t *testing.T) shelf.Shelf{
		"a folder":  func(t *testing.T) shelf.Shelf { t.Helper(); return disk.Folder{Dir: t.TempDir()} },
		"in memory": func(t *testing.T) shelf.Shelf { t.Helper(); return open(t, s3test.Start(t).URL) },
		"a gateway": func(t *testing.T) shelf.Shelf {
			t.Helper()
			address := s3test.Gateway(t)
			if address == "" {
				t.Skip("versitygw has not been built")
			}
			return open(t, address)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shelftest.Try(t, at(t))
		})
	}
}

// A file that is too large for one piece goes in parts, and leaves nothing on this machine.
func TestALargeFileGoesInParts(t *testing.T) {
	t.Parallel()
	storage := s3test.Start(t)
	b, version := open(t, storage.URL), id.New()
	wrote, err := b.Write(t.Context(), version, io.LimitReader(zeros{}, onePiece+100))
	if err != nil || wrote.Size != onePiece+100 {
		t.Fatalf("%+v %v", wrote, err)
	}
	if there, err := b.Has(t.Context(), version, onePiece+100); err != nil || !there || storage.Begun() > 0 {
		t.Errorf("%v %v", there, err)
	}
	if left, err := os.ReadDir(b.Scratch); err != nil || len(left) > 0 {
		t.Errorf("%v %v", left, err)
	}
}

type zeros struct{}

func (zeros) Read(into []byte) (int, error) { clear(into); return len(into), nil }

// A loose end of other bytes than those that were acknowledged is not built upon, nor is a mark of another length.
func TestALooseEndOfOtherBytesIsMissing(t *testing.T) {
	t.Parallel()
	b, version := open(t, s3test.Start(t).URL), id.New()
	added, mark, err := b.Append(t.Context(), version, "", 0, strings.NewReader("abc"), sha256.New())
	if err != nil || added != 3 {
		t.Fatal(added, err)
	}
	if _, _, err := b.Append(t.Context(), version, "", 3, strings.NewReader("d"), sha256.New()); !errors.Is(err, shelf.ErrMissing) {
		t.Errorf("without its mark: %v", err)
	}
	if err := b.put(t.Context(), loose(version, 3), "xyz"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Append(t.Context(), version, mark, 3, strings.NewReader("d"), sha256.New()); !errors.Is(err, shelf.ErrMissing) {
		t.Errorf("with other bytes: %v", err)
	}
}
