package main

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
)

// fact is what a system is before anybody asks it for much.
type fact struct {
	name           string
	memory, binary int64
	// From the start to the first good answer: the time, and the processor's.
	started, used time.Duration
}

// idleTime is how long a system stands idle, after its first page, before its memory is read.
const idleTime, starts = 45 * time.Second, 7

// facts starts the systems anew, one at a time, and lets them stand idle together. It leaves them stopped.
func facts(systems []*system) ([]fact, error) {
	var all []fact
	var idle []*system
	defer func() {
		for _, s := range idle {
			s.stop()
		}
	}()
	for _, s := range systems {
		if s.again == nil {
			continue
		}
		var took, used []time.Duration
		for range starts {
			s.stop()
			next, err := s.again()
			if err != nil {
				return nil, err
			}
			s = next
			took, used = append(took, s.started), append(used, s.startCPU)
		}
		slices.Sort(took)
		slices.Sort(used)
		file, err := os.Stat(s.binary)
		if err != nil {
			return nil, err
		}
		if response, err := http.Get("http://" + s.address + "/"); err == nil {
			response.Body.Close()
		}
		idle = append(idle, s)
		all = append(all, fact{name: s.name, binary: file.Size(), started: took[len(took)/2], used: used[len(used)/2]})
	}
	time.Sleep(idleTime)
	for i, s := range idle {
		all[i].memory = memoryOf(s.roots[0])
	}
	return all, nil
}

func factsText(all []fact) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| | idle memory (%.0f s after the first page) | binary | start to first answer | its CPU |\n|---|---|---|---|---|\n", idleTime.Seconds())
	for _, f := range all {
		fmt.Fprintf(&b, "| %s | %d MB | %.1f MB | %.0f ms | %d ms |\n", title(f.name), f.memory>>20, float64(f.binary)/1e6,
			float64(f.started.Microseconds())/1000, f.used.Milliseconds())
	}
	b.WriteString("| ours must reach | 30 MB | 34 MB | 20 ms | |\n")
	return b.String()
}
