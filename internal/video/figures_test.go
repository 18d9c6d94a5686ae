package video

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"greenroom/internal/platform/clock"
	"greenroom/internal/platform/db"
	"greenroom/internal/platform/db/dbtest"
)

func TestFiguresTellOfJobsBytesAndRefusals(t *testing.T) {
	t.Parallel()
	source := clip(t, "a.mp4", mute)
	each(t, func(t *testing.T, s *stage) {
		video, waits := s.add(t, s.upload(t, source)), s.add(t, s.upload(t, source))
		s.do(t, func(ctx context.Context, tx *db.Tx) error { return s.Cancel(ctx, tx, waits) })
		workAll(t, s.Service)
		if made := s.Made(); made < 1900*time.Millisecond || made > 2100*time.Millisecond {
			t.Error(made)
		}
		s.do(t, func(ctx context.Context, tx *db.Tx) error { return s.Retry(ctx, tx, waits) })
		s.write(t, "update video_jobs set due_at = $2 where video_id = $1", waits, db.At(clock.System{}.Now().Add(-time.Hour)))
		states, waited, err := s.Jobs(t.Context())
		if err != nil || states["done"] != 1 || states["queued"] != 1 || waited < time.Hour || waited > 2*time.Hour {
			t.Error(states, waited, err)
		}
		s.write(t, "update video_jobs set state = 'failed' where video_id = $1", waits)
		s.write(t, "update videos set state = 'refused' where id = $1", waits)
		if states, waited, err := s.Jobs(t.Context()); err != nil || states["failed"] != 0 || states["refused"] != 1 || waited != 0 {
			t.Error(states, waited, err)
		}
		play, err := s.Grant(t.Context(), ada, video)
		if err != nil {
			t.Fatal(err)
		}
		before := s.Sent()
		if s.get(t, play.File, "Range", "bytes=0-99"); s.Sent() != before+100 {
			t.Error(s.Sent() - before)
		}
		s.get(t, strings.Replace(play.File, Prefix+"A", Prefix+"B", 1))
		key, _ := s.key(t.Context())
		s.get(t, Prefix+grant{until: s.DB.Clock.Now().Add(-time.Second)}.token(key, uuid.MustParse(video))+"/"+video+"/source")
		s.ended.Store(true)
		s.get(t, play.File)
		if got := s.Refusals(); !slices.Equal(got, []int64{1, 1, 1}) || len(Whys()) != len(got) {
			t.Error(got)
		}
	})
}

// kernel is an answer that can be given a file whole.
type kernel struct {
	http.ResponseWriter
	given io.Reader
}

func (k *kernel) ReadFrom(from io.Reader) (int64, error) {
	k.given = from
	return io.Copy(k.ResponseWriter, from)
}

// What counts bytes stands between a file and the kernel, and must not be in the way.
func TestTheKernelStillSendsFiles(t *testing.T) {
	t.Parallel()
	s := open(t, dbtest.Open(t, db.SQLite, clock.System{}))
	play, err := s.Grant(t.Context(), ada, s.add(t, s.upload(t, clip(t, "a.mp4", mute))))
	if err != nil {
		t.Fatal(err)
	}
	k := &kernel{ResponseWriter: httptest.NewRecorder()}
	s.ServeHTTP(k, httptest.NewRequestWithContext(t.Context(), "GET", play.File, nil))
	within, limited := k.given.(*io.LimitedReader)
	if !limited {
		t.Fatalf("%T", k.given)
	}
	if _, file := within.R.(interface{ Fd() uintptr }); !file {
		t.Errorf("%T is no file", within.R)
	}
}
