package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"greenroom/internal/platform/db"
)

func TestServerSaysNotReadyBeforeItCloses(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			// The second signal, not the clock, ends this drain.
			s := newPlace(t, engine, "GREENROOM_DRAIN=5m").serve(t)
			if status, body := s.get(t, "/readyz"); status != http.StatusOK {
				t.Fatalf("before: %d %s", status, body)
			}
			s.terminate(t)
			s.await(t, "stopping")
			for path, want := range map[string]int{"/readyz": 503, "/": 200, "/healthz": 200, "/robots.txt": 200} {
				if status, body := s.get(t, path); status != want {
					t.Errorf("%s while draining: %d %.100s", path, status, body)
				}
			}
			s.terminate(t)
			err := s.wait()
			exit, ok := errors.AsType[*exec.ExitError](err)
			if !ok || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
				t.Errorf("after the second signal: %v", err)
			}
			if s.listening() {
				t.Error("somebody still listens")
			}
		})
	}
}

func TestRequestsUnderWayFinish(t *testing.T) {
	t.Parallel()
	eachPlace(t, func(t *testing.T, p place) {
		s := p.serve(t)
		c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		body := `{"email":"ada@example.com","password":"wrong wrong wrong"}`
		fmt.Fprintf(c, "POST /auth/v1/token?grant_type=password HTTP/1.1\r\nHost: test\r\napikey: sb_publishable_of_the_tests\r\n"+
			"Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n", len(body))
		in := bufio.NewReader(c)
		// "Continue" comes when the handler asks for the body: from then on the request is under way.
		if line, err := in.ReadString('\n'); err != nil || !strings.HasPrefix(line, "HTTP/1.1 100") {
			t.Fatalf("%q, %v", line, err)
		}
		if _, err := in.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		s.terminate(t)
		s.await(t, "stopping")
		for s.listening() {
			continue
		}
		if _, err := c.Write([]byte(body)); err != nil {
			t.Fatal(err)
		}
		answer, err := http.ReadResponse(in, nil)
		if err != nil || answer.StatusCode != http.StatusBadRequest {
			t.Fatalf("%v, %v", answer, err)
		}
		_ = answer.Body.Close()
		if err := s.wait(); err != nil {
			t.Errorf("the end: %v", err)
		}
	})
}

func TestOneServerForOneFolder(t *testing.T) {
	t.Parallel()
	p := newPlace(t, db.SQLite)
	s := p.serve(t)
	_, complained, ok := p.run(t, "serve")
	if ok || !strings.Contains(complained, "greenroom: another greenroom serves this data folder already: stop it first, or set GREENROOM_DATA to another folder\n") {
		t.Errorf("the second: %v, %s", ok, complained)
	}
	p.must(t, "admin", "list") // commands work beside it
	s.stop(t)
	p.serve(t).stop(t)
}

func TestTakenPortIsNamed(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	at := "GREENROOM_LISTEN=" + taken.Addr().String()
	if _, complained, ok := newPlace(t, db.SQLite, at).run(t, "serve"); ok || !strings.Contains(complained, "greenroom: "+strings.Replace(at, "=", " ", 1)+" cannot be listened on") {
		t.Errorf("%v, %s", ok, complained)
	}
}

func TestSecurity70AnOpenFolderIsClosedAtTheStart(t *testing.T) {
	t.Parallel()
	p := newPlace(t, db.SQLite)
	p.must(t, "migrate")
	folder := strings.TrimPrefix(p.env[1], "GREENROOM_DATA=")
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	p.serve(t).stop(t)
	for name, want := range map[string]os.FileMode{"": 0o700, "greenroom.db": 0o600, "secret": 0o600} {
		if about, err := os.Stat(filepath.Join(folder, name)); err != nil || about.Mode().Perm() != want {
			t.Errorf("%q: %v, %v", name, about.Mode(), err)
		}
	}
}

func TestSecurity69RefusedTokensAreLoggedWithTheAddressAndSearchesAreNot(t *testing.T) {
	t.Parallel()
	eachPlace(t, func(t *testing.T, p place) {
		s := p.serve(t)
		for path, code := range map[string]string{
			"/rest/v1/courses?title=ilike.*burnout*&limit=1": "PGRST301", "/auth/v1/user": "bad_jwt", "/functions/v1/nothing?q=burnout": "",
		} {
			if status, body := s.get(t, path, "apikey", "sb_publishable_of_the_tests", "Authorization", "Bearer a.b.c"); status != 401 && status != 403 {
				t.Errorf("%s: %d %s", path, status, body)
			}
			line := s.await(t, "access refused")
			if line["address"] != "127.0.0.1" || (code != "" && line["code"] != code) {
				t.Errorf("%s: %v", path, line)
			}
		}
		s.get(t, "/rest/v1/courses?title=ilike.*burnout*", "apikey", "sb_publishable_of_the_tests")
		s.get(t, "/search?q=burnout")
		s.get(t, "/rest/v1/courses?title=burnout", "apikey", "none")
		s.stop(t)
		if log := s.log.String(); strings.Contains(log, "burnout") || strings.Contains(log, "a.b.c") {
			t.Errorf("the log has what somebody sent:\n%s", log)
		}
	})
}
