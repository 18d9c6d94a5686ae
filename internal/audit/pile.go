package audit

import "sync"

// mostPiled is how many refusals that differ are kept apart before they are written.
const mostPiled = 256

// Pile holds refusals in memory that are then written together, so that a flood of them is a few writes. What is alike
// is one; of a flood that is never alike only what matters is kept apart, and then no more than how many they were.
type Pile struct {
	mu   sync.Mutex
	held map[Entry]int
}

// Add lays refusals on the pile.
func (p *Pile) Add(all ...Refusals) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held == nil {
		p.held = map[Entry]int{}
	}
	for _, r := range all {
		p.held[p.place(r.Entry)] += r.Times
	}
}

// place is the entry that a refusal is counted in.
func (p *Pile) place(e Entry) Entry {
	e.Subject, e.Address, e.UserAgent = Text(e.Subject), Text(e.Address), Text(e.UserAgent)
	rough := e
	rough.Subject, rough.UserAgent = Several, Several
	for i, one := range []Entry{e, rough} {
		if _, found := p.held[one]; found || len(p.held) < mostPiled*(i+1) {
			return one
		}
	}
	return Entry{Action: e.Action, Subject: Several, Address: Several, UserAgent: Several, Result: Several}
}

// Take empties the pile.
func (p *Pile) Take() []Refusals {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := make([]Refusals, 0, len(p.held))
	for e, times := range p.held {
		all = append(all, Refusals{e, times})
	}
	p.held = nil
	return all
}
