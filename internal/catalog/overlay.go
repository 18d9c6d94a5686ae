package catalog

import (
	"bytes"
	"slices"
)

// snapshot is the whole catalogue at one version, for searching: the segments, and on top of them what changed since
// they were built. A snapshot never changes; a change makes a new one that shares the segments.
type snapshot struct {
	version  int64
	segments []*segment
	// gone holds, for each segment, the courses that were changed or deleted since; nil when there are none.
	gone []*set
	// fresh holds the courses that were added or changed since, in catalogue order.
	fresh []entry
}

// entry is a course outside the segments.
type entry struct {
	place

	category string
	text     []byte
}

// size is about how many bytes its segments take.
func (s *snapshot) size() (bytes int) {
	for _, segment := range s.segments {
		bytes += segment.size()
	}
	return bytes
}

// with makes the snapshot after a change: the courses of these ids are now these entries, the others are deleted.
func (s *snapshot) with(version int64, changed map[[16]byte]bool, now []entry) *snapshot {
	next := &snapshot{version: version, segments: s.segments, gone: slices.Clone(s.gone), fresh: s.fresh}
	if len(changed) == 0 {
		return next
	}
	for i, segment := range s.segments {
		for doc := range segment.docs {
			if changed[segment.docs[doc].id] {
				next.drop(s, i, uint16(doc))
			}
		}
	}
	next.fresh = slices.Grow([]entry(nil), len(s.fresh)+len(now))
	for _, e := range s.fresh {
		if !changed[e.id] {
			next.fresh = append(next.fresh, e)
		}
	}
	next.fresh = append(next.fresh, now...)
	slices.SortFunc(next.fresh, func(a, b entry) int { return a.compare(&b.place) })
	return next
}

// drop marks a segment's course as gone; the set is copied before its first change.
func (s *snapshot) drop(before *snapshot, segment int, doc uint16) {
	switch s.gone[segment] {
	case nil:
		s.gone[segment] = new(set)
	case before.gone[segment]:
		own := *before.gone[segment]
		s.gone[segment] = &own
	}
	s.gone[segment].add(doc)
}

// freshMatches gives the entries that are wanted, in catalogue order.
func (s *snapshot) freshMatches(w wanted) []*place {
	var found []*place
	for i := range s.fresh {
		e := &s.fresh[i]
		if bytes.Contains(e.text, w.text) && (w.category == "" || w.category == e.category) {
			found = append(found, &e.place)
		}
	}
	return found
}
