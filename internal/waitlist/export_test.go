package waitlist

// Kick makes the worker look now.
func (l *Lists) Kick() { l.kick() }
