package crowd

// Waits tells whether a probe stands in line.
func (c *Cores) Waits() bool { return c.waiting.Load() != 0 }
