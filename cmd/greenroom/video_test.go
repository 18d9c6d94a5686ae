package main

import (
	"bufio"
	"context"
	"encoding/json"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/storage"
)

// filmed stores a film that takes a while to prepare, with its job, as an upload would.
func filmed(t *testing.T, p place, d *db.DB) (video string) {
	t.Helper()
	return filmedAs(t, p, d, "-f lavfi -i testsrc2=s=854x480:r=24:d=8 -f lavfi -i sine=d=8 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -shortest")
}

func filmedAs(t *testing.T, p place, d *db.DB, how string) (video string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.mp4")
	args := strings.Fields("-n 10 ffmpeg -v error " + how)
	if said, err := exec.CommandContext(t.Context(), "nice", append(args, path)...).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, said)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	object, version := id.New(), id.New()
	wrote, err := storage.Objects(p.value("GREENROOM_DATA")).Write(t.Context(), version, file)
	if err != nil {
		t.Fatal(err)
	}
	video = id.New()
	err = d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		now := db.At(tx.Now)
		_, err := tx.Exec(ctx, `insert into storage_objects (id, bucket_id, name, version, size, hash, mimetype, sniffed, cache_control, created_at, updated_at)
			values ($1, 'lessons', 'a.mp4', $2, $3, $4, 'video/mp4', 'video/mp4', 'no-cache', $5, $5)`, object, version, wrote.Size, wrote.Hash, now)
		if err == nil {
			_, err = tx.Exec(ctx, "insert into videos (id, object_id, version, state, created_at) values ($1, $2, $3, 'waiting', $4)", video, object, version, now)
		}
		if err == nil {
			_, err = tx.Exec(ctx, "insert into video_jobs (id, video_id, state, due_at, created_at) values ($1, $2, 'queued', $3, $3)", id.New(), video, now)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return video
}

func asked(t *testing.T, d *db.DB, query string, args ...any) (found string) {
	t.Helper()
	err := d.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error { return tx.QueryRow(ctx, query, args...).Scan(&found) })
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// until asks again and again, for there is nobody to tell us.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for !holds() {
		select {
		case <-t.Context().Done():
			t.Fatal("the test ended before: " + what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// encoding tells whether ffmpeg works in a folder.
func encoding(folder string) bool {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range all {
		if text, _ := os.ReadFile(path); strings.Contains(string(text), "ffmpeg\x00") && strings.Contains(string(text), folder) {
			return true
		}
	}
	return false
}

// TestAKillInTheMiddleOfATranscodeLosesNothing kills a worker while ffmpeg writes. Another one ends the job.
func TestAKillInTheMiddleOfATranscodeLosesNothing(t *testing.T) {
	t.Parallel()
	eachPlace(t, func(t *testing.T, p place) {
		p.env = append(p.env, "PATH="+os.Getenv("PATH"))
		p.must(t, "migrate")
		d := p.database(t)
		video := filmed(t, p, d)
		scratch := filepath.Join(p.value("GREENROOM_DATA"), "scratch")
		s := p.serve(t)
		until(t, "a size is being written", func() bool {
			found, _ := filepath.Glob(filepath.Join(scratch, "*", "480.mp4"))
			if len(found) == 0 {
				return false
			}
			info, err := os.Stat(found[0])
			return err == nil && info.Size() > 0
		})
		if err := s.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = s.wait()
		until(t, "ffmpeg ends with its parent", func() bool { return !encoding(scratch) })
		if got := asked(t, d, "select state || ' ' || (select state from videos where id = video_id) from video_jobs where video_id = $1", video); got != "running waiting" {
			t.Fatal(got)
		}
		err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error { // a minute later
			_, err := tx.Exec(ctx, "update video_jobs set due_at = $1", db.At(clock.System{}.Now().Add(-time.Second)))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		worker := p.command(t, "work")
		log, err := worker.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := worker.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = worker.Process.Kill() })
		lines := bufio.NewScanner(log)
		for lines.Scan() && !strings.Contains(lines.Text(), "video prepared") {
			if strings.Contains(lines.Text(), "WARN") || strings.Contains(lines.Text(), "video failed") {
				t.Error(lines.Text())
				break
			}
		}
		if got := asked(t, d, "select state || ' ' || cast(attempts as text) || ' ' || (select state from videos where id = video_id) from video_jobs where video_id = $1", video); got != "done 2 ready" {
			t.Error(got)
		}
		if err := worker.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() {
			t.Log(lines.Text())
		}
		if err := worker.Wait(); err != nil {
			t.Errorf("the end: %v", err)
		}
		if left, _ := os.ReadDir(scratch); len(left) != 0 {
			t.Errorf("%d folders of work are left", len(left))
		}
		plays(t, p, d, video, 8)
	})
}

// plays holds that a film can be watched to its end: as the trailer of a course, which anybody may see.
func plays(t *testing.T, p place, d *db.DB, video string, seconds float64) {
	t.Helper()
	course := asked(t, d, "select cast(id as text) from courses order by id limit 1")
	err := d.Write(t.Context(), func(ctx context.Context, tx *db.Tx) error {
		_, err := tx.Exec(ctx, "insert into course_offers (id, course_id, trailer_id, created_at) values ($1, $2, $3, $4)", id.New(), course, video, db.At(tx.Now))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	s := p.serve(t)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/functions/v1/play-video", strings.NewReader(`{"video":"`+video+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("apikey", "sb_publishable_of_the_tests")
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var play struct{ State, HLS string }
	if err := json.NewDecoder(answer.Body).Decode(&play); err != nil || play.State != "ready" {
		t.Fatal(answer.Status, play, err)
	}
	// Decoded, not just read: a broken segment is said on the error output.
	watch := exec.CommandContext(t.Context(), "nice", "-n", "10", "ffmpeg", "-v", "error", "-i", s.url+play.HLS, "-f", "null", "-progress", "pipe:1", "-")
	said, err := watch.CombinedOutput()
	times := regexp.MustCompile(`out_time_us=(\d+)`).FindAllStringSubmatch(string(said), -1)
	if err != nil || strings.Contains(string(said), "rror") || len(times) == 0 {
		t.Fatalf("%v %s", err, said)
	}
	if micros, _ := strconv.ParseFloat(times[len(times)-1][1], 64); math.Abs(micros/1e6-seconds) > 1 {
		t.Errorf("it plays for %.1f s", micros/1e6)
	}
}

// Where there is no ffmpeg, jobs wait; a start with it goes on with them.
func TestJobsWaitUntilFFmpegIsThere(t *testing.T) {
	t.Parallel()
	p := newPlace(t, db.SQLite) // no PATH, so nothing is found
	p.must(t, "migrate")
	d := p.database(t)
	video := filmed(t, p, d)
	const state = "select state || ' ' || cast(attempts as text) || ' ' || (select state from videos where id = video_id) from video_jobs where video_id = $1"
	s := p.serve(t)
	s.await(t, "no videos are prepared here")
	if got := asked(t, d, state, video); got != "queued 0 waiting" {
		t.Error(got)
	}
	s.stop(t)
	p.env = append(p.env, "PATH="+os.Getenv("PATH"))
	p.serve(t)
	until(t, "it is ready", func() bool { return asked(t, d, state, video) == "done 1 ready" })
}

func TestTheDoctorAndTheLogSayThatFFmpegIsMissing(t *testing.T) {
	t.Parallel()
	p := newPlace(t, db.SQLite) // no PATH, so nothing is found
	s := p.serve(t)
	if said := s.await(t, "no videos are prepared here"); !strings.Contains(said["advice"].(string), "apt-get install ffmpeg") {
		t.Error(said)
	}
	if said, _, _ := p.run(t, "doctor"); !strings.HasPrefix(line(said, "video"), "look") || !strings.Contains(said, "apt-get install ffmpeg") {
		t.Error(said)
	}
	if _, complained, ok := p.run(t, "work"); ok || !strings.Contains(complained, "ffmpeg is not on this machine") {
		t.Error(complained)
	}
	p.env = append(p.env, "PATH="+os.Getenv("PATH"))
	if said, _, _ := p.run(t, "doctor"); !strings.Contains(line(said, "video"), "ffmpeg version") {
		t.Error(said)
	}
	p.env = append(p.env, "GREENROOM_VIDEO_WORK=off")
	if said, _, _ := p.run(t, "doctor"); !strings.HasPrefix(line(said, "video"), "ok") {
		t.Error(said)
	}
}
