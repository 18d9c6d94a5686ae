package storage

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"greenroom/internal/storage/disk"
)

// A sender who promises more than a bucket takes is refused before a byte is read; one who promises nothing, at the bound.
func TestSecurity62TooLargeIsRefusedUnread(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		body := &counted{left: 11 << 20}
		r := httptest.NewRequestWithContext(t.Context(), "POST", Prefix+"/object/artwork/a.png", body)
		r.ContentLength = body.left
		r.Header.Set("Authorization", "Bearer admin")
		r.Header.Set("Content-Type", "image/png")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if !strings.Contains(w.Body.String(), `"413"`) || body.read > 0 {
			t.Errorf("%s after %d bytes", w.Body, body.read)
		}
		r.ContentLength = -1
		w = httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if !strings.Contains(w.Body.String(), `"413"`) && !strings.Contains(w.Body.String(), `"415"`) || body.read > 10<<20+64<<10 {
			t.Errorf("%s after %d bytes", w.Body, body.read)
		}
		s.whole(t)
	})
}

type counted struct{ left, read int64 }

func (c *counted) Read(into []byte) (int, error) {
	n := min(int64(len(into)), c.left)
	if n == 0 {
		return 0, io.EOF
	}
	clear(into[:n])
	if c.read == 0 {
		copy(into, "\x89PNG\r\n\x1a\n")
	}
	c.left, c.read = c.left-n, c.read+n
	return int(n), nil
}

func TestDeletingAPersonKeepsTheirObjects(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		s.do("admin", "POST", "/object/lessons/a", strings.NewReader("text"), "Content-Type", "text/plain")
		write(t, s.DB, "delete from users where id = $1", actors["admin"].UserID)
		if s.count(t, "select count(*) from storage_objects where owner is null") != 1 {
			t.Error("it went, or still has an owner")
		}
		s.whole(t)
	})
}

func TestLinksEnd(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		s.do("admin", "POST", "/object/lessons/a", strings.NewReader("text"), "Content-Type", "text/plain")
		token, err := s.sign(t.Context(), claims{URL: "lessons/new", Scope: upload}, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		made := s.do("admin", "POST", "/object/sign/lessons/a", strings.NewReader(`{"expiresIn":60}`), "Content-Type", "application/json").Body.String()
		link := strings.Split(made, `"`)[3]
		s.hands.Advance(59 * time.Second)
		if w := s.do("", "GET", link, nil); w.Body.String() != "text" {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		s.hands.Advance(time.Second)
		for _, w := range []*httptest.ResponseRecorder{s.do("", "GET", link, nil), s.do("", "PUT", "/object/upload/sign/lessons/new?token="+token, strings.NewReader("x"))} {
			if !strings.Contains(w.Body.String(), `\"exp\" claim timestamp check failed`) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		}
	})
}

func TestInstancesWithFoldersOfTheirOwnAreTold(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		var said bytes.Buffer
		s.Log = slog.New(slog.NewTextHandler(&said, nil))
		s.look(t.Context())
		s.look(t.Context())
		if said.Len() > 0 {
			t.Fatalf("alone: %s", said.String())
		}
		other := New(s.Options)
		other.Bytes = disk.Folder{Dir: filepath.Join(t.TempDir(), "objects")}
		other.look(t.Context())
		if !strings.Contains(said.String(), "STORED FILES ARE NOT SHARED") {
			t.Errorf("two: %s", said.String())
		}
	})
}

func TestTypesAreSniffed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		stated, head string
		agrees       bool
	}{
		{"image/png", string(png), true},
		{"image/png", "<svg onload=alert(1)>", false},
		{"image/png", "\xef\xbb\xbf \n<!-- x --><svg>", false},
		{"image/png", "<html>", false},
		{"image/png", "GIF89a", false},
		{"image/jpeg", string(png), false},
		{"image/avif", "\x00\x00\x00\x20ftypavif\x00\x00", true},
		{"video/mp4", "\x00\x00\x00\x20ftypisom\x00\x00", true},
		{"video/quicktime", "\x00\x00\x00\x20ftypqt  \x00\x00", true},
		{"video/mp4", "<?xml version='1.0'?><x/>", false},
		{"video/mp4", "#EXTM3U\nfile:///etc/passwd", false},
		{"text/plain; charset=utf-8", "hello", true},
		{"text/plain", "<script>alert(1)</script>", false},
		{"text/vtt", "WEBVTT\n", true},
		{"application/pdf", "%PDF-1.7", true},
		{"application/pdf", "PK\x03\x04", false},
	} {
		if got := agrees(c.stated, sniff([]byte(c.head))); got != c.agrees {
			t.Errorf("%s and %q (%s): %v", c.stated, c.head, sniff([]byte(c.head)), got)
		}
	}
}

func TestRangesOfAnObject(t *testing.T) {
	t.Parallel()
	o := object{Size: 10, Hash: strings.Repeat("a", 64)}
	for _, c := range []struct {
		given         string
		begin, length int64
		partial       bool
	}{
		{"", 0, 10, false},
		{"bytes=0-0", 0, 1, true},
		{"bytes=2-", 2, 8, true},
		{"bytes=-3", 7, 3, true},
		{"bytes=-30", 0, 10, true},
		{"bytes=5-50", 5, 5, true},
		{"bytes=9-9", 9, 1, true},
		{"bytes=10-", -1, 0, false},
		{"bytes=3-2", -1, 0, false},
		{"bytes=0-1,2-3", -1, 0, false},
		{"bytes=", -1, 0, false},
		{"bytes=-", -1, 0, false},
		{"bytes=a-b", -1, 0, false},
		{"bytes=99999999999999999999-", -1, 0, false},
		{"x=0-1", -1, 0, false},
	} {
		begin, length, partial, err := o.wanted(http.Header{"Range": {c.given}})
		if c.begin < 0 != errors.Is(err, errRange) || err == nil && (begin != c.begin || length != c.length || partial != c.partial) {
			t.Errorf("%q: %d %d %v %v", c.given, begin, length, partial, err)
		}
	}
	if _, _, partial, _ := o.wanted(http.Header{"Range": {"bytes=0-1"}, "If-Range": {`"older"`}}); partial {
		t.Error("a part of what has changed")
	}
}
