package catalog

// builder makes the segments of a snapshot out of courses that come in catalogue order.
type builder struct{ segments []*segment }

func (b *builder) add(c *Course) {
	last := len(b.segments) - 1
	if last < 0 || len(b.segments[last].docs) == segmentDocs {
		b.segments = append(b.segments, &segment{})
		last++
	}
	b.segments[last].add(placeOf(c), c.Category, searchable(c))
}

// snapshot makes the added courses searchable.
func (b *builder) snapshot(version int64) *snapshot {
	for _, segment := range b.segments {
		segment.seal()
	}
	return &snapshot{version: version, segments: b.segments, gone: make([]*set, len(b.segments))}
}
