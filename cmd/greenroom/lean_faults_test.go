//go:build faults

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// asGenerator makes the test's own binary a generator: one process on a core of its own, whose clients are sockets. It takes
// nothing away from what it measures, and tells how late it was itself.
const asGenerator = "RUN_AS_GENERATOR"

// order is what a generator is asked for.
type order struct {
	Address string
	// Head and Body are of a request; in Body, nine digits stand for %09d.
	Head, Body string
	Beside     string // what another visitor asks meanwhile, fifty times a second
	// Clients ask without a pause, each when it is answered; where there are none, PerSecond are sent whatever becomes of the
	// answers, as a crowd does, until so many are open that nobody more would wait.
	Clients   int
	PerSecond float64
	Rounds    []time.Duration
	First     int64
	Server    int // its process, whose own wait for a core is told; 0 tells none
}

const mostOpen = 3000

// measured is a round's end: how requests ended, what became of the others', and the generator's own delays.
type measured struct {
	Possible                 float64 // answered in a second
	Accepted, Refused        span
	Others                   span
	Rude, Failed, Unsent     int
	Example                  string
	Late, Woken              time.Duration // p99 of being late to send, and of waking up on time
	Stolen                   float64       // of the machine's time, by other machines
	Denied                   float64       // of the time in which the server could run and its core did other work
	accepted, refused        []time.Duration
	others, late, wokenAfter []time.Duration
}

type span struct {
	N        int
	P50, P99 time.Duration
}

func spanOf(all []time.Duration) span { return span{len(all), centile(all, 0.5), centile(all, 0.99)} }

func (s span) String() string {
	return fmt.Sprintf("%d, p50 %v, p99 %v", s.N, round(s.P50), round(s.P99))
}

func (m *measured) String() string {
	text := fmt.Sprintf("answered %v; turned away %v; others %v", m.Accepted, m.Refused, m.Others)
	if m.Rude+m.Failed > 0 {
		text += fmt.Sprintf("; %d without Retry-After, %d failed (%s)", m.Rude, m.Failed, m.Example)
	}
	return text + fmt.Sprintf("; the generator p99 %v late to send, %v to wake, %.0f %% stolen; the server's core did other work for %.0f %%", round(m.Late), round(m.Woken), 100*m.Stolen, 100*m.Denied)
}

// onCore is the words before a program that is to have one core.
func onCore(t *testing.T, core int) []string {
	t.Helper()
	if _, err := exec.LookPath("taskset"); err != nil || runtime.NumCPU() < 2 {
		t.Skip("this takes taskset and two cores: on the server's own the generator would measure its wait")
	}
	return []string{"taskset", "-c", fmt.Sprint(core)}
}

// generate has a generator carry an order out.
func generate(t *testing.T, o order) []*measured {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	words := append(onCore(t, 1), self)
	c := exec.CommandContext(t.Context(), words[0], words[1:]...)
	c.Env, c.Stdin, c.Stderr = []string{asGenerator + "=1", "PATH=" + os.Getenv("PATH"), "GOGC=400"}, bytes.NewReader(text), os.Stderr
	said, err := c.Output()
	var rounds []*measured
	if err == nil {
		err = json.Unmarshal(said, &rounds)
	}
	if err != nil {
		t.Fatalf("the generator: %v %s", err, said)
	}
	return rounds
}

func init() {
	if os.Getenv(asGenerator) == "" {
		return
	}
	var o order
	if err := json.NewDecoder(os.Stdin).Decode(&o); err != nil {
		panic(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(newLean(o).run()); err != nil {
		panic(err)
	}
	os.Exit(0)
}

// lean is a generator at work.
type lean struct {
	order
	begun  time.Time
	due    chan time.Time // to clients that are free
	mu     sync.Mutex
	next   int64
	rounds []*measured
}

func newLean(o order) *lean {
	l := &lean{order: o, due: make(chan time.Time), next: o.First}
	for range o.Rounds {
		l.rounds = append(l.rounds, &measured{})
	}
	return l
}

// in calls fn with the round that a moment falls into.
func (l *lean) in(at time.Time, fn func(m *measured)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	passed := at.Sub(l.begun)
	for i, long := range l.Rounds {
		if passed -= long; passed < 0 || i == len(l.Rounds)-1 {
			fn(l.rounds[i])
			return
		}
	}
}

func (l *lean) run() []*measured {
	var all time.Duration
	for _, long := range l.Rounds {
		all += long
	}
	l.begun = time.Now()
	until := l.begun.Add(all)
	var clients, besides sync.WaitGroup
	stop := make(chan struct{})
	besides.Go(func() { l.watch(stop) })
	besides.Go(func() { l.visit(stop) })
	for range l.Clients {
		clients.Go(func() {
			for c := (&client{lean: l}); time.Now().Before(until); {
				c.once(time.Now())
			}
		})
	}
	if l.Clients == 0 {
		l.crowd(until, &clients)
	}
	clients.Wait()
	close(stop)
	besides.Wait()
	for i, m := range l.rounds {
		m.Possible = float64(len(m.accepted)) / l.Rounds[i].Seconds()
		m.Accepted, m.Refused, m.Others = spanOf(m.accepted), spanOf(m.refused), spanOf(m.others)
		m.Late, m.Woken = centile(m.late, 0.99), centile(m.wokenAfter, 0.99)
	}
	return l.rounds
}

// crowd sends on time, with as many clients as that takes.
func (l *lean) crowd(until time.Time, clients *sync.WaitGroup) {
	open, sent := 0, 0.0
	for now := time.Now(); now.Before(until); now = time.Now() {
		for ; sent < now.Sub(l.begun).Seconds()*l.PerSecond; sent++ {
			planned := l.begun.Add(time.Duration(sent / l.PerSecond * float64(time.Second)))
			select {
			case l.due <- planned:
				continue
			default:
			}
			if open == mostOpen {
				l.in(planned, func(m *measured) { m.Unsent++ })
				continue
			}
			open++
			clients.Go(func() {
				c := &client{lean: l}
				c.once(planned)
				for planned := range l.due {
					c.once(planned)
				}
			})
		}
		time.Sleep(time.Millisecond)
	}
	close(l.due)
}

// watch tells how late somebody wakes up here who has nothing to do, and how much time others' machines took.
func (l *lean) watch(stop chan struct{}) {
	all, stolen := machineTime()
	before, since := coreTimeOf(l.Server), time.Now()
	var current *measured
	for {
		slept := time.Now()
		time.Sleep(5 * time.Millisecond)
		select {
		case <-stop:
			return
		default:
		}
		l.in(slept, func(m *measured) {
			if m != current {
				all, stolen = machineTime()
				before, since = coreTimeOf(l.Server), time.Now()
				current = m
			}
			m.wokenAfter = append(m.wokenAfter, time.Since(slept)-5*time.Millisecond)
			if len(m.wokenAfter)%20 == 0 {
				nowAll, nowStolen := machineTime()
				m.Stolen = (nowStolen - stolen) / max(1, nowAll-all)
				m.Denied = before.denied(coreTimeOf(l.Server), time.Since(since))
			}
		})
	}
}

// machineTime is what /proc/stat says of all cores: in all, and stolen.
func machineTime() (all, stolen float64) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, 0
	}
	first, _, _ := strings.Cut(string(text), "\n")
	for i, field := range strings.Fields(first)[1:] {
		var n float64
		_, _ = fmt.Sscan(field, &n)
		if all += n; i == 7 {
			stolen = n
		}
	}
	return all, stolen
}

// coreTime is how long the threads of a process ran, and how long they could have and had no core, as the kernel counts it.
type coreTime struct{ ran, waited time.Duration }

func coreTimeOf(pid int) (all coreTime) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	for _, thread := range threads {
		var ran, waited int64
		if text, err := os.ReadFile(thread); err == nil {
			_, _ = fmt.Sscan(string(text), &ran, &waited)
			all.ran, all.waited = all.ran+time.Duration(ran), all.waited+time.Duration(waited)
		}
	}
	return all
}

// denied is the part of the time in which a process with one core wanted it and did not have it: threads also wait for each other,
// but then one of them runs.
func (before coreTime) denied(now coreTime, passed time.Duration) float64 {
	return max(0, min(now.waited-before.waited, passed-(now.ran-before.ran)).Seconds()/passed.Seconds())
}

// visit is another visitor, who asks one small thing fifty times a second.
func (l *lean) visit(stop chan struct{}) {
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	c := &client{lean: l}
	for l.Beside != "" {
		select {
		case <-stop:
			return
		case <-again.C:
			begun := time.Now()
			answer, err := c.ask([]byte(l.Beside))
			l.in(begun, func(m *measured) {
				if err != nil || answer.code >= 500 {
					m.Failed, m.Example = m.Failed+1, fmt.Sprint("another visitor: ", answer.code, " ", err)
					return
				}
				m.others = append(m.others, time.Since(begun))
			})
		}
	}
}

// client is one connection, kept while it is good.
type client struct {
	*lean
	conn net.Conn
	from *bufio.Reader
}

type answer struct {
	code  int
	retry string
}

func (c *client) once(planned time.Time) {
	text := []byte(c.Head)
	if c.Body != "" {
		c.mu.Lock()
		c.next++
		n := c.next
		c.mu.Unlock()
		text = fmt.Appendf(text, c.Body, n)
	}
	begun := time.Now()
	got, err := c.ask(text)
	took := time.Since(begun)
	c.in(planned, func(m *measured) {
		m.late = append(m.late, begun.Sub(planned))
		switch {
		case err != nil:
			m.Failed, m.Example = m.Failed+1, err.Error()
		case got.code == http.StatusServiceUnavailable || got.code == http.StatusTooManyRequests:
			m.refused = append(m.refused, took)
			if got.retry == "" {
				m.Rude++
			}
		case got.code >= 500:
			m.Failed, m.Example = m.Failed+1, fmt.Sprint(got.code)
		default:
			m.accepted = append(m.accepted, took)
		}
	})
}

func (c *client) ask(text []byte) (answer, error) {
	if c.conn == nil {
		conn, err := net.Dial("tcp", c.Address)
		if err != nil {
			return answer{}, err
		}
		c.conn, c.from = conn, bufio.NewReaderSize(conn, 16<<10)
	}
	_ = c.conn.SetDeadline(time.Now().Add(time.Minute))
	_, err := c.conn.Write(text)
	var got *http.Response
	if err == nil {
		got, err = http.ReadResponse(c.from, nil)
	}
	if err == nil {
		_, err = io.Copy(io.Discard, got.Body)
	}
	if err != nil || got.Close {
		_ = c.conn.Close()
		c.conn = nil
	}
	if err != nil {
		return answer{}, err
	}
	return answer{got.StatusCode, got.Header.Get("Retry-After")}, nil
}
