package video

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"time"

	"greenroom/internal/platform/safe"
)

// helperName is the argument that makes our own program the helper: it takes the limits upon itself and becomes the tool.
const helperName = "video-child"

// limits are what the kernel holds a child to.
type limits struct {
	Memory  int64 `json:"memory"`  // bytes of address space
	Seconds int64 `json:"seconds"` // of processor time
	File    int64 `json:"file"`    // bytes of a file that it writes
	Open    int64 `json:"open"`    // files at once
	Nice    int   `json:"nice"`
}

// child is one run of a tool.
type child struct {
	program string
	args    []string
	limits  limits
	// line hears what it writes to its standard output; a line longer than lineBytes is cut.
	line func(text []byte)
	// quiet ends a child that has written nothing for so long, most one that takes longer in all.
	quiet, most time.Duration
}

// Bounds of what a child may say, and how long it may take to end when it is asked to.
const (
	lineBytes = 4 << 10
	toldBytes = 64 << 10
	endTime   = 10 * time.Second
)

// Why a child was ended.
var (
	errStuck = errors.New("the tool stood still")
	errSlow  = errors.New("the tool took too long")
)

// failure is a child that did not end well, with the end of what it said. That is for admins and the log only.
type failure struct {
	how  error
	said string
}

func (f *failure) Error() string { return f.how.Error() }
func (f *failure) Unwrap() error { return f.how }

// environment is all that a child is told of its surroundings.
var environment = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "HOME=/nonexistent"}

// run runs a child to its end and gives the end of what it complained of.
func (c child) run(ctx context.Context) (said string, err error) {
	// The kernel ends a child when the thread that started it does: so this one stays.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	overall := time.AfterFunc(c.most, safe.Func(slog.Default(), func() { stop(errSlow) }))
	defer overall.Stop()
	if c.quiet <= 0 {
		c.quiet = c.most
	}
	still := time.AfterFunc(c.quiet, safe.Func(slog.Default(), func() { stop(errStuck) }))
	defer still.Stop()
	heard := &lines{each: func(text []byte) {
		still.Reset(c.quiet)
		if c.line != nil {
			c.line(text)
		}
	}}
	complaints := &tail{}
	cmd, err := c.start(ctx, heard, complaints)
	if err == nil {
		err = cmd.Wait()
	}
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	said = complaints.String()
	if err != nil {
		return said, &failure{fmt.Errorf("%s: %w", c.program, err), said}
	}
	return said, nil
}

// start starts the child without a network where the kernel lets us, and with one where it does not.
func (c child) start(ctx context.Context, heard *lines, complaints *tail) (cmd *exec.Cmd, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(c.limits)
	if err != nil {
		return nil, err
	}
	for _, apart := range []bool{true, false} {
		if apart && noNamespaces.Load() {
			continue
		}
		cmd = exec.CommandContext(ctx, self, append([]string{helperName, string(text), c.program}, c.args...)...) //nolint:gosec // our own program
		cmd.Env, cmd.Stdout, cmd.Stderr = environment, heard, complaints
		cmd.Cancel, cmd.WaitDelay = func() error { return endGently(cmd) }, endTime
		cmd.SysProcAttr = attributes(apart)
		if err = cmd.Start(); err == nil || ctx.Err() != nil {
			return cmd, err
		}
		if apart {
			noNamespaces.Store(true)
		}
	}
	return cmd, err
}

// Helper becomes a tool within limits, and does not come back, if that is what this process was started for. Whoever has a
// main function calls it first.
func Helper() {
	const known = 4 // our name, the helper's, the limits, the tool
	if len(os.Args) < known || os.Args[1] != helperName {
		return
	}
	var l limits
	err := json.Unmarshal([]byte(os.Args[2]), &l)
	if err == nil {
		err = become(l, os.Args[3], os.Args[3:])
	}
	fmt.Fprintln(os.Stderr, "greenroom:", err)
	os.Exit(127)
}

// lines gives a child's output on, a line at a time.
type lines struct {
	each func(text []byte)
	rest []byte
}

func (l *lines) Write(text []byte) (int, error) {
	n := len(text)
	for {
		line, after, whole := bytes.Cut(text, []byte("\n"))
		if room := lineBytes - len(l.rest); len(line) > room {
			line = line[:room]
		}
		l.rest = append(l.rest, line...)
		if !whole {
			return n, nil
		}
		l.each(l.rest)
		l.rest, text = l.rest[:0], after
	}
}

// tail keeps the end of what is written: the reason stands there.
type tail struct {
	kept []byte
	cut  int
}

func (t *tail) Write(text []byte) (int, error) {
	t.kept = append(t.kept, text...)
	if over := len(t.kept) - toldBytes; over > 0 {
		t.kept, t.cut = append(t.kept[:0], t.kept[over:]...), t.cut+over
	}
	return len(text), nil
}

func (t *tail) String() string {
	if t.cut == 0 {
		return string(t.kept)
	}
	return "[" + strconv.Itoa(t.cut) + " bytes before]" + string(t.kept)
}
