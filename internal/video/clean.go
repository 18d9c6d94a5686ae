package video

import (
	"html"
	"regexp"
	"slices"
	"strings"
)

// tag is what we keep of markup: bold, italic, underlined, whose voice, a class, a language.
var tag = regexp.MustCompile(`^<(/?)(b|i|u|v|c|lang)((?:\.[a-zA-Z0-9_-]{1,30}){0,4})(?:[ \t]+([^<>&\n]{1,100}))?>`)

// anyTag is markup of whatever kind; {\an8} is how SubRip's editors place a line.
var anyTag = regexp.MustCompile(`^(?:</?[a-zA-Z][^<>]{0,200}>|<\d[\d:.]{0,20}>|\{\\[^{}]{0,40}\})`)

// clean gives a line with the tags that we know, all closed in their order, and everything else as text.
func clean(line string) string {
	var b strings.Builder
	var open []string
	for line != "" {
		if line[0] != '<' && line[0] != '{' {
			end := strings.IndexAny(line, "<{")
			if end < 0 {
				end = len(line)
			}
			b.WriteString(escaped(line[:end]))
			line = line[end:]
			continue
		}
		if found := tag.FindStringSubmatch(line); found != nil {
			open = mark(&b, open, found)
			line = line[len(found[0]):]
			continue
		}
		if found := anyTag.FindString(line); found != "" {
			line = line[len(found):]
			continue
		}
		b.WriteString(escaped(line[:1]))
		line = line[1:]
	}
	for _, name := range slices.Backward(open) {
		b.WriteString("</" + name + ">")
	}
	return b.String()
}

// mark writes a tag and gives those that are open after it.
func mark(b *strings.Builder, open []string, found []string) []string {
	closing, name, classes, note := found[1] != "", found[2], found[3], strings.TrimSpace(found[4])
	if !closing {
		b.WriteString("<" + name + classes)
		if note != "" && (name == "v" || name == "lang") {
			b.WriteString(" " + escaped(note))
		}
		b.WriteString(">")
		return append(open, name)
	}
	at := len(open) - 1
	for at >= 0 && open[at] != name {
		at--
	}
	if at < 0 {
		return open // it closes nothing
	}
	for _, inner := range slices.Backward(open[at:]) {
		b.WriteString("</" + inner + ">")
	}
	return open[:at]
}

// escaped is text as WebVTT writes it. What was escaped already is read first, so that it is not escaped twice; an arrow would
// begin a new time.
func escaped(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, html.UnescapeString(text))
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}
