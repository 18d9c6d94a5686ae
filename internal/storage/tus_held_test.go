package storage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
)

// What comes in pieces is held to the same bounds as what comes at once, and is known by the same hash.
func TestSecurity62PiecesAreHeldToTheSameBounds(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		s.do("service", "POST", "/bucket", strings.NewReader(`{"name":"open","public":true}`), "Content-Type", "application/json")
		html := []byte("<html><script>1</script>" + strings.Repeat(" ", 2000))
		path := s.upload(t, "service", "open/a", len(html))
		for _, at := range []int{0, 1500} {
			if w := s.tus("service", "PATCH", path, bytes.NewReader(html[at:min(at+1500, len(html))]), "Upload-Offset", strconv.Itoa(at)); w.Code != 204 {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
		}
		sum := sha256.Sum256(html)
		if head := s.do("", "GET", "/object/public/open/a", nil).Header(); head.Get("ETag") != `"`+hex.EncodeToString(sum[:])[:32]+`"` || !strings.Contains(head.Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("%v", head)
		}
		picture := said("bucketName", "artwork", "objectName", "p", "contentType", "image/png")
		late := s.upload(t, "admin", "artwork/late", 0, "Upload-Length", "", "Upload-Defer-Length", "1", "Upload-Metadata", said("bucketName", "artwork", "objectName", "late", "contentType", "image/png"))
		if a, b := s.tus("admin", "POST", tusPath, nil, "Upload-Length", "11000000", "Upload-Metadata", picture), s.patch(late, 0, png, "Upload-Length", "11000000"); a.Code != 413 || b.Code != 413 {
			t.Errorf("beyond the bucket's bound: %d %d", a.Code, b.Code)
		}
		if w := s.patch(late, 0, append([]byte("<svg>"), make([]byte, 1100)...)); w.Code != 415 {
			t.Errorf("not at the end, but when it is seen: %d", w.Code)
		}
		defer1 := s.upload(t, "admin", "lessons/late", 0, "Upload-Length", "", "Upload-Defer-Length", "1")
		s.QuotaUser = 100
		if a, b := s.tus("admin", "POST", tusPath, nil, "Upload-Length", "101", "Upload-Metadata", picture), s.patch(defer1, 0, make([]byte, 101)); a.Code != 413 || b.Code != 413 {
			t.Errorf("beyond the quota: %d %d", a.Code, b.Code)
		}
		s.QuotaUser, s.Secure = 1<<30, true
		if w := s.tus("admin", "POST", tusPath, nil, "Upload-Length", "9", "Upload-Metadata", picture); !strings.HasPrefix(w.Header().Get("Location"), "https://") {
			t.Errorf("%d %v", w.Code, w.Header())
		}
	})
}

// What the disk or another instance did in between is never taken for what came in.
func TestAnUploadIsWhatCameIn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		begun := func(place string) (path, file string) {
			path = s.upload(t, "admin", place, 200)
			if w := s.tus("admin", "PATCH", path, io.MultiReader(bytes.NewReader(make([]byte, 100)), iotest.ErrReader(errors.New("gone"))), "Upload-Offset", "0"); w.Code != 409 {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			if at := s.tus("admin", "HEAD", path, nil).Header().Get("Upload-Offset"); at != "100" {
				t.Errorf("of 100 bytes that came, %s are kept", at)
			}
			if s.s3 != nil {
				ends := slices.DeleteFunc(s.s3.Names(), func(name string) bool { return !strings.HasSuffix(name, ".100") })
				return path, ends[len(ends)-1]
			}
			all, _ := filepath.Glob(filepath.Join(s.Bytes.Path(""), "*", "*.part"))
			return path, all[len(all)-1]
		}
		stolen := func() { // by an instance that is dead by now
			write(t, s.DB, "update storage_uploads set holder = '00000000-0000-4000-8000-0000000000aa', until_at = $1", db.At(s.hands.Now().Add(-time.Second)))
		}
		damage := func(file string, content []byte) error {
			if s.s3 != nil {
				s.s3.Put(file, content)
				return nil
			}
			return os.WriteFile(file, content, 0o600)
		}
		path, file := begun("lessons/short")
		if err := damage(file, make([]byte, 50)); err != nil || s.patch(path, 100, make([]byte, 100)).Code != 410 {
			t.Errorf("bytes that were acknowledged are missing, and nobody says so: %v", err)
		}
		s.whole(t)
		path, _ = begun("lessons/lost")
		s.step = func(at string) error {
			if at == "acknowledge" {
				stolen()
			}
			return nil
		}
		if code := s.patch(path, 100, make([]byte, 50)).Code; code != 409 {
			t.Errorf("who lost the upload was told %d", code)
		}
		s.step = nil
		if at := s.tus("admin", "HEAD", path, nil).Header().Get("Upload-Offset"); at != "100" {
			t.Errorf("who lost the upload counted: %s", at)
		}
		s.tus("admin", "DELETE", path, nil)
		if err := s.Sweep(t.Context()); err != nil || s.count(t, "select count(*) from storage_versions") != 0 {
			t.Errorf("what was deleted is there: %v", err)
		}
		if s.DB.Engine == db.Postgres {
			path, file = begun("lessons/doubt")
			stolen()
			if err := damage(file, bytes.Repeat([]byte{1}, 100)); err != nil || s.patch(path, 100, make([]byte, 100)).Code != 410 {
				t.Errorf("another wrote on: %v", err)
			}
		}
		late := s.upload(t, "admin", "lessons/late", 0, "Upload-Length", "", "Upload-Defer-Length", "1")
		s.step = func(at string) error { return map[string]error{"acknowledge": errors.New("ends")}[at] }
		s.patch(late, 0, make([]byte, 300))
		s.step = nil
		s.hands.Advance(patience + time.Hour)
		if err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if w := s.patch(late, 0, make([]byte, 100), "Upload-Length", "100"); w.Code != 204 {
			t.Errorf("shorter than what was not acknowledged, after a sweep: %d %s", w.Code, w.Body)
		}
		s.whole(t)
	})
}

// A clock that was set back keeps nobody from an upload whose holder is dead.
func TestAHoldOfALaterClockIsOver(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		path := s.upload(t, "admin", "lessons/a", 4)
		write(t, s.DB, "update storage_uploads set holder = '00000000-0000-4000-8000-0000000000aa', until_at = $1", db.At(s.hands.Now().Add(time.Hour)))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := s.leaseUpload(ctx, path[strings.LastIndexByte(path, '/')+1:], &hold{name: id.New()}); err != nil {
			t.Error(err)
		}
	})
}
