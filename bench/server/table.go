package main

import (
	"fmt"
	"strings"
)

// text writes the table as Markdown.
func (t *table) text() string {
	var b strings.Builder
	b.WriteString("| work |")
	for _, name := range t.systems {
		fmt.Fprintf(&b, " %s |", title(name))
	}
	b.WriteString(" must reach |\n|---|" + strings.Repeat("---|", len(t.systems)+1) + "\n")
	for _, w := range works {
		figures, measured := t.figures[w.name]
		if !measured {
			continue
		}
		fmt.Fprintf(&b, "| %s |", w.title)
		for _, name := range t.systems {
			f, can := figures[name]
			if !can {
				b.WriteString(" – |")
				continue
			}
			fmt.Fprintf(&b, " %s |", f.text(figures["bare"], name))
		}
		fmt.Fprintf(&b, " %s |\n", w.promise())
	}
	return b.String()
}

// text gives a figure, and how many times the bare handler's it is.
func (f figure) text(bare figure, name string) string {
	text := fmt.Sprintf("%.0f µs", f.micros)
	if bare.micros > 0 && name != "bare" {
		text += fmt.Sprintf(" (%.1f ×)", f.micros/bare.micros)
	}
	if f.later > 5 {
		text += fmt.Sprintf(", later %.0f", f.later)
	}
	return text
}

func (w work) promise() string {
	switch {
	case w.mustBare > 0:
		return fmt.Sprintf("%.1f × bare", w.mustBare)
	case w.mustMicros > 0:
		return fmt.Sprintf("%.0f µs", w.mustMicros)
	}
	return ""
}

func title(system string) string {
	switch system {
	case "sqlite":
		return "ours, SQLite"
	case "postgres":
		return "ours, PostgreSQL"
	case "bare":
		return "bare Go"
	case "floor":
		return "bare Go with the same SQL"
	case "pocketbase":
		return "PocketBase"
	case "postgrest":
		return "PostgREST"
	case "gotrue":
		return "the reference auth server"
	}
	return system
}
