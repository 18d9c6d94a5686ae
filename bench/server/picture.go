package main

import (
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
)

// The picture's measures, and the house's colors (web/src/styles/tokens.css).
const (
	panelWidth, panelHeight = 900, 440
	left, right, top, under = 70, 250, 56, 48
	least, most             = 10.0, 100_000.0 // µs
)

var inks = []string{"#fc8731", "#59c5f5", "#59d38c", "#eebb58", "#fd7273", "#dcdee2", "#b89cf5", "#7fd6c8", "#f29fc5", "#acb1bb", "#c8a27a"}

// picture draws what each work needs at each size: both axes by powers of ten, so a line that is level does not grow.
func picture(all []*grown) string {
	var b strings.Builder
	height := panelHeight * max(1, len(all))
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="Geist, system-ui, sans-serif" font-size="13" role="img">`+"\n",
		panelWidth, height, panelWidth, height)
	b.WriteString("<title>CPU per request from 28 to 250,000 courses</title>\n")
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#0a0c11"/>`+"\n", panelWidth, height)
	for i, g := range all {
		fmt.Fprintf(&b, `<g transform="translate(0 %d)">`+"\n", i*panelHeight)
		g.draw(&b)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func xOf(size int) float64 {
	first, last := math.Log10(float64(sizes[0])), math.Log10(float64(sizes[len(sizes)-1]))
	return left + (math.Log10(float64(size))-first)/(last-first)*(panelWidth-left-right)
}

func yOf(micros float64) float64 {
	share := (math.Log10(min(max(micros, least), most)) - math.Log10(least)) / (math.Log10(most) - math.Log10(least))
	return panelHeight - under - share*(panelHeight-top-under)
}

func (g *grown) draw(b *strings.Builder) {
	fmt.Fprintf(b, `<text x="%d" y="30" fill="#f5f7fa" font-size="18">%s: CPU per request by number of courses</text>`+"\n", left, title(g.engine))
	for micros := least; micros <= most; micros *= 10 {
		y := yOf(micros)
		fmt.Fprintf(b, `<path d="M%d %.1fH%d" stroke="#ffffff" stroke-opacity="0.12"/><text x="%d" y="%.1f" fill="#acb1bb" text-anchor="end">%s</text>`+"\n",
			left, y, panelWidth-right, left-8, y+4, unit(micros))
	}
	for _, size := range sizes {
		fmt.Fprintf(b, `<text x="%.1f" y="%d" fill="#acb1bb" text-anchor="middle">%s</text>`+"\n", xOf(size), panelHeight-under+22, group(size))
	}
	g.lines(b)
}

func (g *grown) lines(b *strings.Builder) {
	type label struct {
		y         float64
		text, ink string
	}
	var labels []label
	for i, w := range growthWorks() {
		ink, path, last := inks[i%len(inks)], "", 0.0
		for j, s := range g.steps[:min(len(g.steps), len(sizes))] {
			f, there := s.figures[w.name]
			if !there {
				continue
			}
			last = f.micros
			path += fmt.Sprintf("%s%.1f %.1f", map[bool]string{true: "M", false: "L"}[path == ""], xOf(sizes[j]), yOf(last))
			fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`, xOf(sizes[j]), yOf(last), ink)
		}
		fmt.Fprintf(b, `<path d="%s" fill="none" stroke="%s" stroke-width="2"/>`+"\n", path, ink)
		labels = append(labels, label{yOf(last), short(w), ink})
	}
	// Names stand at the ends of their lines, moved apart where they would touch.
	slices.SortFunc(labels, func(a, c label) int { return cmp.Compare(a.y, c.y) })
	for i := range labels {
		if i > 0 {
			labels[i].y = max(labels[i].y, labels[i-1].y+17)
		}
	}
	bottom := float64(panelHeight - 12)
	for _, one := range slices.Backward(labels) {
		y := min(one.y, bottom)
		bottom = y - 17
		fmt.Fprintf(b, `<text x="%d" y="%.1f" fill="%s">%s</text>`+"\n", panelWidth-right+12, y+4, one.ink, html.EscapeString(one.text))
	}
}

func unit(micros float64) string {
	if micros >= 1000 {
		return fmt.Sprintf("%.0f ms", micros/1000)
	}
	return fmt.Sprintf("%.0f µs", micros)
}

// short is a work's name in few words.
func short(w work) string {
	words := map[string]string{
		"courses": "28 newest courses", "course": "one course by id", "saved": "own saved courses", "save": "save a course", "progress": "report progress",
		"join": "join a waitlist, with letter", "user": "GET user", "refresh": "refresh a token", "home": "home page",
		"page": "28 by rating", "count": "28 by rating, exact count", "search": "search, exact count",
	}
	return words[w.name]
}
