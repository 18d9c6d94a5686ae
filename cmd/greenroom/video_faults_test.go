//go:build faults

package main

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault/faulttest"
	"greenroom/internal/storage"
)

// TestKillsAtEveryStepOfATranscodeLoseNothing kills one worker after the other, each at a later step of one job, and lets the last end it.
func TestKillsAtEveryStepOfATranscodeLoseNothing(t *testing.T) {
	var tried, survived atomic.Int64 // of both databases at once
	eachPlace(t, func(t *testing.T, p place) {
		p.env = append(p.env, "PATH="+os.Getenv("PATH"))
		p.must(t, "migrate")
		d := p.database(t)
		video := filmedAs(t, p, d, "-f lavfi -i testsrc2=s=1920x1080:r=5:d=4 -c:v libx264 -preset ultrafast -g 1000 -pix_fmt yuv420p")
		scratch := filepath.Join(p.value("GREENROOM_DATA"), "scratch")
		says := func(query, want string) func() bool {
			return func() bool { return asked(t, d, query) == want }
		}
		has := func(name string) func() bool {
			return func() bool { found, _ := filepath.Glob(filepath.Join(scratch, "*", name)); return len(found) > 0 }
		}
		done := says("select state from video_jobs", "done")
		kills := int64(0)
		for _, step := range []struct {
			name    string
			reached func() bool
		}{
			{"taken", says("select state from video_jobs", "running")},
			{"probed", says("select case when facts is null then 'no' else 'yes' end from videos", "yes")},
			{"encoding", has("480.mp4")},
			{"pictures", has("poster-*.jpg")},
			{"publishing", says("select case when count(*) > 0 then 'yes' else 'no' end from storage_versions where state = 'pending'", "yes")},
			{"playable", says("select state from videos", "playable")},
			{"the largest size", has("1080.mp4")},
		} {
			worker := p.command(t, "work")
			if err := worker.Start(); err != nil {
				t.Fatal(err)
			}
			for !step.reached() && !done() {
				time.Sleep(time.Millisecond)
			}
			if err := worker.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = worker.Wait()
			until(t, "ffmpeg ends with its parent", func() bool { return !encoding(scratch) })
			if done() {
				t.Log("the worker was through before it was killed at:", step.name)
				break
			}
			kills++
			p.everyByteHasARow(t)
			err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error { // a minute later, and without counting these deaths
				_, err := tx.Exec(ctx, "update video_jobs set due_at = $1, attempts = 0", db.At(clock.System{}.Now().Add(-time.Second)))
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		worker := p.command(t, "work")
		if err := worker.Start(); err != nil {
			t.Fatal(err)
		}
		until(t, "the job is done", done)
		if err := worker.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		if err := worker.Wait(); err != nil {
			t.Errorf("the end: %v", err)
		}
		tried.Add(kills)
		if got := asked(t, d, "select state from videos where id = $1", video); got == "ready" && filesAreWhole(t, p, d) {
			survived.Add(kills)
		}
		p.everyByteHasARow(t)
		if left, _ := os.ReadDir(scratch); len(left) != 0 {
			t.Errorf("%d folders of work are left", len(left))
		}
	})
	t.Cleanup(func() {
		faulttest.Survived(t, "Video: a worker killed at each step of a transcode", int(tried.Load()), int(survived.Load()))
	})
}

// filesAreWhole tells whether all that was made of videos is there.
func filesAreWhole(t *testing.T, p place, d *db.DB) bool {
	t.Helper()
	whole, n := true, 0
	err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		return db.Each(ctx, tx, "select version, size from video_files", nil, func(scan func(...any) error) error {
			var version string
			var size int64
			if err := scan(&version, &size); err != nil {
				return err
			}
			has, err := storage.Objects(p.value("GREENROOM_DATA")).Has(ctx, version, size)
			whole, n = whole && has, n+1
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return whole && n == 9 // three sizes with their lists, the poster, a sheet and its index
}
