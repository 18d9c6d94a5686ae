package crowd

// Scheduled is what the runtime has counted.
func Scheduled() (all, late uint64) { return new(Cores).scheduled() }
