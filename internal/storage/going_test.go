package storage

import (
	"bytes"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"greenroom/internal/storage/cloud"
)

// Slow senders hold what they may hold, and not the whole server.
func TestTenUploadsOfAnAccountAndOneOfALink(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		text := []string{"Content-Type", "text/plain"}
		link, _ := s.uploadLink("service", "lessons/linked", "X-Upsert", "true")
		var begun, all sync.WaitGroup
		held := make(chan struct{})
		slow := func(as, method, path string) {
			begun.Add(1)
			var once sync.Once
			body := watched{strings.NewReader("text"), func() { once.Do(func() { begun.Done(); <-held }) }}
			all.Go(func() {
				if w := s.do(as, method, path, body, text...); w.Code != 200 {
					t.Errorf("%s: %d %s", path, w.Code, w.Body)
				}
			})
		}
		for i := range mostGoing {
			slow("admin", "POST", fmt.Sprintf("/object/lessons/%d", i))
			slow("service", "POST", fmt.Sprintf("/object/lessons/service-%d", i))
		}
		slow("", "PUT", link)
		begun.Wait()
		for name, w := range map[string]*httptest.ResponseRecorder{
			"account": s.do("admin", "POST", "/object/lessons/more", strings.NewReader("text"), text...),
			"link":    s.do("", "PUT", link, strings.NewReader("text"), text...),
		} {
			if w.Code != 429 || !strings.Contains(w.Body.String(), "SlowDown") {
				t.Errorf("%s: %d %s", name, w.Code, w.Body)
			}
		}
		if w := s.do("service", "POST", "/object/lessons/more", strings.NewReader("text"), text...); w.Code != 200 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		close(held)
		all.Wait()
		if len(s.going.of) > 0 {
			t.Errorf("%v are still under way", s.going.of)
		}
		_, token := s.uploadLink("service", "lessons/pieces")
		for _, want := range []int{201, 429} {
			w := s.tus("", "POST", tusPath+"/sign", nil, "X-Signature", token, "Upload-Length", "4", "Upload-Metadata", said("bucketName", "lessons", "objectName", "pieces", "contentType", "text/plain"))
			if w.Code != want {
				t.Errorf("in pieces: %d %s", w.Code, w.Body)
			}
		}
		s.hands.Advance(resumableTime)
		s.whole(t)
	})
}

// Who does not say how much comes is promised room as it comes.
func TestRoomForAnUnknownLengthComesInSteps(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		s.QuotaAll = 4 << 20
		const promised = "select coalesce(sum(size), 0) from storage_versions where state = 'pending'"
		send := func(size int, send func(body io.Reader) *httptest.ResponseRecorder) *httptest.ResponseRecorder {
			from := bytes.NewReader(make([]byte, size))
			return send(watched{from, func() {
				// Room for twice as much as came, and for what is read at once.
				if room, came := s.count(t, promised), size-from.Len(); room > 2*came+firstRoom || room < came {
					t.Errorf("room for %d after %d", room, came)
				}
			}})
		}
		whole := func(name string) func(body io.Reader) *httptest.ResponseRecorder {
			return func(body io.Reader) *httptest.ResponseRecorder {
				return s.do("admin", "POST", "/object/lessons/"+name, body, "Content-Type", "video/mpeg")
			}
		}
		if w := send(3<<20, whole("a")); w.Code != 200 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		if w := send(3<<20, whole("b")); !strings.Contains(w.Body.String(), `"413"`) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		s.do("admin", "DELETE", "/object/lessons/a", nil)
		s.whole(t)
		if bucket, ok := s.Bytes.(*cloud.Bucket); ok {
			bucket.PartSize = 1 << 20
		}
		path := s.upload(t, "admin", "lessons/c", 0, "Upload-Length", "", "Upload-Defer-Length", "1")
		w := send(3<<20, func(body io.Reader) *httptest.ResponseRecorder {
			return s.tus("admin", "PATCH", path, body, "Upload-Offset", "0")
		})
		if w.Code != 204 || w.Header().Get("Upload-Offset") != "3145728" {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}
