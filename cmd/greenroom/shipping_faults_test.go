//go:build faults

package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

// TestLitestreamCarriesEveryWriteAway has Litestream copy the log of a serving SQLite, and then both die at once.
func TestLitestreamCarriesEveryWriteAway(t *testing.T) {
	program, err := filepath.Abs("../../bin/tools/litestream-0.5.17")
	if err != nil {
		t.Fatal(err)
	}
	p, away := newPlace(t, db.SQLite, "GREENROOM_RATE_LIMITS=off"), "file://"+t.TempDir()
	server := p.serve(t)
	stream := exec.CommandContext(context.Background(), program, "replicate", p.location().Path, away)
	if err := stream.Start(); err != nil {
		t.Fatalf("%v: make faults installs it", err)
	}
	t.Cleanup(func() { _ = stream.Process.Kill(); _ = stream.Wait() })
	h := newHistory()
	for i := range 200 {
		name := fmt.Sprintf("l%d", i)
		h.note(name, h.register(t.Context(), server.url, name))
	}
	// What it had not copied when it died is lost with the disk, so wait until it has: it says seconds, and so do we.
	back := ""
	for try := 0; ; try++ {
		back = filepath.Join(t.TempDir(), "greenroom.db")
		out, err := exec.CommandContext(t.Context(), program, "restore", "-o", back, away).CombinedOutput()
		if err == nil && len(names(t, dbtest.Reopen(t, db.Options{Path: back}, clock.System{}), "select email from course_waitlist")) == 200 {
			break
		}
		if try == 300 {
			t.Fatalf("%v %s", err, out)
		}
		time.Sleep(100 * time.Millisecond)
	}
	_ = stream.Process.Kill()
	_ = server.cmd.Process.Kill()
	_ = server.wait()
	h.judge(t, db.Options{Path: back})
	other := sharing(t, p, db.SQLite)
	other.must(t, "restore", back)
	other.serve(t).stop(t)
}
