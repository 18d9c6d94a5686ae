package storage

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"greenroom/internal/platform/db"
)

// resume asks how far an upload is and sends the rest, as a client does that comes back.
func (s *stage) resume(t *testing.T, path string, content []byte) {
	t.Helper()
	w := s.tus("admin", "HEAD", path, nil)
	at, err := strconv.Atoi(w.Header().Get("Upload-Offset"))
	if w.Code != 200 || err != nil {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if at < len(content) {
		if w := s.patch(path, at, content[at:]); w.Code != 204 {
			t.Fatalf("from %d: %d %s", at, w.Code, w.Body)
		}
	}
}

// TestAnUploadSurvivesAnEndAnywhere ends a piece before each of its steps; what was acknowledged is there, and the upload goes on.
func TestAnUploadSurvivesAnEndAnywhere(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		content := bytes.Repeat([]byte{1, 2, 3, 4, 5}, 1000)
		for i, step := range append([]string{"make the folder", "sync the file", "rename", "sync the folder", "acknowledge", "acknowledged", "commit", "committed"}, cloudSteps...) {
			for name, first := range map[string]int{"in the first piece": 0, "in the last one": 3000} {
				place := "lessons/" + strconv.Itoa(i) + name
				path := s.upload(t, "admin", place, len(content))
				if first > 0 {
					if w := s.patch(path, 0, content[:first]); w.Code != 204 {
						t.Fatalf("%d %s", w.Code, w.Body)
					}
				}
				ended := func(at string) error {
					if at == step {
						panic("the process ends")
					}
					return nil
				}
				s.ending(ended)
				func() {
					defer func() { _ = recover() }()
					s.patch(path, first, content[first:])
				}()
				s.ending(nil)
				again := s.another() // another process
				again.resume(t, path, content)
				if w := s.do("admin", "GET", "/object/"+place, nil); !bytes.Equal(w.Body.Bytes(), content) {
					t.Errorf("ended before %q %s: %d", step, name, w.Code)
				}
			}
		}
		s.whole(t)
	})
}

// One request may bring all of a film: what came before the process ended is kept by stretches.
func TestALongPieceIsAcknowledgedOnTheWay(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		content := bytes.Repeat([]byte{1, 2, 3, 4, 5}, 1000)
		path := s.upload(t, "admin", "lessons/long", len(content))
		s.stretch = 1000
		times := 0
		s.step = func(step string) error {
			if step == "acknowledge" {
				if times++; times == 4 {
					panic("the process ends")
				}
			}
			return nil
		}
		func() {
			defer func() { _ = recover() }()
			s.patch(path, 0, content)
		}()
		s.step = nil
		if at := s.tus("admin", "HEAD", path, nil).Header().Get("Upload-Offset"); at != "3000" {
			t.Errorf("it is at %s", at)
		}
		s.resume(t, path, content)
		if w := s.do("admin", "GET", "/object/lessons/long", nil); !bytes.Equal(w.Body.Bytes(), content) {
			t.Errorf("%d bytes", w.Body.Len())
		}
		s.whole(t)
	})
}

// A beginning that breaks off leaves nothing: its client was not told where to go on.
func TestABeginningThatBreaksOffLeavesNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		body, send := io.Pipe()
		go func() {
			_, _ = send.Write(make([]byte, 10))
			_ = send.CloseWithError(io.ErrUnexpectedEOF)
		}()
		w := s.tus("admin", "POST", tusPath, body, "Upload-Length", "100", "Content-Type", chunk, "Upload-Metadata", said("bucketName", "lessons", "objectName", "x", "contentType", "video/mpeg"))
		if w.Code != 409 || w.Header().Get("Location") != "" || s.count(t, "select count(*) from storage_uploads") != 0 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		s.whole(t)
	})
}

// served is the service on a real socket.
func (s *stage) served(t *testing.T) (address string) {
	t.Helper()
	server := httptest.NewServer(s.Service)
	t.Cleanup(server.Close)
	return server.URL + Prefix
}

// request gives the status and the head of an answer.
func request(ctx context.Context, method, address string, body io.Reader, at string) (int, http.Header, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Authorization", "Bearer admin")
	r.Header.Set("Tus-Resumable", "1.0.0")
	if at != "" {
		r.Header.Set("Content-Type", chunk)
		r.Header.Set("Upload-Offset", at)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, answer.Header, err
}

// A phone that changes its network leaves a request behind that sends nothing more. Whoever asks next, here or at another
// instance, gets the upload with what had arrived.
func TestAnUploadIsTakenFromARequestThatIsDead(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		other := s.another()
		servers := map[string]string{"the same": s.served(t), "another instance": other.served(t)}
		if s.DB.Engine == db.SQLite {
			delete(servers, "another instance")
		}
		content := bytes.Repeat([]byte{7}, 3000)
		for name, next := range servers {
			path := s.upload(t, "admin", "lessons/"+name, len(content))
			body, send := io.Pipe()
			answers := make(chan int, 1)
			reads := make(chan struct{})
			var once sync.Once
			s.shelving(func(step string) error {
				if step == "make the folder" || step == "stage" {
					once.Do(func() { close(reads) })
				}
				return nil
			})
			go func() {
				code, _, _ := request(context.Background(), "PATCH", servers["the same"]+path, body, "0")
				answers <- code
			}()
			if _, err := send.Write(content[:1000]); err != nil {
				t.Fatal(err)
			}
			<-reads
			s.shelving(nil)
			code, head, err := request(t.Context(), "HEAD", next+path, nil, "")
			if err != nil {
				t.Fatal(err)
			}
			at, err := strconv.Atoi(head.Get("Upload-Offset"))
			if err != nil || code != 200 || at > 1000 {
				t.Fatalf("%s: %d %v", name, code, head)
			}
			_ = send.CloseWithError(io.ErrUnexpectedEOF)
			if code := <-answers; code != 409 && code != 499 && code != 0 {
				t.Errorf("%s: the dead one was told %d", name, code)
			}
			if code, _, err := request(t.Context(), "PATCH", next+path, bytes.NewReader(content[at:]), strconv.Itoa(at)); err != nil || code != 204 {
				t.Errorf("%s: %d %v", name, code, err)
			}
			if w := s.do("admin", "GET", "/object/lessons/"+name, nil); !bytes.Equal(w.Body.Bytes(), content) {
				t.Errorf("%s: %d bytes", name, w.Body.Len())
			}
		}
		s.whole(t)
	})
}

// However many pieces come for one upload at once, they come to one truth: each byte is where its sender said, once.
func TestTwoHundredPiecesAtOnceAreOneTruth(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		address := s.served(t)
		content := make([]byte, 200*100)
		for i := range content {
			content[i] = byte(i / 100)
		}
		path := s.upload(t, "admin", "lessons/crowd", len(content))
		var all sync.WaitGroup
		gate := make(chan struct{}, 40) // sockets at once
		for i := range 200 {
			all.Go(func() {
				gate <- struct{}{}
				defer func() { <-gate }()
				at := i * 100
				code, _, err := request(t.Context(), "PATCH", address+path, bytes.NewReader(content[at:at+100]), strconv.Itoa(at))
				if err == nil && code != 204 && code != 409 && code != 423 {
					t.Errorf("%d: %d", i, code)
				}
			})
		}
		all.Wait()
		s.resume(t, path, content)
		if w := s.do("admin", "GET", "/object/lessons/crowd", nil); !bytes.Equal(w.Body.Bytes(), content) {
			t.Errorf("%d bytes", w.Body.Len())
		}
		path = s.upload(t, "admin", "lessons/same", 4)
		codes := make([]int, 30)
		for i := range codes {
			all.Go(func() {
				codes[i], _, _ = request(t.Context(), "PATCH", address+path, strings.NewReader("\x00"+strings.Repeat(string(rune('a'+i%26)), 3)), "0")
			})
		}
		all.Wait()
		good := 0
		for _, code := range codes {
			if code == 204 {
				good++
			}
		}
		got := s.do("admin", "GET", "/object/lessons/same", nil).Body.String()
		if good != 1 || len(got) != 4 || strings.Count(got, got[1:2]) != 3 {
			t.Errorf("%d went through, and it holds %q", good, got)
		}
		s.whole(t)
	})
}
