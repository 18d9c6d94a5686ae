package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/s3/s3test"
	"greenroom/internal/storage"
)

// filer stores files in a server that is killed again and again, and remembers what it was told.
type filer struct {
	mu     sync.Mutex
	stored map[string][]byte // acknowledged, by name
	parts  map[string]int64  // the offset that was acknowledged last, by the path of an upload
}

const filerKey = "sb_secret_of_the_tests"

// told is an answer of a server.
type told struct {
	code int
	head http.Header
	text string
}

// ask sends a request with the operator's key.
func ask(ctx context.Context, method, address string, body io.Reader, headers ...string) (told, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return told{}, err
	}
	r.Header.Set("Authorization", "Bearer "+filerKey)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return told{}, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return told{answer.StatusCode, answer.Header, string(text)}, err
}

// film is the content of a name: as long as several packets, and no other's.
func film(name string) []byte { return bytes.Repeat([]byte("\x00"+name+"|"), 20_000) }

// single stores files in one request each, until the server is gone.
func (f *filer) single(ctx context.Context, url, prefix string, heard chan<- struct{}) {
	for i := 0; ctx.Err() == nil; i++ {
		name := fmt.Sprintf("%s-%d", prefix, i)
		answer, err := ask(ctx, "POST", url+"/storage/v1/object/films/"+name, bytes.NewReader(film(name)), "Content-Type", "video/mpeg")
		if err == nil && answer.code == http.StatusOK {
			f.mu.Lock()
			f.stored[name] = film(name)
			f.mu.Unlock()
			heard <- struct{}{}
		}
	}
}

var tusHead = []string{"Tus-Resumable", "1.0.0"}

// pieces stores one file in many pieces, beginning where the server says that it is.
func (f *filer) pieces(ctx context.Context, url, path, name string) (done bool, err error) {
	answer, err := ask(ctx, "HEAD", url+path, nil, tusHead...)
	if err != nil {
		return false, nil //nolint:nilerr // killed
	}
	at, err := strconv.ParseInt(answer.head.Get("Upload-Offset"), 10, 64)
	if err != nil || answer.code != http.StatusOK {
		return false, fmt.Errorf("%s: %d %s", path, answer.code, answer.text)
	}
	f.mu.Lock()
	known := f.parts[path]
	f.mu.Unlock()
	if at < known {
		return false, fmt.Errorf("%s was at %d, and is at %d after a kill", path, known, at)
	}
	content := film(name)
	for at < int64(len(content)) && ctx.Err() == nil {
		end := min(at+30_000, int64(len(content)))
		answer, err := ask(ctx, "PATCH", url+path, bytes.NewReader(content[at:end]), append(tusHead, "Content-Type", "application/offset+octet-stream", "Upload-Offset", strconv.FormatInt(at, 10))...)
		if err != nil {
			return false, nil //nolint:nilerr // killed
		}
		if answer.code != http.StatusNoContent {
			return false, fmt.Errorf("%s at %d: %d %s", path, at, answer.code, answer.text)
		}
		at = end
		f.mu.Lock()
		f.parts[path] = at
		f.mu.Unlock()
	}
	return at == int64(len(content)), nil
}

// TestKillsLoseNoFiles kills a server in the middle of uploads. What was acknowledged is there byte for byte, an upload in pieces goes on
// where it was, and all bytes on the disk have a row.
func TestKillsLoseNoFiles(t *testing.T) {
	t.Parallel()
	eachPlace(t, killFilers)
	t.Run("s3", func(t *testing.T) {
		t.Parallel()
		elsewhere := s3test.Gateway(t)
		if elsewhere == "" {
			elsewhere = s3test.Start(t).URL
		}
		killFilers(t, newPlace(t, db.Postgres, "GREENROOM_STORAGE_URL="+elsewhere))
	})
}

func killFilers(t *testing.T, p place) {
	t.Helper()
	p.env = append(p.env, "GREENROOM_RATE_LIMITS=off", "GREENROOM_SERVICE_KEY="+filerKey)
	f := &filer{stored: map[string][]byte{}, parts: map[string]int64{}}
	paths := map[string]string{} // of uploads in pieces, by name
	for round := range killRounds {
		s := p.serve(t)
		f.prepare(t, s.url, round, paths)
		ctx, stop := context.WithCancel(t.Context())
		var all sync.WaitGroup
		heard := make(chan struct{}, 1<<14)
		for writer := range 4 {
			all.Go(func() { f.single(ctx, s.url, fmt.Sprintf("r%d-w%d", round, writer), heard) })
		}
		for name, path := range paths {
			all.Go(func() {
				if _, err := f.pieces(ctx, s.url, path, name); err != nil && ctx.Err() == nil {
					t.Error(err)
				}
			})
		}
		for range 5 + rand.IntN(10) {
			<-heard
		}
		time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond) // anywhere between two answers
		if err := s.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		stop()
		all.Wait()
		_ = s.wait()
	}
	s := p.serve(t)
	for name, path := range paths {
		if done, err := f.pieces(t.Context(), s.url, path, name); err != nil || !done {
			t.Errorf("%s was not finished: %v", name, err)
		}
		f.stored[name] = film(name)
	}
	for name, want := range f.stored {
		if got, err := ask(t.Context(), "GET", s.url+"/storage/v1/object/films/"+name, nil); err != nil || got.text != string(want) {
			t.Errorf("%s was acknowledged and has %d of %d bytes: %v", name, len(got.text), len(want), err)
		}
	}
	s.stop(t)
	if said, _, _ := p.run(t, "doctor"); !strings.HasPrefix(line(said, "files"), "ok") {
		t.Errorf("the doctor: %s", said)
	}
	p.everyByteHasARow(t)
}

// prepare makes the bucket, and an upload in pieces.
func (f *filer) prepare(t *testing.T, url string, round int, paths map[string]string) {
	t.Helper()
	if round == 0 {
		if answer, err := ask(t.Context(), "POST", url+"/storage/v1/bucket", strings.NewReader(`{"name":"films"}`), "Content-Type", "application/json"); err != nil || answer.code != http.StatusOK {
			t.Fatal(answer.text, err)
		}
	}
	name := fmt.Sprintf("pieces-%d", round)
	code := base64.StdEncoding.EncodeToString
	said := "bucketName " + code([]byte("films")) + ",objectName " + code([]byte(name)) + ",contentType " + code([]byte("video/mpeg"))
	answer, err := ask(t.Context(), "POST", url+"/storage/v1/upload/resumable", nil, append(tusHead, "Upload-Metadata", said, "Upload-Length", strconv.Itoa(len(film(name))))...)
	if err != nil || answer.code != http.StatusCreated {
		t.Fatal(answer.text, err)
	}
	paths[name] = strings.TrimPrefix(answer.head.Get("Location"), url)
}

func (p place) everyByteHasARow(t *testing.T) {
	t.Helper()
	known := map[string]bool{}
	err := p.database(t).Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, "select version from storage_objects union all select version from storage_versions union all select version from video_files", nil, func(scan func(...any) error) error {
			var version string
			err := scan(&version)
			known[version] = true
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	files, err := storage.Open(p.value("GREENROOM_STORAGE_URL"), p.value("GREENROOM_DATA"))
	if err != nil {
		t.Fatal(err)
	}
	err = files.Each(t.Context(), func(version string, _ int64) error {
		if !known[version] {
			t.Errorf("bytes without a row: %s", version)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
