//go:build faults && linux

package video

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
	"greenroom/internal/platform/fault/faulttest"
	"greenroom/internal/storage/disk"
)

// TestADiskThatFillsUpInATranscodeIsNotTheFilmsFault lets the scratch folder be full in the middle of the work, and then the folder
// of stored files. When there is room, the job goes on.
func TestADiskThatFillsUpInATranscodeIsNotTheFilmsFault(t *testing.T) {
	source := clip(t, "a.mp4", "-f lavfi -i testsrc2=s=640x360:r=25:d=6 -c:v libx264 -preset ultrafast -pix_fmt yuv420p")
	survived := 0
	small := func(room string) func(s *stage) func() {
		return func(s *stage) func() {
			system(t, "mkdir", "-p", s.Scratch)
			system(t, "mount", "-t", "tmpfs", "-o", "size="+room, "none", s.Scratch)
			return func() { system(t, "umount", s.Scratch) }
		}
	}
	for place, fill := range map[string]func(s *stage) (empty func()){
		"the scratch folder, at once": small("64k"), "in the middle": small("300k"), "near the end": small("440k"), "with the pictures": small("500k"),
		"the stored files": func(s *stage) func() {
			whole := s.Storage.Bytes
			full := whole.(disk.Folder)
			full.Step = func(string) error { return syscall.ENOSPC }
			s.Storage.Bytes = full
			return func() { s.Storage.Bytes = whole }
		},
	} {
		s := open(t, dbtest.Open(t, db.SQLite, clock.System{}))
		s.Free = func(string) (int64, error) { return 1 << 40, nil } // as it was when the job began
		s.add(t, s.upload(t, source))
		empty := fill(s)
		workAll(t, s.Service)
		got := s.text(t, "select state || ' ' || cast(attempts as text) || ' ' || (select state from videos) || (select count(*) from video_files) from video_jobs")
		if got != "queued 1 waiting0" {
			t.Errorf("%s: %s %s", place, got, s.text(t, "select error || detail from video_jobs"))
		}
		empty()
		s.lapse(t)
		workAll(t, s.Service)
		if got := s.text(t, "select state from videos"); got == string(Ready) {
			survived++
		}
		s.whole(t)
	}
	faulttest.Survived(t, "Video: disk full in the middle of a transcode", 5, survived)
}

// system runs a program that takes root, or skips the test.
func system(t *testing.T, program string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(context.WithoutCancel(t.Context()), program, args...).CombinedOutput(); err != nil {
		t.Skipf("not possible here: %s %v %s", program, err, out)
	}
}

// TestAToolThatHangsOrEatsIsEnded stops the tool where it stands, so that it hears no signal but the last one, and lets it take memory
// without end. Neither is left over, and the machine keeps its memory.
func TestAToolThatHangsOrEatsIsEnded(t *testing.T) {
	survived := 0
	hangs := shell("echo $$; kill -STOP $$; echo on")
	hangs.quiet = 300 * time.Millisecond
	var pid string
	hangs.line = func(text []byte) { pid = string(text) }
	if _, err := hangs.run(t.Context()); !errors.Is(err, errStuck) {
		t.Error(err)
	}
	if _, err := os.Stat("/proc/" + pid); pid == "" || err == nil {
		t.Errorf("%q is still there", pid)
	} else {
		survived++
	}
	eats := shell("tail /dev/zero")
	eats.limits.Memory = 256 << 20
	_, err := eats.run(t.Context())
	if _, exited := exitCode(err); err == nil || !exited && !strings.Contains(err.Error(), "signal") {
		t.Error(err)
	} else {
		survived++
	}
	burns := shell("while :; do :; done")
	burns.limits.Seconds = 1
	if _, err := burns.run(t.Context()); err == nil {
		t.Error("it may take any time")
	} else {
		survived++
	}
	each(t, func(t *testing.T, s *stage) { // and the job of one that the machine killed for its memory is tried again
		s.add(t, s.upload(t, clip(t, "a.mp4", mute)))
		whole := s.Tools
		s.Tools.ffmpeg = instead(t, "kill -KILL $$")
		workAll(t, s.Service)
		if got := s.text(t, "select state || cast(attempts as text) from video_jobs"); got != "queued1" {
			t.Error(got)
		}
		s.Tools = whole
		s.lapse(t)
		workAll(t, s.Service)
		if got := s.text(t, "select state from videos"); got != string(Ready) {
			t.Error(got)
		}
	})
	faulttest.Survived(t, "Video: a tool that hangs, eats memory or time", 3, survived)
}

// TestClocksApartNeverTakeAVideoTwice lets the workers' clocks be an hour before and behind: leases are judged by the database's.
func TestClocksApartNeverTakeAVideoTwice(t *testing.T) {
	location := dbtest.Location(t, db.Postgres)
	now := clock.System{}.Now()
	s := open(t, dbtest.Reopen(t, location, clock.System{}))
	ahead := s.instance(t, dbtest.Reopen(t, location, clock.NewManual(now.Add(time.Hour))))
	behind := s.instance(t, dbtest.Reopen(t, location, clock.NewManual(now.Add(-time.Hour))))
	source, survived := clip(t, "a.mp4", mute), 0
	for _, pair := range [][2]*Service{{s.Service, ahead}, {ahead, behind}, {behind, ahead}, {behind, s.Service}} {
		video := s.add(t, s.upload(t, source))
		j := take(t, pair[0])
		if worked, err := pair[1].next(t.Context()); worked || err != nil {
			t.Error("a job was taken whose lease still lasts", err)
		}
		if err := pair[0].report(t.Context(), j, pair[0].work(t.Context(), j)); err != nil {
			t.Error(err)
		}
		if got := s.text(t, "select state || cast(attempts as text) from video_jobs where video_id = $1", video); got == "done1" {
			survived++
		}
	}
	s.whole(t)
	faulttest.Survived(t, "Video: workers whose clocks are an hour apart", 4, survived)
}

// TestALeaseThatCannotBeRenewedEndsTheWork stops PostgreSQL while a worker is at work. It ends its child before anybody else may
// take the job, and whoever takes it then ends it once.
func TestALeaseThatCannotBeRenewedEndsTheWork(t *testing.T) {
	cluster, url := dbtest.Own(t)
	s := open(t, dbtest.Reopen(t, db.Options{URL: url}, clock.System{}))
	video := s.add(t, s.upload(t, clip(t, "a.mp4", mute)))
	stuck := s.instance(t, s.DB)
	stuck.pace.renew, stuck.pace.lease = 200*time.Millisecond, 3*time.Second
	stuck.Tools.ffmpeg = instead(t, "exec sleep 600")
	paused := false
	stuck.step = func(name string) error {
		if name == "first" {
			paused = true
			return cluster.Pause()
		}
		return nil
	}
	j := take(t, stuck)
	came := stuck.work(t.Context(), j)
	if !paused || !errors.Is(came, errLost) {
		t.Error(paused, came)
	}
	if left := processesIn(filepath.Join(s.Scratch, j.Claim)); len(left) != 0 {
		t.Error("its child still works:", left)
	}
	if err := cluster.Resume(); err != nil {
		t.Fatal(err)
	}
	if err := stuck.report(t.Context(), j, came); err != nil {
		t.Error(err)
	}
	s.lapse(t)
	workAll(t, s.Service)
	survived := 0
	if got := s.text(t, "select state || cast(attempts as text) || (select state from videos) from video_jobs where video_id = $1", video); got == "done2ready" {
		survived++
	} else {
		t.Error(got)
	}
	s.whole(t)
	faulttest.Survived(t, "Video: PostgreSQL stopped while a lease must be renewed", 1, survived)
}
