package main

import (
	"fmt"
	"io"
	"os"
	"slices"
)

// flagged takes a flag out of the arguments.
func flagged(args []string, flag string) (there bool, left []string) {
	left = slices.DeleteFunc(slices.Clone(args), func(one string) bool { return one == flag })
	return len(left) < len(args), left
}

func withFile(name string, fn func(file *os.File) error) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	return fn(file)
}

// tried is a dry run: it says every line that is broken, and fails if one is.
func tried(out io.Writer, things string, check func(broken func(error)) (good int, err error)) error {
	bad := 0
	good, err := check(func(broken error) {
		bad++
		fmt.Fprintln(out, broken)
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d %s could come in; nothing was stored.\n", good, things)
	if bad > 0 {
		return fmt.Errorf("%d %s cannot come in", bad, things)
	}
	return nil
}

// progress is one line of a terminal that says how far a job is. Elsewhere, in a log say, it says nothing.
type progress struct {
	out    io.Writer // nil where there is no terminal
	things string
	said   string
}

func newProgress(out io.Writer, things string) *progress {
	p := &progress{things: things}
	if file, ok := out.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			p.out = out
		}
	}
	return p
}

// note says how many are done, of how many where that is known, whenever the line changes.
func (p *progress) note(done, of int) {
	if p.out == nil {
		return
	}
	line := fmt.Sprintf("%d %s", done, p.things)
	if of > 0 {
		const wide = 30
		of = max(of, done) // the file may have grown
		full := wide * done / of
		line = fmt.Sprintf("[%-*s] %3d %%  %d of %d %s", wide, bar[:full], 100*done/of, done, of, p.things)
	}
	if line != p.said {
		fmt.Fprint(p.out, "\r"+line)
		p.said = line
	}
}

const bar = "=============================="

// end clears the line for what is said at the end.
func (p *progress) end() {
	if p.said != "" {
		fmt.Fprintf(p.out, "\r%*s\r", len(p.said), "")
	}
}
