package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// replace puts a text between the two markers of its name in a document. What people wrote around them stays.
func replace(file, name, text string) error {
	if file == "" {
		_, err := fmt.Fprintf(os.Stdout, "\n%s\n", text)
		return err
	}
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	from, to := "<!-- bench:"+name+" -->\n", "<!-- /bench:"+name+" -->"
	before, rest, ok := strings.Cut(string(old), from)
	_, after, closed := strings.Cut(rest, to)
	if !ok || !closed {
		return fmt.Errorf("%s has no markers %q", file, strings.TrimSpace(from))
	}
	return os.WriteFile(file, []byte(before+from+text+to+after), 0o644)
}

// circumstances is a sentence about the machine, the moment and the command.
func (p *plan) circumstances(part string) string {
	command := "bin/bench -parts " + part
	if part == "growth" && p.all {
		command += " -all"
	}
	return fmt.Sprintf("`%s`, %d rounds of %s, %s, %s, %d cores, load %s at the beginning, %s.\n\n",
		command, p.rounds, p.round, time.Now().UTC().Format("2006-01-02"), processor(), runtime.NumCPU(), load, runtime.Version())
}

// load is how busy the machine was before we came.
var load = func() string {
	text, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(text), " ")
	return first
}()

func processor() string {
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if name, value, _ := strings.Cut(lines.Text(), ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
