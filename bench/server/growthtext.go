package main

import (
	"fmt"
	"strings"
	"time"
)

// growthText writes what each work needs at each size, and what there is to say of the imports and searches.
func growthText(all []*grown) string {
	var b strings.Builder
	b.WriteString("![CPU per request from 28 to 250,000 courses](growth.svg)\n")
	for _, g := range all {
		fmt.Fprintf(&b, "\n**%s** (µs of CPU a request)\n\n| work |", title(g.engine))
		for _, s := range g.steps {
			fmt.Fprintf(&b, " %s |", s.label)
		}
		b.WriteString("\n|---|" + strings.Repeat("---|", len(g.steps)) + "\n")
		for _, w := range append(growthWorks(), adminWorks...) {
			g.line(&b, w)
		}
		g.rest(&b)
	}
	return b.String()
}

func (g *grown) line(b *strings.Builder, w work) {
	cells, any := "", false
	for _, s := range g.steps {
		f, measured := s.figures[w.name]
		any = any || measured
		if measured {
			cells += fmt.Sprintf(" %.0f |", f.micros)
		} else {
			cells += " |"
		}
	}
	if any {
		fmt.Fprintf(b, "| %s |%s\n", w.title, cells)
	}
}

// rest are the figures that are not CPU per request.
func (g *grown) rest(b *strings.Builder) {
	for _, s := range g.steps {
		if page, count := s.figures["page"], s.figures["count"]; s.label == group(100_000) && page.micros > 0 {
			fmt.Fprintf(b, "\nA page with an exact count at 100,000 courses: %.1f × the page without (at most 1.5 ×).", count.micros/page.micros)
		}
		if search, there := s.figures[searchWork.name]; there && s.label == group(250_000) {
			fmt.Fprintf(b, "\nSearch at 250,000, one after the other: p50 %s, p99 %s; with %d asking at once p50 %s, p99 %s."+
				" The server's memory after it %d MB, %.0f s later %d MB (at most 250 MB).",
				milli(g.searchP50), milli(g.searchP99), connections, milli(search.p50), milli(search.p99), g.memory>>20, idleTime.Seconds(), g.memoryLater>>20)
		}
		for _, w := range adminWorks {
			if f, there := s.figures[w.name]; there {
				fmt.Fprintf(b, "\n%s: p50 %s with %d asking at once.", strings.ToUpper(w.title[:1])+w.title[1:], milli(f.p50), connections)
			}
		}
	}
	if g.imported > 0 {
		fmt.Fprintf(b, "\nImport of %s courses in %d files beside the serving server: %.0f s, of them %.0f s of CPU (at most 30 s); one course by id meanwhile p50 %s, slowest %s.\n",
			group(sizes[len(sizes)-1]-sizes[0]), len(sizes)-1, g.imported.Seconds(), g.importCPU.Seconds(), milli(g.besideMedian), milli(g.besideSlowest))
	}
}

func milli(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
