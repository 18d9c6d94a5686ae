package storage

import (
	"context"
	"io"
	"sync"

	"greenroom/internal/platform/db"
)

const (
	// mostGoing is how many uploads of one account come in at once, here; of a link it is one. Each holds room that others then
	// do not have, however slowly its bytes come.
	mostGoing = 10
	// firstRoom is what an upload is promised that does not say its length; then as much again as it has, and so on.
	firstRoom = 1 << 20
)

// going counts the uploads under way in this process, by whose they are.
type going struct {
	mu sync.Mutex
	of map[string]int
}

func (g *going) enter(name string, most int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.of == nil {
		g.of = map[string]int{}
	}
	if g.of[name] >= most {
		return false
	}
	g.of[name]++
	return true
}

func (g *going) leave(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.of[name]--; g.of[name] == 0 {
		delete(g.of, name)
	}
}

// coming lets an upload come in, unless its link or its account has too many that do; leave ends it. The service role has no account.
func (s *Service) coming(c *call, by any) (leave func(), err error) {
	bounds := map[string]int{}
	if user, ok := by.(string); ok {
		bounds["account "+user] = mostGoing
	}
	if c.link.ID != "" {
		bounds["link "+c.link.ID] = 1
	}
	var entered []string
	leave = func() {
		for _, name := range entered {
			s.going.leave(name)
		}
	}
	for name, most := range bounds {
		if !s.going.enter(name, most) {
			leave()
			return nil, errSlowDown
		}
		entered = append(entered, name)
	}
	return leave, nil
}

// growing is a body of unknown length, for which more room is asked as it comes.
type growing struct {
	from           io.Reader
	left           int64 // of what was promised
	promised, most int64
	more           func(bytes int64) error
}

func (g *growing) Read(into []byte) (int, error) {
	if g.left == 0 && g.promised < g.most {
		next := min(max(g.promised, firstRoom), g.most-g.promised)
		if err := g.more(next); err != nil {
			return 0, err
		}
		g.left, g.promised = next, g.promised+next
	}
	if g.left > 0 && int64(len(into)) > g.left {
		into = into[:g.left]
	}
	n, err := g.from.Read(into)
	g.left = max(0, g.left-int64(n)) // behind the most it is refused by others
	return n, err
}

// promise gives bytes that come more room than they were promised.
func (s *Service) promise(ctx context.Context, version string, by any, more int64) error {
	return s.DB.Write(ctx, func(ctx context.Context, tx *db.Tx) error {
		if err := s.reserve(ctx, tx, by, more); err != nil {
			return err
		}
		n, err := tx.Exec(ctx, "update storage_versions set size = size + $2 where version = $1 and state = 'pending'", version, more)
		if err == nil && n != 1 {
			err = errSlowDown
		}
		if err == nil {
			err = count(ctx, tx, byOf(by), more)
		}
		return err
	})
}
