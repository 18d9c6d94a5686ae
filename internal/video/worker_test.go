package video

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/fault"
)

func TestAnUploadBecomesAVideo(t *testing.T) {
	t.Parallel()
	source := clip(t, "a.mp4", scene)
	each(t, func(t *testing.T, s *stage) {
		video := s.add(t, s.upload(t, source))
		if again := s.add(t, s.text(t, "select object_id from videos")); again != video {
			t.Error("the same upload is two videos")
		}
		j := take(t, s.Service)
		if err := s.work(t.Context(), j); err != nil {
			t.Fatal(err)
		}
		if got := s.text(t, "select state from videos"); got != string(Ready) {
			t.Fatal(got, s.text(t, "select error || detail from video_jobs"))
		}
		var roles []string
		err := s.DB.Read(t.Context(), func(ctx context.Context, tx *db.Tx) error {
			all, err := filesOf(ctx, tx, video)
			for _, m := range all {
				roles = append(roles, m.Role)
			}
			return err
		})
		if want := "180.m3u8 180.mp4 poster.jpg sprite-1.jpg thumbs.vtt"; err != nil || strings.Join(roles, " ") != want {
			t.Error(roles, err)
		}
		if left, _ := os.ReadDir(s.Scratch); len(left) != 0 {
			t.Error("work is left behind")
		}
		s.whole(t)
	})
}

// Wherever a worker is killed, another one goes on, and nothing is there twice or for ever.
func TestAKilledWorkersJobIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	source := clip(t, "a.mp4", mute)
	everywhere(t, func(t *testing.T, s *stage) {
		for _, place := range []string{"probe", "first", "publish", "last"} {
			video := s.add(t, s.upload(t, source))
			dying := s.instance(t, s.DB)
			dying.step = func(name string) error {
				if name == place {
					panic(killed{})
				}
				return nil
			}
			func() {
				defer func() {
					if _, ok := recover().(killed); !ok {
						t.Errorf("%s: it was not killed", place)
					}
				}()
				j := take(t, dying)
				_ = dying.steps(t.Context(), j, func(float64) {})
			}()
			if worked, err := s.next(t.Context()); worked || err != nil {
				t.Fatal("a job was taken whose lease still lasts", err)
			}
			s.lapse(t)
			workAll(t, s.Service)
			if got := s.text(t, "select state || ' ' || (select state from video_jobs where video_id = videos.id) from videos where id = $1", video); got != "ready done" {
				t.Errorf("%s: %s", place, got)
			}
			s.whole(t)
		}
		if err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if left, _ := os.ReadDir(s.Scratch); len(left) != 0 {
			t.Error("the scratch folder of a dead worker is left")
		}
	})
}

type killed struct{}

func take(t *testing.T, s *Service) (j job) {
	t.Helper()
	err := s.DB.Write(t.Context(), func(ctx context.Context, tx *db.Tx) (err error) {
		var found bool
		if j, found, err = claim(ctx, tx, s.pace.lease); !found && err == nil {
			err = errors.New("there is no job")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// filmOf is a video of a course that is called by one letter.
func (s *stage) filmOf(t *testing.T, course string) (video string) {
	t.Helper()
	video = s.film(t)
	s.write(t, "update storage_objects set name = $2 where id = (select object_id from videos where id = $1)", video, strings.Repeat(course, 36)+"/"+video)
	return video
}

func TestCoursesTakeTurns(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		courses := map[string]string{}
		for _, course := range []string{"a", "a", "a", "b", "b", "c"} {
			courses[s.filmOf(t, course)] = course
		}
		var order []string
		for range courses {
			j := take(t, s.Service)
			order = append(order, courses[j.Video])
			s.do(t, func(ctx context.Context, tx *db.Tx) error { return j.end(ctx, tx, Done, "", "") })
		}
		if got := strings.Join(order, ""); got != "abcaba" {
			t.Error(got)
		}
	})
}

// However many films were prepared, taking the next one reads those that wait.
func TestWhatWasDoneIsNotReadAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *stage) {
		s.filmOf(t, "a")
		s.filmOf(t, "a")
		j := take(t, s.Service)
		s.do(t, func(ctx context.Context, tx *db.Tx) error {
			if err := j.renew(ctx, tx, time.Minute, 50); err != nil {
				return err
			}
			return j.end(ctx, tx, Done, "", "")
		})
		// A film that is gone with all of its rows does not give its course another turn.
		s.do(t, func(ctx context.Context, tx *db.Tx) error { return remove(ctx, tx, j.Video) })
		other := s.filmOf(t, "b")
		if next := take(t, s.Service); next.Video != other {
			t.Error("a course had its turn, and has another before one that had none")
		}
		s.write(t, "update video_turns set served_at = $1", db.At(clock.System{}.Now().Add(-turnsKept-time.Hour)))
		if err := s.Sweep(t.Context()); err != nil || s.text(t, "select cast(count(*) as text) from video_turns") != "0" {
			t.Error("turns are kept for good", err)
		}
	})
}

// A film that is the work of hours is begun when nothing else waits, or after a day.
func TestALongFilmLetsOthersGoFirst(t *testing.T) {
	t.Parallel()
	ten := Facts{Width: 3840, Height: 2160, Rate: 60, Seconds: 600}
	if short := (Facts{Width: 1920, Height: 1080, Rate: 30, Seconds: 3500}); !ten.long() || ten.check() != nil || short.long() {
		t.Fatal("what is long?", ten.long(), ten.check(), short.long())
	}
	each(t, func(t *testing.T, s *stage) {
		long, aside := s.filmOf(t, "a"), false
		stand := func(j job) {
			s.do(t, func(ctx context.Context, tx *db.Tx) (err error) { aside, err = j.standAside(ctx, tx); return err })
		}
		j := take(t, s.Service)
		if stand(j); aside {
			t.Error("it lets others go first where there are none")
		}
		short := s.filmOf(t, "a")
		if stand(j); !aside {
			t.Error("it goes first")
		}
		s.do(t, func(ctx context.Context, tx *db.Tx) error {
			if err := j.holds(ctx, tx); !errors.Is(err, errLost) {
				t.Error("it is still being done", err)
			}
			return nil
		})
		later := s.filmOf(t, "a")
		for _, first := range []string{short, later} {
			if next := take(t, s.Service); next.Video != first {
				t.Error("the long one is taken first")
			}
		}
		another := s.filmOf(t, "a")
		s.write(t, "update video_jobs set created_at = $2 where video_id = $1", long, db.At(clock.System{}.Now().Add(-longWait-time.Hour)))
		next := take(t, s.Service)
		if next.Video != long || next.Attempts != 1 {
			t.Error("it waits for ever, or has lost a try", next, another)
		}
		if stand(next); aside {
			t.Error("it stands aside twice")
		}
	})
}

func TestTwoWorkersNeverDoOneJobTwice(t *testing.T) {
	t.Parallel()
	source, broken := clip(t, "a.mp4", strings.Replace(mute, "d=2", "d=1", 1)), filepath.Join(t.TempDir(), "b.mp4")
	if err := os.WriteFile(broken, []byte("no video"), 0o600); err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, s *stage) {
		for i := range 20 {
			path := broken
			if i%5 == 0 {
				path = source
			}
			s.add(t, s.upload(t, path))
		}
		var all sync.WaitGroup
		for _, worker := range []*Service{s.Service, s.instance(t, s.DB)} {
			all.Go(func() {
				for s.text(t, "select cast(count(*) as text) from video_jobs where state in ('queued', 'running')") != "0" {
					if _, err := worker.next(t.Context()); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		if got := s.text(t, "select cast(count(*) as text) || ' ' || cast(max(attempts) as text) from video_jobs where state in ('done', 'failed')"); got != "20 1" {
			t.Error(got)
		}
		if got := s.text(t, "select cast(count(*) as text) from videos where state = 'ready'"); got != "4" {
			t.Error(got)
		}
		s.whole(t)
	})
}

func TestACancelledJobEndsItsChild(t *testing.T) {
	t.Parallel()
	source := clip(t, "a.mp4", mute)
	each(t, func(t *testing.T, s *stage) {
		video := s.add(t, s.upload(t, source))
		s.pace.renew = 20 * time.Millisecond
		s.step = func(name string) error {
			if name == "first" {
				s.do(t, func(ctx context.Context, tx *db.Tx) error { return s.Cancel(ctx, tx, video) })
			}
			return nil
		}
		workAll(t, s.Service)
		if got := s.text(t, "select state || ' ' || (select state from videos) from video_jobs"); got != "cancelled waiting" {
			t.Error(got)
		}
		if got := s.text(t, "select cast(count(*) as text) from video_files"); got != "0" {
			t.Error("something was published after all")
		}
		s.step = nil
		s.do(t, func(ctx context.Context, tx *db.Tx) error { return s.Retry(ctx, tx, video) })
		workAll(t, s.Service)
		if got := s.text(t, "select state from videos"); got != string(Ready) {
			t.Error(got)
		}
	})
}

func TestAWorkerThatStopsGivesItsJobBack(t *testing.T) {
	t.Parallel()
	source := clip(t, "a.mp4", mute)
	each(t, func(t *testing.T, s *stage) {
		s.add(t, s.upload(t, source))
		ctx, stop := context.WithCancel(t.Context())
		s.step = func(name string) error {
			if name == "first" {
				stop()
			}
			return nil
		}
		if _, err := s.next(ctx); err != nil {
			t.Fatal(err)
		}
		if got := s.text(t, "select state || ' ' || cast(attempts as text) from video_jobs"); got != "queued 0" {
			t.Error(got)
		}
		s.step = nil
		workAll(t, s.instance(t, s.DB)) // at once
		if got := s.text(t, "select state from videos"); got != string(Ready) {
			t.Error(got)
		}
	})
}

func TestTroubleOfOursIsTriedAgainAndThenShown(t *testing.T) {
	t.Parallel()
	source := clip(t, "a.mp4", mute)
	each(t, func(t *testing.T, s *stage) {
		video := s.add(t, s.upload(t, source))
		whole := s.Tools
		s.Tools.ffprobe = "/nonexistent/ffprobe"
		for try := range len(s.pace.again) {
			workAll(t, s.Service)
			entries, _, err := s.List(t.Context(), Filter{Job: Queued})
			if err != nil || len(entries) != 1 || entries[0].Attempts != try+1 || entries[0].NextAt.Before(time.Now().Add(s.pace.again[try]/2)) {
				t.Fatalf("%+v %v", entries, err)
			}
			s.lapse(t)
		}
		workAll(t, s.Service)
		entries, _, err := s.List(t.Context(), Filter{Job: Failed})
		if err != nil || len(entries) != 1 || !strings.Contains(entries[0].Detail, "nonexistent") || strings.Contains(entries[0].Error, "nonexistent") || entries[0].State != Waiting {
			t.Fatalf("%+v %v", entries, err)
		}
		s.Tools = whole
		s.do(t, func(ctx context.Context, tx *db.Tx) error { return s.Retry(ctx, tx, video) })
		workAll(t, s.Service)
		if got := s.text(t, "select state from videos"); got != string(Ready) {
			t.Error(got)
		}
	})
}

func TestARefusedUploadFailsAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.mp4")
	if err := os.WriteFile(path, []byte("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, s *stage) {
		video := s.add(t, s.upload(t, path))
		workAll(t, s.Service)
		play, err := s.Grant(t.Context(), ada, video)
		if err != nil || play.State != Refused || play.Problem != unreadable().Message || play.HLS != "" {
			t.Errorf("%+v %v", play, err)
		}
		entries, _, err := s.List(t.Context(), Filter{Job: Failed})
		if err != nil || len(entries) != 1 || entries[0].Attempts != 1 || strings.Contains(entries[0].Error, "passwd") {
			t.Errorf("%+v %v", entries, err)
		}
	})
}

func TestAFullDiskIsSaidBeforeAnythingIsWritten(t *testing.T) {
	t.Parallel()
	source := clip(t, "a.mp4", mute)
	each(t, func(t *testing.T, s *stage) {
		s.add(t, s.upload(t, source))
		s.Free = func(string) (int64, error) { return 1 << 30, nil }
		workAll(t, s.Service)
		if got := s.text(t, "select state || ' ' || error from video_jobs"); !strings.HasPrefix(got, "queued The server's disk has too little room") {
			t.Error(got)
		}
	})
}

func TestAVideoGoesWithItsUpload(t *testing.T) {
	t.Parallel()
	source := clip(t, "a.mp4", mute)
	everywhere(t, func(t *testing.T, s *stage) {
		video := s.add(t, s.upload(t, source))
		workAll(t, s.Service)
		other := s.add(t, s.upload(t, source))
		if err := s.Sweep(t.Context()); err != nil || s.text(t, "select cast(count(*) as text) from videos") != "2" {
			t.Fatal(err)
		}
		s.write(t, "delete from storage_objects where version <> (select version from videos where id = $1)", other)
		if err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := s.text(t, "select id from videos"); got != other {
			t.Error(got)
		}
		if got := s.text(t, "select cast(count(*) as text) from storage_versions where state = 'garbage'"); got != "5" {
			t.Error(got)
		}
		if _, err := s.Grant(t.Context(), ada, video); !fault.Is(err, fault.NotFound) {
			t.Error(err)
		}
	})
}

func TestALargeVideoIsPlayableBeforeItIsReady(t *testing.T) {
	t.Parallel()
	source := clip(t, "a.mp4", "-f lavfi -i color=s=1920x1080:r=5:d=2 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 5")
	each(t, func(t *testing.T, s *stage) {
		video := s.add(t, s.upload(t, source))
		sizes := func() (all []int) {
			shown, err := s.show(t.Context(), video)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range shown.offers {
				all = append(all, o.Lines)
			}
			return all
		}
		s.step = func(name string) error {
			if name == "last" && (s.text(t, "select state from videos") != string(Playable) || !slices.Equal(sizes(), []int{480, 720})) {
				t.Error("it cannot be played before the largest size is there")
			}
			return nil
		}
		workAll(t, s.Service)
		if got := s.text(t, "select state || (select state from video_jobs) from videos"); got != "readydone" || !slices.Equal(sizes(), []int{480, 720, 1080}) {
			t.Error(got, sizes())
		}
		s.whole(t)
	})
}

func TestWhatIsLostIsMadeAgain(t *testing.T) {
	t.Parallel()
	source := clip(t, "a.mp4", mute)
	everywhere(t, func(t *testing.T, s *stage) {
		video := s.add(t, s.upload(t, source))
		workAll(t, s.Service)
		if n, err := s.Rebuild(t.Context()); n != 0 || err != nil {
			t.Error(n, err)
		}
		if err := s.folder.Remove(t.Context(), s.text(t, "select version from video_files where role = 'poster.jpg'")); err != nil { // as after a restore
			t.Fatal(err)
		}
		if n, err := s.Rebuild(t.Context()); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		if play, err := s.Grant(t.Context(), ada, video); err != nil || play.HLS != "" || play.File == "" {
			t.Errorf("%+v %v", play, err)
		}
		workAll(t, s.Service)
		if got := s.text(t, "select state from videos"); got != string(Ready) {
			t.Error(got)
		}
		s.whole(t)
	})
}
