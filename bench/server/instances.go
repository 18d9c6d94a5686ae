package main

import (
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// instancesPart measures one instance on PostgreSQL and then two, each held to a core of its own. Where instances,
// database and clients have to share two cores, more requests a second cannot show; there, CPU per request does: if two
// instances need no more of it than one, they serve twice as many where they have the cores.
func (p *plan) instancesPart() error {
	if _, err := exec.LookPath("taskset"); err != nil {
		return replace(p.write, "instances", "Not measured: taskset is not installed.\n")
	}
	h, err := furnish("postgres", p.absolute(), p.within)
	if err != nil {
		return err
	}
	defer h.leave()
	var both [2]*system
	for core := range both {
		if both[core], err = h.serve("taskset", "-c", strconv.Itoa(core)); err != nil {
			return err
		}
		defer both[core].stop()
	}
	both[1].scripts = both[0].scripts // what one has asked for, the other cannot ask for again
	var b strings.Builder
	b.WriteString(p.circumstances("instances") + "| work | one instance | two instances | requests a second, two against one | CPU per request, one against two |\n|---|---|---|---|---|\n")
	for _, w := range works {
		if !slices.Contains([]string{"courses", "saved", "user", "save", "refresh"}, w.name) {
			continue
		}
		if _, err := pace(both[:], w, p.round); err != nil { // what is made at the first use is not what is measured
			return fmt.Errorf("%s: %w", w.title, err)
		}
		var one, two []rate
		for range p.rounds {
			for _, turn := range []struct {
				all *[]rate
				n   int
			}{{&one, 1}, {&two, 2}} {
				got, err := pace(both[:turn.n], w, p.round)
				if err != nil {
					return fmt.Errorf("%s: %w", w.title, err)
				}
				*turn.all = append(*turn.all, got)
			}
		}
		a, c := middleRate(one), middleRate(two)
		fmt.Fprintf(&b, "| %s | %.0f/s, %.0f µs | %.0f/s, %.0f µs | %.2f × | %.2f × |\n", w.title, a.perSecond, a.micros, c.perSecond, c.micros,
			c.perSecond/a.perSecond, a.micros/c.micros)
	}
	if runtime.NumCPU() < 4 {
		fmt.Fprintf(&b, "\nThis machine has %d cores for the instances, the database and the clients together: 1.8 × the requests cannot show on it.\n", runtime.NumCPU())
	}
	return replace(p.write, "instances", b.String())
}

// rate is how much instances do together, and what a request takes of the processor, the database's share included.
type rate struct{ perSecond, micros float64 }

func pace(instances []*system, w work, lasting time.Duration) (rate, error) {
	roots := []int{}
	for _, s := range instances {
		roots = append(roots, s.roots...)
	}
	var wait sync.WaitGroup
	got, failed := make([]heard, len(instances)), make([]error, len(instances))
	before, began := cpuOf(roots), time.Now()
	for i, s := range instances {
		c, err := dialSome(s.address, s.scripts[w.name], i*connections/2, connections/2)
		if err != nil {
			return rate{}, err
		}
		defer c.close()
		wait.Go(func() { got[i], failed[i] = c.ask(lasting) })
	}
	wait.Wait()
	total := 0
	for i := range got {
		if failed[i] != nil {
			return rate{}, failed[i]
		}
		total += got[i].requests
	}
	used := cpuOf(roots) - before
	return rate{float64(total) / time.Since(began).Seconds(), float64(used.Nanoseconds()) / 1000 / float64(total)}, nil
}

func middleRate(all []rate) rate {
	var speeds, costs []float64
	for _, r := range all {
		speeds, costs = append(speeds, r.perSecond), append(costs, r.micros)
	}
	slices.Sort(speeds)
	slices.Sort(costs)
	return rate{speeds[len(speeds)/2], costs[len(costs)/2]}
}
