//go:build faults && linux

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/fault/faulttest"
)

// TestASlowDiskLeavesReadsAlone has every sync take half a second. Writes wait for it and stand; reads do not.
func TestASlowDiskLeavesReadsAlone(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is not installed")
	}
	const slow = 500 * time.Millisecond
	reads := func(delay time.Duration) (got *result, h *history, p place) {
		p = newPlace(t, db.SQLite, "GREENROOM_RATE_LIMITS=off")
		p.serve(t).stop(t) // what a first start syncs is not the point
		s := p.serveUnder(t, "strace", "-D", "-f", "-q", "--seccomp-bpf", "-o", os.DevNull, "-e", "trace=fsync,fdatasync",
			"-e", fmt.Sprintf("inject=fsync,fdatasync:delay_enter=%d", max(1, delay.Microseconds())))
		g := newGenerator(t, s.url)
		rendered(t, g.client, s.url+"/")
		token := p.admin(t, g)
		h = newHistory()
		ctx, stop := context.WithTimeout(t.Context(), max(5*time.Second, faultTime(20*time.Second)))
		defer stop()
		all := h.clients(ctx, writers, s.url, "w", nil)
		got = &result{}
		var readers sync.WaitGroup
		for _, w := range []labor{{path: "/"}, besides, {path: "/rest/v1/saved_courses?select=*", token: token}, {path: "/auth/v1/user", token: token}} {
			readers.Go(func() {
				for again := time.NewTicker(20 * time.Millisecond); ctx.Err() == nil; <-again.C {
					g.once(ctx, w, got)
				}
			})
		}
		readers.Wait()
		all.Wait()
		s.stop(t)
		return got, h, p
	}
	quick, _, _ := reads(0)
	got, h, p := reads(slow)
	h.judge(t, p.location())
	survived := 1
	if got.failed+len(got.refused) > 0 || len(got.accepted) < len(quick.accepted)/2 || centile(got.accepted, 0.99) > slow || h.count(acknowledged) == 0 {
		survived = 0
	}
	faulttest.Survived(t, "SQLite: every sync takes half a second (strace)", 1, survived,
		fmt.Sprintf("reads %s; with quick syncs %s; %d writes acknowledged", got, quick, h.count(acknowledged)))
}

// startOn starts PostgreSQL on a file system in a file.
func startOn(t *testing.T, image string) (*dbtest.Cluster, error) {
	t.Helper()
	folder := mounted(t, "-o", "loop", image)
	if err := os.Chmod(filepath.Dir(folder), 0o711); err != nil { //nolint:gosec // it does not run as root, and comes by there
		return nil, err
	}
	c, err := dbtest.StartIn(filepath.Join(folder, "pg"), "max_wal_size=64MB")
	if err == nil {
		err = exec.CommandContext(t.Context(), "sync", "-f", folder).Run() // an empty cluster is copied there, and that is not its own to sync
	}
	return c, err
}

// TestAPowerCutOfPostgres is TestAPowerCutLosesNothing with the other database, as it comes: its files are on a file system in a
// file, which has what was synced and nothing else.
func TestAPowerCutOfPostgres(t *testing.T) {
	image := filepath.Join(t.TempDir(), "disk")
	if out, err := exec.CommandContext(t.Context(), "bash", "-c", `truncate -s 768M "$0" && mkfs.ext4 -q "$0"`, image).CombinedOutput(); err != nil {
		t.Skipf("no file system can be made here: %v %s", err, out)
	}
	cluster, err := startOn(t, image)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Stop)
	p := newPlace(t, db.SQLite, "GREENROOM_RATE_LIMITS=off", "GREENROOM_DATABASE_URL="+cluster.URL("postgres"))
	s := p.serve(t)
	h := newHistory()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	all := h.clients(ctx, writers, s.url, "p", nil)
	rounds, survived := faultTimes(10), 0
	for round := range rounds {
		h.acknowledgedMore(t, 100)
		if err := cluster.Pause(); err != nil {
			t.Fatal(err)
		}
		if err := s.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		known := h.copied()
		after := filepath.Join(t.TempDir(), "disk")
		out, err := exec.CommandContext(t.Context(), "cp", "--sparse=always", image, after).CombinedOutput()
		if err := s.cmd.Process.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		if err := cluster.Resume(); err != nil {
			t.Fatal(err)
		}
		if err != nil {
			t.Fatalf("copy: %v %s", err, out)
		}
		if t.Run(fmt.Sprint(round), func(t *testing.T) {
			again, err := startOn(t, after)
			if err != nil {
				t.Fatal(err)
			}
			defer again.Stop()
			known.judge(t, db.Options{URL: again.URL("postgres")})
		}) {
			survived++
		}
		_ = os.Remove(after)
	}
	stop()
	all.Wait()
	s.stop(t)
	h.judge(t, db.Options{URL: cluster.URL("postgres")})
	faulttest.Survived(t, "PostgreSQL: power cut (ext4 in a file, only synced bytes)", rounds, survived, h.count(acknowledged), " acknowledged writes")
}
