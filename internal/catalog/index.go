package catalog

// builder makes the segments of a snapshot out of courses that come in catalogue order.
type builder struct {
	segments []*segment
	open     *segment
}

func (b *builder) add(c *Course) {
	if b.open == nil {
		b.open = &segment{}
	}
	b.open.add(placeOf(c), searchable(c))
	if len(b.open.docs) == segmentDocs {
		b.close()
	}
}

func (b *builder) close() {
	if b.open != nil {
		b.open.seal()
		b.segments = append(b.segments, b.open)
		b.open = nil
	}
}

func (b *builder) snapshot(version int64) *snapshot {
	b.close()
	return &snapshot{version: version, segments: b.segments, gone: make([]*set, len(b.segments))}
}
