package storage

import (
	"context"
	"io"
	"sync/atomic"

	"greenroom/internal/platform/db"
)

// refusals are why something was not stored, by the code of the answer: what an operator asks after.
var refusals = map[string]string{
	"EntityTooLarge": "size", "InvalidMimeType": "type", "AccessDenied": "rights", "SlowDown": "busy", "InvalidKey": "name", "InvalidJWT": "link", "InvalidSignature": "link",
}

// Whys are the reasons that are counted.
func Whys() []string {
	return []string{"away", "busy", "link", "name", "quota", "rights", "room", "size", "type"}
}

type counters struct {
	in, out atomic.Int64
	refused [9]atomic.Int64 // in the order of Whys
}

// refuse counts a refusal.
func (c *counters) refuse(said *Error) {
	why := refusals[said.Code]
	switch said {
	case errNoRoom:
		why = "room"
	case errAway:
		why = "away"
	case errQuota:
		why = "quota"
	}
	for i, one := range Whys() {
		if one == why {
			c.refused[i].Add(1)
		}
	}
}

// Moved is how many bytes came in and went out since the start.
func (s *Service) Moved() (in, out int64) { return s.counters.in.Load(), s.counters.out.Load() }

// Refused is how often something was refused since the start, by its reason.
func (s *Service) Refused() map[string]int64 {
	all := map[string]int64{}
	for i, why := range Whys() {
		all[why] = s.counters.refused[i].Load()
	}
	return all
}

// Held is how many bytes objects have with what was told of them, uploads under way may come to, and the sweeper has yet to take.
func (s *Service) Held(ctx context.Context) (stored, pending, garbage int64, err error) {
	err = s.DB.Read(ctx, func(ctx context.Context, tx *db.Tx) error {
		return tx.QueryRow(ctx, `select (select bytes from storage_turn),
			(select coalesce(sum(size), 0) from storage_versions where state = 'pending'),
			(select coalesce(sum(size), 0) from storage_versions where state = 'garbage')`).Scan(&stored, &pending, &garbage)
	})
	return stored - pending - garbage, pending, garbage, err
}

// counting is a body whose bytes are counted.
type counting struct {
	io.ReadCloser
	n *atomic.Int64
}

func (c counting) Read(into []byte) (int, error) {
	n, err := c.ReadCloser.Read(into)
	c.n.Add(int64(n))
	return n, err
}
