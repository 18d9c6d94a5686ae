package storage

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/id"
	"greenroom/internal/platform/safe"
)

// One request at a time writes to an upload. A phone that changes its network leaves one behind that waits for bytes which never
// come: whoever asks for the upload next takes it away. The holder stops reading, keeps what arrived, and lets go.
const (
	lease     = 8 * time.Second // after which the hold of another instance is over, unless it is renewed
	renew     = time.Second
	takeTime  = 12 * time.Second // how long somebody waits for a holder to let go: longer than for a dead one, shorter than a request may take
	pollEvery = 200 * time.Millisecond
	// clocksApart is how far clocks of instances may differ. A hold that ends later than that allows is of a clock that was set
	// back since, and of nobody.
	clocksApart = time.Minute
	nudge       = 20 * time.Millisecond
)

// hold is the right to write to one upload.
type hold struct {
	name   string
	wanted chan struct{} // closed when somebody else asks for it
	done   chan struct{} // closed when it is let go
	nudges safe.Group
	once   sync.Once
}

func (h *hold) want() { h.once.Do(func() { close(h.wanted) }) }

func (h *hold) isWanted() bool {
	select {
	case <-h.wanted:
		return true
	default:
		return false
	}
}

// holds are those of this process.
type holds struct {
	mu sync.Mutex
	of map[string]*hold
}

// take gives the hold of an upload, or the one that stands in the way, which has been asked to let go.
func (a *holds) take(upload string) (mine, theirs *hold) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if found := a.of[upload]; found != nil {
		found.want()
		return nil, found
	}
	if a.of == nil {
		a.of = map[string]*hold{}
	}
	mine = &hold{name: id.New(), wanted: make(chan struct{}), done: make(chan struct{})}
	a.of[upload] = mine
	return mine, nil
}

func (a *holds) leave(upload string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	close(a.of[upload].done)
	delete(a.of, upload)
}

// takeUpload waits until the upload is the caller's alone, in this process and among the instances, and gives how to let it go.
func (s *Service) takeUpload(ctx context.Context, upload string) (h *hold, leave func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, takeTime)
	defer cancel()
	for {
		mine, theirs := s.holds.take(upload)
		if h = mine; mine != nil {
			break
		}
		select {
		case <-theirs.done:
		case <-ctx.Done():
			return nil, nil, errLocked
		}
	}
	if err := s.leaseUpload(ctx, upload, h); err != nil {
		s.holds.leave(upload)
		return nil, nil, err
	}
	return h, func() {
		free, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitTime)
		defer cancel()
		err := s.DB.Write(free, func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.Exec(ctx, "update storage_uploads set holder = null, until_at = null where id = $1 and holder = $2", upload, h.name)
			return err
		})
		if err != nil {
			s.Log.WarnContext(free, "an upload is let go later", "upload", upload, "error", err)
		}
		s.holds.leave(upload)
	}, nil
}

// leaseUpload takes the upload among the instances. On SQLite there is but one: whoever holds it there is dead.
func (s *Service) leaseUpload(ctx context.Context, upload string, h *hold) error {
	for {
		var taken, there int64
		err := s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) (err error) {
			query := `update storage_uploads set doubtful = (doubtful or holder is not null), holder = $2, until_at = $3, wanted = false
				where id = $1 and (holder is null or until_at <= $4 or until_at > $5)`
			args := []any{upload, h.name, db.At(tx.Now.Add(lease)), db.At(tx.Now), db.At(tx.Now.Add(lease + clocksApart))}
			if tx.Engine == db.SQLite {
				query, args = "update storage_uploads set holder = $2, until_at = $3, wanted = false where id = $1", args[:3]
			}
			taken, err = tx.Exec(ctx, query, args...)
			if err == nil && taken == 0 {
				there, err = tx.Exec(ctx, "update storage_uploads set wanted = true where id = $1", upload)
			}
			return err
		})
		if err == nil && taken == 0 && there == 0 {
			err = errNoUpload
		}
		if err != nil || taken == 1 {
			return err
		}
		select {
		case <-time.After(pollEvery):
		case <-ctx.Done():
			return errLocked
		}
	}
}

// renewing keeps the lease for as long as the request reads, and hears whether another instance wants the upload.
func (s *Service) renewing(ctx context.Context, upload string, h *hold) {
	if s.DB.Engine == db.SQLite {
		return
	}
	tick, heard := time.NewTicker(renew), s.DB.Clock.Now()
	defer tick.Stop()
	for {
		select {
		case <-h.done:
			return
		case <-tick.C:
		}
		wanted, mine := false, false
		err := s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
			return db.Each(ctx, tx, "update storage_uploads set until_at = $3 where id = $1 and holder = $2 returning wanted",
				[]any{upload, h.name, db.At(tx.Now.Add(lease))}, func(scan func(...any) error) error {
					mine = true
					return scan(&wanted)
				})
		})
		if err == nil {
			heard = s.DB.Clock.Now()
		}
		// Without word for as long, another may have it by now: stop before that.
		if err == nil && (wanted || !mine) || s.DB.Clock.Now().Sub(heard) > lease/2 {
			h.want()
			return
		}
	}
}

// bodyOf is a body that ends when somebody else asks for the upload.
type bodyOf struct {
	from io.Reader
	*hold
}

func (b bodyOf) Read(into []byte) (int, error) {
	if b.isWanted() {
		return 0, errTaken
	}
	n, err := b.from.Read(into)
	switch {
	case err == nil || errors.Is(err, io.EOF):
		return n, err
	case b.isWanted():
		return n, errTaken
	}
	return n, errBroken // who sent it is gone, or stands still
}

// listen makes the body of a request end when somebody wants its upload, however silent its sender is.
func (s *Service) listen(c *call, upload string, h *hold) io.Reader {
	control := http.NewResponseController(c.w)
	safe.Go(s.Log, func() { s.renewing(context.WithoutCancel(c.Context()), upload, h) })
	h.nudges.Go(func() {
		select {
		case <-h.done:
			return
		case <-h.wanted:
		}
		tick := time.NewTicker(nudge) // whoever reads sets a deadline of their own in between
		defer tick.Stop()
		for {
			_ = control.SetReadDeadline(time.Unix(1, 0))
			select {
			case <-h.done:
				return
			case <-tick.C:
			}
		}
	})
	return bodyOf{c.Body, h}
}
