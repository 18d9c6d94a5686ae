package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"greenroom/internal/platform/config"
	"greenroom/internal/platform/db/dbtest"
)

// system is something that is measured: one or more processes that answer on an address of this machine.
type system struct {
	name    string
	address string
	// roots are its processes; what they start belongs to it as well.
	roots []int
	// binary is the program's file.
	binary string
	// again starts it once more on what it left behind.
	again func() (*system, error)
	// started is how long it took from the start of the process to the first good answer.
	started time.Duration
	// startCPU is what it used of the processor until then: on a crowded machine the better figure.
	startCPU time.Duration
	// scripts are the works that it can do, by their names.
	scripts map[string]*script
	stop    func()
}

// freePort asks the kernel for a port that nobody listens on.
func freePort() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String(), nil
}

// launch starts a program and waits until a path of its answers. Its log goes to a file, as an operator's would.
func launch(folder, address, ready string, environment map[string]string, command ...string) (*system, error) {
	log, err := os.OpenFile(filepath.Join(folder, "log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	child := exec.Command(command[0], command[1:]...)
	child.Stdout, child.Stderr, child.Dir = log, log, folder
	// The kernel ends it when we end in whatever way; see main.
	child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	child.Env = os.Environ()
	for name, value := range environment {
		child.Env = append(child.Env, name+"="+value)
	}
	began := time.Now()
	if err := child.Start(); err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() { _ = child.Wait(); close(ended) }()
	s := &system{address: address, roots: []int{child.Process.Pid}, scripts: map[string]*script{}}
	s.stop = func() {
		_ = child.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			_ = child.Process.Kill()
		}
	}
	if err := s.wait(ready, ended); err != nil {
		s.stop()
		return nil, fmt.Errorf("%s: %w; its log is %s", command[0], err, log.Name())
	}
	s.started, s.startCPU = time.Since(began), cpuOf(s.roots)
	return s, nil
}

func (s *system) wait(ready string, ended <-chan struct{}) error {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		response, err := http.Get("http://" + s.address + ready)
		if err == nil {
			_, _ = io.Copy(io.Discard, response.Body)
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ended:
			return errors.New("ended at once")
		case <-time.After(500 * time.Microsecond):
		}
	}
	return errors.New("does not answer")
}

// house is an installation of ours: a folder, a database, and what stands in it.
type house struct {
	name, binary, folder string
	settings             map[string]string
	cluster              *dbtest.Cluster
	scene                *scene
}

// furnish makes an installation on a new database. Its settings are the defaults, but for a proxy on this machine that
// may say where a request comes from: that gives each client an address, and the rate limits something to count.
func furnish(name, binary, within string) (*house, error) {
	h := &house{name: name, binary: binary}
	var err error
	if h.folder, err = os.MkdirTemp(within, name); err != nil {
		return nil, err
	}
	h.settings = map[string]string{
		"GREENROOM_DATA": filepath.Join(h.folder, "data"), "GREENROOM_TRUSTED_PROXIES": "127.0.0.1", "GREENROOM_DRAIN": "0s",
	}
	if name == "postgres" {
		cluster, err := dbtest.StartDurable()
		if err != nil {
			return nil, err
		}
		h.cluster = cluster
		h.settings["GREENROOM_DATABASE_URL"] = cluster.URL("postgres")
	}
	for setting := range config.Environment(os.Environ()) {
		if _, ours := h.settings[setting]; !ours && strings.HasPrefix(setting, "GREENROOM_") {
			h.settings[setting] = "" // the operator's own are not what is measured
		}
	}
	if h.scene, err = prepare(h.settings); err != nil {
		h.leave()
		return nil, fmt.Errorf("fill %s: %w", name, err)
	}
	return h, nil
}

// serve starts an instance of the installation, under another command if one is given (taskset).
func (h *house) serve(under ...string) (*system, error) {
	address, err := freePort()
	if err != nil {
		return nil, err
	}
	environment := maps.Clone(h.settings)
	environment["GREENROOM_LISTEN"] = address
	s, err := launch(h.folder, address, "/readyz", environment, append(under, h.binary, "serve")...)
	if err != nil {
		return nil, err
	}
	s.name, s.binary = h.name, h.binary
	s.again = func() (*system, error) { return h.serve(under...) }
	if h.cluster != nil {
		s.roots = append(s.roots, h.cluster.PID())
	}
	for _, w := range works {
		s.scripts[w.name] = w.ours(h.scene)
	}
	return s, nil
}

// leave ends the database.
func (h *house) leave() {
	if h.cluster != nil {
		h.cluster.Stop()
	}
}
