package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"greenroom/internal/catalog"
	"greenroom/internal/catalog/catalogtest"
)

// sizes are how many courses there are, step by step. The first are those that every installation begins with.
var sizes = []int{28, 1000, 10_000, 100_000, 250_000}

// importTime is how long an import may take, on whatever machine.
const importTime = 20 * time.Minute

// grown is one installation's way through the sizes.
type grown struct {
	engine string
	steps  []step
	// Of the import of all courses, while the server serves: its time, its CPU with its database's, and the answers
	// meanwhile.
	imported, importCPU         time.Duration
	besideMedian, besideSlowest time.Duration
	// The server's memory after the searches, at once and a while later, and what one who searches alone waits.
	memory, memoryLater  int64
	searchP50, searchP99 time.Duration
}

type step struct {
	label   string
	figures map[string]figure
}

// grow lets an installation grow while it serves, and does the works at each size.
func (p *plan) grow(engine string) (*grown, error) {
	h, err := furnish(engine, p.absolute(), p.within)
	if err != nil {
		return nil, err
	}
	defer h.leave()
	list := slices.Collect(catalogtest.Courses(sizes[len(sizes)-1] - sizes[0]))
	s, err := h.serve()
	if err != nil {
		return nil, err
	}
	defer func() { s.stop() }()
	s.scripts[searchWork.name] = searchFor(h.scene, list)
	g := &grown{engine: engine}
	for i, size := range sizes {
		if i > 0 {
			if err := g.bring(h, s, list[sizes[i-1]-sizes[0]:size-sizes[0]]); err != nil {
				return nil, err
			}
			settle(s.roots, time.Minute)
		}
		if err := g.step(p, s, group(size), growthWorks()); err != nil {
			return nil, err
		}
	}
	if err := g.search(s); err != nil {
		return nil, err
	}
	if p.all {
		s, err = p.millions(g, h, s)
	}
	return g, err
}

// search is one person's searches, one after the other.
func (g *grown) search(s *system) error {
	g.memory = memoryOf(s.roots[0])
	c, err := dialSome(s.address, s.scripts[searchWork.name], 0, 1)
	if err != nil {
		return err
	}
	defer c.close()
	got, err := c.ask(5 * time.Second)
	g.searchP50, g.searchP99 = got.quantile(0.5), got.quantile(0.99)
	time.Sleep(idleTime)
	g.memoryLater = memoryOf(s.roots[0])
	return err
}

// growthWorks are those of the table, once each, and the search.
func growthWorks() []work {
	chosen := slices.DeleteFunc(slices.Clone(works), func(w work) bool { return w.name == "courses-br" })
	return append(chosen, searchWork)
}

func (g *grown) step(p *plan, s *system, label string, chosen []work) error {
	one := step{label, map[string]figure{}}
	for _, w := range chosen {
		fmt.Fprintf(os.Stderr, "growth, %s, %s courses: %s\n", g.engine, label, w.title)
		figures, err := p.takeTurns(w, []*system{s})
		if err != nil {
			return fmt.Errorf("%s: %w", w.title, err)
		}
		one.figures[w.name] = figures[s.name]
	}
	g.steps = append(g.steps, one)
	return nil
}

// bring imports courses as an operator does, with the command beside the running server, and asks that for a page
// all the time.
func (g *grown) bring(h *house, s *system, list []catalog.Course) error {
	file := filepath.Join(h.folder, "import.jsonl")
	if err := writeCourses(file, list); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), importTime)
	defer cancel()
	command := exec.CommandContext(ctx, h.binary, "catalog", "import", file)
	command.Env = os.Environ()
	for name, value := range h.settings {
		command.Env = append(command.Env, name+"="+value)
	}
	done := make(chan error, 1)
	began := time.Now()
	go func() {
		out, err := command.CombinedOutput()
		if err != nil {
			err = fmt.Errorf("import: %w: %s", err, out)
		}
		done <- err
	}()
	database := cpuOf(s.roots[1:]) // none on SQLite
	beside, err := visitor(s, done)
	g.imported += time.Since(began)
	g.importCPU += cpuOf(s.roots[1:]) - database
	if ended := command.ProcessState; ended != nil {
		g.importCPU += ended.UserTime() + ended.SystemTime()
	}
	if slowest := beside.quantile(1); slowest > g.besideSlowest {
		g.besideSlowest = slowest
	}
	g.besideMedian = beside.quantile(0.5)
	return err
}

// visitor asks for one course again and again, with a breath between, until something is done.
func visitor(s *system, done <-chan error) (heard, error) {
	c, err := dial(s.address, s.scripts["course"])
	if err != nil {
		return heard{}, err
	}
	defer c.close()
	one := c.all[0]
	for {
		select {
		case err := <-done:
			slices.Sort(one.waited)
			return heard{requests: len(one.waited), refused: one.refused, waited: one.waited}, err
		case <-time.After(20 * time.Millisecond):
			if err := c.askOnce(0, one); err != nil {
				return heard{}, err
			}
		}
	}
}

func writeCourses(file string, list []catalog.Course) error {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer out.Close()
	buffered := bufio.NewWriter(out)
	if err := catalogtest.Write(buffered, slices.Values(list)); err != nil {
		return err
	}
	return buffered.Flush()
}

// group writes a number with commas.
func group(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
