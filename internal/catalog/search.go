package catalog

import (
	"runtime"
	"slices"
	"sync/atomic"

	"greenroom/internal/platform/safe"
)

// order is a sort order that the search knows.
type order int

const (
	byRating order = iota // the catalogue's order: rating falling, then created falling, then id
	byNewest              // created falling, then id
)

// wanted is what a search looks for: a folded text, in all courses or in those of one category.
type wanted struct {
	text     []byte
	category string
}

// search finds the courses that are wanted: how many there are, and the ids of one page.
func (s *snapshot) search(w wanted, by order, limit, offset int) (ids [][16]byte, total int) {
	found := make([]*set, len(s.segments))
	var count atomic.Int64
	inParallel(len(s.segments), func(i int) {
		found[i] = sets.Get().(*set)
		s.segments[i].match(w.text, found[i])
		if w.category != "" {
			s.segments[i].only(w.category, found[i])
		}
		if s.gone[i] != nil {
			found[i].subtract(s.gone[i])
		}
		count.Add(int64(found[i].count()))
	})
	fresh := s.freshMatches(w)
	total = int(count.Load()) + len(fresh)
	if limit > 0 && offset < total {
		if by == byNewest {
			ids = s.newest(found, fresh, limit, offset)
		} else {
			ids = s.page(found, fresh, limit, offset)
		}
	}
	for _, f := range found {
		sets.Put(f)
	}
	return ids, total
}

// page walks the matches of the segments and the fresh ones side by side, both being in catalogue order.
func (s *snapshot) page(found []*set, fresh []*place, limit, offset int) [][16]byte {
	ids := make([][16]byte, 0, limit)
	take := func(p *place) bool {
		if offset > 0 {
			offset--
			return true
		}
		ids = append(ids, p.id)
		return len(ids) < limit
	}
	for i, segment := range s.segments {
		more := found[i].each(func(doc uint16) bool {
			p := &segment.docs[doc]
			for len(fresh) > 0 && fresh[0].compare(p) < 0 {
				if !take(fresh[0]) {
					return false
				}
				fresh = fresh[1:]
			}
			return take(p)
		})
		if !more {
			return ids
		}
	}
	for _, p := range fresh {
		if !take(p) {
			break
		}
	}
	return ids
}

// newest picks the page by date: of all matches it keeps only as many of the newest as the page reaches.
func (s *snapshot) newest(found []*set, fresh []*place, limit, offset int) [][16]byte {
	reach := offset + limit
	kept := make([]*place, 0, min(2*reach, 1<<16))
	var last *place // nothing older than this is on the page
	shrink := func() {
		slices.SortFunc(kept, (*place).newer)
		if len(kept) > reach {
			kept = kept[:reach]
			last = kept[reach-1]
		}
	}
	keep := func(p *place) {
		if last != nil && p.newer(last) > 0 {
			return
		}
		if kept = append(kept, p); len(kept) >= 2*reach {
			shrink()
		}
	}
	for i, segment := range s.segments {
		found[i].each(func(doc uint16) bool {
			keep(&segment.docs[doc])
			return true
		})
	}
	for _, p := range fresh {
		keep(p)
	}
	shrink()
	ids := make([][16]byte, 0, limit)
	for _, p := range kept[min(offset, len(kept)):] {
		ids = append(ids, p.id)
	}
	return ids
}

// inParallel runs fn for 0 to n-1 on all cores. A panic of fn is the caller's.
func inParallel(n int, fn func(i int)) {
	workers := min(n, runtime.GOMAXPROCS(0))
	if workers <= 1 {
		for i := range n {
			fn(i)
		}
		return
	}
	var next atomic.Int64
	var all safe.Group
	for range workers {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				fn(i)
			}
		})
	}
	all.Wait()
}
