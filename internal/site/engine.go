package site

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"modernc.org/quickjs"

	"greenroom/internal/platform/memory"
	"greenroom/internal/platform/metrics"
	"greenroom/internal/platform/safe"
)

//go:embed globals.js
var globals string

// errBusy is the engine's answer when its queue is full; a page then goes out without its inner markup.
var errBusy = errors.New("the page engine is busy")

// errClosed is the answer after Close.
var errClosed = errors.New("the page engine is closed")

// errScript marks what a page's own script ended with, and that it would end with again.
var errScript = errors.New("the page's script failed")

// limits bounds what one page may cost.
type limits struct {
	time   time.Duration // of one call into the script
	memory uintptr       // of the whole engine, in bytes
	queue  int           // calls that may wait
	idle   time.Duration // after which the engine gives its memory back
}

// engine runs the app's render script. A JavaScript VM belongs to one goroutine: it starts with the first call, makes
// the VM, and ends after a time without calls, so a server that nobody visits holds no VM.
type engine struct {
	script func() (string, error) // read when it is compiled, and not kept
	limits limits
	log    *slog.Logger

	mu      sync.Mutex
	running bool
	closed  bool
	vm      *quickjs.VM // set by the loop, read by Close to interrupt it
	done    chan struct{}
	stop    chan struct{}

	// Plans are short and let a page fetch its data while another one renders, so they go first.
	plans   chan call
	renders chan call

	// took is how long calls take; the first of an engine reads the script.
	took metrics.Histogram

	// Only the loop touches the bytecode: compiling takes longer than making a VM, so it outlives the VM.
	bytecode []byte
}

type call struct {
	ctx      context.Context
	within   time.Duration // of the engine's time
	function string
	args     []any
	answer   chan answer
}

type answer struct {
	text string
	err  error
}

func newEngine(script func() (string, error), l limits, log *slog.Logger) *engine {
	return &engine{
		script: script, limits: l, log: log,
		stop:  make(chan struct{}),
		plans: make(chan call, l.queue), renders: make(chan call, l.queue),
	}
}

// plan asks the script which data the page at path needs; answers is the JSON of what is known so far.
func (e *engine) plan(ctx context.Context, path, answers string) (string, error) {
	if answers == "" {
		return e.do(ctx, e.plans, e.limits.time, "greenroom.plan", path)
	}
	return e.do(ctx, e.plans, e.limits.time, "greenroom.plan", path, answers)
}

// render asks the script for the page at path.
func (e *engine) render(ctx context.Context, path, input string) (string, error) {
	return e.renderWithin(ctx, e.limits.time, path, input)
}

// renderWithin is render with a bound of its own.
func (e *engine) renderWithin(ctx context.Context, within time.Duration, path, input string) (string, error) {
	return e.do(ctx, e.renders, within, "greenroom.render", path, input)
}

func (e *engine) do(ctx context.Context, queue chan call, within time.Duration, function string, args ...any) (string, error) {
	c := call{ctx: ctx, within: within, function: function, args: args, answer: make(chan answer, 1)}
	if err := e.enqueue(queue, c); err != nil {
		return "", err
	}
	select {
	case a := <-c.answer:
		return a.text, a.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// enqueue puts the call in line under the lock that the loop takes before it ends, so no call is left behind.
func (e *engine) enqueue(queue chan call, c call) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return errClosed
	}
	select {
	case queue <- c:
	default:
		return errBusy
	}
	if !e.running {
		e.running = true
		e.done = make(chan struct{})
		done := e.done
		safe.Go(e.log, func() { e.loop(done) })
	}
	return nil
}

// Close stops the engine, in the middle of a call if need be.
func (e *engine) Close() {
	e.mu.Lock()
	if !e.closed {
		e.closed = true
		close(e.stop)
	}
	running, done, vm := e.running, e.done, e.vm
	e.mu.Unlock()
	if !running {
		return
	}
	if vm != nil {
		vm.Interrupt()
	}
	<-done
}

func (e *engine) loop(done chan struct{}) {
	defer close(done)
	idle := time.NewTimer(e.limits.idle)
	defer idle.Stop()
	for {
		c, ok := e.next(idle.C)
		switch {
		case ok:
			e.answer(c)
		case e.retire():
			return
		}
		idle.Reset(e.limits.idle)
	}
}

// next waits for a call; false means that none came for a while, or that the engine closes.
func (e *engine) next(idle <-chan time.Time) (call, bool) {
	select {
	case <-e.stop:
		return call{}, false
	case c := <-e.plans:
		return c, true
	default:
	}
	select {
	case <-e.stop:
	case c := <-e.plans:
		return c, true
	case c := <-e.renders:
		return c, true
	case <-idle:
	}
	return call{}, false
}

// retire ends the loop and lets the VM go, unless a call came in at the last moment. A closed engine ends in any case.
func (e *engine) retire() bool {
	e.mu.Lock()
	if !e.closed && len(e.plans)+len(e.renders) > 0 {
		e.mu.Unlock()
		return false
	}
	e.refuse()
	e.running = false
	vm := e.vm
	e.vm = nil
	e.mu.Unlock()
	// From here on another loop may run with a VM of its own.
	e.discard(vm)
	memory.Release() // a server that nobody visits gives back what its last pages took
	return true
}

// refuse answers the calls that a closing engine leaves in line.
func (e *engine) refuse() {
	for {
		select {
		case c := <-e.plans:
			c.answer <- answer{err: errClosed}
		case c := <-e.renders:
			c.answer <- answer{err: errClosed}
		default:
			return
		}
	}
}

func (e *engine) answer(c call) {
	if c.ctx.Err() != nil {
		c.answer <- answer{err: c.ctx.Err()}
		return
	}
	var text string
	begun := time.Now() //nolint:forbidigo // how long a page takes is no business time
	err := safe.Try(func() (err error) {
		text, err = e.run(c)
		return err
	})
	e.took.Observe(time.Since(begun))
	if err != nil {
		// A script that was cut short may have left anything behind, so the next call gets a new VM.
		e.drop()
	}
	c.answer <- answer{text: text, err: err}
}

func (e *engine) run(c call) (text string, err error) {
	if err := e.start(); err != nil {
		return "", err
	}
	// Loading the script is paid once; the limit is for pages.
	if err := e.vm.SetEvalTimeout(c.within); err != nil {
		return "", fmt.Errorf("bound a page: %w", err)
	}
	result, err := e.vm.Call(c.function, c.args...)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errScript, describe(c.function, err))
	}
	text, ok := result.(string)
	if !ok {
		return "", fmt.Errorf("%s answered a %T, not a string", c.function, result)
	}
	// Promise reactions that the render left behind would pile up in the VM.
	if _, err := e.vm.ExecutePendingJobs(); err != nil {
		return "", describe(c.function, err)
	}
	return text, nil
}

// start makes the VM if there is none.
func (e *engine) start() error {
	if e.vm != nil {
		return nil
	}
	vm, err := quickjs.NewVM()
	if err != nil {
		return fmt.Errorf("make a page engine: %w", err)
	}
	e.setVM(vm)
	vm.SetMemoryLimit(e.limits.memory)
	if err := vm.RegisterHostFunc("__say", e.say); err != nil {
		return fmt.Errorf("make a page engine: %w", err)
	}
	if _, err := vm.Eval(globals, quickjs.EvalGlobal); err != nil {
		return describe("globals.js", err)
	}
	if e.bytecode == nil {
		script, err := e.script()
		if err != nil {
			return fmt.Errorf("read render.js: %w", err)
		}
		if e.bytecode, err = vm.Compile(script, quickjs.EvalGlobal); err != nil {
			return describe("render.js", err)
		}
	}
	if _, err := vm.EvalBytecode(e.bytecode); err != nil {
		return describe("render.js", err)
	}
	return nil
}

// drop lets the VM go; the next call makes another.
func (e *engine) drop() {
	vm := e.vm
	e.setVM(nil)
	e.discard(vm)
}

func (e *engine) discard(vm *quickjs.VM) {
	if vm == nil {
		return
	}
	// A VM that was cut short may be in any state.
	if err := safe.Try(vm.Close); err != nil {
		e.log.Warn("page engine did not close cleanly", "error", err)
	}
}

func (e *engine) setVM(vm *quickjs.VM) {
	e.mu.Lock()
	e.vm = vm
	e.mu.Unlock()
}

// say passes the script's console on to the log.
func (e *engine) say(args []any) (any, error) {
	level := slog.LevelDebug
	if len(args) == 2 {
		switch args[0] {
		case "warn":
			level = slog.LevelWarn
		case "error":
			level = slog.LevelError
		}
		e.log.Log(context.Background(), level, "page script", "text", args[1])
	}
	return nil, nil
}

// describe keeps the script's stack, without which an error in a minified bundle says nothing.
func describe(what string, err error) error {
	var js *quickjs.Error
	if errors.As(err, &js) && js.Stack != "" {
		return fmt.Errorf("%s: %w\n%s", what, err, js.Stack)
	}
	return fmt.Errorf("%s: %w", what, err)
}
