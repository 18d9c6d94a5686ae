package site

import "greenroom/internal/platform/metrics"

// Stats is how the making of pages stands.
type Stats struct {
	// Engines are the script engines that hold memory, Plans and Renders the calls that wait for one.
	Engines, Plans, Renders int
	// Pages and Bytes are what is kept; Hits and Misses count how often a page was there.
	Pages, Bytes, Flights int
	Hits, Misses          int64
}

// Stats tells how the making of pages stands.
func (s *Site) Stats() Stats {
	var now Stats
	if e := s.engine; e != nil {
		e.mu.Lock()
		if e.vm != nil {
			now.Engines = 1
		}
		e.mu.Unlock()
		now.Plans, now.Renders = len(e.plans), len(e.renders)
	}
	c := s.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	now.Pages, now.Bytes, now.Flights = c.own.order.Len()+c.passing.order.Len(), c.own.held+c.passing.held, len(c.flights)
	now.Hits, now.Misses = c.hits, c.misses
	return now
}

// Took is how long the calls into the script take.
func (s *Site) Took() *metrics.Histogram {
	if s.engine == nil {
		return &metrics.Histogram{}
	}
	return &s.engine.took
}
