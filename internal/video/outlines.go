package video

import (
	"context"
	"errors"
	"sync"
)

// outlines remembers what uploads tell of themselves. A version never changes, and so nothing is ever old.
type outlines struct {
	mu    sync.Mutex
	known map[string]*Outline
}

// get gives the outline of a version, and reads it where nobody has.
func (o *outlines) get(version string, read func() (*Outline, error)) (*Outline, error) {
	o.mu.Lock()
	found, ok := o.known[version]
	o.mu.Unlock()
	if ok {
		return found, nil
	}
	found, err := read()
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.known == nil || len(o.known) >= mostRemember {
		o.known = map[string]*Outline{}
	}
	o.known[version] = found
	return found, nil
}

// outlineBytes is what is fetched at once to look for the outline where the bytes lie elsewhere.
const outlineBytes = 64 << 10

// outline is what the upload tells of itself, where nothing was made of it. What cannot be read is not told: it may play all the same.
func (s *Service) outline(ctx context.Context, w *showing) *Outline {
	if w.source == nil || len(w.offers) > 0 || w.film.State == Refused {
		return nil
	}
	found, err := s.told.get(w.source.Version, func() (*Outline, error) {
		file, err := s.open(ctx, *w.source, 0, min(w.source.Size, outlineBytes))
		if err != nil {
			return nil, err
		}
		defer file.Close()
		o, err := readOutline(file, w.source.Size)
		if errors.Is(err, errNoOutline) {
			return nil, nil //nolint:nilnil // Matroska has none, and that is remembered
		}
		return &o, err
	})
	if err != nil {
		s.Log.WarnContext(ctx, "the header of an upload was not read", "version", w.source.Version, "error", err)
	}
	return found
}
