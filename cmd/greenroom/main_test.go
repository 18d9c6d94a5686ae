package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/safe/safetest"
	"greenroom/internal/video"
)

// asCommand makes the test's own binary behave as greenroom, so that what runs is main with its signals, its exit code
// and an environment of its own.
const asCommand = "RUN_AS_COMMAND"

func TestMain(m *testing.M) {
	video.Helper()
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	safetest.Main(m)
}

// place is an installation: where its commands look.
type place struct{ env []string }

// newPlace is an empty installation, with settings (NAME=value) of its own.
func newPlace(t *testing.T, engine db.Engine, settings ...string) place {
	t.Helper()
	at := dbtest.Location(t, engine)
	folder := t.TempDir()
	if at.Path != "" {
		folder = filepath.Dir(at.Path)
	}
	return place{append([]string{ // of two settings of one name the last counts
		asCommand + "=1", "GREENROOM_DATA=" + folder, "GREENROOM_DATABASE_URL=" + at.URL, "GREENROOM_LISTEN=127.0.0.1:0",
		"GREENROOM_LOG=json", "GREENROOM_DRAIN=0s", "GREENROOM_API_KEY=sb_publishable_of_the_tests",
	}, settings...)}
}

func eachPlace(t *testing.T, fn func(t *testing.T, p place)) {
	t.Helper()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			fn(t, newPlace(t, engine))
		})
	}
}

func (p place) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(context.Background(), self, args...)
	c.Env, c.Dir = p.env, t.TempDir()
	return c
}

// run gives what a command said, where errors go, and whether it did what it should.
func (p place) run(t *testing.T, args ...string) (said, complained string, ok bool) {
	t.Helper()
	c := p.command(t, args...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		t.Fatal(err)
	}
	return out.String(), errs.String(), err == nil
}

// must is run where nothing may go wrong.
func (p place) must(t *testing.T, args ...string) string {
	t.Helper()
	said, complained, ok := p.run(t, args...)
	if !ok || complained != "" {
		t.Fatalf("%v: %s", args, complained)
	}
	return said
}

// running is a server in a process of its own.
type running struct {
	cmd   *exec.Cmd
	url   string
	lines <-chan string
	ended <-chan error
	log   strings.Builder
}

func (p place) serve(t *testing.T) *running {
	t.Helper()
	return p.serveUnder(t)
}

// serveUnder is serve by another program, which gets its arguments and then ours.
func (p place) serveUnder(t *testing.T, program ...string) *running {
	t.Helper()
	c := p.command(t, "serve")
	if len(program) > 0 {
		under := exec.CommandContext(context.Background(), program[0], append(program[1:len(program):len(program)], c.Args...)...)
		under.Env, under.Dir = slices.Concat(c.Env, []string{"PATH=" + os.Getenv("PATH")}), c.Dir
		c = under
	}
	log, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines, ended := make(chan string, 100_000), make(chan error, 1) // a server whose log nobody reads must not wait for that
	go func() {
		scanner := bufio.NewScanner(log)
		for scanner.Scan() {
			select {
			case lines <- scanner.Text():
			default: // what nobody reads for so long is not waited for
			}
		}
		close(lines)
		ended <- c.Wait()
	}()
	t.Cleanup(func() { _ = c.Process.Kill() })
	s := &running{cmd: c, lines: lines, ended: ended}
	s.url = "http://" + s.await(t, "serving")["address"].(string)
	return s
}

// await reads the log up to a message.
func (s *running) await(t *testing.T, message string) map[string]any {
	t.Helper()
	for text := range s.lines {
		s.log.WriteString(text + "\n")
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("not a line of the log: %s", text)
		}
		if line["msg"] == message {
			return line
		}
		if line["level"] == "ERROR" {
			t.Fatalf("waiting for %q: %s", message, text)
		}
	}
	t.Fatalf("the log ended without %q", message)
	return nil
}

func (s *running) terminate(t *testing.T) {
	t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
}

// get asks on a connection of its own.
func (s *running) get(t *testing.T, path string, header ...string) (status int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Close = true
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

func (s *running) stop(t *testing.T) {
	t.Helper()
	s.terminate(t)
	if err := s.wait(); err != nil {
		t.Errorf("the end: %v", err)
	}
}

// wait is for the end of the process.
func (s *running) wait() error {
	for text := range s.lines {
		s.log.WriteString(text + "\n")
	}
	return <-s.ended
}

// listening tells whether anybody can still connect.
func (s *running) listening() bool {
	c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err == nil {
		_ = c.Close()
	}
	return err == nil
}
