// Command server measures what a request costs the server: CPU time per request, over all processes of a system, its
// database's too, beside a bare Go handler and other servers in the same run. README.md beside it says how to read it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// plan is what a run is asked to do.
type plan struct {
	binary  string
	systems []string
	works   []string
	rounds  int
	round   time.Duration
	write   string
	within  string
}

func main() {
	bare := flag.String("bare", "", "")
	listen := flag.String("listen", "", "")
	var p plan
	flag.StringVar(&p.binary, "binary", "bin/greenroom", "what to measure")
	systems := flag.String("systems", "sqlite,postgres,bare,nginx,pocketbase", "which systems, parted by commas")
	names := flag.String("works", "", "which works, parted by commas; all when empty: "+strings.Join(workNames(), " "))
	flag.IntVar(&p.rounds, "rounds", 5, "how often each system is asked for each work")
	flag.DurationVar(&p.round, "round", time.Second, "how long each time")
	flag.StringVar(&p.write, "write", "", "the document whose table is written anew")
	flag.Parse()
	var err error
	if *bare != "" {
		err = serveBare(*bare, *listen)
	} else {
		p.systems = strings.Split(*systems, ",")
		p.works = workNames()
		if *names != "" {
			p.works = strings.Split(*names, ",")
		}
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

func (p *plan) run() error {
	var err error
	if p.within, err = os.MkdirTemp("", "greenroom-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(p.within)
	systems, end, err := p.start()
	defer end()
	if err != nil {
		return err
	}
	table, err := p.measure(systems)
	if err != nil {
		return err
	}
	fmt.Print(table.text())
	return nil
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
	if p.wants("bare") {
		s, err := startBare(answers, ours, p.within)
		if err != nil {
			return nil, end, err
		}
		ends, systems = append(ends, s.stop), append(systems, s)
	}
	return systems, end, nil
}

func (p *plan) absolute() string {
	path, err := filepath.Abs(p.binary)
	if err != nil {
		return p.binary
	}
	return path
}
