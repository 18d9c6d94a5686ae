package storage

import (
	"bytes"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"
)

// Who loses an upload when its body has come whole is there still: what it asks next on the same connection is answered.
func TestAConnectionOutlivesATakenUpload(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		address, path := s.served(t), s.upload(t, "admin", "lessons/a", 200)
		var others sync.WaitGroup
		s.step = func(step string) error {
			if step == "acknowledge" { // all of the body has come; now another asks, and the holder is told to stop
				others.Go(func() { _, _, _ = request(t.Context(), "HEAD", address+path, nil, "") })
				time.Sleep(10 * nudge)
			}
			return nil
		}
		phone := http.Client{Transport: &http.Transport{MaxConnsPerHost: 1}}
		for _, one := range []struct{ method, path string }{{"PATCH", path}, {"GET", "/bucket"}, {"GET", "/bucket"}} {
			r, _ := http.NewRequestWithContext(t.Context(), one.method, address+one.path, bytes.NewReader(make([]byte, 100)))
			r.Header = http.Header{"Authorization": {"Bearer admin"}, "Tus-Resumable": {"1.0.0"}, "Content-Type": {chunk}, "Upload-Offset": {"0"}}
			answer, err := phone.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, answer.Body)
			_ = answer.Body.Close()
			if answer.StatusCode == 499 || one.method == "GET" && answer.StatusCode != 200 {
				t.Errorf("%s %s: %d", one.method, one.path, answer.StatusCode)
			}
		}
		others.Wait()
	})
}
