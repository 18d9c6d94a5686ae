package main

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"greenroom/internal/platform/s3/s3test"
)

// Files go to S3-compatible storage while a server runs, the rest when it is stopped, and back again.
func TestFilesMoveBesideARunningServer(t *testing.T) {
	t.Parallel()
	eachPlace(t, func(t *testing.T, p place) {
		p.env = append(p.env, "GREENROOM_SERVICE_KEY="+filerKey)
		elsewhere := s3test.Start(t).URL
		names := []string{"a", "b"}
		store := func(s *running, name string) {
			t.Helper()
			if got, err := ask(t.Context(), "POST", s.url+"/storage/v1/object/lessons/"+name, bytes.NewReader(film(name)), "Content-Type", "video/mpeg"); err != nil || got.code != http.StatusOK {
				t.Fatal(got.text, err)
			}
		}
		found := func(s *running) {
			t.Helper()
			for _, name := range names {
				if got, err := ask(t.Context(), "GET", s.url+"/storage/v1/object/lessons/"+name, nil); err != nil || got.text != string(film(name)) {
					t.Errorf("%s has %d bytes: %v", name, len(got.text), err)
				}
			}
		}
		server := p.serve(t)
		store(server, "a")
		store(server, "b")
		said := p.must(t, "storage", "move", "--to", elsewhere)
		if !strings.Contains(said, "2 files") || !strings.Contains(said, "100 %") || !strings.Contains(said, "stop it, run this again") || strings.Contains(said, "secret") {
			t.Errorf("beside a server: %s", said)
		}
		names = append(names, "c")
		store(server, "c")
		server.stop(t)
		if said := p.must(t, "storage", "move", "--to", elsewhere); !strings.Contains(said, "3 files") || !strings.Contains(said, "1 came with this run") || !strings.Contains(said, "No server is running") {
			t.Errorf("alone: %s", said)
		}
		there := place{append(p.env, "GREENROOM_STORAGE_URL="+elsewhere)}
		if _, complained, ok := there.run(t, "storage", "move", "--to", elsewhere); ok || !strings.Contains(complained, "already") {
			t.Errorf("to where they are: %v %s", ok, complained)
		}
		server = there.serve(t)
		names = append(names, "d")
		store(server, "d")
		found(server)
		if looked, _, _ := there.run(t, "doctor"); !strings.HasPrefix(line(looked, "files"), "ok") || !strings.Contains(line(looked, "files"), "4 stored files") || strings.Contains(looked, "secret@") {
			t.Errorf("the doctor: %s", looked)
		}
		server.stop(t)
		if said := there.must(t, "storage", "move", "--to", "folder"); !strings.Contains(said, "4 files") || !strings.Contains(said, "1 came with this run") {
			t.Errorf("back: %s", said)
		}
		server = p.serve(t)
		found(server)
		server.stop(t)
		if _, complained, ok := p.run(t, "storage", "move", "--to", "s3://nobody"); ok || !strings.Contains(complained, "GREENROOM_STORAGE_URL must look like") {
			t.Errorf("to nowhere: %v %s", ok, complained)
		}
		if said := fmt.Sprint(server.log.String()); strings.Contains(said, "panic") {
			t.Error(said)
		}
	})
}
