package video

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"greenroom/internal/platform/db"
)

// why is why an address was refused, for those who watch.
type why int

const (
	forged  why = iota // no grant of ours for this video
	expired            // one that was
	ended              // its session is over, or its person may see the video no more
	whys
)

// Whys are the names of these reasons, in their order.
func Whys() []string { return []string{"forged", "expired", "ended"} }

type counters struct {
	bytes   atomic.Int64 // sent
	millis  atomic.Int64 // of film, made
	refused [whys]atomic.Int64
}

// refused is the refusal of an address, counted.
func (s *Service) refused(w why) error {
	s.counts.refused[w].Add(1)
	return errNoGrant
}

// Sent is how many bytes of videos went out since the start.
func (s *Service) Sent() int64 { return s.counts.bytes.Load() }

// Made is how long the films are together that were made here since the start, each size by itself.
func (s *Service) Made() time.Duration {
	return time.Duration(s.counts.millis.Load()) * time.Millisecond
}

// Refusals is how often an address was refused since the start, in the order of Whys.
func (s *Service) Refusals() (all []int64) {
	for i := range s.counts.refused {
		all = append(all, s.counts.refused[i].Load())
	}
	return all
}

// JobStates are the states that Jobs counts: a job that failed because of its file is refused, and nobody needs to look after it.
func JobStates() []string {
	return []string{string(Queued), string(Running), string(Done), string(Failed), string(Cancelled), string(Refused)}
}

// Jobs counts the jobs of all instances by state, and tells how long the one has waited that has been due longest: for a worker,
// or for one in the place of a worker that has died.
func (s *Service) Jobs(ctx context.Context) (states map[string]int, waited time.Duration, err error) {
	states = map[string]int{}
	err = s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		err := db.Each(ctx, tx, `select case when j.state = 'failed' and v.state = 'refused' then 'refused' else j.state end, count(*)
			from video_jobs j join videos v on v.id = j.video_id group by 1`, nil, func(scan func(...any) error) error {
			var state string
			var n int
			err := scan(&state, &n)
			states[state] = n
			return err
		})
		if err != nil {
			return err
		}
		now, err := tx.DatabaseNow(ctx)
		if err != nil {
			return err
		}
		return db.Each(ctx, tx, "select due_at from video_jobs where state in ('queued', 'running') and due_at <= $1 order by due_at limit 1", []any{db.At(now)},
			func(scan func(...any) error) error {
				var due db.Time
				err := scan(&due)
				waited = now.Sub(due.Time)
				return err
			})
	})
	return states, waited, err
}

// counted is an answer whose bytes are counted. It lets the kernel send a file, where the one below does.
type counted struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (c counted) Write(text []byte) (int, error) {
	n, err := c.ResponseWriter.Write(text)
	c.n.Add(int64(n))
	return n, err
}

func (c counted) ReadFrom(from io.Reader) (int64, error) {
	n, err := io.Copy(c.ResponseWriter, from)
	c.n.Add(n)
	return n, err
}

func (c counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }
