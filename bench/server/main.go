// Command server measures what a request costs the server: CPU time per request, over all processes of a system, its
// database's too, beside a bare Go handler and other servers in the same run. README.md beside it says how to read it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// plan is what a run is asked to do.
type plan struct {
	binary  string
	parts   []string
	systems []string
	works   []string
	rounds  int
	round   time.Duration
	every   time.Duration
	all     bool
	write   string
	within  string
}

// The kernel's death signal follows the thread that started a child, and the main one lives as long as we do.
func init() { runtime.LockOSThread() }

func main() {
	bare := flag.String("bare", "", "be the bare handler, with the answers of this file")
	floor := flag.String("floor", "", "be the bare handler with the same statements, on the SQLite file of this folder")
	listen := flag.String("listen", "", "the bare handler's address")
	var p plan
	flag.StringVar(&p.binary, "binary", "bin/greenroom", "what to measure")
	parts := flag.String("parts", "table", "which parts, parted by commas: table facts film growth instances")
	systems := flag.String("systems", "sqlite,postgres,bare,nginx,pocketbase", "which systems, parted by commas")
	names := flag.String("works", strings.Join(workNames(), ","), "which works of the table, parted by commas")
	flag.IntVar(&p.rounds, "rounds", 5, "how often each system is asked for each work")
	flag.DurationVar(&p.round, "round", time.Second, "how long each time")
	flag.DurationVar(&p.every, "every", 0, "how often each of the 32 clients asks; 0 is as often as it is answered")
	flag.BoolVar(&p.all, "all", false, "growth with millions of users, waitlist rows and audit entries too: half an hour")
	flag.StringVar(&p.write, "write", "", "the document whose tables are written anew; printed when empty")
	flag.Parse()
	p.parts, p.systems, p.works = strings.Split(*parts, ","), strings.Split(*systems, ","), strings.Split(*names, ",")
	err := error(nil)
	switch {
	case *bare != "":
		runtime.UnlockOSThread()
		err = serveBare(*bare, *listen)
	case *floor != "":
		runtime.UnlockOSThread()
		err = serveFloor(*floor, *listen)
	default:
		err = p.run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func workNames() (names []string) {
	for _, w := range works {
		names = append(names, w.name)
	}
	return names
}

func (p *plan) wants(system string) bool { return slices.Contains(p.systems, system) }

// longest is how long a run may take, on whatever machine.
const longest = 2 * time.Hour

func (p *plan) run() error {
	var err error
	if p.within, err = os.MkdirTemp("", "greenroom-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(p.within)
	time.AfterFunc(longest, func() {
		fmt.Fprintln(os.Stderr, "bench: stopped after", longest)
		_ = os.RemoveAll(p.within)
		os.Exit(1)
	})
	for _, part := range []struct {
		name string
		do   func() error
	}{
		{"table", p.tablePart}, {"facts", p.factsPart}, {"film", p.filmPart}, {"growth", p.growthPart}, {"instances", p.instancesPart},
	} {
		if !slices.Contains(p.parts, part.name) {
			continue
		}
		if err := part.do(); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return nil
}

func (p *plan) tablePart() error {
	systems, end, err := p.start()
	defer end()
	if err != nil {
		return err
	}
	table, err := p.measure(systems)
	return errors.Join(err, replace(p.write, "table", p.circumstances("table")+table.text()))
}

func (p *plan) factsPart() error {
	systems, end, err := p.start()
	defer end()
	if err != nil {
		return err
	}
	all, err := facts(systems)
	if err != nil {
		return err
	}
	return replace(p.write, "facts", p.circumstances("facts")+factsText(all))
}

// growthPart measures shorter: there are many sizes.
func (p *plan) growthPart() error {
	brief := *p
	brief.rounds, brief.round = 3, 400*time.Millisecond
	var all []*grown
	for _, engine := range []string{"sqlite", "postgres"} {
		if !p.wants(engine) {
			continue
		}
		g, err := brief.grow(engine)
		if g != nil { // half an hour's figures are not lost to what comes after them
			all = append(all, g)
			err = errors.Join(err, brief.writeGrowth(all))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", engine, err)
		}
	}
	return nil
}

func (p *plan) writeGrowth(all []*grown) error {
	if p.write != "" {
		if err := os.WriteFile(filepath.Join(filepath.Dir(p.write), "growth.svg"), []byte(picture(all)), 0o644); err != nil {
			return err
		}
	}
	return replace(p.write, "growth", p.circumstances("growth")+growthText(all))
}

// start brings everything up that the plan names. What the machine lacks is left out with a word.
func (p *plan) start() (systems []*system, end func(), err error) {
	var ends []func()
	end = func() {
		for _, one := range slices.Backward(ends) {
			one()
		}
	}
	var ours *system
	for _, name := range []string{"sqlite", "postgres"} {
		if !p.wants(name) {
			continue
		}
		h, err := furnish(name, p.absolute(), p.within)
		if err != nil {
			return nil, end, err
		}
		ends = append(ends, h.leave)
		s, err := h.serve()
		if err != nil {
			return nil, end, err
		}
		ends, systems = append(ends, s.stop), append(systems, s)
		ours = s
	}
	if ours == nil {
		return nil, end, fmt.Errorf("at least one of sqlite and postgres must be measured")
	}
	answers, err := record(ours)
	if err != nil {
		return nil, end, err
	}
	for _, peer := range []struct {
		name  string
		start func() (*system, error)
	}{
		{"bare", func() (*system, error) { return startBare(answers, ours, p.within) }},
		{"floor", func() (*system, error) { return startFloor(p.absolute(), p.within) }},
		{"nginx", func() (*system, error) { return startNginx(answers, p.within) }},
		{"pocketbase", func() (*system, error) { return startPocketBase(answers["courses"], p.within) }},
	} {
		if !p.wants(peer.name) {
			continue
		}
		s, err := peer.start()
		if err != nil {
			fmt.Fprintf(os.Stderr, "without %s: %v\n", peer.name, err)
			continue
		}
		ends, systems = append(ends, s.stop), append(systems, s)
	}
	given, err := byHand()
	return append(systems, given...), end, err
}

func (p *plan) absolute() string {
	path, err := filepath.Abs(p.binary)
	if err != nil {
		return p.binary
	}
	return path
}
