package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"
)

// figure is what one system needs for one work.
type figure struct {
	// micros is the CPU time of a request; later is what came after the answers, such as sending letters.
	micros, later float64
	p50, p99      time.Duration
}

// table is all figures, by work and system.
type table struct {
	plan    *plan
	systems []string
	figures map[string]map[string]figure
}

// settleTime is how long a system may go on working after a round of writes before the next one starts.
const settleTime = 10 * time.Second

// measure lets the systems take turns at each work, round by round, so that whatever else the machine does meets all
// of them, and takes the middle of the rounds.
func (p *plan) measure(systems []*system) (t *table, failed error) {
	t = &table{plan: p, figures: map[string]map[string]figure{}}
	for _, s := range systems {
		t.systems = append(t.systems, s.name)
	}
	for _, w := range works {
		if !slices.Contains(p.works, w.name) {
			continue
		}
		fmt.Fprintln(os.Stderr, "measuring:", w.title)
		all, err := p.takeTurns(w, systems)
		if err != nil { // the other works are worth having all the same
			failed = errors.Join(failed, fmt.Errorf("%s: %w", w.title, err))
			continue
		}
		t.figures[w.name] = all
	}
	return t, failed
}

func (p *plan) takeTurns(w work, systems []*system) (map[string]figure, error) {
	asking := map[string]*clients{}
	rounds := map[string][]figure{}
	for _, s := range systems {
		if _, can := s.scripts[w.name]; !can {
			continue
		}
		c, err := dial(s.address, s.scripts[w.name])
		if err != nil {
			return nil, err
		}
		defer c.close()
		c.every = p.every
		asking[s.name] = c
		if _, err := c.ask(p.round / 5); err != nil { // what is made at the first use is not what is measured
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		settle(s.roots, settleTime)
	}
	for range p.rounds {
		for _, s := range systems {
			if asking[s.name] == nil {
				continue
			}
			one, err := s.round(asking[s.name], p.round, w.writes)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
			if one.micros > 0 { // none where there was nothing left to ask
				rounds[s.name] = append(rounds[s.name], one)
			}
		}
	}
	middle := map[string]figure{}
	for name, all := range rounds {
		middle[name] = middleOf(all)
	}
	return middle, nil
}

// round asks for a while and counts what it took.
func (s *system) round(c *clients, lasting time.Duration, writes bool) (figure, error) {
	before := cpuOf(s.roots)
	got, err := c.ask(lasting)
	if err != nil || got.requests == 0 {
		return figure{}, err
	}
	if got.refused > 0 {
		fmt.Fprintf(os.Stderr, "%s was too busy for %d of %d requests\n", s.name, got.refused, got.requests+got.refused)
	}
	each := func(used time.Duration) float64 { return float64(used.Nanoseconds()) / 1000 / float64(got.requests) }
	one := figure{micros: each(cpuOf(s.roots) - before), p50: got.quantile(0.5), p99: got.quantile(0.99)}
	if writes {
		one.later = each(settle(s.roots, settleTime))
	}
	return one, nil
}

func middleOf(rounds []figure) figure {
	return figure{
		micros: middle(rounds, func(f figure) float64 { return f.micros }),
		later:  middle(rounds, func(f figure) float64 { return f.later }),
		p50:    middle(rounds, func(f figure) time.Duration { return f.p50 }),
		p99:    middle(rounds, func(f figure) time.Duration { return f.p99 }),
	}
}

func middle[T float64 | time.Duration](rounds []figure, of func(figure) T) T {
	var all []T
	for _, one := range rounds {
		all = append(all, of(one))
	}
	slices.Sort(all)
	return all[len(all)/2]
}
