package video

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"greenroom/internal/platform/db"
	"greenroom/internal/platform/who"
)

// showing is all of a video that a request may ask for.
type showing struct {
	film     film
	files    map[string]made // by name
	offers   []offer         // the sizes, lowest first
	source   *made           // the upload itself, while it is there
	outline  *Outline        // of the upload, while there is nothing else to know it by
	captions []caption
}

// show reads a video, or remembers it.
func (s *Service) show(ctx context.Context, video string) (*showing, error) {
	now := s.DB.Clock.Passed()
	if known, ok := s.shown.get(video, now); ok {
		return known.shown, nil
	}
	shown := &showing{files: map[string]made{}}
	generation := s.shown.generation()
	err := s.DB.Look(ctx, func(ctx context.Context, tx *db.Tx) (err error) { return shown.read(ctx, tx, video) })
	if err != nil {
		return nil, err
	}
	shown.outline = s.outline(ctx, shown)
	s.shown.put(video, remembered{shown: shown}, now, generation)
	return shown, nil
}

func (w *showing) read(ctx context.Context, tx *db.Tx, video string) (err error) {
	if w.film, err = find(ctx, tx, video); err != nil {
		return err
	}
	all, err := filesOf(ctx, tx, video)
	if err != nil {
		return err
	}
	for _, m := range all {
		w.files[m.name()] = m
		if strings.HasSuffix(m.Role, listEnding) {
			o := offer{name: m.name()}
			if err := json.Unmarshal([]byte(m.About), &o.Made); err != nil {
				return err
			}
			w.offers = append(w.offers, o)
		}
	}
	slices.SortFunc(w.offers, func(a, b offer) int { return cmp.Compare(a.Lines, b.Lines) })
	err = db.Each(ctx, tx, "select version, sniffed, size, hash from storage_objects where id = $1 and version = $2", []any{w.film.Object, w.film.Version},
		func(scan func(...any) error) error {
			w.source = &made{Role: sourceName}
			return scan(&w.source.Version, &w.source.Type, &w.source.Size, &w.source.Hash)
		})
	if err != nil {
		return err
	}
	if err := w.readChosen(ctx, tx); err != nil {
		return err
	}
	w.captions, err = captionsOf(ctx, tx, video)
	return err
}

// admits tells whether a grant still counts: its session lives, and its person may still see the video.
func (s *Service) admits(ctx context.Context, g grant, video string) (bool, error) {
	actor := who.Actor{Role: who.Anonymous}
	if !g.nobody() {
		var err error
		if actor, err = s.Session(ctx, g.user.String(), g.session.String()); errors.Is(err, ErrNoSession) {
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	now, name := s.DB.Clock.Passed(), g.user.String()+g.session.String()+video
	if known, ok := s.shown.get(name, now); ok {
		return known.allowed, nil
	}
	generation := s.shown.generation()
	allowed, err := s.Allowed(ctx, actor, video)
	if err != nil {
		return false, err
	}
	s.shown.put(name, remembered{allowed: allowed}, now, generation)
	return allowed, nil
}

// ErrNoSession is what Session answers for one that has ended.
var ErrNoSession = errors.New("the session has ended")

// memory holds what requests ask for again and again, for less than a second: who signs out sees nothing more after that.
type memory struct {
	mu      sync.Mutex
	known   map[string]remembered
	changes uint64
}

type remembered struct {
	shown   *showing
	allowed bool
	until   time.Duration
}

const (
	rememberFor  = 500 * time.Millisecond
	mostRemember = 4096
)

func (m *memory) get(name string, now time.Duration) (remembered, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found, ok := m.known[name]
	return found, ok && now < found.until
}

func (m *memory) generation() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.changes
}

// put remembers what was read, unless something was forgotten since: it may be of before.
func (m *memory) put(name string, r remembered, now time.Duration, generation uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.changes != generation {
		return
	}
	if len(m.known) >= mostRemember {
		for other, one := range m.known {
			if one.until <= now {
				delete(m.known, other)
			}
		}
		if len(m.known) >= mostRemember {
			clear(m.known)
		}
	}
	r.until = now + rememberFor
	m.known[name] = r
}

// forget makes this instance look again at a video.
func (m *memory) forget(video string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.changes++
	delete(m.known, video)
}

// forgetAll makes it look again at everything.
func (m *memory) forgetAll() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.changes++
	clear(m.known)
}
