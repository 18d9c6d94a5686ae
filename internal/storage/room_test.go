package storage

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// Bytes that were replaced are on the disk until they are swept, and count as long.
func TestReplacedBytesCountUntilTheyAreSwept(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		put := func() *httptest.ResponseRecorder {
			return s.do("admin", "PUT", "/object/lessons/a", bytes.NewReader(make([]byte, 400)), "Content-Type", "video/mpeg")
		}
		for _, quota := range []*int64{&s.QuotaAll, &s.QuotaUser} {
			*quota = 1000
			if one, two := put(), put(); one.Code != 200 || two.Code != 200 {
				t.Fatalf("%s %s", one.Body, two.Body)
			}
			if w := put(); !strings.Contains(w.Body.String(), `"413"`) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			// A move has no more bytes than before.
			for _, to := range []string{"b", "a"} {
				w := s.do("admin", "POST", "/object/move", strings.NewReader(fmt.Sprintf(`{"bucketId":"lessons","sourceKey":%q,"destinationKey":%q}`, map[string]string{"b": "a", "a": "b"}[to], to)), "Content-Type", "application/json")
				if w.Code != 200 {
					t.Errorf("%d %s", w.Code, w.Body)
				}
			}
			s.do("admin", "DELETE", "/object/lessons/a", nil)
			s.hands.Advance(grace)
			if err := s.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			*quota = 1 << 40
		}
		s.whole(t)
	})
}

// Where the database takes no more writes, files are removed all the same, and their room is given back.
func TestRoomIsGivenBackOnAFullDisk(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			var free atomic.Int64
			free.Store(1 << 40)
			at := dbtest.Location(t, engine)
			at.Free = func(string) (int64, error) { return free.Load(), nil }
			s := openAt(t, at, clock.NewManual(time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)))
			for _, name := range []string{"a", "b"} {
				s.do("admin", "POST", "/object/lessons/"+name, strings.NewReader("text"), "Content-Type", "text/plain")
			}
			s.do("admin", "DELETE", "/object/lessons/a", nil)
			free.Store(0)
			for engine == db.SQLite { // until the writer has looked again
				if s.DB.Write(t.Context(), func(context.Context, *db.Tx) error { return nil }) != nil {
					break
				}
			}
			if w := s.do("admin", "DELETE", "/object/lessons", strings.NewReader(`{"prefixes":["b"]}`), "Content-Type", "application/json"); w.Code != 200 {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			s.hands.Advance(grace)
			if err := s.Sweep(t.Context()); err != nil {
				t.Error(err)
			}
			if err := s.Bytes.Each(t.Context(), func(version string, _ int64) error { return fmt.Errorf("%s is still there", version) }); err != nil {
				t.Error(err)
			}
			if left := s.count(t, "select count(*) from storage_versions"); left > 0 {
				t.Errorf("%d rows", left)
			}
			if err := s.DB.Write(t.Context(), func(context.Context, *db.Tx) error { return nil }); engine == db.SQLite && err == nil {
				t.Error("others write on a full disk")
			}
		})
	}
}

// What a sender tells of an object is stored too, and counts.
func TestWordsAboutAnObjectCount(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		words := base64.StdEncoding.EncodeToString([]byte(`{"a":"` + strings.Repeat("x", 300) + `"}`))
		put := func(name string) *httptest.ResponseRecorder {
			return s.do("admin", "POST", "/object/lessons/"+name, strings.NewReader("text"), "Content-Type", "text/plain", "X-Metadata", words)
		}
		for name, quota := range map[string]*int64{"a": &s.QuotaAll, "b": &s.QuotaUser} {
			*quota = 250
			if w := put(name); !strings.Contains(w.Body.String(), `"413"`) {
				t.Errorf("too much at once: %d %s", w.Code, w.Body)
			}
			*quota = 1000
			if w := put(name); w.Code != 200 {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			*quota = 500
			if w := put(name + name); !strings.Contains(w.Body.String(), `"413"`) {
				t.Errorf("too much with what is there: %d %s", w.Code, w.Body)
			}
			*quota = 1 << 40
		}
		if n := s.count(t, "select sum(told) from storage_objects"); n != 2*308 {
			t.Errorf("%d bytes of words", n)
		}
		dbtest.Searches(t, s.DB, "select sum(size + told) from storage_objects where owner = $1", actors["admin"].UserID)
		s.whole(t)
	})
}
