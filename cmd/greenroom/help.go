package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// wide is the narrowest terminal that help is made for.
const wide = 80

// headings stand before the command that begins a group.
var headings = map[string]string{"serve": "Run it", "admin": "People and courses", "backup": "Keep it safe", "doctor": "Look after it"}

// usage lists every command, in groups.
func usage(out io.Writer) {
	style := styleOf(out)
	fmt.Fprintf(out, "%s: an online course marketplace in one file.\n\nUsage: greenroom COMMAND\n", style.strong("Greenroom"))
	for _, c := range commands() {
		if heading := headings[c.name]; heading != "" {
			fmt.Fprintf(out, "\n%s\n", style.strong(heading))
		}
		for i, line := range wrapped(c.does, wide-14) {
			name := ""
			if i == 0 {
				name = c.name
			}
			fmt.Fprintf(out, "  %s%*s%s\n", style.name(name), 10-len(name), "", line)
		}
	}
	fmt.Fprintln(out, "\ngreenroom help COMMAND says what it takes, with an example. The settings are\nenvironment variables: README.md has them all.")
}

// about says all of one command.
func (c command) about(out io.Writer) {
	style := styleOf(out)
	fmt.Fprintf(out, "%s %s\n\n", style.strong("greenroom "+c.name), c.takes)
	for _, line := range wrapped(sentence(c.does)+".", wide-2) {
		fmt.Fprintln(out, line)
	}
	fmt.Fprintf(out, "\nFor example:\n  %s\n", style.name(c.example))
}

func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// wrapped breaks a text into lines of at most so many characters.
func wrapped(text string, most int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > most {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}

// style makes words stand out on a terminal, and nowhere else.
type style bool

func styleOf(out io.Writer) style {
	file, ok := out.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := file.Stat()
	return style(err == nil && info.Mode()&os.ModeCharDevice != 0)
}

func (s style) strong(text string) string { return s.in("1", text) }
func (s style) name(text string) string   { return s.in("33", text) }

func (s style) in(code, text string) string {
	if !s || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}
