package cloud

import (
	"io"
	"os"
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
