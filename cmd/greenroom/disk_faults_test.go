//go:build faults && linux

package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault/faulttest"
)

// mounted mounts a file system for the test, or skips it with the reason: that takes root and a kernel that allows it.
func mounted(t *testing.T, args ...string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "mount", append(args, folder)...).CombinedOutput(); err != nil {
		t.Skipf("nothing can be mounted here: %v %s", err, out)
	}
	t.Cleanup(func() {
		for range 100 { // the server has just been killed
			if exec.CommandContext(context.Background(), "umount", folder).Run() == nil {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Errorf("%s stays mounted", folder)
	})
	return folder
}

// copied is a history as it is now: what the clients of a server that stands still know.
func (h *history) copied() *history {
	h.mu.Lock()
	defer h.mu.Unlock()
	return &history{outcomes: maps.Clone(h.outcomes)}
}

// TestAPowerCutLosesNothing keeps the database on a file system in a file. The file has what was synced and not what the
// kernel still holds, so a copy of it, taken while the server stands still, is what a machine without power leaves behind.
func TestAPowerCutLosesNothing(t *testing.T) {
	image := filepath.Join(t.TempDir(), "disk")
	if out, err := exec.CommandContext(t.Context(), "bash", "-c", `truncate -s 128M "$0" && mkfs.ext4 -q "$0"`, image).CombinedOutput(); err != nil {
		t.Skipf("no file system can be made here: %v %s", err, out)
	}
	folder := filepath.Join(mounted(t, "-o", "loop", image), "data")
	p := newPlace(t, db.SQLite, "GREENROOM_RATE_LIMITS=off", "GREENROOM_DATA="+folder)
	s := p.serve(t)
	h := newHistory()
	ctx, stop := context.WithCancel(t.Context())
	all := h.clients(ctx, writers, s.url, "p", nil)
	rounds, survived := faultTimes(30), 0
	for round := range rounds {
		h.acknowledgedMore(t, 20+rand.IntN(100))
		time.Sleep(time.Duration(rand.IntN(30)) * time.Millisecond)
		if err := s.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		known := h.copied()
		after := filepath.Join(t.TempDir(), "disk")
		out, err := exec.CommandContext(t.Context(), "cp", "--sparse=always", image, after).CombinedOutput()
		if err := s.cmd.Process.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		if err != nil {
			t.Fatalf("copy: %v %s", err, out)
		}
		if t.Run(fmt.Sprint(round), func(t *testing.T) {
			known.judge(t, db.Options{Path: filepath.Join(mounted(t, "-o", "loop", after), "data", "greenroom.db")})
		}) {
			survived++
		}
		_ = os.Remove(after)
	}
	stop()
	all.Wait()
	s.stop(t)
	h.judge(t, db.Options{Path: filepath.Join(folder, "greenroom.db")})
	faulttest.Survived(t, "SQLite: power cut (ext4 in a file, only synced bytes)", rounds, survived, h.count(acknowledged), " acknowledged writes")
}

// TestAFullDiskIsSurvived fills the disk under writes and makes room again. Writes are refused in words, reads go on, and
// the server recovers by itself.
func TestAFullDiskIsSurvived(t *testing.T) {
	folder := mounted(t, "-t", "tmpfs", "-o", "size=160m", "none")
	p := newPlace(t, db.SQLite, "GREENROOM_RATE_LIMITS=off", "GREENROOM_DATA="+filepath.Join(folder, "data"))
	s := p.serve(t)
	h := newHistory()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	all := h.clients(ctx, writers, s.url, "d", nil)
	rounds, survived := faultTimes(10), 0
	filler := filepath.Join(folder, "filler")
	for round := range rounds {
		h.acknowledgedMore(t, 50)
		fill(t, filler)
		body, refusals := "", 0
		for try := 0; refusals < 20 && try < 5000; try++ { // the log may have room left in its own file
			if code, text := registered(ctx, s.url, fmt.Sprintf("full%d-%d", round, try), h); code == http.StatusServiceUnavailable {
				refusals, body = refusals+1, text
			}
		}
		read := status(ctx, s.url+"/rest/v1/courses?select=id&limit=3&order=title.asc")
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
		back := h.acknowledgedMore(t, 20)
		if refusals == 20 && read == http.StatusOK && strings.Contains(body, "room") && back < time.Minute {
			survived++
		} else {
			t.Errorf("round %d: %d refusals (%s), a read %d, back after %v", round, refusals, body, read, back)
		}
	}
	stop()
	all.Wait()
	s.stop(t)
	h.judge(t, db.Options{Path: filepath.Join(folder, "data", "greenroom.db")})
	faulttest.Survived(t, "SQLite: disk full under writes (small tmpfs)", rounds, survived, h.count(acknowledged), " acknowledged writes")
}

// fill takes all the room that there is.
func fill(t *testing.T, name string) {
	t.Helper()
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for size := 1 << 20; size > 0; size /= 16 {
		for {
			if _, err := file.Write(make([]byte, size)); err != nil {
				break
			}
		}
	}
}

// registered is register with the answer's own words.
func registered(ctx context.Context, url, name string, h *history) (code int, body string) {
	h.note(name, unknown)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/rest/v1/course_waitlist",
		strings.NewReader(`{"course_title":"Screen Acting and Professional Preparation Workshop","name":"N","email":"`+name+`@example.com"}`))
	if err != nil {
		return 0, err.Error()
	}
	request.Header.Set("apikey", "sb_publishable_of_the_tests")
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode < 300 {
		h.note(name, acknowledged)
	}
	return answer.StatusCode, string(text)
}

// TestAFailedFsyncStopsTheServer has the kernel refuse a sync of the running binary, the nth one. It ends by itself, and a
// restart has everything that was acknowledged.
func TestAFailedFsyncStopsTheServer(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is not installed; TestAFailedFsyncStopsTheProcess does the same to the writer alone")
	}
	p := newPlace(t, db.SQLite, "GREENROOM_RATE_LIMITS=off")
	p.serve(t).stop(t) // what a first start syncs is not the point
	h := newHistory()
	rounds, survived := faultTimes(10), 0
	for round := range rounds {
		nth := 3 + rand.IntN(60)
		s := p.serveUnder(t, "strace", "-f", "-q", "-o", os.DevNull, "-e", "trace=fsync,fdatasync", "-e", fmt.Sprintf("inject=fsync,fdatasync:error=EIO:when=%d+", nth))
		ctx, stop := context.WithCancel(t.Context())
		all := h.clients(ctx, writers, s.url, fmt.Sprintf("e%d", round), nil)
		ended := make(chan error, 1)
		go func() { ended <- s.wait() }()
		select {
		case err := <-ended:
			if strings.Contains(s.log.String(), "the disk refused to store a write") {
				survived++
			} else {
				t.Errorf("round %d: it ended by %v", round, err)
			}
		case <-time.After(2 * time.Minute):
			t.Fatalf("round %d: it goes on after the failed sync", round)
		}
		stop()
		all.Wait()
	}
	p.serve(t).stop(t)
	h.judge(t, p.location())
	faulttest.Survived(t, "SQLite: fsync fails with EIO (strace)", rounds, survived, h.count(acknowledged), " acknowledged writes")
}
