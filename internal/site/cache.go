package site

import (
	"container/list"
	"maps"
	"sync"
)

// page is an answer that was made once and is given to many.
type page struct {
	status  int
	content body
	// own means that the page is the one that its address names. Error pages, searches and other spellings are not,
	// and since anybody can make up more of them, they may not push out those that are.
	own bool
}

// shelf keeps the pages used last, up to a number of pages and of bytes.
type shelf struct {
	pages, bytes int // how much may be kept
	held         int // bytes that are kept
	order        *list.List
	byPath       map[string]*list.Element
}

type kept struct {
	path    string
	version int64
	page    *page
}

func newShelf(pages, bytes int) *shelf {
	return &shelf{pages: pages, bytes: bytes, order: list.New(), byPath: map[string]*list.Element{}}
}

func (s *shelf) get(path string, version int64) *page {
	e, ok := s.byPath[path]
	if !ok {
		return nil
	}
	k := e.Value.(*kept)
	if k.version != version {
		// A page that was begun before the catalogue changed may be put away after; only an older one is of no more use.
		if k.version < version {
			s.remove(e)
		}
		return nil
	}
	s.order.MoveToFront(e)
	return k.page
}

func (s *shelf) put(path string, version int64, p *page) {
	if e, ok := s.byPath[path]; ok {
		if e.Value.(*kept).version > version {
			return
		}
		s.remove(e)
	}
	if p.content.Size() > s.bytes {
		return
	}
	s.byPath[path] = s.order.PushFront(&kept{path: path, version: version, page: p})
	s.held += p.content.Size()
	for s.order.Len() > s.pages || s.held > s.bytes {
		s.remove(s.order.Back())
	}
}

func (s *shelf) remove(e *list.Element) {
	k := e.Value.(*kept)
	s.order.Remove(e)
	delete(s.byPath, k.path)
	s.held -= k.page.content.Size()
}

// cache keeps pages by path and catalogue version. The site's own pages and those that anybody can make up have a shelf each.
type cache struct {
	mu      sync.Mutex
	own     *shelf
	passing *shelf
	// A path has one flight at a time: while the catalogue changes quickly, its page is made one change after the other
	// and not once for each.
	flights map[string]*flight
	// A flight that failed stays for a while, so that a page that cannot be made is not tried for every visitor.
	failed map[flightKey]*flight
	most   int // flights at once

	hits, misses int64
}

type flightKey struct {
	path    string
	version int64
}

// flight is a page in the making. All who want it wait for the same one.
type flight struct {
	version int64
	done    chan struct{}
	page    *page // set before done is closed; nil when it could not be made

	mu      sync.Mutex
	answers []byte
}

// know notes the data as soon as it is there: whoever cannot wait for the markup gets at least that.
func (f *flight) know(answers []byte) {
	f.mu.Lock()
	f.answers = answers
	f.mu.Unlock()
}

func (f *flight) known() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.answers
}

func newCache(own, passing *shelf, flights int) *cache {
	return &cache{own: own, passing: passing, flights: map[string]*flight{}, failed: map[flightKey]*flight{}, most: flights}
}

// find gives the kept page, or the path's flight, having begin start one if need be; neither when too many are under
// way. The flight may be of an older version than was asked for: then one has to ask again when it has landed.
func (c *cache) find(path string, version int64, begin func(*flight)) (*page, *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.own.get(path, version)
	if p == nil {
		p = c.passing.get(path, version)
	}
	if p != nil {
		c.hits++
		return p, nil
	}
	c.misses++
	if f, ok := c.flights[path]; ok {
		return nil, f
	}
	if f, ok := c.failed[flightKey{path, version}]; ok {
		return nil, f
	}
	if len(c.flights) >= c.most {
		return nil, nil
	}
	f := &flight{version: version, done: make(chan struct{})}
	c.flights[path] = f
	begin(f)
	return nil, f
}

// land ends a flight and keeps its page, or notes that there is none.
func (c *cache) land(path string, f *flight, p *page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.flights, path)
	switch {
	case p == nil:
		maps.DeleteFunc(c.failed, func(key flightKey, _ *flight) bool { return key.version < f.version })
		c.failed[flightKey{path, f.version}] = f
	case p.own:
		c.own.put(path, f.version, p)
	default:
		c.passing.put(path, f.version, p)
	}
	f.page = p
	close(f.done)
}

// forget lets a page that failed be tried again.
func (c *cache) forget(path string, version int64) {
	c.mu.Lock()
	delete(c.failed, flightKey{path, version})
	c.mu.Unlock()
}
